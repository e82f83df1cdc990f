import type { Random } from '../../math/random.ts';
import { weightedDraw } from '../../population/index.ts';
import type { Resample } from '../../trajectory/trajectory.ts';
import type { ProbeView } from '../api/control.ts';
import type { JournalRecord, SessionFacts } from '../recorder/records.ts';
import type { ProbeSettings } from '../settings/settings.ts';
import type { Voice } from '../speakers/speaker.ts';
import { addTokens, addUsage, type TokenSums, tokenTotal } from '../speakers/token-sums.ts';
import { probeRequest } from './probe-request.ts';
import { completionTokens, resampleOf, wholeSaid } from './resample.ts';
import { type Law, lawsAt, sessionProbes, type VisitedHistory } from './visited-history.ts';

export type ProbeRecord = Extract<JournalRecord, { readonly kind: 'probe' }>;
type SpentRecord = Extract<JournalRecord, { readonly kind: 'spent' }>;

/**
 * `queue full`: the probes' own slots are too few. `clients first`: the queue filled while clients were many.
 * `budget`: the epoch's tokens were spent. `failed`: fewer than two replies of any law came. `draining`: the gateway ends.
 * `superseded`: the session went back and took another way, so that the history is none of its own any more. `resting`:
 * whoever was to be asked is left alone; the history's other law may be on record all the same.
 */
export type DropReason =
  | 'queue full'
  | 'clients first'
  | 'budget'
  | 'failed'
  | 'draining'
  | 'superseded'
  | 'resting';

/** Who might have been drawn for the session, by the weight with which members are drawn now. */
export interface StandIn {
  readonly id: string;
  /** At least 0; some above. */
  readonly weight: number;
  open(seed: string): Voice;
}

export interface ProberServices {
  readonly settings: ProbeSettings;
  /** The gateway's. */
  readonly seed: string;
  /** The session's own user; null where its member is gone. */
  voiceOf(facts: SessionFacts): Voice | null;
  /** Whether the session's own member is in service, and not left alone since its upstream fails. */
  serves(facts: SessionFacts): boolean;
  /**
   * Members of the session's panel that are in service; none where all rest. Null where the client named its member, so
   * that nobody else could have come, and where a person might have been drawn, who cannot be asked again.
   */
  population(facts: SessionFacts): readonly StandIn[] | null;
  append(record: ProbeRecord | SpentRecord): void | Promise<void>;
  /** Client requests under way. */
  clientsRunning(): number;
  /** Milliseconds since 1970. */
  now(): number;
  onDropped?(reason: DropReason, history: VisitedHistory): void;
  /** Runs something later; returns what calls it off. Default: a timer that keeps no process alive. */
  later?(run: () => void, ms: number): () => void;
}

export interface Prober {
  /** A turn was answered: probes it if it is drawn. Never throws, never waits. */
  offer(history: VisitedHistory): void;
  /** Clients have become fewer. Without it, it is looked again after a while. */
  wake(): void;
  /** The budget of tokens starts anew. */
  beginEpoch(): void;
  view(): ProbeView;
  /** Resolves once nothing waits and nothing is under way. */
  idle(): Promise<void>;
  /** Gives up what waits, cancels what is under way, records what came of it. Resolves when all is still. */
  close(): Promise<void>;
}

interface Task {
  readonly law: Law;
  readonly at: number;
}

interface Job {
  readonly history: VisitedHistory;
  readonly laws: readonly Law[];
  readonly probability: number;
  readonly stream: Random;
  /** Of the waiting ones, the highest leaves first: drawn, so that leaving says nothing about the history. */
  readonly precedence: number;
  tasks: Task[];
  running: number;
  superseded: boolean;
  /** Laws that nobody could be asked under, at least at the end. */
  readonly rested: Set<Law>;
  readonly came: { readonly task: Task; readonly resample: Resample }[];
  promptTokens: number;
  completionTokens: number;
  /** By member that was asked. */
  readonly tokens: Map<string, TokenSums>;
}

/** How long it is until clients are counted again, in ms. */
const LOOK_AGAIN = 200;

/**
 * Asks for further replies at a share of the histories that sessions visit, behind the clients' backs: in slots of its
 * own, only while few clients are under way, within a budget of tokens (the history that spends the last is finished).
 *
 * A history that was drawn and is not measured is missing, not weighed up: the recorded probability stays the share, and
 * epsilon speaks of the histories that were measured. Whether one leaves a full queue is drawn at random, so that among
 * histories that wait together nothing is favoured. What load cannot be kept from is *when* it leaves some out: turns
 * visited in a rush (the first turns of a batch of rollouts), or late in an epoch whose budget is spent, are fewer. Hence
 * drops are counted by reason, and epsilon is given by depth and member beside the mean. A partly failed history keeps
 * what came of a law from two replies on; replies that fail because they are long are missing from it.
 */
export function openProber(services: ProberServices): Prober {
  const { settings, later = timer } = services;
  const queue: Job[] = [];
  let current: Job | null = null;
  let running = 0;
  let closed = false;
  let spent = 0;
  let callOff: (() => void) | null = null;
  const cancel = new AbortController();
  /** By session: its histories that wait or are under way. */
  const open = new Map<string, Job[]>();
  const counts = { asked: 0, done: 0, failedReplies: 0, promptTokens: 0, completionTokens: 0 };
  const dropped: Record<string, number> = {};
  let still: (() => void)[] = [];

  const forget = (job: Job) => {
    const { id } = job.history.facts;
    const rest = open.get(id)?.filter((other) => other !== job) ?? [];
    if (rest.length === 0) open.delete(id);
    else open.set(id, rest);
  };

  const drop = (job: Job, reason: DropReason) => {
    forget(job);
    count(job, reason);
  };

  const count = (job: Job, reason: DropReason) => {
    dropped[reason] = (dropped[reason] ?? 0) + 1;
    try {
      services.onDropped?.(reason, job.history);
    } catch {
      // Whoever listens must not end the probes.
    }
  };

  /** Nobody is asked who is known to be down: its requests would fail one by one, and wake it no sooner. */
  const leaveResting = (job: Job) => {
    const { facts } = job.history;
    for (const law of job.laws) {
      if (!job.tasks.some((task) => task.law === law)) continue;
      if (law === 'member' ? services.serves(facts) : services.population(facts)?.length !== 0) continue;
      job.rested.add(law);
      job.tasks = job.tasks.filter((task) => task.law !== law);
    }
  };

  const pump = () => {
    while (!closed && running < settings.concurrency && (current !== null || queue.length > 0)) {
      if (services.clientsRunning() > settings.yieldAbove) {
        callOff ??= later(() => {
          callOff = null;
          pump();
        }, LOOK_AGAIN);
        return;
      }
      if (current === null) {
        const job = queue.shift()!;
        if (settings.budgetTokens !== null && spent >= settings.budgetTokens) drop(job, 'budget');
        else current = job;
        continue;
      }
      const job: Job = current;
      leaveResting(job);
      const task = job.tasks.shift();
      if (job.tasks.length === 0) current = null;
      if (task === undefined) {
        // Where replies are under way, the last of them ends it.
        if (job.running > 0) continue;
        running += 1;
        void finish(job).then(() => {
          running -= 1;
          pump();
        });
        continue;
      }
      job.running += 1;
      running += 1;
      void ask(job, task).then(async () => {
        job.running -= 1;
        if (job.tasks.length === 0 && job.running === 0) await finish(job);
        running -= 1;
        pump();
      });
    }
    if (running === 0 && current === null && queue.length === 0) {
      for (const tell of still) tell();
      still = [];
    }
  };

  /** Never rejects. */
  const ask = async (job: Job, task: Task): Promise<void> => {
    const { facts, request, past } = job.history;
    const random = job.stream.fork(`${task.law} ${task.at}`);
    const tokens: TokenSums = {};
    let asked: string | null = null;
    let came = false;
    try {
      const { voice, member } = voiceFor(services, facts, task.law, random);
      asked = member;
      const reply = await voice.reply({
        request: probeRequest(request, random.fork('seed')),
        past,
        random: random.fork('reply'),
        signal: cancel.signal,
        probe: true,
        tokens,
      });
      const said = await wholeSaid(reply);
      if (reply.kind === 'stream') addUsage(tokens, said.answeredBy.id, said.usage);
      came = true;
      use(job, said.usage.promptTokens ?? 0, completionTokens(said));
      job.came.push({ task, resample: resampleOf(task.law, member, said) });
    } catch {
      if (!closed) counts.failedReplies += 1;
    }
    if (asked === null || Object.keys(tokens).length === 0) return;
    if (!came) {
      const { prompt, completion } = tokenTotal(tokens);
      use(job, prompt, completion);
    }
    const own = job.tokens.get(asked) ?? {};
    job.tokens.set(asked, own);
    addTokens(own, tokens);
  };

  const use = (job: Job, prompt: number, completion: number) => {
    spent += completion;
    job.completionTokens += completion;
    job.promptTokens += prompt;
    counts.completionTokens += completion;
    counts.promptTokens += prompt;
  };

  /** What a history that is not measured has cost. Never rejects. */
  const recordSpent = async (job: Job): Promise<void> => {
    for (const [member, tokens] of job.tokens)
      try {
        await services.append({
          kind: 'spent',
          at: services.now(),
          session: job.history.facts.id,
          member,
          probe: true,
          tokens,
        });
      } catch {
        // Whoever writes the journal has said so.
      }
  };

  const finish = async (job: Job): Promise<void> => {
    const resamples = job.superseded ? [] : kept(job);
    const rested = [...job.rested].some((of) => !resamples.some(({ law }) => law === of));
    if (resamples.length === 0) {
      drop(job, job.superseded ? 'superseded' : closed ? 'draining' : rested ? 'resting' : 'failed');
      return recordSpent(job);
    }
    forget(job);
    try {
      await services.append({
        kind: 'probe',
        at: services.now(),
        session: job.history.facts.id,
        turn: job.history.turn,
        resamples,
        probability: job.probability,
        promptTokens: job.promptTokens,
        completionTokens: job.completionTokens,
        ...(job.tokens.size === 0 ? {} : { tokens: Object.fromEntries(job.tokens) }),
      });
      counts.done += 1;
      if (rested) count(job, 'resting');
    } catch {
      drop(job, 'failed');
    }
  };

  const isUnderWay = (history: VisitedHistory) =>
    open.get(history.facts.id)?.some((job) => isSame(job.history, history)) ?? false;

  /** A turn said anew ends what came after it: records are joined by number, and must not meet another history. */
  const supersede = (history: VisitedHistory) => {
    for (const job of open.get(history.facts.id) ?? []) {
      if (job.history.turn < history.turn || isSame(job.history, history)) continue;
      job.superseded = true;
      job.tasks = [];
      const at = queue.indexOf(job);
      if (at >= 0) queue.splice(at, 1);
      if (current === job) current = null;
      if (job.running > 0) continue;
      drop(job, 'superseded');
      void recordSpent(job);
    }
  };

  const idle = () =>
    new Promise<void>((resolve) => {
      still.push(resolve);
      pump();
    });

  return {
    offer(history) {
      // Nobody asks a person the same thing eight times.
      if (closed || settings.share === 0 || history.facts.simulator.kind === 'human') return;
      try {
        supersede(history);
        const plan = sessionProbes(settings, services.seed, history.facts.id);
        const laws = lawsAt(history, settings.laws).filter(
          (law) => law === 'member' || services.population(history.facts) !== null,
        );
        // A retry of a turn that is being probed visits no new history.
        if (laws.length === 0 || !plan.probes(history.turn) || isUnderWay(history)) return;
        const stream = plan.stream(history.turn);
        counts.asked += 1;
        const job: Job = {
          history,
          laws,
          probability: plan.share,
          stream,
          precedence: stream.fork('precedence').next(),
          tasks: laws.flatMap((law) =>
            Array.from({ length: settings.resamples }, (_, at): Task => ({ law, at })),
          ),
          running: 0,
          superseded: false,
          rested: new Set(),
          came: [],
          promptTokens: 0,
          completionTokens: 0,
          tokens: new Map(),
        };
        open.set(history.facts.id, [...(open.get(history.facts.id) ?? []), job]);
        queue.push(job);
        pump();
        while (queue.length > settings.queue) {
          const last = queue.reduce(
            (most, job, at) => (job.precedence > queue[most]!.precedence ? at : most),
            0,
          );
          const busy = services.clientsRunning() > settings.yieldAbove;
          drop(queue.splice(last, 1)[0]!, busy ? 'clients first' : 'queue full');
        }
      } catch {
        dropped.failed = (dropped.failed ?? 0) + 1;
      }
    },
    wake: pump,
    beginEpoch() {
      spent = 0;
      pump();
    },
    view: () => ({ ...counts, dropped: { ...dropped } }),
    idle,
    async close() {
      if (!closed) {
        closed = true;
        callOff?.();
        for (const job of queue.splice(0)) drop(job, 'draining');
        cancel.abort();
        const job = current as Job | null;
        current = null;
        if (job !== null) {
          job.tasks = [];
          if (job.running === 0) await finish(job);
        }
      }
      await idle();
    },
  };
}

function voiceFor(
  services: ProberServices,
  facts: SessionFacts,
  law: Law,
  random: Random,
): { voice: Voice; member: string } {
  if (law === 'member') {
    const voice = services.voiceOf(facts);
    if (voice === null) throw new Error('the member is gone');
    return { voice, member: facts.simulator.id };
  }
  const members = services.population(facts) ?? [];
  const weights = new Map(members.map(({ id, weight }) => [id, weight]));
  const drawn = weightedDraw(members, weights, random.fork('member'));
  // A new user each time: persona and checkpoint are drawn again with the member.
  const seed = `${facts.seed}/probe/${random.fork('user').integer(2 ** 53)}`;
  return { voice: drawn.open(seed), member: drawn.id };
}

/** In the order in which they were asked for, laws with a single reply left out: it says nothing of how replies differ. */
function kept({ laws, came }: Job): Resample[] {
  return laws.flatMap((law) => {
    const own = came.filter(({ task }) => task.law === law).sort((a, b) => a.task.at - b.task.at);
    return own.length < 2 ? [] : own.map(({ resample }) => resample);
  });
}

/** One turn, come to by the same words. */
function isSame(a: VisitedHistory, b: VisitedHistory): boolean {
  return a.turn === b.turn && JSON.stringify(a.request.messages) === JSON.stringify(b.request.messages);
}

function timer(run: () => void, ms: number): () => void {
  const handle = setTimeout(run, ms);
  handle.unref();
  return () => clearTimeout(handle);
}
