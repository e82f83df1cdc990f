import type { PlacedRow } from '../synthesis/index.ts';
import { type AcceptanceVerdict, acceptanceRule, judgeAcceptance } from './acceptance.ts';
import type { LoopAnswer } from './answer.ts';
import { unitNumbers } from './look.ts';
import { probed } from './probing.ts';
import { tallyOfPeople, tallyOfRows } from './rows-tally.ts';
import type { RunEvent } from './run-event.ts';
import type { NamedPopulation, RunState } from './run-state.ts';

export interface Trial {
  readonly verdict: AcceptanceVerdict;
  /** Fresh episodes of the proposed population. */
  readonly rows: readonly PlacedRow[];
}

/**
 * Fresh paired probes of a proposed population, of the best so far and of the one at the start, in the same contexts with
 * the same luck; then the rule. An accepted one is in force. It is the best so far only where its bound shows it to be
 * better: a best that moved by point would go down in steps, each of them too small to be seen.
 */
export function* tryPopulation(
  state: RunState,
  round: number,
  proposed: NamedPopulation,
): Generator<RunEvent, Trial, LoopAnswer | undefined> {
  const { settings, open } = state;
  const all = new Map<string, NamedPopulation>();
  for (const one of [proposed, state.bestScd2, state.bestBdi, state.baseline]) all.set(one.id, one);
  const rows = new Map<string, readonly PlacedRow[]>();
  for (const [id, { population }] of all) {
    const probe = yield* probed(state, round, {
      name: `accept/${id}`,
      population,
      draw: 'mixture',
      contexts: settings.probe.contexts,
      rollouts: settings.probe.rollouts,
      luck: 'accept',
    });
    rows.set(id, probe.rows);
  }
  const units = unitNumbers(open, ...rows.values());
  const probedOf = ({ id }: NamedPopulation) => ({ id, tally: tallyOfRows(rows.get(id)!, open.k, units) });
  const people =
    open.people === null
      ? null
      : {
          mass: tallyOfPeople(open.people.mass, open.k, units),
          ceiling: tallyOfPeople(open.people.ceiling, open.k, units),
        };
  const verdict = judgeAcceptance(
    acceptanceRule(settings.acceptance.delta, settings.acceptance.alpha, settings.rounds),
    probedOf(proposed),
    { scd2: probedOf(state.bestScd2), bdi: probedOf(state.bestBdi) },
    probedOf(state.baseline),
    people,
  );
  if (verdict.accepted) {
    state.inForce = proposed;
    if ((verdict.scd2.bound ?? 0) < 0) state.bestScd2 = proposed;
    if ((verdict.bdi.bound ?? 0) > 0) state.bestBdi = proposed;
  }
  return { verdict, rows: rows.get(proposed.id)! };
}
