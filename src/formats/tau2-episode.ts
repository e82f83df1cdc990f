import type { Turn } from '../trajectory/trajectory.ts';
import { chatTurns } from './chat-message.ts';
import { rowError } from './drop.ts';

export type Raw = Readonly<Record<string, unknown>>;

/** Tools that a run's harness gives the user simulator to end a run: no behaviour of the user. */
const HARNESS_TOOLS: ReadonlySet<string> = new Set(['check_for_stop']);

export interface Tau2Turns {
  readonly turns: Turn[];
  /** User turns left out because they held a harness call and nothing else. */
  readonly harness: number;
}

/** tau2 messages to turns: harness calls and their results are left out, stop tokens stay in the text. */
export function tau2Turns(messages: unknown, simulatorRole?: string): Tau2Turns {
  if (!Array.isArray(messages)) throw rowError('messages: expected an array');
  const flat = messages.flatMap((message) => {
    const several = isObject(message) ? message.tool_messages : undefined;
    return Array.isArray(several) ? several : [message];
  });
  const harnessIds = new Set<unknown>();
  const kept: unknown[] = [];
  let harness = 0;
  for (const message of flat) {
    if (!isObject(message)) {
      kept.push(message);
      continue;
    }
    if (message.role === 'tool' && harnessIds.has(message.id ?? message.tool_call_id)) continue;
    const calls = message.role === 'user' && Array.isArray(message.tool_calls) ? message.tool_calls : [];
    const own = calls.filter((call) => !(isObject(call) && HARNESS_TOOLS.has(String(call.name))));
    if (own.length === calls.length) {
      kept.push(message);
      continue;
    }
    for (const call of calls) if (!own.includes(call)) harnessIds.add((call as Raw).id);
    const empty = message.content === null || message.content === undefined || message.content === '';
    if (own.length === 0 && empty) harness++;
    else kept.push({ ...message, tool_calls: own });
  }
  return { turns: chatTurns(kept, { simulatorRole }), harness };
}

/** A task's private instructions: persona, then every instruction field that says something. */
export function tau2Scenario(task: unknown): string | null {
  if (!isObject(task) || !isObject(task.user_scenario)) return null;
  const { persona, instructions } = task.user_scenario;
  const parts = [...texts(persona), ...texts(instructions)];
  return parts.length === 0 ? null : parts.join('\n');
}

/** `domain` names the benchmark's part, not the scenario, and is part of the context's identity already. */
function texts(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()];
  if (!isObject(value)) return [];
  return Object.keys(value)
    .filter((key) => key !== 'domain')
    .sort()
    .flatMap((key) => texts(value[key]));
}

export function tau2Domain(task: unknown): string | null {
  if (!isObject(task) || !isObject(task.user_scenario)) return null;
  const { instructions } = task.user_scenario;
  return isObject(instructions) && typeof instructions.domain === 'string' ? instructions.domain : null;
}

/** A run that the infrastructure ended says nothing of the policy: its reward is missing, not 0. */
export function tau2Reward(reward: unknown, termination: string | null): number | null {
  if (termination !== null && /infrastructure/i.test(termination)) return null;
  const value = isObject(reward) ? reward.reward : undefined;
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** The name without its provider (`openai/gpt-4o`): tau-bench writes it so, and one model is one simulator. */
export function modelName(model: string): string {
  return model.slice(model.lastIndexOf('/') + 1) || model;
}

/** Sampling arguments without keys, addresses and retry settings: they are not the simulator, or secret. */
export function samplingOf(args: unknown): Record<string, unknown> {
  if (!isObject(args)) return {};
  const kept: Record<string, unknown> = {};
  for (const key of Object.keys(args).sort())
    if (
      !/key|token$|secret|password|auth|header|base|url|endpoint|retr|timeout|cache|organi[sz]ation|provider/i.test(
        key,
      )
    )
      kept[key] = args[key];
  return kept;
}

export function isObject(value: unknown): value is Raw {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null;
}

export function stem(name: string): string {
  return name.replace(/\.(json|jsonl|ndjson)$/i, '');
}
