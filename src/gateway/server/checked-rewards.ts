import { nearestName, shown } from '../../curation/recipe-fault.ts';
import type { Receipt, RewardEntry } from '../api/control.ts';
import { rewardEntrySchema } from '../api/schemas.ts';

const EXPECTED: Readonly<Record<string, string>> = {
  session: 'a text of 1 to 300 characters',
  reward: 'a finite number or null',
  outcome: 'a text of 1 to 300 characters or null',
  termination: 'a text of 1 to 300 characters or null',
  close: 'true or false',
};

/** Entries of a batch as they came, the sound ones and why the others are none. */
export function checkedRewards(entries: readonly unknown[]): {
  readonly sound: readonly RewardEntry[];
  readonly rejected: Receipt['rejected'];
} {
  const sound: RewardEntry[] = [];
  const rejected: Receipt['rejected'][number][] = [];
  entries.forEach((entry, at) => {
    const read = rewardEntrySchema.safeParse(entry);
    if (read.success) sound.push(read.data as RewardEntry);
    else rejected.push({ id: nameOf(entry, at), code: 'reward_invalid', reason: faultOf(entry) });
  });
  return { sound, rejected };
}

/** What its trainer can find it by: its session, else its place in the batch. */
function nameOf(entry: unknown, at: number): string {
  const session = isMapping(entry) ? entry.session : undefined;
  return typeof session === 'string' && session !== '' ? session.slice(0, 300) : `rewards.${at}`;
}

function faultOf(entry: unknown): string {
  if (!isMapping(entry)) return `found ${shown(entry)}, expected a mapping of session and reward`;
  const known = Object.keys(EXPECTED);
  const odd = Object.keys(entry).find((key) => !known.includes(key));
  if (odd !== undefined) {
    const near = nearestName(odd, known);
    return `${shown(odd)} is no key of a reward${near === null ? '' : `; did you mean ${near}?`}`;
  }
  const { shape } = rewardEntrySchema;
  for (const [key, allowed] of Object.entries(EXPECTED)) {
    const value = entry[key];
    if (!shape[key as keyof typeof shape].safeParse(value).success)
      return `${key}: ${value === undefined ? 'missing' : `found ${shown(value)}`}, expected ${allowed}`;
  }
  return 'it is no reward';
}

const isMapping = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
