import { join, relative } from 'node:path';
import { ARMS, OURS } from './arms.mjs';

/** What a person runs, in order, with the values of their environment filled in where they are no secrets. */
export function commandsText({ id, folder, plan }, environment) {
  const runs = environment.STAGE_ZERO_RUNS;
  const seed = environment.STAGE_ZERO_SEED;
  const here = relative(process.cwd(), folder) || '.';
  const of = (arm) => join(runs, id, arm, seed, 'sessions.jsonl');
  const [reference, audit] =
    plan.people === undefined ? ['', ''] : [` --reference "$${plan.people.environment}"`, ' with people'];
  return [
    `# ${plan.title}: every arm, seed ${seed}. ${plan.training.steps} steps of ${plan.training.prompts} prompts x ${plan.training.group}; plan: ${join(here, 'benchmark.yaml')}`,
    '',
    '# 1. The arms, one after another: gateway, base exam, training with selection, exam, export',
    ...ARMS.flatMap((arm) => [
      ...(arm === OURS ? needsOf(plan, environment) : []),
      `bash ${join(here, 'run.sh')} ${arm}`,
    ]),
    '',
    '# 2. The table',
    `node experiments/run.mjs ${id} --measured`,
    '',
    `# 3. A closer look: one space for all, then each arm in it${audit}`,
    `collapse-aware space fit ${ARMS.map((arm) => `'${of(arm)}'`).join(' ')}${reference} -o '${join(runs, id, 'space.json')}'`,
    ...ARMS.map(
      (arm) =>
        `collapse-aware audit '${of(arm)}' --space '${join(runs, id, 'space.json')}' --reward-range 0,1 --base-checkpoint base --html '${join(runs, id, `${arm}.html`)}' --json '${join(runs, id, `${arm}.json`)}'`,
    ),
    `collapse-aware compare '${of('co-training')}' '${of('collapse-aware')}' --space '${join(runs, id, 'space.json')}' --html '${join(runs, id, 'comparison.html')}'`,
    `collapse-aware curate '${of('collapse-aware')}'${reference} -o '${join(runs, id, 'curated')}'`,
  ].join('\n');
}

/** What this project's arm needs that no other does, and that is not set. */
const needsOf = ({ loop }, environment) =>
  Object.entries(loop.environment)
    .filter(([name]) => (environment[name] ?? '') === '')
    .map(([name, what]) => `# needs ${name}: ${what}`);
