import type { LabWorld } from '../../../src/report/lab-payload.ts';
import { Missing } from '../number.tsx';

/** The world that curves, figures and differences are shown of; all sections share it. */
export interface WorldChoice {
  readonly worlds: readonly LabWorld[];
  readonly world: LabWorld | undefined;
  readonly choose: (at: number) => void;
}

/** A switch of worlds; nothing where there is one world only. `name` sets the switches of a page apart. */
export function WorldSwitch({ choice, name }: { choice: WorldChoice; name: string }) {
  const { worlds, world, choose } = choice;
  if (worlds.length === 0) return <Missing>The table has no world.</Missing>;
  if (worlds.length === 1) return null;
  return (
    <fieldset class="segments lab-worlds">
      <legend class="unseen">World</legend>
      {worlds.map((one, at) => (
        <label key={one.name}>
          <input
            type="radio"
            name={`world-${name}`}
            value={String(at)}
            checked={one === world}
            onChange={() => choose(at)}
          />
          <span>{one.name}</span>
        </label>
      ))}
    </fieldset>
  );
}
