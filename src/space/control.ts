import { maximum, minimum } from '../math/index.ts';
import type { BehaviourSpace } from './space.ts';

/** `context`: context effects taken out of z; `interaction`: that block alone; `none`: z as it is. */
export type Control = 'context' | 'interaction' | 'none';

export interface SimulatorShares {
  readonly simulator: string;
  readonly rows: number;
  /** Share of rows whose context could be controlled for. */
  readonly eligible: number;
  readonly used: number;
  /** Share outside in each codebook; `full` of the eligible rows, null where there are none. */
  readonly outside: { readonly full: number | null; readonly interaction: number; readonly semantic: number };
}

/**
 * How rows are compared (metrics.md, "Three confounds"), with the reason in words; the first that holds of: style,
 * a single context, too few shared contexts, a simulator (or the people) with under half its rows eligible.
 * `contexts`: how many the compared rows come from.
 */
export function chooseControl(
  space: BehaviourSpace,
  simulators: readonly SimulatorShares[],
  people: SimulatorShares | null,
  contexts: number,
): { control: Control; reason: string } {
  const styled = simulators.filter(({ outside }) => outside.semantic > 0.5);
  if (space.fittedOn === 'people' && styled.length > 0)
    return {
      control: 'interaction',
      reason: `style: in wording alone ${named(styled, ({ outside }) => outside.semantic)} of the rows lie outside people's support`,
    };
  if (space.singleContext)
    return contexts === 1
      ? { control: 'none', reason: 'all rows share one context' }
      : {
          control: 'interaction',
          reason: `context: the space was fitted in one context, these rows come from ${contexts}`,
        };
  if (space.contextEffects.size === 0)
    return {
      control: 'interaction',
      reason: 'too few of the fitted rows stand in a context that two simulators share with four episodes',
    };
  const compared = people === null ? simulators : [...simulators, people];
  const alone = compared.filter(({ eligible }) => eligible < 0.5);
  if (alone.length > 0)
    return {
      control: 'interaction',
      reason: `context: ${named(alone, ({ eligible }) => eligible)} of the rows stand in contexts that were met by others too`,
    };
  return { control: 'context', reason: 'context effects are estimated and taken out' };
}

/** `a 12 %, b 30-41 % and 3 more`, sorted by name; a range where a simulator stands in several runs. */
function named(shares: readonly SimulatorShares[], of: (shares: SimulatorShares) => number): string {
  const names = [...new Set(shares.map(({ simulator }) => simulator))].sort();
  const texts = names.slice(0, 4).map((name) => {
    const percents = shares
      .filter(({ simulator }) => simulator === name)
      .map((row) => Math.round(100 * of(row)));
    const [low, high] = [minimum(percents), maximum(percents)];
    return `${name} ${low === high ? low : `${low}-${high}`} %`;
  });
  return texts.join(', ') + (names.length > 4 ? ` and ${names.length - 4} more` : '');
}
