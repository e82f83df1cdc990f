/** What a persuadee of one dialogue gave, and said they would give; null where it is not recorded. */
export interface Donation {
  readonly dialogue: string;
  readonly person: string;
  readonly actual: number | null;
  readonly intended: number | null;
}

/** Upper ends of the bins: 0 alone, then above the end before up to this one; the last bin is everything more. */
export const DONATION_GRID = [0, 0.1, 0.25, 0.5, 1, 2];

/** Counts by bin of DONATION_GRID, one more for above its end. Amounts below 0 are an error of the caller. */
export function countDonations(amounts: readonly number[]): number[] {
  const counts = new Array<number>(DONATION_GRID.length + 1).fill(0);
  for (const amount of amounts) {
    const bin = DONATION_GRID.findIndex((end) => amount <= end);
    counts[bin < 0 ? DONATION_GRID.length : bin]!++;
  }
  return counts;
}

/** Wilson's (1927) 95 % interval of a share. */
export function wilson(count: number, n: number): readonly [number, number] {
  const z2 = 1.959963984540054 ** 2;
  const centre = (count + z2 / 2) / (n + z2);
  const reach = (Math.sqrt(z2) * Math.sqrt((count * (n - count)) / n + z2 / 4)) / (n + z2);
  return [Math.max(0, centre - reach), Math.min(1, centre + reach)];
}

/** The rows of persuadees (B4 = 1) of a people table, header first: columns B2, B3, B4, B6 and B5 if there. */
export function donationsOf(table: readonly (readonly unknown[])[]): Donation[] {
  const [header = [], ...rows] = table;
  const at = (name: string) => header.indexOf(name);
  const [dialogue, person, side, actual, intended] = [at('B2'), at('B3'), at('B4'), at('B6'), at('B5')];
  return rows
    .filter((row) => String(row[side] ?? '') === '1')
    .map((row) => ({
      dialogue: String(row[dialogue]).trim(),
      person: String(row[person]).trim(),
      actual: amount(row[actual]),
      intended: intended < 0 ? null : amount(row[intended]),
    }));
}

function amount(cell: unknown): number | null {
  const text = String(cell ?? '').trim();
  const value = Number(text);
  return text === '' || !Number.isFinite(value) ? null : value;
}
