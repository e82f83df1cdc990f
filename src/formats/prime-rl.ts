import { contentHash, simulatorFacts } from '../trajectory/identity.ts';
import type { Turn } from '../trajectory/trajectory.ts';
import { chatTurns, contentText } from './chat-message.ts';
import { rowError } from './drop.ts';
import { firstObject } from './head.ts';
import type { Reader } from './reader.ts';
import {
  isRaw,
  jsonRows,
  nameOf,
  numberOf,
  type Raw,
  rawOf,
  unknownSimulator,
  wholeOf,
} from './trainer-rows.ts';

/**
 * Episodes of verifiers v1 and prime-rl (`rollouts/step_<n>/<kind>/<subset>/traces.jsonl`): an episode a line with
 * `env`, `task`, `group`, `run` and the `traces` of its agents, each a graph of `nodes` (message +
 * parent). Read from the schema of verifiers (episode.py, trace.py, graph.py, trace version 1).
 * The agent called `user` (or as `--simulator-role` says) is the simulator; every trainable agent
 * gives a trajectory along its last branch, as verifiers' own `Trace.messages` does.
 */
export const primeRl: Reader = {
  name: 'prime-rl',
  title: 'prime-rl / verifiers v1 episodes (traces.jsonl)',
  checkedOn: 'schema',

  detect(head) {
    const first = firstObject(head);
    if (first === null || !Array.isArray(first.traces)) return 0;
    const trace = rawOf(first.traces[0]);
    if (Array.isArray(trace.nodes)) return 0.98;
    return isRaw(first.env) && isRaw(first.task) ? 0.9 : 0;
  },

  async *read(source, options) {
    yield* jsonRows(source, options, (raw, line) => {
      const traces = (Array.isArray(raw.traces) ? raw.traces : []).filter(isRaw);
      if (traces.length === 0) throw rowError(`the episode has no trace${lastError(raw)}`, 'CA_ROW_EMPTY');
      const userName = options.simulatorRole ?? 'user';
      const user = traces.find((trace) => agentName(trace) === userName) ?? null;
      const others = traces.filter((trace) => trace !== user);
      const trained = others.filter((trace) => rawOf(trace.agent).trainable !== false);
      const acting = trained.length > 0 ? trained : others;
      if (acting.length === 0) throw rowError('the episode has a trace of the user only', 'CA_ROW_EMPTY');
      return acting.map((trace) => {
        const turns = withLastReply(branchTurns(trace), user);
        const task = rawOf(raw.task ?? trace.task);
        const run = rawOf(raw.run);
        const work = rawOf(run.work);
        return {
          id: nameOf(trace.id) ?? `${nameOf(raw.id) ?? '-'}/${contentHash(turns, null)}`,
          turns,
          benchmark: nameOf(rawOf(raw.env).id) ?? nameOf(rawOf(raw.env).name),
          // The user plays the task's prompt; without a user agent the prompt is the agent's own.
          scenario: user === null ? null : contentText(promptText(rawOf(task.data).prompt)),
          contextLabel: nameOf(task.key) ?? nameOf(task.hash),
          group: nameOf(rawOf(raw.group).id),
          epoch: wholeOf(work.step),
          run: nameOf(run.name) ?? nameOf(run.id),
          simulator: simulatorOf(user, () => unknownSimulator(source, options)),
          policy: { id: modelOf(trace) ?? 'unknown', checkpoint: policySpan(rawOf(work.policy)) },
          reward: rewardOf(trace.rewards),
          termination: nameOf(trace.stop_condition),
          source: { file: source.path, line },
        };
      });
    });
  },
};

const agentName = (trace: Raw) => nameOf(rawOf(trace.agent).name) ?? 'agent';

const modelOf = (trace: Raw): string | null => {
  const configured = nameOf(rawOf(rawOf(trace.agent).config).model);
  if (configured !== null) return configured;
  const calls = Array.isArray(trace.calls) ? trace.calls : [];
  for (const call of calls) {
    const model = nameOf(rawOf(call).model);
    if (model !== null) return model;
  }
  return null;
};

/** Messages from the root to the leaf that was written last. Throws a row error on a graph that is none. */
function branchMessages(trace: Raw): Raw[] {
  const nodes = (Array.isArray(trace.nodes) ? trace.nodes : []).map(rawOf);
  if (nodes.length === 0) throw rowError(`a trace has no nodes${lastError(trace)}`, 'CA_ROW_EMPTY');
  const parents = new Set(nodes.map((node) => node.parent));
  let at: number | null = nodes.length - 1;
  while (at > 0 && parents.has(at)) at--;
  const path: Raw[] = [];
  for (; at !== null; ) {
    const node: Raw | undefined = nodes[at];
    if (node === undefined || path.length > nodes.length) throw rowError('nodes: not a tree');
    path.push(rawOf(node.message));
    const parent: unknown = node.parent;
    if (parent !== null && parent !== undefined && typeof parent !== 'number')
      throw rowError('nodes: a parent is no number');
    at = parent ?? null;
  }
  return path.reverse();
}

/** The raw role of the simulator inside the agent's own trace is always `user`. */
const branchTurns = (trace: Raw): Turn[] => chatTurns(branchMessages(trace));

/** The user's closing words reach no agent, so they stand in the user's trace only. */
function withLastReply(turns: Turn[], user: Raw | null): Turn[] {
  if (user === null || !Array.isArray(user.nodes) || user.nodes.length === 0) return turns;
  const said = branchMessages(user).filter((message) => message.role === 'assistant');
  const last = contentText(said.at(-1)?.content);
  const heard = turns.findLast((turn) => turn.role === 'user')?.text ?? null;
  return last === null || last.trim() === '' || last === heard
    ? turns
    : [...turns, { role: 'user', text: last }];
}

function simulatorOf(user: Raw | null, unknown: () => string) {
  if (user === null) return simulatorFacts({ id: unknown() });
  const model = modelOf(user);
  const config = rawOf(rawOf(user.agent).config);
  const sampling = config.sampling;
  return simulatorFacts({
    id: model ?? agentName(user),
    model,
    kind: rawOf(user.agent).trainable === true ? 'trained' : 'llm',
    ...(sampling === undefined || sampling === null ? {} : { sampling }),
  });
}

const policySpan = (policy: Raw): string | null => {
  const [start, end] = [numberOf(policy.start), numberOf(policy.end)];
  return start === null ? null : end === null || end === start ? String(start) : `${start}-${end}`;
};

/** Sum of score x weight, as verifiers' own `Trace.reward`; null where nothing was scored. */
function rewardOf(rewards: unknown): number | null {
  let total: number | null = null;
  for (const reward of Object.values(rawOf(rewards))) {
    const score = isRaw(reward) ? numberOf(reward.score) : numberOf(reward);
    if (score !== null) total = (total ?? 0) + score * (isRaw(reward) ? (numberOf(reward.weight) ?? 1) : 1);
  }
  return total;
}

const promptText = (prompt: unknown): unknown =>
  Array.isArray(prompt)
    ? prompt.map((message) => contentText(rawOf(message).content) ?? '').join('\n\n')
    : prompt;

const lastError = (record: Raw): string => {
  const errors = Array.isArray(record.errors) ? record.errors : [];
  const last = rawOf(errors.at(-1));
  const type = nameOf(last.type);
  return type === null ? '' : ` (${type}: ${(nameOf(last.message) ?? '').slice(0, 120)})`;
};
