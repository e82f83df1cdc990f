import { missing } from '../metrics/index.ts';
import type { LoopAnswer } from './answer.ts';
import type { RoundRecord } from './round-record.ts';
import { ask, type RunEvent } from './run-event.ts';
import type { RunState } from './run-state.ts';
import { soundTraining } from './sound-rows.ts';

/** Trains the policy against the population in force, by the data plan in force. */
export function* trained(
  state: RunState,
  round: number,
): Generator<RunEvent, NonNullable<RoundRecord['training']>, LoopAnswer | undefined> {
  const { settings } = state;
  const answer = yield* ask(round, {
    kind: 'train',
    id: `round-${round}/train`,
    round,
    checkpoint: state.checkpoint,
    population: state.inForce.population,
    data: state.data,
    steps: settings.steps,
  });
  if (answer.checkpoint !== state.checkpoint)
    state.trainedOn(soundTraining(answer.rows, new Set(state.shares.keys()), state.open));
  state.checkpoint = answer.checkpoint;
  state.spend('trainEpisodes', answer.episodes, answer.turns);
  const rewards = answer.curve.flatMap(({ reward }) =>
    // JSON has no NaN, and an answer that was not kept yet may.
    reward === null || !Number.isFinite(reward) ? [] : [reward],
  );
  const groups = answer.curve.flatMap(({ zeroVariance }) => (zeroVariance === null ? [] : [zeroVariance]));
  return {
    checkpoint: answer.checkpoint,
    steps: answer.steps,
    reward:
      rewards.length === 0
        ? missing('no step has a reward')
        : {
            value: rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length,
            low: null,
            high: null,
            n: answer.episodes,
            method: `mean-step(n=${rewards.length})`,
            reason: 'steps of one training are not independent',
          },
    zeroVariance: groups.length === 0 ? null : groups.reduce((sum, share) => sum + share, 0) / groups.length,
    entropy: answer.curve.at(-1)?.entropy ?? null,
    stopped: answer.stopped,
  };
}
