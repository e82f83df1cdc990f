import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { xlsxTable } from '../../../src/formats/xlsx.ts';
import {
  actDialogue,
  countDonations,
  countsOf,
  DONATION_GRID,
  describePeople,
  donationsOf,
  fitPeople,
  labelsOfPersuadee,
  labelsOfPersuader,
  logistic,
  P4G_PEOPLE,
  PERSUADEE_ACTS,
  PERSUADER_ACTS,
  typeLaws,
  USERS,
  wilson,
} from '../../../src/lab/people/index.ts';
import { DATA, episodes, hasData } from '../../data.ts';

const sum = (values: Iterable<number>) => [...values].reduce((a, b) => a + b, 0);

/** Every number of a value by its place in it; a missing one has a place of its own. */
function numbersIn(value: unknown, place = ''): Map<string, number> {
  if (typeof value === 'number') return new Map([[place, value]]);
  if (value === null) return new Map([[`${place} (missing)`, 0]]);
  if (typeof value !== 'object') return new Map();
  return new Map(Object.entries(value).flatMap(([key, one]) => [...numbersIn(one, `${place}.${key}`)]));
}

describe('the committed people', () => {
  it('answer by distributions', () => {
    for (const law of typeLaws(P4G_PEOPLE))
      for (let row = 0; row < law.length; row += USERS)
        expect(sum(law.subarray(row, row + USERS))).toBeCloseTo(1, 10);
    expect(sum(P4G_PEOPLE.types.map(({ share }) => share))).toBeCloseTo(1, 3);
  });

  it('are counted once everywhere', () => {
    const { n, thirds, donation } = P4G_PEOPLE;
    expect(sum(countsOf(P4G_PEOPLE))).toBe(n.turns);
    expect(sum(thirds.flat())).toBe(n.turns);
    expect(sum(donation.counts)).toBe(donation.n);
    expect([sum(donation.intended), sum(donation.actual)]).toEqual([donation.both, donation.both]);
    for (const counts of [donation.counts, donation.intended, donation.actual])
      expect(counts.length).toBe(DONATION_GRID.length + 1);
  });

  it('stand in docs/people.md as they are, with every label', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/people.md'), 'utf8');
    const lines = new Set(page.split('\n'));
    for (const line of describePeople(P4G_PEOPLE)) if (line.startsWith('| ')) expect(lines).toContain(line);
    for (const act of PERSUADEE_ACTS)
      for (const label of labelsOfPersuadee(act)) expect(page).toContain(`\`${label}\``);
    for (const act of PERSUADER_ACTS)
      for (const label of labelsOfPersuader(act)) expect(page).toContain(`\`${label}\``);
  });

  it.skipIf(!hasData('p4g'))(
    'are what the data give',
    async () => {
      const dialogues = (await episodes(['p4g/300_dialog.xlsx'])).map(actDialogue);
      const info = await xlsxTable(join(DATA, 'p4g/300_info.xlsx'), '300_info.xlsx');
      const csv = gunzipSync(readFileSync(join(DATA, 'p4g/full_info.csv.gz'))).toString('utf8');
      const everyone = csv
        .trim()
        .split(/\r?\n/)
        .map((line) => line.split(','));
      const chosen = P4G_PEOPLE.types.length;
      // Larger mixtures are left to `node scripts/fit-p4g.mjs --check`: none is chosen.
      const shrink = P4G_PEOPLE.typeCounts[chosen - 1]!.shrink;
      const fitted = fitPeople(dialogues, donationsOf(info), donationsOf(everyone), {
        seed: P4G_PEOPLE.seed,
        maxTypes: chosen,
        shrinks: [shrink],
      });
      const due = { ...P4G_PEOPLE, typeCounts: P4G_PEOPLE.typeCounts[chosen - 1] };
      const got = { ...fitted, typeCounts: fitted.typeCounts[chosen - 1] };
      const [dueNumbers, gotNumbers] = [numbersIn(due), numbersIn(got)];
      expect([...gotNumbers.keys()]).toEqual([...dueNumbers.keys()]);
      // Rounded to four digits, and EM stops at a tolerance: the last digits are the machine's.
      for (const [place, value] of dueNumbers)
        expect(Math.abs(gotNumbers.get(place)! - value), place).toBeLessThanOrEqual(
          2e-3 * (1 + Math.abs(value)),
        );
    },
    60_000,
  );
});

describe('donations', () => {
  it('are binned by upper ends, nothing apart from little', () => {
    expect(countDonations([0, 0.01, 0.1, 0.11, 0.25, 0.5, 1, 2, 2.01, 700])).toEqual([1, 2, 2, 1, 1, 1, 2]);
  });

  it('are read of persuadees only, and not recorded is not nothing', () => {
    const table = [
      ['B2', 'B3', 'B4', 'B5', 'B6'],
      ['d', 'p', 0, null, 3],
      ['d', 'q', 1, '', 0.5],
      ['e', 'r', '1', 2, ''],
    ];
    expect(donationsOf(table)).toEqual([
      { dialogue: 'd', person: 'q', actual: 0.5, intended: null },
      { dialogue: 'e', person: 'r', actual: null, intended: 2 },
    ]);
  });

  it('have the intervals of Wilson', () => {
    expect(wilson(0, 10).map((x) => x.toFixed(4))).toEqual(['0.0000', '0.2775']);
    expect(wilson(5, 10).map((x) => x.toFixed(4))).toEqual(['0.2366', '0.7634']);
  });
});

describe('the link', () => {
  const table = (counts: readonly [number, number, number, number]) => {
    const [a, b, c, d] = counts;
    const rows = [a + b, c + d].flatMap((n, x) => new Array<number[]>(n).fill([x]));
    const outcomes = [a, b, c, d].flatMap((n, i) => new Array<boolean>(n).fill(i % 2 === 1));
    return logistic(
      rows,
      outcomes,
      rows.map((_, i) => `p${i}`),
    );
  };

  it('is the log odds ratio of a two by two table, with its usual error', () => {
    const [intercept, slope] = table([30, 20, 15, 35])!;
    expect(intercept!.estimate).toBeCloseTo(Math.log(20 / 30), 8);
    expect(slope!.estimate).toBeCloseTo(Math.log((30 * 35) / (20 * 15)), 8);
    const se = Math.sqrt(1 / 30 + 1 / 20 + 1 / 15 + 1 / 35);
    expect((slope!.high - slope!.low) / 2 / 1.984 / Math.sqrt(100 / 99)).toBeCloseTo(se, 3);
  });

  it('is missing where a column separates the outcomes', () => {
    expect(table([10, 0, 0, 10])).toBeNull();
  });
});
