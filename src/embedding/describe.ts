import { contentHash } from '../trajectory/identity.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import type { Behaviour, EpisodeFacts, ResampledTurn } from './behaviour.ts';
import type { Embedder } from './embedder.ts';
import { featuresOf, interactionFeatures } from './interaction.ts';
import { LsaEmbedder } from './lsa.ts';
import { readEpisode } from './reading.ts';
import { spoken, spokenTexts } from './speech.ts';
import { WordScan } from './word-scan.ts';
import { WORDS } from './words.ts';

/** Longest excerpt, in characters; longest single turn in it. */
const EXCERPT = 1200;
const EXCERPT_TURN = 240;

const SIDE = { user: 'user', agent: 'agent', tool: 'tool', system: 'system' } as const;

function shorten(text: string, limit: number): string {
  // A turn may be megabytes; only its start is shown.
  const flat = text
    .slice(0, 4 * limit)
    .replace(/\s+/g, ' ')
    .trim();
  if (flat.length <= limit) return flat;
  // Never cut a surrogate pair in two.
  const end = /[\ud800-\udbff]/.test(flat[limit - 2] ?? '') ? limit - 2 : limit - 1;
  return `${flat.slice(0, end)}\u2026`;
}

/** The start of the dialogue as people read it: who said what, tool calls by name, at most 1,200 characters. */
export function excerpt(trajectory: Trajectory): string {
  // Joined at the end: a string grown bit by bit would keep the whole dialogue it was cut from.
  const lines: string[] = [];
  let length = 0;
  for (const turn of trajectory.turns) {
    if (turn.role === 'system' || turn.role === 'tool') continue;
    const said = spoken(turn);
    const calls = (turn.toolCalls ?? []).map((call) => `[${call.name}]`).join(' ');
    if (said === null && calls === '') continue;
    const line = `${SIDE[turn.role]}: ${shorten([said ?? '', calls].join(' '), EXCERPT_TURN)}`;
    if (length + line.length + 1 > EXCERPT) break;
    lines.push(line);
    length += lines.length === 1 ? line.length : line.length + 1;
  }
  return lines.join('\n');
}

function actsOf({ turns }: Trajectory): EpisodeFacts['acts'] {
  if (!turns.some((turn) => turn.role === 'user' && turn.acts !== undefined)) return null;
  const user = turns.filter((turn) => turn.role === 'user' && spoken(turn) !== null);
  return user.some((turn) => turn.acts !== undefined) ? user.map((turn) => turn.acts ?? []) : null;
}

/** What the metrics need to know of an episode beside behaviour. `acts` runs along the simulator's spoken turns. */
export function episodeFacts(trajectory: Trajectory, hash?: string): EpisodeFacts {
  return new Facts(trajectory, hash ?? contentHash(trajectory.turns, trajectory.scenario));
}

/** A class, for its getter: an accessor of each object's own would give each a shape of its own. */
class Facts implements EpisodeFacts {
  readonly hash: string;
  readonly id: string;
  readonly context: string;
  readonly contextFrom: EpisodeFacts['contextFrom'];
  readonly contextLabel: string | null;
  readonly person: string | null;
  readonly simulator: string;
  readonly kind: EpisodeFacts['kind'];
  readonly policy: string;
  readonly checkpoint: string | null;
  readonly epoch: number | null;
  readonly group: string | null;
  readonly split: EpisodeFacts['split'];
  readonly reward: number | null;
  readonly acts: EpisodeFacts['acts'];
  readonly #trajectory: Trajectory;
  #shown: string | null = null;

  constructor(trajectory: Trajectory, hash: string) {
    this.hash = hash;
    this.id = trajectory.id;
    this.context = trajectory.context;
    this.contextFrom = trajectory.contextFrom;
    this.contextLabel = trajectory.contextLabel;
    this.person = trajectory.simulator.person;
    this.simulator = trajectory.simulator.id;
    this.kind = trajectory.simulator.kind;
    this.policy = trajectory.policy.id;
    this.checkpoint = trajectory.policy.checkpoint;
    this.epoch = trajectory.epoch;
    this.group = trajectory.group;
    this.split = trajectory.split;
    this.reward = trajectory.reward;
    this.acts = actsOf(trajectory);
    this.#trajectory = trajectory;
  }

  /** Few episodes are ever shown: made when asked for. */
  get excerpt(): string {
    this.#shown ??= excerpt(this.#trajectory);
    return this.#shown;
  }
}

/** Mean of rows `from..to` (already of length 1 each; rows of a text nothing is known of count as zero). */
function meanRow(rows: Float32Array, dimension: number): Float32Array {
  const mean = new Float32Array(dimension);
  const count = rows.length / dimension;
  if (count === 0) return mean;
  for (let at = 0; at < rows.length; at += dimension)
    for (let k = 0; k < dimension; k++) mean[k]! += rows[at + k]!;
  for (let k = 0; k < dimension; k++) mean[k]! /= count;
  return mean;
}

export interface DescribeOptions {
  readonly signal?: AbortSignal;
  /** Distinct texts sent to the embedder in one call (default 8192). */
  readonly batch?: number;
  /** Content hashes of the episodes, as far as they are known. */
  readonly hashes?: readonly (string | undefined)[];
  /** Embed the agent's turns too (default true): needed for policy classes only. */
  readonly policyTurns?: boolean;
}

/**
 * Episodes as vectors, in the order given. Every distinct text is embedded once, many to a call.
 * Rows of an embedder are L2-normalised or zero; `semantic` is the mean over the simulator's turns (zero where it
 * never spoke).
 */
export async function describe(
  trajectories: readonly Trajectory[],
  embedder: Embedder,
  options: DescribeOptions = {},
): Promise<Behaviour[]> {
  const { batch = 8192, policyTurns = true } = options;
  if (embedder instanceof LsaEmbedder && policyTurns) return describeLocally(trajectories, embedder, options);
  const d = embedder.dimension;
  const slot = new Map<string, number>();
  const texts: string[] = [];
  const place = (said: readonly string[]): Uint32Array => {
    const slots = new Uint32Array(said.length);
    said.forEach((text, at) => {
      let index = slot.get(text);
      if (index === undefined) {
        index = texts.length;
        slot.set(text, index);
        texts.push(text);
      }
      slots[at] = index;
    });
    return slots;
  };
  const placed = trajectories.map((trajectory) => ({
    user: place(spokenTexts(trajectory, 'user')),
    agent: policyTurns ? place(spokenTexts(trajectory, 'agent')) : new Uint32Array(0),
    resampled: probesOf(trajectory).map((probe) => ({ ...probe, slots: place(probe.texts) })),
  }));
  const vectors = new Float32Array(texts.length * d);
  for (let from = 0; from < texts.length; from += batch) {
    options.signal?.throwIfAborted();
    vectors.set(await embedder.embed(texts.slice(from, from + batch), options.signal), from * d);
  }
  const gather = (slots: Uint32Array): Float32Array => {
    const rows = new Float32Array(slots.length * d);
    for (let at = 0; at < slots.length; at++)
      rows.set(vectors.subarray(slots[at]! * d, (slots[at]! + 1) * d), at * d);
    return rows;
  };
  return trajectories.map((trajectory, at) => {
    const turns = gather(placed[at]!.user);
    return {
      facts: episodeFacts(trajectory, options.hashes?.[at]),
      semantic: meanRow(turns, d),
      turns,
      interaction: interactionFeatures(trajectory),
      policyTurns: gather(placed[at]!.agent),
      ...(placed[at]!.resampled.length === 0
        ? {}
        : {
            resampled: placed[at]!.resampled.map(({ texts: _, slots, ...probe }) => ({
              ...probe,
              replies: gather(slots),
            })),
          }),
    };
  });
}

/** Episodes read at a time. */
const PART = 1024;

/** The same where embedding costs no call: every text is scanned once, for vectors and features. */
function describeLocally(
  trajectories: readonly Trajectory[],
  embedder: LsaEmbedder,
  { signal, hashes = [] }: DescribeOptions,
): Behaviour[] {
  const d = embedder.dimension;
  const found: Behaviour[] = [];
  const tokens = new TokenStore();
  for (let from = 0; from < trajectories.length; from += PART) {
    signal?.throwIfAborted();
    WORDS.settle();
    tokens.clear();
    const spans: number[] = [];
    const read = trajectories.slice(from, from + PART).map((trajectory) => {
      const said = { user: [] as number[], agent: [] as number[] };
      const reading = readEpisode(trajectory, (role, scan) => tokens.keep(scan, said[role]));
      const interaction = featuresOf(reading);
      const probes = probesOf(trajectory);
      for (const span of said.user) spans.push(span);
      for (const span of said.agent) spans.push(span);
      for (const { texts } of probes) for (const text of texts) tokens.scan(text, spans);
      return { trajectory, interaction, user: said.user.length / 2, agent: said.agent.length / 2, probes };
    });
    const vectors = embedder.embedTokens(tokens.data, spans);
    let at = 0;
    const next = (rows: number): Float32Array => {
      at += rows * d;
      return vectors.subarray(at - rows * d, at);
    };
    for (const { trajectory, interaction, user, agent, probes } of read) {
      const turns = next(user);
      found.push({
        facts: episodeFacts(trajectory, hashes[found.length]),
        semantic: meanRow(turns, d),
        turns,
        interaction,
        policyTurns: next(agent),
        ...(probes.length === 0
          ? {}
          : {
              resampled: probes.map(({ texts, ...probe }) => ({ ...probe, replies: next(texts.length) })),
            }),
      });
    }
  }
  return found;
}

/** Scanned texts one after the other. */
class TokenStore {
  data = new Int32Array(1 << 16);
  #used = 0;
  readonly #scan = new WordScan();

  clear(): void {
    this.#used = 0;
  }

  /** Keeps the tokens of the text just scanned; where they stand is put behind `spans`. */
  keep({ tokens, tokenCount }: WordScan, spans: number[]): void {
    const end = this.#used + tokenCount;
    if (end > this.data.length) {
      const longer = new Int32Array(2 * end);
      longer.set(this.data);
      this.data = longer;
    }
    this.data.set(tokens.subarray(0, tokenCount), this.#used);
    spans.push(this.#used, end);
    this.#used = end;
  }

  scan(text: string, spans: number[]): void {
    this.#scan.read(text);
    this.keep(this.#scan, spans);
  }
}

interface Probe extends Omit<ResampledTurn, 'replies'> {
  readonly texts: readonly string[];
}

/** The resamples of each simulator turn, by law. A turn probed with an unknown chance counts as always probed. */
function probesOf({ turns }: Trajectory): Probe[] {
  const probes: Probe[] = [];
  let depth = -1;
  for (const turn of turns) {
    if (turn.role !== 'user') continue;
    depth += 1;
    if (turn.resamples === undefined) continue;
    for (const law of ['member', 'population'] as const) {
      const replies = turn.resamples.filter((resample) => resample.law === law);
      if (replies.length === 0) continue;
      const texts = replies.flatMap(({ text }) => spoken({ role: 'user', text }) ?? []);
      const silent = replies.length - texts.length;
      const chance = turn.probeProbability ?? 1;
      const probability = chance > 0 && chance <= 1 ? chance : 1;
      const acts = replies.flatMap((reply) => (reply.acts === undefined ? [] : [reply.acts]));
      const known = acts.length === replies.length ? { acts } : {};
      probes.push({ depth, law, probability, texts, silent, ...known });
    }
  }
  return probes;
}
