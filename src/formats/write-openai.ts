import type { Trajectory, Turn } from '../trajectory/trajectory.ts';
import { openJsonLines } from './write-native.ts';
import type { Writer } from './writer.ts';

const ROLES = { user: 'user', agent: 'assistant', tool: 'tool', system: 'system' } as const;

/**
 * OpenAI chat data, a line an episode: `messages`, with `id`, `task_id`, `model`, `reward` and `metadata` beside them.
 * Not everything fits: candidates, resamples and annotated acts are left out.
 */
export const openAiWriter: Writer = {
  name: 'openai',
  title: 'OpenAI chat JSONL',
  extensions: ['.jsonl', '.jsonl.gz'],
  open: (path, options) => openJsonLines(path, openAiRecord, options),
};

function openAiRecord(trajectory: Trajectory) {
  const { id, contextLabel, policy, reward, simulator, scenario, benchmark, domain, group, epoch, run } =
    trajectory;
  return {
    id,
    messages: openAiMessages(trajectory.turns),
    task_id: contextLabel ?? trajectory.context,
    model: policy.id,
    reward,
    metadata: {
      simulator: simulator.id,
      simulator_kind: simulator.kind,
      simulator_model: simulator.model,
      person: simulator.person,
      checkpoint: policy.checkpoint,
      benchmark,
      domain,
      scenario,
      group,
      epoch,
      run,
    },
  };
}

/**
 * Turns as chat messages. Every tool reply needs the id of its call: calls without one get `call_<n>`, and replies
 * answer the open calls of their side in order.
 */
export function openAiMessages(turns: readonly Turn[]): Record<string, unknown>[] {
  const open: Record<'user' | 'agent', string[]> = { user: [], agent: [] };
  let calls = 0;
  return turns.map((turn) => {
    const role = ROLES[turn.role];
    if (turn.role === 'tool') {
      const side = turn.requestor ?? 'agent';
      return { role, tool_call_id: open[side].shift() ?? `call_${++calls}`, content: turn.text ?? '' };
    }
    if (turn.toolCalls === undefined || turn.toolCalls.length === 0)
      return { role, content: turn.text ?? '' };
    const side = turn.role === 'user' ? 'user' : 'agent';
    return {
      role,
      content: turn.text,
      tool_calls: turn.toolCalls.map((call) => {
        const id = call.id ?? `call_${++calls}`;
        open[side].push(id);
        const given =
          typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments ?? {});
        return { id, type: 'function', function: { name: call.name, arguments: given } };
      }),
    };
  });
}
