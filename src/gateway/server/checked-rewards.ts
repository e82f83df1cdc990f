import { bodyFaults } from '../api/body-faults.ts';
import type { Receipt, RewardEntry } from '../api/control.ts';
import { rewardEntrySchema } from '../api/schemas.ts';

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
    else {
      const { words } = bodyFaults(read.error, entry, rewardEntrySchema, 'the entry');
      rejected.push({ id: nameOf(entry, at), code: 'reward_invalid', reason: words });
    }
  });
  return { sound, rejected };
}

/** What its trainer can find it by: its session, else its place in the batch. */
function nameOf(entry: unknown, at: number): string {
  const session = (entry as { readonly session?: unknown } | null | undefined)?.session;
  return typeof session === 'string' && session !== '' ? session.slice(0, 300) : `rewards.${at}`;
}
