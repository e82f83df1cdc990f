import { shown } from '../../curation/recipe-fault.ts';
import { CollapseAwareError } from '../../errors.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/**
 * A written value in which every `${NAME}` inside a text is the value of that environment variable. Keys and numbers
 * are left alone, and what a variable holds is not looked into again.
 * @throws CA_CONFIG_INVALID naming variables that are not set.
 */
export function withEnvironment(value: unknown, environment: Environment, file?: string): unknown {
  const unset = new Set<string>();
  const filled = fill(value, environment, unset);
  if (unset.size > 0)
    throw new CollapseAwareError(
      'CA_CONFIG_INVALID',
      `${[...unset].map(shown).join(', ')} ${unset.size === 1 ? 'is' : 'are'} not set in the environment`,
      { ...(file === undefined ? {} : { place: { file } }), todo: 'export it before the command' },
    );
  return filled;
}

function fill(value: unknown, environment: Environment, unset: Set<string>): unknown {
  if (typeof value === 'string')
    return value.replace(REFERENCE, (_, name: string) => {
      const found = environment[name];
      if (found === undefined) unset.add(name);
      return found ?? '';
    });
  if (Array.isArray(value)) return value.map((item) => fill(item, environment, unset));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, fill(item, environment, unset)]),
  );
}

/** A secret of the environment, trimmed. @throws CA_USAGE where it is not set or empty. */
export function secretOf(name: string, environment: Environment): string {
  const secret = environment[name]?.trim() ?? '';
  if (secret === '')
    throw new CollapseAwareError('CA_USAGE', `the environment variable ${name} is not set`, {
      todo: `export ${name}=... before the command`,
    });
  return secret;
}
