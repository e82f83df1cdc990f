export type PathStep = string | number | '*each*';

/** `a.b[0].c[*]`; a leading `$` stands for the value itself. Throws on a path that cannot be read. */
export function parsePath(path: string): PathStep[] {
  const steps: PathStep[] = [];
  const bare = path.trim().replace(/^\$\.?/, '');
  if (bare === '') return steps;
  const token = /([^.[\]]+)|\[(\d+|\*)\]|\./y;
  let at = 0;
  while (at < bare.length) {
    token.lastIndex = at;
    const match = token.exec(bare);
    if (match === null) throw new Error(`'${path}' is no path (at '${bare.slice(at)}')`);
    if (match[1] !== undefined) steps.push(match[1]);
    else if (match[2] !== undefined) steps.push(match[2] === '*' ? '*each*' : Number(match[2]));
    at += match[0].length;
  }
  return steps;
}

/** Text and paths of a template by turns: the odd ones are paths. */
export function templateParts(template: string): string[] {
  return template.split(/\{([^{}]*)\}/);
}

/** Everything the path leads to; arrays met by a name or at the end of `rows` are the caller's business. */
export function follow(value: unknown, steps: readonly PathStep[], path: string): unknown[] {
  // CSV and parquet columns may have dots in their names.
  if (isRecord(value) && Object.hasOwn(value, path)) return [value[path]];
  let found: unknown[] = [value];
  for (const step of steps) {
    const next: unknown[] = [];
    for (const item of found) {
      if (step === '*each*') {
        // Not spread into arguments: there may be more elements than a call can take.
        if (Array.isArray(item)) for (const element of item.flat(4)) next.push(element);
      } else if (typeof step === 'number') {
        if (Array.isArray(item) && step < item.length) next.push(item[step]);
      } else if (isRecord(item) && Object.hasOwn(item, step)) next.push(item[step]);
    }
    found = next;
  }
  return found;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
