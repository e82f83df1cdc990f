import { type Figure, missing, turnCollapse } from '../metrics/index.ts';
import type { ProbeAnswer, RepliedTurn } from './answer.ts';
import { UnitNumbers } from './rows-tally.ts';

const NOT_DRAWN = 'replies were not drawn again';

/**
 * Per-turn collapse error of the population at first user turns (metrics.md, "epsilon": law `population`), of replies that
 * were drawn again; else what the performer measured itself. Classes are the performer's: figures of one run alone compare.
 */
export function populationTurnError({ replied = [], epsilon }: Omit<ProbeAnswer, 'kind'>): Figure {
  if (replied.length > 0) {
    const units = new UnitNumbers(replied.map(({ context }) => context));
    const histories = replied.map(({ context, replies }) => ({
      unit: units.of(context),
      classes: replies.map(({ kind }) => kind),
      probability: 1,
    }));
    return turnCollapse(histories, 'population').epsilon;
  }
  return epsilon === undefined ? missing(NOT_DRAWN) : soundFigure(epsilon);
}

/** A share with its interval, or a reason: performers may be anybody's program. */
function soundFigure(figure: Figure): Figure {
  const { value, low, high, n, method, reason } = figure;
  const share = (one: unknown) => typeof one === 'number' && one >= 0 && one <= 1;
  const end = (one: unknown) => one === null || Number.isFinite(one);
  if (value === null && typeof reason === 'string') return missing(reason);
  if (share(value) && end(low) && end(high) && Number.isFinite(n) && typeof method === 'string')
    return figure;
  return missing('what was measured is no share');
}

/** Turns whose every reply can be counted. */
export function soundReplies(
  replied: ProbeAnswer['replied'],
  asked: ReadonlySet<string>,
): readonly RepliedTurn[] {
  if (!Array.isArray(replied)) return [];
  return (replied as readonly RepliedTurn[]).flatMap((turn) => {
    if (typeof turn?.context !== 'string' || !Array.isArray(turn.replies)) return [];
    const replies = turn.replies.filter(
      (one) => asked.has(one?.simulator) && Number.isSafeInteger(one.kind) && one.kind >= 0,
    );
    return replies.length === 0 ? [] : [{ context: turn.context, replies }];
  });
}
