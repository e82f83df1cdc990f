import { composeTrajectory } from '../../trajectory/compose.ts';
import type { Trajectory, Turn } from '../../trajectory/trajectory.ts';
import type { SessionView } from '../api/control.ts';
import { messageText, type WireMessage } from '../wire/chat-request.ts';
import { addExchange, type ExchangeLog, loseExchange, standing } from './exchange-log.ts';
import type { JournalRecord, SessionFacts } from './records.ts';
import { type Callers, spoken, turnOfMessage } from './wire-turns.ts';

export interface ComposeOptions {
  /** The scenario in the leading system messages of a session (sessions/scenario.ts); null = none. */
  readonly scenarioOf: (systemPrompt: string) => string | null;
}

/** What the records of one session add up to. */
export interface ComposedSession {
  /** Null of an episode that the gateway did not serve. */
  readonly facts: SessionFacts | null;
  readonly trajectory: Trajectory;
  readonly answers: SessionView['answers'];
  readonly closed: boolean;
  /** The trainer has reported its reward, be it that there is none. */
  readonly rewarded: boolean;
  /** Milliseconds since 1970: the last record's. */
  readonly at: number;
}

type Kind<K extends JournalRecord['kind']> = Extract<JournalRecord, { readonly kind: K }>;
type Exchange = Kind<'exchange'>;

/** Where trajectories of the gateway say they come from. */
export const GATEWAY_SOURCE = { file: 'gateway', line: null } as const;

/**
 * The trajectory of one session from its records, in their order (never by their time): the leading system messages are
 * the scenario; the agent's and the tools' messages stand before the reply they led to; replies that never arrived are
 * left out; rewards and ends may come at any place, and the last one counts. Null where there is no reply that counts.
 * What the agent said after the user's last turn is never seen by a gateway.
 */
export function composeSession(
  records: Iterable<JournalRecord>,
  { scenarioOf }: ComposeOptions,
): ComposedSession | null {
  let facts: SessionFacts | null = null;
  let episode: Trajectory | null = null;
  let reward: Kind<'reward'> | null = null;
  let termination: string | null = null;
  let at = 0;
  const log: ExchangeLog<Exchange> = new Map();
  const probes = new Map<number, Kind<'probe'>>();
  for (const record of records) {
    at = record.at;
    switch (record.kind) {
      case 'open':
        facts ??= record.facts;
        break;
      case 'exchange':
        // What was drawn again elsewhere says nothing of this history.
        if ((log.get(record.turn)?.asked ?? record.asked) !== record.asked)
          for (const turn of [...probes.keys()]) if (turn >= record.turn) probes.delete(turn);
        addExchange(log, record.turn, record.asked, record);
        termination = null;
        break;
      case 'undelivered':
        loseExchange(log, record.turn);
        break;
      case 'probe':
        probes.set(record.turn, record);
        break;
      case 'reward':
        reward = record;
        break;
      case 'close':
        termination = record.termination;
        break;
      case 'episode':
        episode = record.trajectory;
        break;
    }
  }
  const rewarded = reward !== null;
  if (facts === null) {
    if (episode === null) return null;
    const trajectory =
      reward === null
        ? episode
        : { ...episode, reward: reward.reward, outcome: reward.outcome ?? episode.outcome };
    return {
      facts,
      trajectory,
      answers: [],
      closed: true,
      rewarded: rewarded || episode.reward !== null,
      at,
    };
  }
  const exchanges = standing(log).map(({ reply }) => reply);
  if (exchanges.length === 0) return null;
  const { scenario, turns, answers } = dialogueOf(exchanges, probes, scenarioOf);
  const trajectory = composeTrajectory({
    id: facts.id,
    turns,
    scenario,
    simulator: facts.simulator,
    contextLabel: facts.contextLabel,
    benchmark: facts.benchmark,
    domain: facts.domain,
    group: facts.group,
    epoch: facts.epoch,
    run: facts.run,
    policy: facts.policy,
    split: facts.split,
    reward: reward?.reward ?? null,
    outcome: reward?.outcome ?? null,
    termination,
    source: GATEWAY_SOURCE,
  });
  return { facts, trajectory, answers, closed: termination !== null, rewarded, at };
}

function dialogueOf(
  exchanges: readonly Exchange[],
  probes: ReadonlyMap<number, Kind<'probe'>>,
  scenarioOf: ComposeOptions['scenarioOf'],
) {
  const callers: Callers = new Map();
  const turns: Turn[] = [];
  const answers: SessionView['answers'][number][] = [];
  const first = exchanges[0]!.messages;
  const leading = first.findIndex((message) => !isSystem(message));
  const system = first.slice(0, leading < 0 ? first.length : leading);
  exchanges.forEach((exchange, number) => {
    for (const message of number === 0 ? first.slice(system.length) : exchange.messages)
      turns.push(turnOfMessage(message, callers));
    answers.push(answerOf(exchange, turns.length));
    turns.push(replyOf(exchange, probes.get(exchange.turn), callers));
  });
  return {
    scenario: system.length === 0 ? null : scenarioOf(system.map(messageText).join('\n\n')),
    turns,
    answers,
  };
}

const isSystem = ({ role }: WireMessage) => role === 'system' || role === 'developer';

function replyOf({ said }: Exchange, probe: Kind<'probe'> | undefined, callers: Callers): Turn {
  const { acts, probability, candidates } = said;
  return {
    ...spoken('user', said.text, said.toolCalls, callers),
    ...(acts === undefined ? {} : { acts }),
    ...(probability === undefined ? {} : { probability }),
    ...(candidates === undefined ? {} : { candidates }),
    ...(probe === undefined ? {} : { resamples: probe.resamples, probeProbability: probe.probability }),
  };
}

const answerOf = ({ said, overheadMs }: Exchange, turn: number): SessionView['answers'][number] => ({
  turn,
  answeredBy: said.answeredBy.id,
  fingerprint: said.answeredBy.fingerprint,
  fallback: said.fallback,
  drawn: said.drawn ?? null,
  attempts: said.attempts,
  upstreamMs: said.upstreamMs,
  overheadMs,
});
