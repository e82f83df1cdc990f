import type { ChangedFigure, CurationManifest, ModeAccount } from '../../src/curation/manifest.ts';

/** The four figures a curation is judged by, in the order of every list on the page. */
export interface Judged {
  readonly id: 'scd2' | 'bdi' | 'mass' | 'realism';
  readonly name: string;
  readonly asks: string;
  readonly better: 'lower' | 'higher';
  readonly figure: ChangedFigure;
}

/** Without people every mode weighs the same, and mass is the share of modes covered. */
export function judged({ beforeAfter, modes }: CurationManifest): readonly Judged[] {
  const { scd2, bdi, mass, realism } = beforeAfter;
  const peopled = hasPeople(modes);
  return [
    {
      id: 'scd2',
      name: 'SCD2',
      asks: '1: all simulators behave as one',
      better: 'lower',
      figure: scd2,
    },
    { id: 'bdi', name: 'BDI', asks: "share of people's own diversity", better: 'higher', figure: bdi },
    {
      id: 'mass',
      name: peopled ? 'BDI mass' : 'Modes covered',
      asks: peopled ? "people's mass in modes visited" : 'share of the modes visited',
      better: 'higher',
      figure: mass,
    },
    {
      id: 'realism',
      name: 'Realism',
      asks: peopled ? "rows inside people's support" : 'rows inside the support of the fit',
      better: 'higher',
      figure: realism,
    },
  ];
}

/** People may stand among the rows themselves, without a reference of their own. */
export function hasPeople(modes: readonly ModeAccount[]): boolean {
  return modes.some(({ people }) => people !== null);
}

export type Change = 'better' | 'worse' | 'no change shown' | 'not measured';

/** A word only where the interval of the difference leaves 0 out. */
export function changeOf({ figure, better }: Judged): Change {
  const { value, low, high } = figure.difference;
  if (value === null) return 'not measured';
  if (low === null || high === null || (low <= 0 && high >= 0)) return 'no change shown';
  return low > 0 === (better === 'higher') ? 'better' : 'worse';
}
