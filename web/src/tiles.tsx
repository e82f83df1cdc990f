export interface Tile {
  readonly name: string;
  readonly value: string;
  readonly meaning: string;
}

/** Counts side by side, each with what it means. */
export function Tiles({ tiles }: { tiles: readonly Tile[] }) {
  return (
    <ul class="tiles">
      {tiles.map(({ name, value, meaning }) => (
        <li key={name}>
          <h3>{name}</h3>
          <span class="value">
            <span class="value-point">{value}</span>
          </span>
          <p class="fine">{meaning}</p>
        </li>
      ))}
    </ul>
  );
}
