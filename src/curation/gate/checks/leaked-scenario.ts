import type { Trajectory } from '../../../trajectory/trajectory.ts';
import type { Check } from '../check.ts';
import { finding } from '../evidence.ts';
import { speechOf, unquoted, wordsOf } from '../speech.ts';

const NAME = 'leaked-scenario';

/** Words in a row that count as copied. */
const RUN = 7;

/** What makes prose an instruction: it speaks to the simulator, or about it and the agent. */
const ADDRESS = new Set(['you', "you're", "you'd", "you'll", "you've", 'your', 'yourself']);
const ABOUT = new Set(['user', 'agent', 'customer', 'persona', 'assistant']);
/** Quotes with a name to them are the other side's words; without one they may be the scenario's. */
const ATTRIBUTED = /\byou (?:said|say|told|tell|wrote|mean)\b|\byour words\b/i;
const MAY_LEAK = /\b(?:you|your|yourself|(?:the|this) (?:user|agent|customer|persona|assistant))\b/i;

/**
 * The user reads its private instructions aloud: seven words in a row of them, among those one that addresses or
 * describes the simulator ("you want", "the user"). Facts (names, ids, dates) are told in the first person and do
 * not match; what the scenario puts in quotes is meant to be said.
 */
export const leakedScenario: Check = {
  name: NAME,
  blame: 'simulator',
  title: 'a user turn repeats its private instructions word for word',
  inspect(episode) {
    const { scenario } = episode;
    if (scenario === null) return null;
    let prose: Prose | null = null;
    for (const { text, turn } of speechOf(episode, 'user')) {
      if (!MAY_LEAK.test(text)) continue;
      prose ??= proseOf(scenario);
      if (prose.runs.size === 0) return null;
      const words = wordsOf(ATTRIBUTED.test(text) ? unquoted(text) : text);
      let known = 0;
      for (let at = 0; at < words.length; at++) {
        known = prose.vocabulary.has(words[at]!) ? known + 1 : 0;
        if (known < RUN) continue;
        const run = words.slice(at - RUN + 1, at + 1).join(' ');
        if (prose.runs.has(run) && !wasHeard(episode, run, turn))
          return finding(
            NAME,
            'simulator',
            `the user repeats its scenario: "${run}"`,
            text,
            turn,
            placeOf(text, words, at),
          );
      }
    }
    return null;
  },
};

/** Whether the agent had said these words: then the user may have them from there. */
function wasHeard(episode: Trajectory, run: string, before: number): boolean {
  return speechOf(episode, 'agent').some(
    ({ text, turn }) => turn < before && ` ${wordsOf(text).join(' ')} `.includes(` ${run} `),
  );
}

interface Prose {
  readonly vocabulary: ReadonlySet<string>;
  /** Runs of the scenario's own prose that hold an instruction's word. */
  readonly runs: ReadonlySet<string>;
}

function proseOf(scenario: string): Prose {
  const words = wordsOf(unquoted(scenario.slice(0, 50_000)));
  const runs = new Set<string>();
  let marked = -1;
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (ADDRESS.has(word) || (ABOUT.has(word) && (words[at - 1] === 'the' || words[at - 1] === 'this')))
      marked = at;
    const from = at - RUN + 1;
    if (from >= 0 && marked >= from) runs.add(words.slice(from, at + 1).join(' '));
  }
  return { vocabulary: new Set(words), runs };
}

/** About where a word stands: exact places are lost with case and marks. */
function placeOf(text: string, words: readonly string[], index: number): number {
  const at = text.toLowerCase().indexOf(words[index]!);
  return Math.max(at, 0);
}
