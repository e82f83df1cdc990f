import { CollapseAwareError } from '../errors.ts';
import { answerOf, type RunProgram } from './drive.ts';
import { isCheckpointName } from './run-checkpoints.ts';
import type { PartSettings, RunSettings } from './run-settings.ts';
import type { RunEntry, RunPlace, RunView } from './run-store.ts';
import { type RunStudy, runStudy, settingsInForce } from './run-study.ts';

/**
 * What a fork may set anew, from the round after the fork on. The others hold for a whole run: seed, members and people
 * are in its first answers; exams are compared with the one before training; the breaker's bars were planned for all
 * rounds; and what the acceptances promise is said of one delta, alpha, probe set and number of rounds.
 */
export const FORK_SETTINGS = [
  'mostMembers',
  'steps',
  'synthesis',
  'parts',
] as const satisfies readonly (keyof RunSettings)[];

/** Parts that a fork may do without: the others are in the first answers, or in the data plan that it goes on from. */
export const FORK_PARTS = [
  'gaps',
  'paths',
  'adversary',
  'breaker',
] as const satisfies readonly (keyof PartSettings)[];

export type ForkChanges = Partial<Pick<RunSettings, (typeof FORK_SETTINGS)[number]>>;

/**
 * A new run that shares the answers of another up to the end of a round, and goes on with other settings. The other one
 * stays as it is, may be under way, and may be kept elsewhere.
 * Errors: CA_USAGE where the round is not over, or a setting cannot change; CA_CONFIG_INVALID where the new place holds
 * another run; those of both places.
 */
export async function fork(
  program: RunProgram,
  from: RunPlace,
  to: RunPlace,
  round: number,
  changes: ForkChanges,
): Promise<RunStudy> {
  const view = await from.view();
  try {
    const { study, entries } = await forked(program, view, round, changes);
    const store = await to.open(study);
    try {
      let there = 0;
      for await (const entry of store.entries()) {
        if (entry.request !== entries[there]?.request && there < entries.length)
          throw new CollapseAwareError('CA_RUN_DIVERGED', 'other answers are there', {
            place: { file: to.name },
            todo: 'Name another place for the fork.',
          });
        there += 1;
      }
      // Whatever an answer names is there before the answer.
      for (const entry of entries.slice(there)) {
        const { answer } = entry;
        if ((answer.kind === 'open' || answer.kind === 'train') && isCheckpointName(answer.checkpoint))
          await store.keep(await view.read(answer.checkpoint));
        await store.append(entry);
      }
    } finally {
      await store.close();
    }
    return study;
  } finally {
    await view.close();
  }
}

async function forked(
  program: RunProgram,
  view: RunView,
  round: number,
  changes: ForkChanges,
): Promise<{ study: RunStudy; entries: RunEntry[] }> {
  const { study } = view;
  checkChanges(study.settings, round, changes);
  const entries: RunEntry[] = [];
  const { settings, passed } = settingsInForce(study);
  const run = program(settings);
  let over = 0;
  const kept = view.entries()[Symbol.asyncIterator]();
  try {
    for (let next = run.next(); over < round; ) {
      if (next.done === true) break;
      if (next.value.kind !== 'ask') {
        if (next.value.kind === 'round') {
          over = next.value.record.round;
          passed(over);
        }
        next = run.next();
        continue;
      }
      const entry = await kept.next();
      if (entry.done === true) break;
      entries.push(entry.value);
      next = run.next(answerOf(entry.value, next.value.request, view.place));
    }
  } finally {
    await kept.return?.();
  }
  if (over < round)
    throw new CollapseAwareError('CA_USAGE', `round ${round} of the run is not over`, {
      place: { file: view.place },
      todo: over === 0 ? 'No round is: wait for one.' : `Give --at 1 to ${over}.`,
    });
  const earlier = study.earlier.filter(({ through }) => through < round);
  return {
    study: runStudy({ ...study.settings, ...changes }, study.stage, {
      earlier: [...earlier, { through: round, settings: settingsAfter(study, round) }],
      forkedFrom: { place: view.place, study: study.hash, round },
    }),
    entries,
  };
}

/** Of the last shared round. */
const settingsAfter = (study: RunStudy, round: number): RunSettings =>
  study.earlier.find(({ through }) => through >= round)?.settings ?? study.settings;

/** @throws CA_USAGE */
function checkChanges(settings: RunSettings, round: number, changes: ForkChanges): void {
  const refused = (found: string, todo: string) => {
    throw new CollapseAwareError('CA_USAGE', found, { todo });
  };
  if (!Number.isInteger(round) || round < 1)
    refused(`a run is forked at the end of a round, not at ${round}`, 'Give a round of 1 or more.');
  for (const key of Object.keys(changes))
    if (!(FORK_SETTINGS as readonly string[]).includes(key))
      refused(
        `${key} holds for a whole run and cannot change in a fork`,
        `A fork may set ${FORK_SETTINGS.join(', ')}.`,
      );
  for (const [part, on] of Object.entries(changes.parts ?? {})) {
    const changed = on !== settings.parts[part as keyof PartSettings];
    if (changed && (on || !(FORK_PARTS as readonly string[]).includes(part)))
      refused(
        `the part "${part}" cannot be ${on ? 'taken up' : 'left out'} in the middle of a run`,
        `A fork may leave out ${FORK_PARTS.join(', ')}.`,
      );
  }
}
