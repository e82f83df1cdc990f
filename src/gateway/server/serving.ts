import type { GroupMembers } from '../cast/index.ts';
import type { Live } from '../live/start-live.ts';
import type { VisitedHistory } from '../probes/index.ts';
import type { Recorder } from '../recorder/recorder.ts';
import type { SessionTable } from '../sessions/session-table.ts';
import type { GatewaySettings } from '../settings/settings.ts';
import type { Said } from '../speakers/speaker.ts';
import { ApiError } from '../wire/api-error.ts';
import { turnsBefore } from './client-turn.ts';
import type { Conversation, ConversationServices } from './conversation.ts';
import { coverageCache } from './coverage-cache.ts';
import type { Instruments } from './instruments.ts';
import type { Log } from './log.ts';
import type { Members } from './members.ts';
import { raisingAt } from './raising.ts';
import { recallConversation } from './recall.ts';

export interface ServingParts {
  readonly settings: GatewaySettings;
  readonly members: Members;
  readonly recorder: Recorder;
  readonly table: SessionTable;
  readonly groups: GroupMembers;
  readonly live: Live;
  readonly instruments: Instruments;
  readonly log: Log;
  readonly clock: () => number;
  readonly ticks: () => number;
  readonly offer: (history: VisitedHistory) => void;
}

/** What conversations need of a running gateway. */
export function conversationServices(parts: ServingParts): ConversationServices {
  const { settings, members, recorder, table, groups, live, instruments, log, clock, ticks, offer } = parts;
  const { cast, circuits } = members;
  const coverage = coverageCache(() => live.coverage(), ticks);

  const append: ConversationServices['append'] = async (record) => {
    try {
      await recorder.append(record);
    } catch (error) {
      instruments.unrecorded.inc();
      log.error(
        { session: record.session, kind: record.kind, why: (error as Error).message },
        'not recorded',
      );
      if (settings.recorder.onFailure === 'serve') return;
      throw new ApiError(503, 'the reply cannot be recorded, and is not given out', {
        code: 'recorder_unavailable',
        retryAfter: 5,
        cause: error,
      });
    }
  };

  return {
    settings,
    cast,
    table,
    groups,
    append,
    clock,
    ticks,
    recall: (id) => recallConversation(id, recorder, cast),
    epoch: () => {
      const latest = recorder.latest('epoch');
      return { epoch: live.epochs.epoch, run: latest?.run ?? null, policy: latest?.policy ?? null };
    },
    epochNow: () => ({
      epoch: live.epochs.epoch,
      before: live.epochs.ended.at(-1) ?? null,
      counted: settings.live.epochs.by === 'sessions',
    }),
    isOpen: (id) => recorder.session(id)?.state === 'open',
    endOf: (id) => recorder.session(id)?.termination ?? null,
    coverage: () => (cast.population.draw === 'least-covered' ? coverage() : null),
    raising: () => raisingAt(members, live.keeper.level, ticks()),
    admit: async (signal) => {
      if ((await live.keeper.hold(signal)) === 'admitted') return;
      signal.throwIfAborted();
      instruments.refused.inc({ reason: 'training held' });
      throw new ApiError(429, `training is held: ${live.keeper.heldBy}; GET /api/gate says more`, {
        code: 'training_held',
        retryAfter: live.keeper.retryAfter,
      });
    },
    ask: ({ facts }) => {
      const { id } = facts.simulator;
      if (!circuits.admits(id, ticks()))
        throw new ApiError(503, `member '${id}' rests: its upstream keeps failing`, {
          code: 'simulator_resting',
          retryAfter: circuits.restSeconds(id, ticks()),
        });
      circuits.tell(id, 'asked', ticks());
    },
    onTurn: (conversation, outcome) => {
      const { id } = conversation.facts.simulator;
      if ('said' in outcome) count(conversation, outcome.said);
      else if (isTheirs(outcome.error)) {
        instruments.failures.inc({ member: id });
        log.warn({ session: conversation.facts.id, member: id, code: outcome.error.code }, 'no reply');
        recorder
          .append({
            kind: 'failure',
            at: clock(),
            session: conversation.facts.id,
            member: id,
            code: outcome.error.code,
          })
          .catch(() => {});
      }
      const event = 'said' in outcome ? 'answered' : isDown(outcome.error) ? 'failed' : 'left';
      if (circuits.tell(id, event, ticks())) {
        const state = circuits.state(id, ticks());
        instruments.members.set({ member: id }, state === 'up' ? 0 : 1);
        log.warn({ member: id, state }, state === 'up' ? 'member is back' : 'member rests');
      }
    },
    onDelivered: (conversation, turn, request, said) => {
      const { facts, past } = conversation;
      offer({ facts, turn, request, past: turnsBefore(past, turn) });
      if (settings.sessions.stopTokens.some((token) => said.text?.includes(token)))
        append({ kind: 'close', at: clock(), session: facts.id, termination: 'user_stop' }).catch(() => {});
    },
  };

  function count({ facts }: Conversation, said: Said): void {
    const member = facts.simulator.id;
    instruments.turns.add(member);
    if (said.fallback !== null) instruments.fallbacks.inc({ member });
  }
}

/** Whether the member failed, and not the client, the gateway's own limits or its journal. */
function isTheirs(error: ApiError | null): error is ApiError {
  if (error === null || error.code === 'recorder_unavailable' || error.code === 'simulator_resting')
    return false;
  return error.status >= 502 || (error.status === 429 && error.code !== 'queue_full');
}

/**
 * Whether it speaks for leaving the member alone. One that says it is busy is there: its sessions are told when to come
 * back, and new ones are still drawn for it, so that a busy hour does not change whom a policy is trained against.
 */
function isDown(error: ApiError | null): boolean {
  return isTheirs(error) && (error.status !== 429 || error.code === 'insufficient_quota');
}
