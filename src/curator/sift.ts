import { isHuman, type Records } from '../audit/options.ts';
import type { JudgeVote } from '../curation/gate/check.ts';
import type { QualityGate } from '../curation/gate/gate.ts';
import type { GateRecipe } from '../curation/gate/gate-recipe.ts';
import type { CheckCount } from '../curation/manifest.ts';
import { CollapseAwareError } from '../errors.ts';
import { contentHash } from '../trajectory/identity.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import type { Judge } from './judge.ts';
import type { CurateProgress } from './progress.ts';
import { type Reason, Sieve } from './sieve.ts';
import { Verdicts } from './verdicts.ts';

/** What the first pass over the files found. */
export interface Sifted {
  readonly verdicts: Verdicts;
  /** Gated episodes to fit the space on, a bottom-k of each simulator. */
  readonly sample: readonly Trajectory[];
  /** Gated episodes whose neighbourhoods stand for the data's density: a bottom-k of all. */
  readonly neighbourhood: readonly Trajectory[];
  /** People found among the rows, where no reference was given. */
  readonly people: readonly Trajectory[];
  readonly rows: number;
  readonly kept: number;
  readonly checks: readonly CheckCount[];
  readonly reasons: readonly Reason[];
  readonly simulators: ReadonlyMap<string, { readonly rows: number; readonly kept: number }>;
  /** What the judge said, by content. */
  readonly votes: ReadonlyMap<string, readonly JudgeVote[] | 'unchecked'>;
}

/** Who is asked: a judge, or whatever votes as one. */
export type Voter = Pick<Judge, 'vote'> & Partial<Pick<Judge, 'finish'>>;

export interface SiftOptions {
  readonly seed: number;
  readonly recipe: GateRecipe | null;
  readonly hasReference: boolean;
  readonly judge: Voter | null;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: CurateProgress;
}

/** Rows that wait for the judge together. */
const JUDGED = 256;

/**
 * First passes: the gate sees every row, then judges each (no gate: all pass); samples are taken of what passed.
 * People among simulators are the reference where none was given, and the gate drops none of them; a file of people
 * alone is curated as it is.
 * @throws CA_INPUT_EMPTY where no row passes; what the judge throws.
 */
export async function sift(
  records: Records,
  gate: QualityGate | null,
  options: SiftOptions,
): Promise<Sifted> {
  const { seed } = options;
  const rowsObserved = gate === null ? null : await observe(records, gate, options);
  const [others, humans] = [new Sieve({ seed }), new Sieve({ seed })];
  const people: Trajectory[] = [];
  const verdicts = new Verdicts();
  const votes = new Map<string, readonly JudgeVote[] | 'unchecked'>();
  const settle = (episode: Trajectory, hash: string, given: readonly JudgeVote[] | 'unchecked' | null) => {
    const verdict = gate?.inspect(episode, given) ?? PASSED;
    verdicts.add(hash, verdict.kept);
    const human = isHuman(episode);
    if (human && !options.hasReference) people.push(episode);
    (human && !options.hasReference ? humans : others).add(episode, hash, verdict);
  };
  let waiting: { hash: string; trajectory: Trajectory }[] = [];
  const flush = async () => {
    options.signal?.throwIfAborted();
    const pending = new Map<string, { hash: string; trajectory: Trajectory }>();
    if (options.judge !== null)
      for (const row of waiting)
        if (
          !votes.has(row.hash) &&
          !pending.has(row.hash) &&
          gate?.inspect(row.trajectory).kept === true &&
          !isHuman(row.trajectory)
        )
          pending.set(row.hash, row);
    const asked = [...pending.values()];
    if (asked.length > 0) {
      const answers = await options.judge!.vote(asked);
      asked.forEach(({ hash }, at) => {
        votes.set(hash, answers[at]!);
      });
    }
    for (const { hash, trajectory } of waiting) settle(trajectory, hash, votes.get(hash) ?? null);
    waiting = [];
  };
  // A list in memory may hold one object twice: the gate takes an object it knows for a second look at one row.
  const met = new WeakSet<Trajectory>();
  let read = 0;
  for await (const row of records()) {
    const trajectory = met.has(row) ? { ...row } : row;
    met.add(row);
    read += 1;
    if (read % 256 === 0) {
      options.signal?.throwIfAborted();
      options.onProgress?.('gate', read, rowsObserved);
    }
    const hash = contentHash(trajectory.turns, trajectory.scenario);
    if (options.judge === null) settle(trajectory, hash, null);
    else if (waiting.push({ hash, trajectory }) === JUDGED) await flush();
  }
  await flush();
  options.judge?.finish?.();
  options.onProgress?.('gate', read, read);
  if (read === 0) throw new CollapseAwareError('CA_INPUT_EMPTY', 'no episode to curate');
  const alone = others.rows === 0;
  const own = alone ? humans : others;
  if (own.kept === 0)
    throw new CollapseAwareError('CA_INPUT_EMPTY', `none of ${own.rows} episodes passes the gate`, {
      todo: `the commonest reason is ${own.reasons()[0]?.reason ?? 'unknown'}: see --dry-run, or set its check to flag in the recipe`,
    });
  return {
    verdicts,
    sample: own.sample(),
    neighbourhood: own.neighbourhood(),
    people: alone ? [] : people,
    rows: own.rows,
    kept: own.kept,
    checks: gate === null ? [] : own.checks(configured(gate, options.recipe)),
    reasons: own.reasons(),
    simulators: own.simulators,
    votes,
  };
}

/** Duplicates and missing rewards are questions about all rows. */
async function observe(records: Records, gate: QualityGate, options: SiftOptions): Promise<number> {
  let rows = 0;
  for await (const episode of records()) {
    gate.observe(episode);
    rows += 1;
    if (rows % 256 !== 0) continue;
    options.signal?.throwIfAborted();
    options.onProgress?.('read', rows, null);
  }
  return rows;
}

function configured(gate: QualityGate, recipe: GateRecipe | null) {
  const questions = recipe?.judge?.questions ?? [];
  const actionOf = (name: string) => recipe?.actions[name] ?? ('drop' as const);
  return [
    ...gate.checks.map(({ name, blame }) => ({ name, blame, action: actionOf(name) })),
    ...questions.map((question) => ({
      name: `judge:${question}`,
      blame: 'simulator' as const,
      action: actionOf(`judge:${question}`),
    })),
  ];
}

const PASSED = { kept: true, findings: [], flags: [], unchecked: [] } as const;
