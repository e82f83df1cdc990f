import { simulatorFacts } from '../trajectory/identity.ts';
import type { SimulatorFacts, Turn } from '../trajectory/trajectory.ts';
import { chatTurns } from './chat-message.ts';
import { guardRow, rowError } from './drop.ts';
import { firstObject } from './head.ts';
import { jsonValues } from './json-stream.ts';
import type { Reader } from './reader.ts';
import { isObject, modelName, stem, textOf } from './tau2-episode.ts';

/** tau-bench (the first one): an array of {task_id, reward, info, traj, trial}. */
export const tauBench: Reader = {
  name: 'tau-bench',
  title: 'tau-bench results (array of traj)',
  checkedOn: 'real files',
  detect(head) {
    const first = firstObject(head);
    if (first === null) return 0;
    if (Array.isArray(first.traj) && 'task_id' in first) return 0.97;
    // A long head may end before `traj`.
    const info = isObject(first.info) ? first.info : null;
    return info !== null && isObject(info.task) && 'instruction' in info.task && 'task_id' in first ? 0.8 : 0;
  },
  async *read(source, options) {
    const names = tauBenchFileNames(source.name);
    const simulator = simulatorOf(source.name, names);
    if (names.simulator === null && options.simulator === undefined && options.simulatorFrom === undefined)
      source.warn('the file name does not tell the user simulator: give --simulator or --simulator-from');
    const run = stem(source.name);
    for await (const item of jsonValues(source, options)) {
      if (item.kind === 'dropped') {
        yield item;
        continue;
      }
      const row = guardRow(source, item.line, () => {
        if (!isObject(item.value)) throw rowError('expected an object with task_id and traj');
        const { traj, info, reward } = item.value;
        if (Array.isArray(traj) && traj.length === 0) throw rowError('traj is empty', 'CA_ROW_EMPTY');
        const turns = chatTurns(traj, { simulatorRole: options.simulatorRole }).map(toolOutput);
        const task = isObject(info) && isObject(info.task) ? info.task : {};
        const taskId = textOf(item.value.task_id);
        return {
          id: null,
          benchmark: 'tau1',
          domain: domainOf(turns),
          scenario: textOf(task.instruction),
          contextLabel: taskId,
          group: taskId === null ? null : `${run}/${taskId}`,
          run,
          simulator,
          policy: { id: names.agent === null ? 'unknown' : modelName(names.agent), checkpoint: null },
          turns,
          reward: typeof reward === 'number' && Number.isFinite(reward) ? reward : null,
          source: { file: source.path, line: item.line },
        };
      });
      if (row !== null) yield row;
    }
  },
};

/** Text agents get their tool results as user turns. */
function toolOutput(turn: Turn): Turn {
  return turn.role !== 'tool' && turn.text?.startsWith('API output:') === true
    ? { role: 'tool', text: turn.text.slice('API output:'.length).trim(), requestor: 'agent' }
    : turn;
}

/** Rows do not say their domain; the agent's system prompt begins with it (`# Airline Agent Policy`). */
function domainOf(turns: readonly Turn[]): string | null {
  const first = turns[0];
  if (first?.role !== 'system' || first.text === null) return null;
  return /^\s*#\s*(\w+) agent policy/i.exec(first.text)?.[1]?.toLowerCase() ?? null;
}

interface TauBenchNames {
  readonly simulator: string | null;
  readonly strategy: string | null;
  readonly agent: string | null;
}

/**
 * `<strategy>-<model>-<temperature>_range_0-50_user-<model>-<strategy>_MMDDhhmmss.json` as tau-bench writes
 * it, or `user-X__agent-Y__...`.
 */
export function tauBenchFileNames(name: string): TauBenchNames {
  const bare = stem(name);
  const agent = /^(?:tool-calling|act|react|few-shot)-(.+?)-\d+(?:\.\d+)?_range_/.exec(bare)?.[1] ?? null;
  const own = /(?:^|_)user-(.+)-(human|llm|react|verify|reflection)_\d{4,}/.exec(bare);
  if (own !== null) return { simulator: own[1] as string, strategy: own[2] as string, agent };
  const paired = /user-(.+?)__agent-(.+?)__/.exec(bare);
  if (paired !== null) return { simulator: paired[1] as string, strategy: null, agent: paired[2] as string };
  return { simulator: null, strategy: null, agent };
}

function simulatorOf(file: string, names: TauBenchNames): SimulatorFacts {
  if (names.simulator === null) return simulatorFacts({ id: `unknown (file ${file})` });
  return simulatorFacts({
    id: modelName(names.simulator),
    kind: names.strategy === 'human' ? 'human' : 'llm',
    model: names.simulator,
    recipe: names.strategy,
  });
}
