import type { Random } from '../../math/random.ts';
import type { Resample } from '../../trajectory/trajectory.ts';
import type { ProbeSettings } from '../settings/settings.ts';
import type { TokenSums } from '../speakers/token-sums.ts';
import type { ProbeRecord, SpentRecord } from './prober-services.ts';
import type { Law, VisitedHistory } from './visited-history.ts';

/** One reply to be asked for. */
export interface ProbeTask {
  readonly law: Law;
  readonly at: number;
}

/** A history that was drawn, and what came of it so far. */
export interface ProbeJob {
  readonly history: VisitedHistory;
  readonly laws: readonly Law[];
  readonly probability: number;
  readonly stream: Random;
  /** Of the waiting ones, the highest leaves first: drawn, so that leaving says nothing about the history. */
  readonly precedence: number;
  tasks: ProbeTask[];
  running: number;
  superseded: boolean;
  /** Laws that nobody could be asked under, at least at the end. */
  readonly rested: Set<Law>;
  readonly came: { readonly task: ProbeTask; readonly resample: Resample }[];
  promptTokens: number;
  completionTokens: number;
  /** By member that was asked. */
  readonly tokens: Map<string, TokenSums>;
}

/** `stream`: all that is random in it. */
export function newJob(
  history: VisitedHistory,
  laws: readonly Law[],
  { share, resamples }: Pick<ProbeSettings, 'share' | 'resamples'>,
  stream: Random,
): ProbeJob {
  return {
    history,
    laws,
    probability: share,
    stream,
    precedence: stream.fork('precedence').next(),
    tasks: laws.flatMap((law) => Array.from({ length: resamples }, (_, at): ProbeTask => ({ law, at }))),
    running: 0,
    superseded: false,
    rested: new Set(),
    came: [],
    promptTokens: 0,
    completionTokens: 0,
    tokens: new Map(),
  };
}

/** In the order in which they were asked for, laws with a single reply left out: it says nothing of how replies differ. */
export function keptResamples({ laws, came, superseded }: ProbeJob): Resample[] {
  if (superseded) return [];
  return laws.flatMap((law) => {
    const own = came.filter(({ task }) => task.law === law).sort((a, b) => a.task.at - b.task.at);
    return own.length < 2 ? [] : own.map(({ resample }) => resample);
  });
}

export function probeRecord(job: ProbeJob, resamples: readonly Resample[], at: number): ProbeRecord {
  const { history, probability, promptTokens, completionTokens, tokens } = job;
  return {
    kind: 'probe',
    at,
    session: history.facts.id,
    turn: history.turn,
    resamples,
    probability,
    promptTokens,
    completionTokens,
    ...(tokens.size === 0 ? {} : { tokens: Object.fromEntries(tokens) }),
  };
}

/** What a history that is not measured has cost. */
export function spentRecords({ history, tokens }: ProbeJob, at: number): SpentRecord[] {
  const session = history.facts.id;
  return [...tokens].map(([member, sums]) => ({
    kind: 'spent',
    at,
    session,
    member,
    probe: true,
    tokens: sums,
  }));
}
