import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { soundJson } from '../../formats/json-text.ts';
import { contentHash } from '../../trajectory/identity.ts';
import type { Trajectory } from '../../trajectory/trajectory.ts';
import type { Receipt, RewardEntry } from '../api/control.ts';
import { dumpRows, readDump } from './dump-rows.ts';
import type { Recorder } from './recorder.ts';

type Sessions = Pick<Recorder, 'find' | 'session' | 'exportTrajectories' | 'addRewards'>;
type Rejected = Receipt['rejected'][number];

interface Claim {
  /** Of the row. */
  readonly id: string;
  readonly reward: number;
  readonly outcome: string | null;
}

/**
 * Joins the rewards of a trainer's dump to sessions on record: by any id that a row holds; where none is known, by what
 * the simulated user said, word for word. Sessions that read alike get a reward only where all rows that read so have
 * the same one and there are no fewer of them. Rewards that were reported before are replaced by an id's row, not by content.
 * `format`: a reader's name; null = by content. Nothing that is wrong with a file or row throws: it is in `rejected`.
 */
export async function rewardsFromDump(
  paths: readonly string[],
  format: string | null,
  recorder: Sessions,
): Promise<Receipt> {
  const rejected: Rejected[] = [];
  const named = new Map<string, Claim[]>();
  const unnamed = new Map<string, Claim[]>();
  const reading = readDump(paths, format);
  for await (const { trajectory, names } of dumpRows(reading)) {
    const { id, reward, outcome } = trajectory;
    if (reward === null) {
      rejected.push({ id, code: 'reward_missing', reason: 'the row has no reward' });
      continue;
    }
    const session = firstKnown(names, recorder);
    const [claims, key] = session === null ? [unnamed, spokenKey(trajectory)] : [named, session];
    claims.set(key, [...(claims.get(key) ?? []), { id, reward, outcome }]);
  }
  for (const { path, error, droppedRows } of reading.files) {
    if (error !== null) rejected.push({ id: path, code: error.code, reason: error.message });
    for (const { id, line, code, reason } of droppedRows)
      rejected.push({ id: id ?? `line ${line}`, code, reason });
  }
  const entries: RewardEntry[] = [];
  for (const [session, claims] of named) settle([session], claims, entries, rejected);
  if (unnamed.size > 0) {
    const alike = await sessionsBySpeech(unnamed, named, recorder);
    for (const [key, claims] of unnamed) settle(alike.get(key) ?? [], claims, entries, rejected);
  }
  const receipt = await recorder.addRewards(entries);
  return { accepted: receipt.accepted, rejected: [...rejected, ...receipt.rejected] };
}

/** The same of rows that came in a request: one JSON value each, as a line of the dump holds it. */
export async function rewardsFromRows(
  rows: readonly unknown[],
  format: string | null,
  recorder: Sessions,
): Promise<Receipt> {
  const fault = rows.findIndex((row) => tooDeep(row, DEEPEST));
  if (fault >= 0)
    return {
      accepted: 0,
      rejected: [{ id: `row ${fault}`, code: 'row_too_deep', reason: `nested more than ${DEEPEST} levels` }],
    };
  const folder = await mkdtemp(join(tmpdir(), 'collapse-aware-dump-'));
  try {
    const path = join(folder, 'rows.jsonl');
    await writeFile(path, rows.map((row) => `${soundJson(row)}\n`).join(''), { mode: 0o600 });
    const { accepted, rejected } = await rewardsFromDump([path], format, recorder);
    return { accepted, rejected: rejected.map((one) => (one.id === path ? { ...one, id: 'rows' } : one)) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Levels of a row; no dump has so many. */
const DEEPEST = 200;

function tooDeep(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return left === 0 || Object.values(value).some((inner) => tooDeep(inner, left - 1));
}

function firstKnown(names: readonly string[], recorder: Sessions): string | null {
  for (const name of names) {
    const found = recorder.find(name);
    if (found !== null) return found;
  }
  return null;
}

/** What the user said. The agent's side differs between the gateway and a trainer, which sees its tools and its thoughts. */
function spokenKey({ turns }: Trajectory): string {
  const spoken = turns.flatMap(({ role, text }) =>
    role === 'user' && text !== null && text.trim() !== '' ? [{ role, text: text.trim() }] : [],
  );
  return contentHash(spoken, null);
}

/** Sessions without a reward so far, by what their user said; only what some row says is kept. */
async function sessionsBySpeech(
  wanted: ReadonlyMap<string, unknown>,
  named: ReadonlyMap<string, unknown>,
  recorder: Sessions,
): Promise<Map<string, string[]>> {
  const alike = new Map<string, string[]>();
  for await (const trajectory of recorder.exportTrajectories()) {
    const { id } = trajectory;
    const key = spokenKey(trajectory);
    if (!wanted.has(key) || named.has(id) || recorder.session(id)?.rewarded !== false) continue;
    alike.set(key, [...(alike.get(key) ?? []), id]);
  }
  return alike;
}

function settle(
  sessions: readonly string[],
  claims: readonly Claim[],
  entries: RewardEntry[],
  rejected: Rejected[],
): void {
  const { reward, outcome } = claims[0]!;
  const same = claims.every((claim) => claim.reward === reward);
  const reject = (code: string, reason: string) => {
    for (const { id } of claims) rejected.push({ id, code, reason });
  };
  if (sessions.length === 0)
    reject('session_unknown', 'no session has one of its ids, and none without a reward says the same');
  else if (!same)
    reject('reward_ambiguous', `${claims.length} rows stand for the same session and differ in reward`);
  else if (sessions.length > claims.length)
    reject(
      'reward_ambiguous',
      `${sessions.length} sessions say the same, and there ${claims.length === 1 ? 'is one row' : `are ${claims.length} rows`}`,
    );
  else for (const session of sessions) entries.push({ session, reward, outcome });
}
