import type { Recipe } from '../../src/curation/recipe.ts';

/** A recipe as its file would say it, with every default: what is switched off is `false`, checks stand by name. */
export function recipeText({ gate, advantage, ...recipe }: Recipe): string {
  const { schema, seed, ...stages } = recipe;
  const written = {
    schema,
    seed,
    gate: gate === null ? false : writtenGate(gate),
    ...Object.fromEntries(Object.entries(stages).map(([name, stage]) => [name, stage ?? false])),
    advantage: advantage === null ? false : { ...advantage, consistency: advantage.consistency ?? false },
  };
  return yamlText(written);
}

function writtenGate({ profile, actions, judge, ...rest }: NonNullable<Recipe['gate']>): object {
  return { profile, checks: actions, ...rest, judge: judge ?? false };
}

/**
 * Plain data as YAML 1.2, for reading: two spaces a level, lists of plain values on one line. Whatever might be
 * read as something else stands in JSON quotes, which YAML takes as they are.
 */
export function yamlText(value: object): string {
  return lines(value, '').join('\n');
}

function lines(value: object, indent: string): string[] {
  return Object.entries(value).flatMap(([key, one]) => {
    const head = `${indent}${scalar(key)}:`;
    if (Array.isArray(one)) {
      if (one.every((item) => item === null || typeof item !== 'object'))
        return [`${head} [${one.map(scalar).join(', ')}]`];
      return [head, ...one.map((item) => `${indent}  - ${JSON.stringify(item)}`)];
    }
    if (one === null || typeof one !== 'object') return [`${head} ${scalar(one)}`];
    return Object.keys(one).length === 0 ? [`${head} {}`] : [head, ...lines(one, `${indent}  `)];
  });
}

const WORD = /^[a-z][a-z0-9_-]*(\/[a-z0-9@-]+)?$/i;
/** Words that YAML or its older readers take for something else. */
const TAKEN = /^(null|true|false|yes|no|on|off|y|n|nan|inf)$/i;

function scalar(value: unknown): string {
  if (typeof value === 'string')
    return WORD.test(value) && !TAKEN.test(value) ? value : JSON.stringify(value);
  return JSON.stringify(value) ?? 'null';
}
