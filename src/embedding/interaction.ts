import type { Trajectory } from '../trajectory/trajectory.ts';
import * as measure from './measures.ts';
import { isEnglish, type Reading, readEpisode } from './reading.ts';
import { toolRate, toolSwitches } from './tool-use.ts';
import { WORDS } from './words.ts';

export type FeatureFamily = 'style' | 'information' | 'clarification' | 'error' | 'dynamics' | 'tools';

export interface Feature {
  readonly name: string;
  readonly family: FeatureFamily;
  /** For a reader of the report. */
  readonly describe: string;
  /** How it is computed. */
  readonly rule: string;
  /** Rests on English word lists: NaN in other languages. */
  readonly english: boolean;
}

type Rule = Feature & { readonly of: (reading: Reading) => number };

/** Order of `interactionFeatures`; a space stores the names, so that a change here is a new space. */
const RULES: readonly Rule[] = [
  {
    name: 'turn-length',
    family: 'style',
    describe: 'how long the turns are',
    rule: 'mean over turns of ln(1 + words)',
    english: false,
    of: ({ user }) => measure.average(measure.lengths(user)),
  },
  {
    name: 'turn-length-spread',
    family: 'style',
    describe: 'how much turn length varies',
    rule: 'standard deviation over turns of ln(1 + words); two turns or more',
    english: false,
    of: measure.spread,
  },
  {
    name: 'short-answers',
    family: 'style',
    describe: 'answers of three words or fewer',
    rule: 'share of turns with at most 3 words',
    english: false,
    of: ({ user }) => measure.ratio(user.filter((turn) => turn.words.length <= 3).length, user.length),
  },
  {
    name: 'capital-start',
    family: 'style',
    describe: 'starts with a capital',
    rule: 'share of turns whose first letter is upper case, among turns whose first letter has case',
    english: false,
    of: measure.capitals,
  },
  {
    name: 'end-mark',
    family: 'style',
    describe: 'ends with a full stop, question or exclamation mark',
    rule: 'share of turns',
    english: false,
    of: ({ user }) => measure.ratio(user.filter((turn) => turn.endMark).length, user.length),
  },
  {
    name: 'informal',
    family: 'style',
    describe: 'chat spellings and slips',
    rule: 'square root of the share of words that are chat spellings, contractions without apostrophe, common slips or a lower-case i',
    english: true,
    of: ({ user }) =>
      Math.sqrt(
        Math.min(
          1,
          measure.ratio(
            user.reduce((n, turn) => n + turn.informal, 0),
            measure.totalWords(user),
          ),
        ),
      ),
  },
  {
    name: 'first-person',
    family: 'style',
    describe: 'speaks of themselves',
    rule: "share of words that are I, me, my, mine, myself (and I'm, I've, ...)",
    english: true,
    of: ({ user }) =>
      measure.ratio(
        user.reduce((n, turn) => n + turn.firstPerson, 0),
        measure.totalWords(user),
      ),
  },
  {
    name: 'emotion',
    family: 'style',
    describe: 'exclaims or names a feeling',
    rule: 'share of sentences with an exclamation mark or a feeling word',
    english: true,
    of: ({ user }) => measure.sentenceShare(user, 'emotional'),
  },
  {
    name: 'hedging',
    family: 'style',
    describe: 'hedges',
    rule: 'share of sentences with maybe, I think, not sure, kind of, ...',
    english: true,
    of: ({ user }) => measure.sentenceShare(user, 'hedged'),
  },
  {
    name: 'thanks',
    family: 'style',
    describe: 'thanks',
    rule: 'share of turns with thank, thanks, thx, appreciate, grateful',
    english: true,
    of: ({ user }) => measure.share(user, 'thanks'),
  },
  {
    name: 'please',
    family: 'style',
    describe: 'says please',
    rule: 'share of turns with please, kindly, would you mind, if possible',
    english: true,
    of: ({ user }) => measure.share(user, 'pleads'),
  },
  {
    name: 'greeting',
    family: 'style',
    describe: 'greets and takes leave',
    rule: 'half for a greeting in the first turn, half for a farewell in the last',
    english: true,
    of: measure.greeting,
  },
  {
    name: 'user-turns',
    family: 'information',
    describe: 'how many turns the user takes',
    rule: 'ln(1 + turns with words)',
    english: false,
    of: ({ user }) => Math.log1p(user.length),
  },
  {
    name: 'front-load',
    family: 'information',
    describe: 'tells it all at once',
    rule: 'ln of (distinct content words of the first turn + 1) / (their mean in the later turns + 1)',
    english: true,
    of: measure.frontLoad,
  },
  {
    name: 'new-content',
    family: 'information',
    describe: 'later turns bring something new',
    rule: 'share of content words of turns 2.. that neither side used in its last four turns',
    english: true,
    of: measure.novelty,
  },
  {
    name: 'specifics',
    family: 'information',
    describe: 'numbers and names',
    rule: 'square root of numbers and mid-sentence capitalised words over words',
    english: true,
    of: ({ user }) =>
      Math.sqrt(
        Math.min(
          1,
          measure.ratio(
            user.reduce((n, turn) => n + turn.specifics, 0),
            measure.totalWords(user),
          ),
        ),
      ),
  },
  {
    name: 'questions',
    family: 'clarification',
    describe: 'asks',
    rule: 'share of turns with a question mark or a sentence that opens like a question',
    english: true,
    of: ({ user }) => measure.share(user, 'asks'),
  },
  {
    name: 'clarification',
    family: 'clarification',
    describe: 'asks for an explanation or for details',
    rule: 'share of turns with such a request (what do you mean, how does it, tell me more, can you confirm, ...)',
    english: true,
    of: ({ user }) => measure.share(user, 'clarifies'),
  },
  {
    name: 'push-back',
    family: 'error',
    describe: 'refuses, objects or doubts',
    rule: "share of turns with no, I don't want, not convinced, can't afford, that's not, ...",
    english: true,
    of: ({ user }) => measure.share(user, 'refuses'),
  },
  {
    name: 'error-reaction',
    family: 'error',
    describe: 'insists (+) or gives way (-) after the agent erred or refused',
    rule: 'mean over turns after an agent turn that apologises or cannot, or after a failed tool of the user: +1 push-back, question or correction, -1 agreement or thanks',
    english: true,
    of: measure.errorReaction,
  },
  {
    name: 'self-correction',
    family: 'error',
    describe: 'corrects themselves',
    rule: 'square root of the share of turns with I meant, actually, my mistake, wait, changed my mind, ...',
    english: true,
    of: ({ user }) => Math.sqrt(measure.share(user, 'corrects')),
  },
  {
    name: 'agreement',
    family: 'dynamics',
    describe: 'agrees, accepts or concedes',
    rule: "share of turns with yes, sure, sounds good, I agree, I'll do, fair enough, ...",
    english: true,
    of: ({ user }) => measure.share(user, 'agrees'),
  },
  {
    name: 'repetition',
    family: 'dynamics',
    describe: 'says again what they said',
    rule: "mean share of a turn's word pairs that stand in one of their three turns before it",
    english: false,
    of: measure.repetition,
  },
  {
    name: 'drift',
    family: 'dynamics',
    describe: 'moves on from turn to turn',
    rule: '1 - cosine of content-word sets of successive turns, mean',
    english: true,
    of: measure.drift,
  },
  {
    name: 'echo',
    family: 'dynamics',
    describe: "takes up the agent's words",
    rule: "mean share of a turn's content words that stand in the agent's last turn",
    english: true,
    of: measure.echo,
  },
  {
    name: 'length-trend',
    family: 'dynamics',
    describe: 'turns grow (+) or shrink (-)',
    rule: 'tanh(b / 2), b = slope of ln(1 + words) over the dialogue (0..1); three turns or more',
    english: false,
    of: measure.lengthTrend,
  },
  {
    name: 'tool-calls',
    family: 'tools',
    describe: 'uses their own tools',
    rule: "ln(1 + tool calls of the user's side per turn); missing where that side calls none",
    english: false,
    of: ({ tools, user }) => toolRate(tools, user.length),
  },
  {
    name: 'tool-switches',
    family: 'tools',
    describe: 'goes from one tool to another',
    rule: 'share of calls to another tool than the call before; two calls or more',
    english: false,
    of: ({ tools }) => toolSwitches(tools),
  },
];

export const FEATURES: readonly Feature[] = RULES.map(({ of: _, ...feature }) => feature);

/**
 * Topic-free features of how the simulated user behaves, in the order of FEATURES; NaN = missing: no turn or too few
 * turns, no agent turn before, no tools, or a language the rule was not made for. All are rates, logs or bounded, so
 * that outliers do not rule.
 */
export function interactionFeatures(trajectory: Trajectory): Float64Array {
  WORDS.settle();
  return featuresOf(readEpisode(trajectory));
}

/** The same of an episode that was read. */
export function featuresOf(reading: Reading): Float64Array {
  const out = new Float64Array(RULES.length).fill(measure.MISSING);
  const english = isEnglish(reading);
  RULES.forEach((rule, at) => {
    const spoke = reading.user.length > 0 || rule.family === 'tools';
    if (spoke && (english || !rule.english)) out[at] = rule.of(reading);
  });
  return out;
}
