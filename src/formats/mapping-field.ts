import { follow, type PathStep, parsePath, templateParts } from './mapping-path.ts';
import type { MappingCondition, MappingField, MappingSource } from './mapping-schema.ts';
import { matchName } from './name-pattern.ts';

/** A field's value for a row, `null` where nothing was found. */
export type FieldReader = (row: unknown, file: string) => unknown;

export function fieldReader(field: MappingField | undefined): FieldReader | null {
  if (field === undefined) return null;
  const sources = (Array.isArray(field) ? field : [field]).map(sourceReader);
  return (row, file) => {
    for (const source of sources) {
      const value = source(row, file);
      if (value !== null && value !== undefined && value !== '') return value;
    }
    return null;
  };
}

function sourceReader(source: MappingSource): FieldReader {
  if (typeof source === 'string') return pathReader(source);
  if ('path' in source) return mapped(pathReader(source.path), source.values);
  if ('const' in source) return () => source.const;
  if ('template' in source) return templateReader(source.template);
  const pattern = new RegExp(source.file);
  // All rows of a file have one name.
  let last: { readonly file: string; readonly found: string | null } | null = null;
  return mapped((_row, file) => {
    if (last?.file !== file) last = { file, found: matchName(pattern, file) };
    return last.found;
  }, source.values);
}

export function pathReader(path: string): (row: unknown) => unknown {
  const steps = parsePath(path);
  return (row) => follow(row, steps, path)[0] ?? null;
}

/** All values of a path, one array level opened: rows, acts. */
export function listReader(path: string): (row: unknown) => unknown[] {
  const steps: PathStep[] = parsePath(path);
  return (row) =>
    follow(row, steps, path).flatMap((value) => (Array.isArray(value) ? value.flat(4) : [value]));
}

function mapped(read: FieldReader, values: Readonly<Record<string, unknown>> | undefined): FieldReader {
  if (values === undefined) return read;
  return (row, file) => {
    const raw = read(row, file);
    const key = String(raw);
    return Object.hasOwn(values, key) ? values[key] : raw;
  };
}

/** Empty where one of its parts is missing: half a template would make up an identity. */
function templateReader(template: string): FieldReader {
  const parts = templateParts(template).map((text, i) =>
    i % 2 === 0 ? { text } : { read: pathReader(text) },
  );
  return (row) => {
    let made = '';
    for (const part of parts) {
      if ('text' in part) {
        made += part.text;
        continue;
      }
      const value = part.read(row);
      if (value === null || typeof value === 'object') return null;
      made += String(value);
    }
    return made;
  };
}

/** Whether a row meets every condition. CSV cells are text: `false` meets the text `false`, 1 the text `1`. */
export function rowFilter(
  where: Readonly<Record<string, MappingCondition>> | undefined,
): (row: unknown) => boolean {
  const tests = Object.entries(where ?? {}).map(([path, condition]) => {
    const read = pathReader(path);
    const test = conditionTest(condition);
    return (row: unknown) => test(read(row));
  });
  return (row) => tests.every((test) => test(row));
}

type Scalar = string | number | boolean | null;

function conditionTest(condition: MappingCondition): (value: unknown) => boolean {
  if (condition === null || typeof condition !== 'object') return (value) => same(value, condition);
  if ('in' in condition) return (value) => condition.in.some((wanted) => same(value, wanted));
  const unwanted: readonly Scalar[] = Array.isArray(condition.not) ? condition.not : [condition.not];
  return (value) => !unwanted.some((item) => same(value, item));
}

function same(value: unknown, wanted: Scalar): boolean {
  if (wanted === null) return value === null || value === undefined || value === '';
  return value === wanted || (typeof value !== 'object' && String(value) === String(wanted));
}
