import type { BeforeAfter, ChangedFigure } from '../../src/curation/manifest.ts';

/** The four figures a curation is judged by, in the order of every list on the page. */
export interface Judged {
  readonly id: 'scd2' | 'bdi' | 'mass' | 'realism';
  readonly name: string;
  readonly asks: string;
  readonly better: 'lower' | 'higher';
  readonly figure: ChangedFigure;
}

export function judged({ scd2, bdi, mass, realism }: BeforeAfter): readonly Judged[] {
  return [
    {
      id: 'scd2',
      name: 'SCD2',
      asks: '1: all simulators behave as one',
      better: 'lower',
      figure: scd2,
    },
    { id: 'bdi', name: 'BDI', asks: "share of people's own diversity", better: 'higher', figure: bdi },
    { id: 'mass', name: 'BDI mass', asks: "people's mass in modes visited", better: 'higher', figure: mass },
    {
      id: 'realism',
      name: 'Realism',
      asks: "rows inside people's support",
      better: 'higher',
      figure: realism,
    },
  ];
}

export type Change = 'better' | 'worse' | 'no change shown' | 'not measured';

/** A word only where the interval of the difference leaves 0 out. */
export function changeOf({ figure, better }: Judged): Change {
  const { value, low, high } = figure.difference;
  if (value === null) return 'not measured';
  if (low === null || high === null || (low <= 0 && high >= 0)) return 'no change shown';
  return low > 0 === (better === 'higher') ? 'better' : 'worse';
}
