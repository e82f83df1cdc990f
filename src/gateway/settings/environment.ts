import { CollapseAwareError } from '../../errors.ts';
import { pathText } from '../../population/fault.ts';
import type { GatewaySettings } from './settings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/;

/** A variable that settings name and the environment lacks. */
export interface Unset {
  /** Key that names it: `upstreams.vllm.baseUrl`. */
  readonly path: string;
  readonly name: string;
}

/**
 * A written value in which every `${NAME}` inside a text is the value of that environment variable. Keys and numbers
 * are left alone, and what a variable holds is not looked into again. What is not set is filled with nothing and told.
 */
export function withEnvironment(
  value: unknown,
  environment: Environment,
): { readonly value: unknown; readonly unset: readonly Unset[] } {
  const unset: Unset[] = [];
  return { value: fill(value, environment, [], unset), unset };
}

function fill(
  value: unknown,
  environment: Environment,
  path: readonly PropertyKey[],
  unset: Unset[],
): unknown {
  if (typeof value === 'string')
    return value.replace(REFERENCE, (_, name: string) => {
      const found = variable(name, environment);
      if (found === undefined) unset.push({ path: pathText(path), name });
      return found ?? '';
    });
  if (Array.isArray(value)) return value.map((item, i) => fill(item, environment, [...path, i], unset));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, fill(item, environment, [...path, key], unset)]),
  );
}

/** A variable may be called `constructor`, which every mapping has. */
function variable(name: string, environment: Environment): string | undefined {
  const value: unknown = environment[name];
  return typeof value === 'string' ? value : undefined;
}

const isSet = (name: string, environment: Environment) => (variable(name, environment)?.trim() ?? '') !== '';

/** Variables that the `Env` keys of a written file name, and that hold nothing. The file may be wrong in other places. */
export function unsetSecrets(
  value: unknown,
  environment: Environment,
  path: readonly PropertyKey[] = [],
): Unset[] {
  if (typeof value !== 'object' || value === null) return [];
  const entries: readonly (readonly [PropertyKey, unknown])[] = Array.isArray(value)
    ? value.map((item, i) => [i, item])
    : Object.entries(value);
  return entries.flatMap(([key, item]) => {
    const own = [...path, key];
    if (typeof item !== 'string') return unsetSecrets(item, environment, own);
    const names = SECRETS.test(pathText(own)) && NAME.test(item) && !isSet(item, environment);
    return names ? [{ path: pathText(own), name: item }] : [];
  });
}

const SECRETS = /^(keys\.(clientEnv|adminEnv)|upstreams\..+\.apiKeyEnv|webhooks\[\d+\]\.headerEnv)$/;

/**
 * All variables that hold secrets, at once: else the second is asked for when the first is there.
 * @throws CA_USAGE naming those that are not set or empty, and the key that names each.
 */
export function checkSecrets(
  { keys, upstreams, webhooks }: Pick<GatewaySettings, 'keys' | 'upstreams' | 'webhooks'>,
  environment: Environment,
): void {
  const byName = Object.fromEntries(upstreams.map(({ name, apiKeyEnv }) => [name, { apiKeyEnv }]));
  const unset = unsetSecrets({ keys, upstreams: byName, webhooks }, environment);
  if (unset.length === 0) return;
  const told = unset.map(({ name, path }) => `${name} (${path})`).join(', ');
  const names = [...new Set(unset.map(({ name }) => name))];
  throw new CollapseAwareError(
    'CA_USAGE',
    names.length === 1
      ? `the environment variable ${told} is not set`
      : `environment variables are not set: ${told}`,
    { todo: `export ${names.map((name) => `${name}=...`).join(' ')} before the command` },
  );
}

/** A secret of the environment, trimmed. @throws CA_USAGE where it is not set or empty. */
export function secretOf(name: string, environment: Environment): string {
  const secret = variable(name, environment)?.trim() ?? '';
  if (secret === '')
    throw new CollapseAwareError('CA_USAGE', `the environment variable ${name} is not set`, {
      todo: `export ${name}=... before the command`,
    });
  return secret;
}
