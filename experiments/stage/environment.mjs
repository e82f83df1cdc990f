import { CollapseAwareError } from '../../dist/errors.js';
import { OURS } from './arms.mjs';

/**
 * Variables that the plan of a benchmark and the settings of its arms ask for: name to what it is for.
 * @param arm what it alone needs is among them; null = what all of them need
 */
export function variablesOf({ plan, gateways }, arm = null) {
  const needed = new Map(Object.entries(plan.environment));
  if (arm === OURS) for (const [name, what] of Object.entries(plan.loop.environment)) needed.set(name, what);
  for (const { written } of gateways.values())
    for (const name of named(written)) if (!needed.has(name)) needed.set(name, 'named in a gateway file');
  return needed;
}

/** @throws CA_CONFIG_INVALID that names every variable that is not set, with what it is for */
export function checkEnvironment(benchmark, environment, arm = null) {
  const missing = [...variablesOf(benchmark, arm)].filter(([name]) => (environment[name] ?? '') === '');
  if (missing.length === 0) return;
  throw new CollapseAwareError(
    'CA_CONFIG_INVALID',
    `${missing.length} environment variable${missing.length === 1 ? ' is' : 's are'} not set:\n${missing.map(([name, what]) => `  ${name}: ${what}`).join('\n')}\n`,
    {
      todo: `export them and try again (experiments/${benchmark.id}/README.md says how each comes about), or see the whole run without servers: node experiments/run.mjs ${benchmark.id} --dry`,
    },
  );
}

/** `${NAME}` inside texts, and the values of keys that end in `Env`. */
function* named(value, key = '') {
  if (typeof value === 'string') {
    if (/Env$/.test(key)) yield value;
    for (const [, name] of value.matchAll(/\$\{([A-Z][A-Z0-9_]*)\}/g)) yield name;
  } else if (typeof value === 'object' && value !== null)
    for (const [inner, one] of Object.entries(value)) yield* named(one, Array.isArray(value) ? key : inner);
}

/**
 * The environment of a dry run: every address leads to the fake users, keys are made up, and what a person set otherwise
 * is not looked at, so that a dry run reaches no server but its own.
 */
export function dryEnvironment(benchmark, { url, runs, people }) {
  const given = { STAGE_ZERO_RUNS: runs, STAGE_ZERO_SEED: '1', P4G_PEOPLE: people };
  return Object.fromEntries(
    [...variablesOf(benchmark).keys()].map((name) => [
      name,
      given[name] ??
        (name.endsWith('_URL') ? url : name.endsWith('_KEY') ? `dry-run-${name.toLowerCase()}` : 'dry-run'),
    ]),
  );
}
