/**
 * Plain data as YAML 1.2, for reading: two spaces a level, lists of plain values on one line. Whatever might be
 * read as something else stands in JSON quotes, which YAML takes as they are.
 */
export function recipeText(recipe: object): string {
  return lines(recipe, '').join('\n');
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
