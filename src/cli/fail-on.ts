import { type Command, Option } from 'commander';
import { CollapseAwareError } from '../errors.ts';
import { failOnMet } from './exit.ts';
import { tell } from './terminal.ts';

/** `--fail-on 'scd.pooled2.low>0.7'`: a path into the report, a comparator, a number. */
export interface FailCondition {
  readonly path: readonly string[];
  readonly comparator: '>' | '>=' | '<' | '<=' | '==' | '!=';
  readonly bound: number;
  readonly text: string;
}

export type FailOutcome = 'met' | 'not met' | 'null';

export interface FailFlags {
  readonly failOn: FailCondition[];
  readonly failOnNull?: boolean;
}

export function withFailOnOptions(command: Command, example: string): Command {
  return command
    .addOption(
      new Option('--fail-on <condition>', `end with status 1 if met, e.g. '${example}' (may be repeated)`)
        .argParser((text: string, held: FailCondition[]) => [...held, parseFailOn(text)])
        .default([], 'none'),
    )
    .option('--fail-on-null', 'a figure that could not be measured also meets --fail-on');
}

export function parseFailOn(text: string): FailCondition {
  const match = /^\s*([\w.[\]*-]+)\s*(>=|<=|==|!=|>|<)\s*(-?\d+(?:\.\d+)?(?:e-?\d+)?)\s*$/i.exec(text);
  if (match === null)
    throw new CollapseAwareError('CA_USAGE', `--fail-on "${text}" is not PATH COMPARATOR NUMBER`, {
      todo: "for example --fail-on 'scd.pooled2.low>0.7' or --fail-on 'simulators.*.mci.low>0.5'",
    });
  return {
    path: match[1]!.replaceAll('[', '.').replaceAll(']', '').split('.'),
    comparator: match[2] as FailCondition['comparator'],
    bound: Number(match[3]),
    text: text.trim(),
  };
}

/** Says on standard error which conditions were met, and lets the command end with status 1 if any was. */
export function enforce(conditions: readonly FailCondition[], report: unknown, failOnNull: boolean): void {
  for (const condition of conditions) {
    const outcome = evaluateFailOn(condition, report);
    if (outcome === 'met' || (outcome === 'null' && failOnNull)) {
      tell(`failed: ${condition.text}${outcome === 'null' ? ' (not measured)' : ''}`);
      failOnMet();
    } else if (outcome === 'null') tell(`not measured: ${condition.text}`);
  }
}

/** `*` in the path stands for every element; the condition is met if it is met by any. */
export function evaluateFailOn(condition: FailCondition, report: unknown): FailOutcome {
  const found = resolve(report, condition.path, condition);
  if (found.length === 0) return 'null';
  const numbers = found.filter((value): value is number => typeof value === 'number');
  if (numbers.some((value) => compare(value, condition))) return 'met';
  return numbers.length < found.length ? 'null' : 'not met';
}

function resolve(value: unknown, path: readonly string[], condition: FailCondition): unknown[] {
  const [head, ...rest] = path;
  if (head === undefined) {
    // `scd.pooled2` means its value.
    if (value !== null && typeof value === 'object' && 'value' in value) return [value.value];
    if (value !== null && typeof value !== 'number') throw unknownPath(condition);
    return [value];
  }
  if (value === null) return [null];
  if (typeof value !== 'object') throw unknownPath(condition);
  if (head === '*') return Object.values(value).flatMap((one) => resolve(one, rest, condition));
  if (Array.isArray(value) && !/^\d+$/.test(head)) {
    // simulators.gpt-4o.mci: elements are found by their id.
    const element = value.find(
      (one) => one !== null && typeof one === 'object' && 'id' in one && one.id === head,
    );
    if (element === undefined) throw unknownPath(condition);
    return resolve(element, rest, condition);
  }
  if (!Object.hasOwn(value, head)) throw unknownPath(condition);
  return resolve((value as Record<string, unknown>)[head], rest, condition);
}

function unknownPath(condition: FailCondition): CollapseAwareError {
  return new CollapseAwareError(
    'CA_USAGE',
    `--fail-on: the report has no number at "${condition.path.join('.')}"`,
    {
      todo: 'print the report with --json to see its paths',
    },
  );
}

function compare(value: number, { comparator, bound }: FailCondition): boolean {
  switch (comparator) {
    case '>':
      return value > bound;
    case '>=':
      return value >= bound;
    case '<':
      return value < bound;
    case '<=':
      return value <= bound;
    case '==':
      return value === bound;
    case '!=':
      return value !== bound;
  }
}
