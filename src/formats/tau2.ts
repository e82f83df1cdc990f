import { CollapseAwareError } from '../errors.ts';
import {
  contextIdentity,
  fingerprint,
  hashText,
  normaliseScenario,
  simulatorFacts,
} from '../trajectory/identity.ts';
import type { SimulatorFacts } from '../trajectory/trajectory.ts';
import { guardRow, rowError } from './drop.ts';
import { firstObject } from './head.ts';
import { parseJson } from './json-text.ts';
import type { Reader, Source } from './reader.ts';
import { carriedScenario, tau2Agreement } from './tau2-agreement.ts';
import {
  isObject,
  modelName,
  type Raw,
  samplingOf,
  stem,
  tau2Domain,
  tau2Reward,
  tau2Scenario,
  tau2Turns,
  textOf,
} from './tau2-episode.ts';

/** tau2-bench `results.json`: one document of info, tasks and simulations. */
export const tau2: Reader = {
  name: 'tau2',
  title: 'tau2-bench results.json',
  checkedOn: 'real files',
  detect(head) {
    const first = firstObject(head);
    if (first === null) return 0;
    const info = isObject(first.info) ? first.info : null;
    if (info !== null && isObject(info.user_info) && isObject(info.environment_info)) return 0.98;
    return Array.isArray(first.simulations) && Array.isArray(first.tasks) ? 0.7 : 0;
  },
  async *read(source, options) {
    const { info, tasks, simulations } = await document(source);
    const run = runOf(source, info);
    const simulator = simulatorOf(source, info);
    const policy = textOf(at(info, 'agent_info', 'llm'));
    const domainOfRun = textOf(at(info, 'environment_info', 'domain_name'));
    const byId = new Map<string, unknown>();
    for (const task of tasks) {
      const id = isObject(task) ? textOf(task.id) : null;
      if (id !== null) byId.set(id, task);
    }
    const { refuted, stating, others } = tau2Agreement(byId, simulations);
    const version = refuted ? versionOf(info, byId) : null;
    if (refuted)
      source.warn(
        `the tasks in the file are not those that were run: in ${others} of ${stating} simulations that state an identifier the user states another task's; scenarios are left out, contexts are the task's label`,
      );
    let harness = 0;
    for (const simulation of simulations) {
      const row = guardRow(source, null, () => {
        if (!isObject(simulation)) throw rowError('simulations[]: expected an object');
        const termination = textOf(simulation.termination_reason);
        const messages = simulation.messages ?? [];
        if (Array.isArray(messages) && messages.length === 0)
          throw rowError(
            termination !== null && /error/i.test(termination)
              ? `no messages: the run ended with '${termination}'`
              : 'the simulation has no messages',
            'CA_ROW_EMPTY',
          );
        const made = tau2Turns(messages, options.simulatorRole);
        harness += made.harness;
        const taskId = textOf(simulation.task_id);
        const task = taskId === null ? undefined : byId.get(taskId);
        const domain = domainOfRun ?? tau2Domain(task);
        return {
          id: textOf(simulation.id),
          benchmark: 'tau2',
          domain,
          scenario: refuted ? null : tau2Scenario(task),
          context: version === null || taskId === null ? null : contextOf(domain, `${taskId}@${version}`),
          contextLabel: taskId,
          group: taskId === null ? null : `${run}/${taskId}`,
          run,
          simulator,
          policy: { id: policy === null ? 'unknown' : modelName(policy), checkpoint: null },
          turns: made.turns,
          reward: tau2Reward(simulation.reward_info, termination),
          termination,
          source: { file: source.path, line: null },
        };
      });
      if (row !== null) yield row;
    }
    if (harness > 0) source.warn(`${harness} user turns held a harness call only (check_for_stop): left out`);
  },
};

async function document(source: Source): Promise<{ info: Raw; tasks: unknown[]; simulations: unknown[] }> {
  const parsed = parseJson(await source.text());
  if (!parsed.ok)
    throw new CollapseAwareError('CA_JSON_INVALID', parsed.reason, {
      place: { file: source.path },
      todo: 'a tau2 result file is one JSON document; check that the run has finished writing it',
    });
  const { value } = parsed;
  if (!isObject(value) || !Array.isArray(value.simulations))
    throw new CollapseAwareError('CA_FORMAT_INVALID', 'a tau2 document without a list of simulations', {
      place: { file: source.path },
      todo: 'runs may keep them in files of their own: give the results.json that holds them',
    });
  return {
    info: isObject(value.info) ? value.info : {},
    tasks: Array.isArray(value.tasks) ? value.tasks : [],
    simulations: value.simulations,
  };
}

/**
 * Names the unknown tasks behind a document whose own tasks are refuted: by its commit and what it carries, so
 * that a copy of the file shares them, and the same number in a file of another version does not.
 */
function versionOf(info: Raw, tasks: ReadonlyMap<string, unknown>): string {
  const carried = [...tasks.keys()]
    .sort()
    .map((id) => [id, normaliseScenario(carriedScenario(tasks.get(id)))]);
  return hashText(JSON.stringify([textOf(info.git_commit), carried])).slice(0, 8);
}

/** The label stays the bare number; its version is in the identity only. */
function contextOf(domain: string | null, contextLabel: string): string {
  return contextIdentity({ benchmark: 'tau2', domain, scenario: null, contextLabel }, '').context;
}

/** Names the run for grouping: GRPO groups of two files must not fall together. */
function runOf(source: Source, info: Raw): string {
  const parts = [stem(source.name), textOf(info.git_commit)?.slice(0, 8), textOf(info.seed)];
  return parts.filter((part) => part != null).join('@');
}

function simulatorOf(source: Source, info: Raw): SimulatorFacts {
  const user = isObject(info.user_info) ? info.user_info : {};
  const model = textOf(user.llm);
  if (model === null) {
    const id = textOf(user.implementation) ?? `unknown (file ${source.name})`;
    if (!isObject(info.user_info)) source.warn('the file does not name its user simulator: give --simulator');
    return simulatorFacts({ id });
  }
  // Guidelines and persona settings are long: their hash says whether two recipes are the same.
  const prompt = {
    guidelines: user.global_simulation_guidelines ?? null,
    persona: user.persona_config ?? null,
  };
  const written = prompt.guidelines !== null || prompt.persona !== null;
  const recipe = `${textOf(user.implementation) ?? 'user_simulator'}${
    written ? `@${hashText(JSON.stringify(prompt)).slice(0, 8)}` : ''
  }`;
  const sampling = samplingOf(user.llm_args);
  return simulatorFacts({
    id: modelName(model),
    model,
    recipe,
    fingerprint: fingerprint({ model, recipe, sampling }),
  });
}

function at(value: Raw, ...keys: string[]): unknown {
  let found: unknown = value;
  for (const key of keys) found = isObject(found) ? found[key] : undefined;
  return found;
}
