import type { Trajectory } from '../trajectory/trajectory.ts';
import { type HeardTurn, has, hearTurn, type ReadTurn, readTurn, type UserCue } from './cues.ts';
import { spoken } from './speech.ts';
import { failed, toolRate, toolSwitches, userTools } from './tool-use.ts';

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

/** Everything a feature is computed from. */
interface Reading {
  /** At least one. */
  readonly user: readonly ReadTurn[];
  /** The agent's last turn before each user turn, null where there was none. */
  readonly heard: readonly (HeardTurn | null)[];
  /** A user-side tool failed between the user's last turn and this one. */
  readonly toolFailed: readonly boolean[];
  readonly tools: readonly string[] | null;
}

const MISSING = Number.NaN;
const ratio = (part: number, whole: number): number => (whole === 0 ? MISSING : part / whole);
const average = (values: readonly number[]): number => {
  let total = 0;
  for (const value of values) total += value;
  return ratio(total, values.length);
};
const share = (turns: readonly ReadTurn[], cue: UserCue): number => {
  let count = 0;
  for (const turn of turns) if (has(turn, cue)) count++;
  return ratio(count, turns.length);
};
const lengths = (turns: readonly ReadTurn[]): number[] => turns.map((turn) => Math.log1p(turn.words.length));
const totalWords = (turns: readonly ReadTurn[]): number => {
  let total = 0;
  for (const turn of turns) total += turn.words.length;
  return total;
};

/** Share of `of` that also stands in `within`. */
function overlap(of: ReadonlySet<string>, within: ReadonlySet<string>): number {
  let both = 0;
  for (const word of of) if (within.has(word)) both++;
  return both / of.size;
}

function capitals({ user }: Reading): number {
  const cased = user.filter((turn) => turn.capital !== null);
  return ratio(cased.filter((turn) => turn.capital).length, cased.length);
}

function spread({ user }: Reading): number {
  if (user.length < 2) return MISSING;
  const values = lengths(user);
  const centre = average(values);
  return Math.sqrt(values.reduce((total, value) => total + (value - centre) ** 2, 0) / (values.length - 1));
}

/** ln of (content of the first turn + 1) over (mean content of the later turns + 1): needs no number of turns. */
function frontLoad({ user }: Reading): number {
  if (user.length < 2) return MISSING;
  const later = average(user.slice(1).map((turn) => turn.content.size));
  return Math.log((1 + user[0]!.content.size) / (1 + later));
}

/** Share of the content words of turns 2.. that neither side has used in the last four turns of each. */
function novelty({ user, heard }: Reading): number {
  let fresh = 0;
  let all = 0;
  for (let at = 1; at < user.length; at++)
    for (const word of user[at]!.content) {
      all++;
      let known = false;
      for (let back = 0; back < 4 && !known; back++) {
        if (at - 1 - back >= 0 && user[at - 1 - back]!.content.has(word)) known = true;
        else if (at - back >= 0 && heard[at - back]?.content.has(word)) known = true;
      }
      if (!known) fresh++;
    }
  return ratio(fresh, all);
}

/** Share of a turn's word pairs that stand in one of the user's three turns before it; mean over turns. */
function repetition({ user }: Reading): number {
  const values: number[] = [];
  const pairs = user.map(({ words }) => {
    const set = new Set<string>();
    for (let at = 1; at < words.length; at++) set.add(`${words[at - 1]} ${words[at]}`);
    return set;
  });
  for (let at = 1; at < pairs.length; at++) {
    const own = pairs[at]!;
    if (own.size === 0) continue;
    let again = 0;
    for (const pair of own)
      for (let back = Math.max(0, at - 3); back < at; back++)
        if (pairs[back]!.has(pair)) {
          again++;
          break;
        }
    values.push(again / own.size);
  }
  return average(values);
}

/** 1 - cosine of the content-word sets of successive turns; mean over turns. */
function drift({ user }: Reading): number {
  const values: number[] = [];
  for (let at = 1; at < user.length; at++) {
    const before = user[at - 1]!.content;
    const now = user[at]!.content;
    if (before.size === 0 || now.size === 0) continue;
    values.push(1 - (overlap(now, before) * now.size) / Math.sqrt(now.size * before.size));
  }
  return average(values);
}

function echo({ user, heard }: Reading): number {
  const values: number[] = [];
  user.forEach((turn, at) => {
    const last = heard[at];
    if (last && turn.content.size > 0) values.push(overlap(turn.content, last.content));
  });
  return average(values);
}

/** Least-squares slope of ln(1 + words) over position 0..1, through tanh so that it stays in -1..1. */
function lengthTrend({ user }: Reading): number {
  if (user.length < 3) return MISSING;
  const values = lengths(user);
  const last = values.length - 1;
  const centre = average(values);
  let up = 0;
  let square = 0;
  values.forEach((value, at) => {
    const x = at / last - 0.5;
    up += x * (value - centre);
    square += x * x;
  });
  return Math.tanh(up / square / 2);
}

function errorReaction({ user, heard, toolFailed }: Reading): number {
  const values: number[] = [];
  user.forEach((turn, at) => {
    if (!toolFailed[at] && !heard[at]?.erred) return;
    const persists = has(turn, 'refuses') || has(turn, 'asks') || has(turn, 'corrects');
    const accepts = has(turn, 'agrees') || has(turn, 'thanks');
    values.push((persists ? 1 : 0) - (accepts ? 1 : 0));
  });
  return average(values);
}

function greeting({ user }: Reading): number {
  return (Number(has(user[0]!, 'greets')) + Number(has(user.at(-1)!, 'parts'))) / 2;
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
    of: ({ user }) => average(lengths(user)),
  },
  {
    name: 'turn-length-spread',
    family: 'style',
    describe: 'how much turn length varies',
    rule: 'standard deviation over turns of ln(1 + words); two turns or more',
    english: false,
    of: spread,
  },
  {
    name: 'short-answers',
    family: 'style',
    describe: 'answers of three words or fewer',
    rule: 'share of turns with at most 3 words',
    english: false,
    of: ({ user }) => ratio(user.filter((turn) => turn.words.length <= 3).length, user.length),
  },
  {
    name: 'capital-start',
    family: 'style',
    describe: 'starts with a capital',
    rule: 'share of turns whose first letter is upper case, among turns whose first letter has case',
    english: false,
    of: capitals,
  },
  {
    name: 'end-mark',
    family: 'style',
    describe: 'ends with a full stop, question or exclamation mark',
    rule: 'share of turns',
    english: false,
    of: ({ user }) => ratio(user.filter((turn) => turn.endMark).length, user.length),
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
          ratio(
            user.reduce((n, turn) => n + turn.informal, 0),
            totalWords(user),
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
      ratio(
        user.reduce((n, turn) => n + turn.firstPerson, 0),
        totalWords(user),
      ),
  },
  {
    name: 'emotion',
    family: 'style',
    describe: 'exclaims or names a feeling',
    rule: 'share of sentences with an exclamation mark or a feeling word',
    english: true,
    of: ({ user }) => sentenceShare(user, 'emotional'),
  },
  {
    name: 'hedging',
    family: 'style',
    describe: 'hedges',
    rule: 'share of sentences with maybe, I think, not sure, kind of, ...',
    english: true,
    of: ({ user }) => sentenceShare(user, 'hedged'),
  },
  {
    name: 'thanks',
    family: 'style',
    describe: 'thanks',
    rule: 'share of turns with thank, thanks, thx, appreciate, grateful',
    english: true,
    of: ({ user }) => share(user, 'thanks'),
  },
  {
    name: 'please',
    family: 'style',
    describe: 'says please',
    rule: 'share of turns with please, kindly, would you mind, if possible',
    english: true,
    of: ({ user }) => share(user, 'pleads'),
  },
  {
    name: 'greeting',
    family: 'style',
    describe: 'greets and takes leave',
    rule: 'half for a greeting in the first turn, half for a farewell in the last',
    english: true,
    of: greeting,
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
    rule: 'ln of (distinct content words, numbers and names of the first turn + 1) / (mean of the later turns + 1)',
    english: true,
    of: frontLoad,
  },
  {
    name: 'new-content',
    family: 'information',
    describe: 'later turns bring something new',
    rule: 'share of content words of turns 2.. that neither side used in its last four turns',
    english: true,
    of: novelty,
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
          ratio(
            user.reduce((n, turn) => n + turn.specifics, 0),
            totalWords(user),
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
    of: ({ user }) => share(user, 'asks'),
  },
  {
    name: 'clarification',
    family: 'clarification',
    describe: 'asks for an explanation or for details',
    rule: 'share of turns with such a request (what do you mean, how does it, tell me more, can you confirm, ...)',
    english: true,
    of: ({ user }) => share(user, 'clarifies'),
  },
  {
    name: 'push-back',
    family: 'error',
    describe: 'refuses, objects or doubts',
    rule: "share of turns with no, I don't want, not convinced, can't afford, but I, unfortunately, ...",
    english: true,
    of: ({ user }) => share(user, 'refuses'),
  },
  {
    name: 'error-reaction',
    family: 'error',
    describe: 'insists (+) or gives way (-) after the agent erred or refused',
    rule: 'mean over turns after an agent turn that apologises or cannot, or after a failed tool of the user: +1 push-back, question or correction, -1 agreement or thanks',
    english: true,
    of: errorReaction,
  },
  {
    name: 'self-correction',
    family: 'error',
    describe: 'corrects themselves',
    rule: 'square root of the share of turns with I meant, actually, my mistake, wait, changed my mind, ...',
    english: true,
    of: ({ user }) => Math.sqrt(share(user, 'corrects')),
  },
  {
    name: 'agreement',
    family: 'dynamics',
    describe: 'agrees, accepts or concedes',
    rule: "share of turns with yes, sure, sounds good, I agree, I'll do, fair enough, ...",
    english: true,
    of: ({ user }) => share(user, 'agrees'),
  },
  {
    name: 'repetition',
    family: 'dynamics',
    describe: 'says again what they said',
    rule: "mean share of a turn's word pairs that stand in one of their three turns before it",
    english: false,
    of: repetition,
  },
  {
    name: 'drift',
    family: 'dynamics',
    describe: 'moves on from turn to turn',
    rule: '1 - cosine of content-word sets of successive turns, mean',
    english: true,
    of: drift,
  },
  {
    name: 'echo',
    family: 'dynamics',
    describe: "takes up the agent's words",
    rule: "mean share of a turn's content words that stand in the agent's last turn",
    english: true,
    of: echo,
  },
  {
    name: 'length-trend',
    family: 'dynamics',
    describe: 'turns grow (+) or shrink (-)',
    rule: 'tanh(b / 2), b = slope of ln(1 + words) over the dialogue (0..1); three turns or more',
    english: false,
    of: lengthTrend,
  },
  {
    name: 'tool-calls',
    family: 'tools',
    describe: 'uses their own tools',
    rule: "ln(1 + tool calls of the user's side per turn); missing where that side has no tools",
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

function sentenceShare(user: readonly ReadTurn[], of: 'hedged' | 'emotional'): number {
  let part = 0;
  let whole = 0;
  for (const turn of user) {
    part += turn[of];
    whole += turn.sentences;
  }
  return ratio(part, whole);
}

export const FEATURES: readonly Feature[] = RULES.map(({ of: _, ...feature }) => feature);

/** Below this share of common English words a text of 20 words or more is in another language. */
const ENGLISH_SHARE = 0.12;

/** Whether the English rules may be read: by function words, from the agent's words too where the user says little. */
function isEnglish({ user, heard }: Reading): boolean {
  let letters = 0;
  let latin = 0;
  let words = 0;
  let markers = 0;
  for (const turn of user) {
    letters += turn.letters;
    latin += turn.latin;
    words += turn.words.length;
    markers += turn.markers;
  }
  if (letters > 0 && latin / letters < 0.5) return false;
  if (words < 20)
    for (const turn of heard)
      if (turn) {
        words += turn.words;
        markers += turn.markers;
      }
  return words < 20 || markers / words >= ENGLISH_SHARE;
}

function read(trajectory: Trajectory): Reading {
  const user: ReadTurn[] = [];
  const heard: (HeardTurn | null)[] = [];
  const toolFailed: boolean[] = [];
  let last: string | null = null;
  let broke = false;
  for (const turn of trajectory.turns) {
    if (turn.role === 'tool') {
      if (turn.requestor === 'user' && failed(turn.text)) broke = true;
      continue;
    }
    if (turn.role === 'system') continue;
    const said = spoken(turn);
    if (said === null) continue;
    if (turn.role === 'agent') {
      last = said;
      continue;
    }
    user.push(readTurn(said));
    heard.push(last === null ? null : hearTurn(last));
    toolFailed.push(broke);
    last = null;
    broke = false;
  }
  return { user, heard, toolFailed, tools: userTools(trajectory) };
}

/**
 * Topic-free features of how the simulated user behaves, in the order of FEATURES; NaN = missing: no turn or too few
 * turns, no agent turn before, no tools, or a language the rule was not made for. All are rates, logs or bounded, so
 * that outliers do not rule.
 */
export function interactionFeatures(trajectory: Trajectory): Float64Array {
  const out = new Float64Array(RULES.length).fill(MISSING);
  const reading = read(trajectory);
  const english = isEnglish(reading);
  RULES.forEach((rule, at) => {
    const spoke = reading.user.length > 0 || rule.family === 'tools';
    if (spoke && (english || !rule.english)) out[at] = rule.of(reading);
  });
  return out;
}
