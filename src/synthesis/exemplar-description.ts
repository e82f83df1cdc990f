import { has, type ReadTurn, type UserCue } from '../embedding/cues.ts';
import { interactionFeatures } from '../embedding/interaction.ts';
import { readEpisode } from '../embedding/reading.ts';
import { spokenTexts } from '../embedding/speech.ts';
import { contentHash } from '../trajectory/identity.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import { behaviourInWords } from './behaviour-words.ts';
import type { PersonaDraft } from './gap-plan.ts';
import { RunsOf } from './shared-runs.ts';

export interface DraftOptions {
  /** Drafts, at most: one of all exemplars together, then one of each; default 3. */
  readonly drafts?: number;
  /** Dialogues described turn by turn in the first of them; default 2. */
  readonly exemplars?: number;
}

/**
 * Persons in words, out of dialogues of people who show a mode: what they do, by the features of `people` at large, and
 * some of their dialogues told turn by turn (length, questions, doubt, politeness ...). Nothing is quoted: a sentence of
 * ours that shares a run of five words with an exemplar is left out. The order of the dialogues says nothing.
 */
export function personaDrafts(
  exemplars: readonly Trajectory[],
  people: readonly Trajectory[],
  { drafts = 3, exemplars: told = 2 }: DraftOptions = {},
): readonly PersonaDraft[] {
  if (exemplars.length === 0) return [];
  const ordered = inHashOrder(exemplars);
  const all = inHashOrder(people).map(interactionFeatures);
  const own = ordered.map(interactionFeatures);
  const quoted = new RunsOf(ordered.flatMap(textsOf));
  const unquoted = (texts: readonly string[]) => texts.filter((text) => quoted.sharedWith(text).length === 0);
  const draftOf = (features: typeof own, dialogues: readonly Trajectory[]): PersonaDraft => ({
    text: [OPENING, ...unquoted(behaviourInWords(features, all)), CLOSING].join(' '),
    exemplars: unquoted(dialogues.flatMap((dialogue) => dialogueInWords(dialogue) ?? [])),
  });
  return [
    draftOf(own, ordered.slice(0, told)),
    ...ordered.slice(0, Math.max(0, drafts - 1)).map((dialogue, i) => draftOf([own[i]!], [dialogue])),
  ].slice(0, drafts);
}

const inHashOrder = (dialogues: readonly Trajectory[]): Trajectory[] =>
  dialogues
    .map((dialogue) => ({ dialogue, hash: contentHash(dialogue.turns, dialogue.scenario) }))
    .sort((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0))
    .map(({ dialogue }) => dialogue);

const OPENING = 'This is how you behave in a conversation, whatever it is about.';
const CLOSING = 'Keep to this all along; your wishes are those of your instructions.';

const textsOf = (dialogue: Trajectory): string[] => [
  ...spokenTexts(dialogue, 'user'),
  ...spokenTexts(dialogue, 'agent'),
];

/** Longer dialogues are told up to here. */
const MOST_TURNS = 8;

/** One dialogue told turn by turn: `message 1: about 6 words, greets; message 2: ...`. Null where nobody spoke. */
export function dialogueInWords(dialogue: Trajectory): string | null {
  const { user } = readEpisode(dialogue);
  if (user.length === 0) return null;
  const turns = user
    .slice(0, MOST_TURNS)
    .map(
      (turn, i) => `message ${i + 1}: about ${rounded(turn.words.length)} words, ${doings(turn).join(', ')}`,
    );
  return turns.join('; ');
}

/** Exact counts would be a fingerprint of the dialogue, and nobody writes by them. */
const rounded = (words: number): number => (words <= 5 ? Math.max(1, words) : 5 * Math.round(words / 5));

const DOINGS: readonly (readonly [UserCue, string])[] = [
  ['greets', 'greets'],
  ['asks', 'asks'],
  ['clarifies', 'wants more explained'],
  ['refuses', 'refuses or doubts'],
  ['agrees', 'agrees'],
  ['thanks', 'thanks'],
  ['pleads', 'says please'],
  ['corrects', 'takes something back'],
  ['parts', 'takes leave'],
];

function doings(turn: ReadTurn): readonly string[] {
  const found = DOINGS.filter(([cue]) => has(turn, cue)).map(([, words]) => words);
  if (turn.hedged > 0) found.push('unsure');
  if (turn.emotional > 0) found.push('with feeling');
  if (turn.specifics > 0) found.push('gives a number or a name');
  return found.length === 0 ? ['tells something'] : found;
}
