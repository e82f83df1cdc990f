import { simulatorFacts } from '../trajectory/identity.ts';
import { guardRow, rowError } from './drop.ts';
import { firstObject } from './head.ts';
import { jsonValues } from './json-stream.ts';
import type { Reader } from './reader.ts';
import {
  isObject,
  modelName,
  stem,
  tau2Domain,
  tau2Reward,
  tau2Scenario,
  tau2Turns,
  textOf,
} from './tau2-episode.ts';

/** tau2 runs exported one a line, each with its task; who talked to whom stands in the file name only. */
export const tau2Runs: Reader = {
  name: 'tau2-runs',
  title: 'tau2 runs, one a line (task, run_info, messages)',
  checkedOn: 'real files',
  detect(head) {
    const first = firstObject(head);
    if (first === null || !isObject(first.task) || !('user_scenario' in first.task)) return 0;
    return isObject(first.run_info) || Array.isArray(first.messages) ? 0.95 : 0.4;
  },
  async *read(source, options) {
    const names = tau2FileNames(source.name);
    if (names === null && options.simulator === undefined && options.simulatorFrom === undefined)
      source.warn('the file name does not tell the user simulator: give --simulator or --simulator-from');
    const simulator = simulatorFacts(
      names === null
        ? { id: `unknown (file ${source.name})` }
        : { id: modelName(names.simulator), model: names.simulator },
    );
    const run = stem(source.name);
    let harness = 0;
    for await (const item of jsonValues(source, options)) {
      if (item.kind === 'dropped') {
        yield item;
        continue;
      }
      const row = guardRow(source, item.line, () => {
        if (!isObject(item.value)) throw rowError('expected an object with messages and task');
        const { task, run_info: info, messages, reward_info: reward } = item.value;
        const termination = isObject(info) ? textOf(info.termination_reason) : null;
        if (messages == null || (Array.isArray(messages) && messages.length === 0))
          throw rowError('the run has no messages', 'CA_ROW_EMPTY');
        const made = tau2Turns(messages, options.simulatorRole);
        harness += made.harness;
        const taskId = textOf(item.value.task_id) ?? (isObject(task) ? textOf(task.id) : null);
        return {
          id: isObject(info) ? textOf(info.simulation_id) : null,
          benchmark: 'tau2',
          domain: tau2Domain(task),
          scenario: tau2Scenario(task),
          contextLabel: taskId,
          group: taskId === null ? null : `${run}/${taskId}`,
          run,
          simulator,
          policy: { id: names === null ? 'unknown' : modelName(names.agent), checkpoint: null },
          turns: made.turns,
          reward: tau2Reward(reward, termination),
          termination,
          source: { file: source.path, line: item.line },
        };
      });
      if (row !== null) yield row;
    }
    if (harness > 0) source.warn(`${harness} user turns held a harness call only (check_for_stop): left out`);
  },
};

/** `..._llm_agent_X_user_simulator_Y.jsonl` */
export function tau2FileNames(name: string): { agent: string; simulator: string } | null {
  const match = /llm_agent_(.+?)_user_simulator_(.+)$/.exec(stem(name));
  return match === null ? null : { agent: match[1] as string, simulator: match[2] as string };
}
