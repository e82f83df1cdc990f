import type { Gate } from '../endpoint/index.ts';
import type { CollapseAwareError } from '../errors.ts';
import { type DialogueTable, playDialogue } from './outside-dialogue.ts';
import { type NamedEpisode, turnsOf } from './outside-space.ts';
import type { Scenario } from './scenario.ts';

/** A dialogue by its place in what was asked for. */
export interface DialoguePlace {
  /** Unique among those that are played together. */
  readonly name: string;
  readonly member: string;
  readonly model: string;
  readonly scenario: Scenario;
  readonly luck: string;
}

export interface PlayedDialogues {
  readonly episodes: readonly NamedEpisode[];
  readonly lost: readonly { readonly member: string; readonly reason: string }[];
  readonly byName: ReadonlyMap<string, { readonly reward: number | null }>;
  readonly turns: number;
}

/**
 * Plays all; `gate` says how many at a time, of all that is played at once. `tick` is called after each dialogue.
 * @throws the policy's error where nobody answered at its address in any of them; what `playDialogue` throws.
 */
export async function playAll(
  places: readonly DialoguePlace[],
  table: DialogueTable,
  gate: Gate,
  tick: () => Promise<void>,
): Promise<PlayedDialogues> {
  const episodes: (NamedEpisode | null)[] = places.map(() => null);
  const lost: { member: string; reason: string }[] = [];
  const unreached: CollapseAwareError[] = [];
  const done = await Promise.allSettled(
    places.map(({ name, member, model, scenario, luck }, at) =>
      gate.run(async () => {
        table.signal.throwIfAborted();
        // A run that is resumed plays again what was under way: sessions have names that were never there before.
        const session = `${table.run}.${at}`;
        const played = await playDialogue({ session, model, scenario, luck }, table);
        if (played.lost === null) episodes[at] = { id: name, member, trajectory: played.trajectory };
        else {
          lost.push({ member, reason: played.lost });
          if (played.unreached !== undefined) unreached.push(played.unreached);
        }
        await tick();
      }, table.signal),
    ),
  );
  for (const one of done) if (one.status === 'rejected') throw one.reason;
  if (places.length > 0 && unreached.length === places.length) throw unreached[0]!;
  const kept = episodes.filter((one) => one !== null);
  return {
    episodes: kept,
    lost,
    byName: new Map(kept.map(({ id, trajectory }) => [id, { reward: trajectory.reward }])),
    turns: kept.reduce((sum, { trajectory }) => sum + turnsOf(trajectory), 0),
  };
}
