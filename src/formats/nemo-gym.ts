import { contentHash, simulatorFacts } from '../trajectory/identity.ts';
import type { Turn } from '../trajectory/trajectory.ts';
import { contentText, kindOf, roleOf, toolArguments } from './chat-message.ts';
import { rowError } from './drop.ts';
import { firstObject } from './head.ts';
import type { Reader } from './reader.ts';
import { modelName, tau2Domain, tau2Scenario } from './tau2-episode.ts';
import {
  firstName,
  isRaw,
  jsonRows,
  nameOf,
  numberOf,
  type Raw,
  rawOf,
  SIMULATOR_FIELDS,
  unknownSimulator,
  wholeOf,
} from './trainer-rows.ts';

/**
 * NeMo-Gym rollouts: the OpenAI Responses request (`responses_create_params.input`) and its `response.output`, with
 * `reward` and `_ng_task_index` (the group). Rows of tau2 environments carry the task and tau2's own
 * record too, which name the scenario and the models.
 */
export const nemoGym: Reader = {
  name: 'nemo-gym',
  title: 'NeMo-Gym rollouts (JSON lines)',
  checkedOn: 'real files',

  detect(head) {
    const first = firstObject(head);
    if (first === null || !isRaw(first.responses_create_params)) return 0;
    // Without a response it is the input of a rollout, not a rollout.
    return isRaw(first.response) ? 0.98 : 0.4;
  },

  async *read(source, options) {
    yield* jsonRows(source, options, (raw, line) => {
      const params = rawOf(raw.responses_create_params);
      const response = rawOf(raw.response);
      if (!Array.isArray(response.output))
        throw rowError(`response.output: expected an array, found ${kindOf(response.output)}`);
      const turns = [
        ...responseTurns(inputItems(params.input), options.simulatorRole),
        ...responseTurns(response.output, options.simulatorRole),
      ];
      const config = rawOf(raw.config);
      const task = rawOf(raw.task);
      const result = rawOf(raw.result);
      const scenario = tau2Scenario(task);
      const agent = nameOf(rawOf(raw.agent_ref).name);
      const taskIndex = nameOf(raw._ng_task_index);
      const userModel =
        spokenModel(result.messages, 'user') ?? notDummy(firstName([raw, config], SIMULATOR_FIELDS));
      const agentModel =
        nameOf(response.model) ??
        nameOf(params.model) ??
        spokenModel(result.messages, 'assistant') ??
        notDummy(firstName([config], ['llm_agent']));
      return {
        id:
          nameOf(result.id) ??
          [agent, taskIndex, nameOf(raw._ng_rollout_index), contentHash(turns, null).slice(0, 16)].join('/'),
        turns,
        benchmark: scenario === null ? agent : 'tau2',
        domain: nameOf(config.domain) ?? tau2Domain(task),
        scenario,
        contextLabel: nameOf(task.id) ?? (taskIndex === null ? null : `task:${taskIndex}`),
        group: taskIndex === null ? null : `${agent ?? '-'}/${taskIndex}`,
        epoch: firstStep(raw),
        simulator: simulatorFacts({
          id: userModel ?? (agent === null ? unknownSimulator(source, options) : `env:${agent}`),
          model: userModel,
          recipe: nameOf(config.user),
          ...(isRaw(config.llm_args_user) ? { sampling: config.llm_args_user } : {}),
        }),
        policy: agentModel === null ? null : { id: agentModel, checkpoint: null },
        reward: numberOf(raw.reward),
        termination:
          nameOf(result.termination_reason) ??
          (raw.truncated === true ? 'truncated' : raw.terminated === true ? 'terminated' : null),
        source: { file: source.path, line },
      };
    });
  },
};

const firstStep = (raw: Raw) => wholeOf(raw.step) ?? wholeOf(raw.epoch);
const notDummy = (name: string | null) => (name === 'dummy' ? null : name);

const inputItems = (input: unknown): unknown[] => {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  if (Array.isArray(input)) return input;
  throw rowError(`responses_create_params.input: expected an array, found ${kindOf(input)}`);
};

/**
 * Items of the Responses API to turns: messages, function calls (neighbouring ones are one turn) and their outputs;
 * reasoning is left out, for the user never sees it. Throws row errors.
 */
export function responseTurns(items: readonly unknown[], simulatorRole?: string): Turn[] {
  const turns: Turn[] = [];
  items.forEach((item, i) => {
    if (!isRaw(item)) throw rowError(`item ${i}: expected an object, found ${kindOf(item)}`);
    const type = nameOf(item.type) ?? 'message';
    if (type === 'function_call' || type === 'custom_tool_call') {
      const id = nameOf(item.call_id) ?? nameOf(item.id);
      const call = {
        ...(id === null ? {} : { id }),
        name: nameOf(item.name) ?? 'unknown',
        arguments: toolArguments(item.arguments ?? item.input ?? null),
      };
      const last = turns.at(-1);
      if (last?.role === 'agent' && last.toolCalls !== undefined)
        turns[turns.length - 1] = { ...last, toolCalls: [...last.toolCalls, call] };
      else turns.push({ role: 'agent', text: null, toolCalls: [call] });
    } else if (type === 'function_call_output' || type === 'custom_tool_call_output')
      turns.push({ role: 'tool', text: contentText(item.output), requestor: 'agent' });
    else if (type === 'message') {
      const role = typeof item.role === 'string' ? roleOf(item.role, simulatorRole) : null;
      if (role === null) throw rowError(`item ${i}: no known role`);
      turns.push({ role, text: contentText(item.content) });
    }
  });
  return turns;
}

/** The model that tau2's record says spoke for a role: its messages keep the raw replies. */
function spokenModel(messages: unknown, role: string): string | null {
  if (!Array.isArray(messages)) return null;
  for (const message of messages) {
    if (!isRaw(message) || message.role !== role) continue;
    const model = nameOf(rawOf(message.raw_data).model);
    if (model !== null) return modelName(model);
  }
  return null;
}
