import type { Comparison, RoundRecord } from '../loop/index.ts';
import { figureText } from './plain-text.ts';

/** A round in a line: what became of its proposal, by which bounds, and whether the policy was trained. */
export function roundSentence({ round, look, breaker, acceptance, training }: RoundRecord): string {
  const decided =
    acceptance === null
      ? 'no population was proposed'
      : `${acceptance.reason} (${[
          boundText('SCD2 up', acceptance.scd2, 1),
          boundText('BDI down', acceptance.bdi, -1),
          boundText('realism down', acceptance.realism, -1),
        ].join(', ')})`;
  const trained =
    breaker.training === 'paused'
      ? 'training is paused'
      : training === null
        ? 'nothing was trained'
        : `${training.steps} steps of training`;
  return `round ${round}: SCD2 ${figureText(look.scd2)}, breaker ${breaker.after}; ${decided}; ${trained}`;
}

/** How far the figure may have gone the wrong way, by the rule's bound. */
function boundText(what: string, { bound, against }: Comparison, side: 1 | -1): string {
  return bound === null
    ? `${what}: not known`
    : `${what} by ${Math.max(0, side * bound).toFixed(3)} at most of '${against}'`;
}
