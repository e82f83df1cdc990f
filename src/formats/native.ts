import { composeTrajectory } from '../trajectory/compose.ts';
import { fingerprint } from '../trajectory/identity.ts';
import { explainTrajectory } from '../trajectory/schema.ts';
import {
  type SimulatorFacts,
  TRAJECTORY_SCHEMA,
  type Trajectory,
  type Turn,
} from '../trajectory/trajectory.ts';
import { deeperThan, MAX_DEPTH } from './chat-message.ts';
import { dropRow, guardRow, rowError } from './drop.ts';
import { firstObject } from './head.ts';
import { jsonValues } from './json-stream.ts';
import type { Reader, Row } from './reader.ts';

type Raw = Record<string, unknown>;

/** The product's own format: one `Trajectory` a line. */
export const native: Reader = {
  name: 'native',
  title: 'collapse-aware trajectories (JSONL)',
  checkedOn: 'real files',
  detect(head) {
    const first = firstObject(head);
    if (first === null || typeof first.schema !== 'string') return 0;
    if (first.schema === TRAJECTORY_SCHEMA) return 1;
    return first.schema.startsWith('collapse-aware/trajectory@') ? 0.9 : 0;
  },
  async *read(source, options) {
    const swap = options.simulatorRole === 'agent' || options.simulatorRole === 'assistant';
    for await (const item of jsonValues(source, options)) {
      if (item.kind === 'dropped') yield item;
      else yield nativeRow(item.value, source.path, item.line, swap);
    }
  },
};

/** A hand-written check decides; the schema is asked only why a record failed. */
export function nativeRow(value: unknown, file: string, line: number, swap: boolean): Row {
  if (value === null || typeof value !== 'object' || !isRecord(value as Raw)) {
    const reason = explainTrajectory(value) ?? `tool call arguments are nested more than ${MAX_DEPTH} levels`;
    const id = (value as Raw | null)?.id;
    return dropRow({ path: file }, line, 'CA_ROW_INVALID', reason, typeof id === 'string' ? id : null);
  }
  const raw = value as Raw & Partial<Trajectory>;
  const turns = raw.turns as readonly Turn[];
  const simulator = simulatorOf(raw.simulator as unknown as Raw);
  const source = { file, line };
  if (!swap && typeof raw.id === 'string' && typeof raw.context === 'string')
    return {
      kind: 'trajectory',
      trajectory: {
        schema: TRAJECTORY_SCHEMA,
        id: raw.id,
        context: raw.context,
        contextFrom: raw.contextFrom ?? (raw.scenario == null ? 'label' : 'scenario'),
        contextLabel: raw.contextLabel ?? null,
        benchmark: raw.benchmark ?? null,
        domain: raw.domain ?? null,
        scenario: raw.scenario ?? null,
        group: raw.group ?? null,
        epoch: raw.epoch ?? null,
        run: raw.run ?? null,
        simulator,
        policy: policyOf(raw.policy),
        turns,
        reward: raw.reward ?? null,
        outcome: raw.outcome ?? null,
        split: raw.split ?? null,
        termination: raw.termination ?? null,
        source,
      },
    };
  const row = guardRow({ path: file }, line, () => {
    if (turns.length === 0) throw rowError('the row has no messages', 'CA_ROW_EMPTY');
    const { contextFrom, ...rest } = raw;
    return {
      kind: 'trajectory',
      trajectory: composeTrajectory({
        ...rest,
        ...(contextFrom == null ? {} : { contextFrom }),
        simulator,
        policy: policyOf(raw.policy),
        turns: swap ? turns.map(swapped) : turns,
        source,
      }),
    };
  });
  return row as Row;
}

function policyOf(raw: Trajectory['policy'] | null | undefined): Trajectory['policy'] {
  return raw == null
    ? { id: 'unknown', checkpoint: null }
    : { id: raw.id, checkpoint: raw.checkpoint ?? null };
}

function simulatorOf(raw: Raw): SimulatorFacts {
  const facts = raw as Partial<SimulatorFacts> & { id: string };
  const model = facts.model ?? null;
  const recipe = facts.recipe ?? null;
  return {
    id: facts.id,
    kind: facts.kind ?? 'llm',
    person: facts.person ?? null,
    model,
    recipe,
    fingerprint: facts.fingerprint ?? fingerprint({ model, recipe }),
  };
}

function swapped(turn: Turn): Turn {
  if (turn.role === 'user') return { ...turn, role: 'agent' };
  if (turn.role === 'agent') return { ...turn, role: 'user' };
  if (turn.requestor === undefined) return turn;
  return { ...turn, requestor: turn.requestor === 'user' ? 'agent' : 'user' };
}

const TEXTS = [
  'id',
  'context',
  'contextLabel',
  'benchmark',
  'domain',
  'scenario',
  'group',
  'run',
  'outcome',
  'termination',
] as const;
const KINDS = new Set<unknown>(['llm', 'scripted', 'human', 'trained']);
const SPLITS = new Set<unknown>(['seen', 'selection', 'test']);
const ORIGINS = new Set<unknown>(['scenario', 'label', 'none']);
const ROLES = new Set<unknown>(['user', 'agent', 'tool', 'system']);

/** The schema by hand (a test holds the two to the same verdicts). */
export function isRecord(raw: Raw): boolean {
  if (raw.schema !== TRAJECTORY_SCHEMA) return false;
  for (const key of TEXTS) if (!isText(raw[key])) return false;
  if (raw.contextFrom != null && !ORIGINS.has(raw.contextFrom)) return false;
  if (raw.split != null && !SPLITS.has(raw.split)) return false;
  if (raw.epoch != null && !Number.isSafeInteger(raw.epoch)) return false;
  if (raw.reward != null && !Number.isFinite(raw.reward)) return false;
  if (raw.policy != null) {
    const policy = raw.policy as Raw;
    if (!isObject(policy) || typeof policy.id !== 'string' || !isText(policy.checkpoint)) return false;
  }
  if (raw.source != null) {
    const origin = raw.source as Raw;
    if (!isObject(origin) || typeof origin.file !== 'string') return false;
    if (origin.line !== null && !Number.isSafeInteger(origin.line)) return false;
  }
  const simulator = raw.simulator as Raw;
  if (!isObject(simulator) || typeof simulator.id !== 'string') return false;
  if (simulator.kind !== undefined && !KINDS.has(simulator.kind)) return false;
  if (!isText(simulator.person) || !isText(simulator.model)) return false;
  if (!isText(simulator.recipe) || !isText(simulator.fingerprint)) return false;
  if (!Array.isArray(raw.turns)) return false;
  for (const turn of raw.turns) if (!isTurn(turn)) return false;
  return true;
}

function isTurn(turn: Raw): boolean {
  if (!isObject(turn) || !ROLES.has(turn.role)) return false;
  if (typeof turn.text !== 'string' && turn.text !== null) return false;
  if (turn.toolCalls !== undefined && !isList(turn.toolCalls, isCall)) return false;
  if (turn.requestor !== undefined && turn.requestor !== 'user' && turn.requestor !== 'agent') return false;
  if (turn.acts !== undefined && !isList(turn.acts, isAct)) return false;
  if (!isNumber(turn.probability) || !isChance(turn.probeProbability)) return false;
  if (turn.candidates !== undefined && !isList(turn.candidates, isCandidate)) return false;
  return turn.resamples === undefined || isList(turn.resamples, isResample);
}

function isCall(call: Raw): boolean {
  return (
    isObject(call) &&
    typeof call.name === 'string' &&
    (call.id === undefined || typeof call.id === 'string') &&
    !deeperThan(call.arguments, MAX_DEPTH)
  );
}

function isCandidate(candidate: Raw): boolean {
  return (
    isObject(candidate) &&
    typeof candidate.text === 'string' &&
    (candidate.probability === null || Number.isFinite(candidate.probability))
  );
}

function isResample(resample: Raw): boolean {
  return (
    isObject(resample) &&
    (resample.law === 'member' || resample.law === 'population') &&
    (resample.member === null || typeof resample.member === 'string') &&
    typeof resample.text === 'string' &&
    (resample.toolCalls === undefined || isList(resample.toolCalls, isCall)) &&
    (resample.acts === undefined || isList(resample.acts, isAct))
  );
}

function isAct(act: unknown): boolean {
  return typeof act === 'string';
}

function isList(value: unknown, check: (item: never) => boolean): boolean {
  return Array.isArray(value) && value.every((item) => check(item as never));
}

function isObject(value: unknown): boolean {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function isText(value: unknown): boolean {
  return value == null || typeof value === 'string';
}

function isChance(value: unknown): boolean {
  return value === undefined || (typeof value === 'number' && value > 0 && value <= 1);
}

function isNumber(value: unknown): boolean {
  return value === undefined || Number.isFinite(value);
}
