import { CollapseAwareError } from '../errors.ts';
import type { Member } from '../population/index.ts';
import type { SearchCandidate } from './adversary-search.ts';
import { drafted } from './gap-plan.ts';

/** What each number of a recipe vector says of a person, from 0 to 1 in five steps. */
const TRAITS = {
  trust: [
    'You distrust the other side from the start and want proof for everything.',
    'You are wary of the other side.',
    'You neither trust nor distrust the other side.',
    'You are inclined to believe the other side.',
    'You take the other side at its word.',
  ],
  patience: [
    'You lose patience quickly and leave when things do not move.',
    'You have little patience.',
    'You have some patience.',
    'You are patient.',
    'You stay as long as it takes.',
  ],
  disclosure: [
    'You tell nothing of yourself or your reasons unless pressed.',
    'You tell little unless asked.',
    'You tell what you are asked for.',
    'You tell more than you are asked for.',
    'You tell everything at once, asked or not.',
  ],
  consistency: [
    'You change your mind often and contradict what you said.',
    'You change your mind now and then.',
    'You mostly stay with what you said.',
    'You stay with what you said.',
    'You never move from what you said first.',
  ],
  politeness: [
    'You are rude.',
    'You are curt.',
    'You are neither polite nor rude.',
    'You are polite.',
    'You are very polite, whatever happens.',
  ],
  expressiveness: [
    'You write a few words at a time.',
    'You write one short sentence at a time.',
    'You write one or two sentences at a time.',
    'You write several sentences at a time.',
    'You write long messages with many details.',
  ],
} as const satisfies Record<string, readonly [string, string, string, string, string]>;

/** Temperatures that a vector can ask for. */
const COOLEST = 0.3;
const HOTTEST = 1.3;

/** Numbers of a recipe over chat: traits of a person, and how freely the model samples. */
export const RECIPE_NUMBERS: readonly string[] = [...Object.keys(TRAITS), 'temperature'];

/**
 * The member that a vector stands for: its base asked to be somebody with these traits, in words, by Verbalized Sampling.
 * @throws CA_USAGE where it has another base or other numbers.
 */
export function memberOfVector(candidate: SearchCandidate, bases: readonly Member[]): Member {
  const base = bases.find(({ id }) => id === candidate.base);
  const lacking = RECIPE_NUMBERS.find(
    (name) => !(candidate.numbers[name]! >= 0 && candidate.numbers[name]! <= 1),
  );
  if (base === undefined || lacking !== undefined)
    throw new CollapseAwareError(
      'CA_USAGE',
      `candidate '${candidate.id}' has ${lacking === undefined ? 'an unknown base' : `no ${lacking} from 0 to 1`}`,
      { todo: `propose in a space of the numbers ${RECIPE_NUMBERS.join(', ')}` },
    );
  const text = Object.entries(TRAITS)
    .map(([name, words]) => words[Math.min(4, Math.floor(5 * candidate.numbers[name]!))]!)
    .join(' ');
  const temperature = COOLEST + (HOTTEST - COOLEST) * candidate.numbers.temperature!;
  const member = drafted(base, { text }, `${base.id}+${candidate.id}`);
  // Two digits: nobody can tell more apart.
  const sampling = { temperature: Math.round(100 * temperature) / 100, topP: base.sampling?.topP ?? null };
  return { ...member, sampling };
}
