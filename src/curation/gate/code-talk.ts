import type { Trajectory } from '../../trajectory/trajectory.ts';
import { speechOf } from './speech.ts';

/** Characters of a scenario that are looked at. */
const READ = 50_000;

/** What hardly anybody writes who does not speak of code. */
const MARKS = [
  /```/,
  /\b[\w/-]{2,60}\.(?:py|js|mjs|ts|tsx|jsx|rs|go|java|kt|rb|php|c|h|cc|cpp|hpp|cs|swift|scala|sh|sql|ya?ml|toml|json|ini|cfg|conf|lock|ipynb|css|log|xml|env|tf|proto|gradle)\b(?!@)/,
  /\b[a-z]\w{0,60}\(\)|\b\w{1,60}::\w/i,
  /\b(?:stack ?traces?|tracebacks?|pull requests?|merge conflicts?|unit tests?|test suites?|code ?base|source code|git (?:add|bisect|branch|checkout|clone|commit|diff|fetch|log|merge|pull|push|rebase|reset|stash|status)|npm|pytest|localhost|stderr|stdout|segfaults?|null pointers?|off[- ]by[- ]one|refactor\w*|linters?|compilers?|debugg(?:er|ing)|middleware|regex(?:es|p)?|docker\w*|kubernetes|webhooks?|unhandled exceptions?|tests? (?:fails?|failed|failing|is failing|are failing|pass(?:es)?|is red)|failing tests?)\b/i,
];

/** Words of code that have another meaning too: two different ones are wanted. */
const WORDS =
  /\b(?:functions?|branch(?:es)?|commits?|committed|endpoints?|configs?|stack|api|parsers?|parsing|deploy(?:s|ed|ment)?|repo(?:sitory)?|modules?|schema|json|yaml|payloads?|imports?|variables?|scripts?|bugs?|runtime|migrations?|callbacks?|async)\b/gi;

function isOfCode(text: string): boolean {
  if (MARKS.some((mark) => mark.test(text))) return true;
  let first: string | null = null;
  for (const [found] of text.matchAll(WORDS)) {
    const stem = found.toLowerCase().slice(0, 4);
    first ??= stem;
    if (stem !== first) return true;
  }
  return false;
}

/**
 * Tells of turns whether they stand in talk about code, where traces, logs and payloads are what is spoken of: the
 * scenario, the agent before them or the user in other turns speaks of code. Turns that are `broken` themselves bear
 * no witness, or a simulator that fails twice would excuse itself. Looks at the episode once, when first asked.
 */
export function codeTalk(episode: Trajectory, broken: (text: string) => boolean): (turn: number) => boolean {
  let known: { readonly always: boolean; readonly agent: number; readonly users: readonly number[] } | null =
    null;
  const bears = (text: string) => isOfCode(text) && (tellsOf(text) || !broken(text));
  const look = () => {
    const always = episode.scenario !== null && isOfCode(episode.scenario.slice(0, READ));
    if (always) return { always, agent: 0, users: [] };
    const agent =
      speechOf(episode, 'agent').find(({ text }) => bears(text))?.turn ?? Number.POSITIVE_INFINITY;
    const users: number[] = [];
    for (const { text, turn } of speechOf(episode, 'user')) {
      if (users.length < 2 && bears(text)) users.push(turn);
    }
    return { always, agent, users };
  };
  return (turn) => {
    known ??= look();
    return known.always || known.agent < turn || known.users.some((other) => other !== turn);
  };
}

/** Words by which somebody shows what a machine said. */
const SHOWS =
  /\b(?:i|we)(?:'m| am|'ve| have| do)? (?:just |only |still |keep |always |now |also |then |sometimes )?(?:get(?:ting)?|got|see(?:ing)?|saw|seen|hit(?:ting)?|r[au]n into|copied|past(?:e|ed|ing)|attach(?:ed|ing)?)\b|\bhere(?:'s| is| are| you go| it is)\b(?! my (?:next )?(?:reply|response|message|answer|turn|action))|\b(?:it|this|that|app|site|website|page|screen|console|terminal|logs?|output|program|script|window|pop-?up|phone|laptop|router|printer) (?:just |now |still |always |only |keeps )?(?:is what|says?|said|saying|shows?|showed|showing|prints?|printed|printing|reads?|throws?|threw|throwing|gives?|gave|spits?|dies with|died with|ends with|stops with)\b|\b(?:from|in|of) (?:the|my|our|your) (?:logs?|console|terminal|output|debug\w*)\b|\b(?:what does (?:this|that|it) mean|any ideas?|does (?:this|that) help|(?:the|my|full|whole|complete) (?:logs?|trace|stack ?trace|traceback|output|error message|payload|dump))\b/i;

/** Whether a turn tells of an error or of data in words of its own. */
export function tellsOf(text: string): boolean {
  return SHOWS.test(text);
}
