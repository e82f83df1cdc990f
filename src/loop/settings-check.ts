import { CollapseAwareError } from '../errors.ts';
import type { PartSettings, RunSettings } from './run-settings.ts';

type Rule = readonly [path: string, holds: (value: unknown) => boolean, wanted: string];

const whole = (least: number) => (value: unknown) =>
  Number.isSafeInteger(value) && (value as number) >= least;
const share = (value: unknown) => typeof value === 'number' && value >= 0 && value <= 1;
const COUNT = 'a whole number of 0 or more';
const POSITIVE = 'a whole number of 1 or more';
const SHARE = 'a number from 0 to 1';
const PARTS = Object.keys({
  people: 0,
  gate: 0,
  weights: 0,
  gaps: 0,
  paths: 0,
  adversary: 0,
  breaker: 0,
  consistency: 0,
} satisfies Record<keyof PartSettings, 0>);

const isMember = (value: unknown) =>
  typeof (value as { id?: unknown } | null)?.id === 'string' &&
  typeof (value as { recipe?: { kind?: unknown } }).recipe?.kind === 'string';

const RULES: readonly Rule[] = [
  ['seed', Number.isSafeInteger, 'a whole number'],
  ['rounds', whole(0), COUNT],
  [
    'members',
    (value) => Array.isArray(value) && value.length > 0 && value.every(isMember),
    'a list of members',
  ],
  ['mostMembers', whole(1), POSITIVE],
  ['steps', whole(0), COUNT],
  ...['contexts', 'rollouts', 'audition', 'replies'].map((key): Rule => [`probe.${key}`, whole(0), COUNT]),
  [
    'acceptance.delta',
    (value) => typeof value === 'number' && value >= 0 && value < Infinity,
    'a number of 0 or more',
  ],
  ['acceptance.alpha', (value) => share(value) && value !== 0 && value !== 1, 'a number between 0 and 1'],
  ['acceptance.powerTrials', whole(0), COUNT],
  ...['gaps', 'paths', 'adversaries'].map((key): Rule => [`synthesis.${key}`, whole(0), COUNT]),
  ...['share', 'raisedShare', 'realismFloor'].map((key): Rule => [`synthesis.${key}`, share, SHARE]),
  ...PARTS.map((key): Rule => [`parts.${key}`, (value) => typeof value === 'boolean', 'true or false']),
  ...['contexts', 'population', 'test', 'people'].map((key): Rule => [`exam.${key}`, whole(0), COUNT]),
  ['bars', (value) => value === 'proposed' || value === 'people', '"proposed" or "people"'],
];

/** For callers without types: what a run cannot go by is told before it begins. @throws CA_USAGE with the first of it */
export function checkRunSettings(settings: RunSettings): void {
  for (const [path, holds, wanted] of RULES) {
    const value = path
      .split('.')
      .reduce<unknown>((at, key) => (at as Record<string, unknown> | null | undefined)?.[key], settings);
    if (!holds(value))
      throw new CollapseAwareError('CA_USAGE', `settings.${path} of a run is ${told(value)}`, {
        todo: `Give ${wanted}.`,
      });
  }
}

function told(value: unknown): string {
  if (value === undefined) return 'not given';
  if (typeof value === 'number') return String(value);
  const text =
    typeof value === 'object' ? (Array.isArray(value) ? 'a list' : 'a mapping') : JSON.stringify(value);
  return value === null ? 'null' : (text?.slice(0, 60) ?? typeof value);
}
