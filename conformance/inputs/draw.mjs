/** Seeded numbers of its own, so that the cases do not move when the package's generator does (mulberry32). */
export function drawer(label) {
  let state = 0x811c9dc5;
  for (const char of label) state = Math.imul(state ^ char.charCodeAt(0), 0x01000193) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const integer = (n) => Math.floor(next() * n);
  return {
    next,
    integer,
    /** Index drawn with these probabilities. */
    index(probabilities) {
      let left = next();
      for (let i = 0; i < probabilities.length; i++) {
        left -= probabilities[i];
        if (left < 0) return i;
      }
      return probabilities.length - 1;
    },
    /** Nearly normal: a sum of twelve, without functions whose last digit a platform may choose. Two decimals. */
    normal() {
      let total = -6;
      for (let i = 0; i < 12; i++) total += next();
      return Math.round(total * 100) / 100;
    },
  };
}

/** Rows of simulators over units: `laws[name]` = probabilities of the cells; half of a unit's rows repeat its first. */
export function drawnRows(label, { laws, units, rows, from = 0, outside = 0 }) {
  const random = drawer(label);
  const list = [];
  for (const [name, law] of Object.entries(laws))
    for (let unit = from; unit < from + units; unit++) {
      const first = random.index(law);
      const count = typeof rows === 'number' ? rows : 1 + random.integer(rows[1]);
      for (let row = 0; row < count; row++) {
        const cell = row === 0 || random.next() < 0.3 ? first : random.index(law);
        list.push([unit, name, cell, random.next() < outside ? 1 : 0]);
      }
    }
  return list;
}

export const CELLS = ['unit', 'simulator', 'cell', 'outside'];

/** Every unit of `units` shows the cells of each simulator once: `{a: [0, 1], b: [2, 2]}`. */
export function steadyRows(units, cells) {
  return Object.entries(cells).flatMap(([name, list]) =>
    Array.from({ length: units }, (_, unit) => list.map((cell) => [unit, name, cell, 0])).flat(),
  );
}

export const cellTable = (rows) => ({ fields: CELLS, rows });
