import type { Check } from '../check.ts';
import { finding } from '../evidence.ts';
import { speechOf } from '../speech.ts';
import { templateMark } from './leaked-instructions.ts';
import { dataShape } from './raw-json.ts';
import { repeatedTurn } from './repeats-itself.ts';

const NAME = 'policy-failure';

/**
 * The same faults on the agent's side. They are what training is to unlearn, so that they are noted and never drop a
 * row, whatever a recipe says.
 */
export const policyFailure: Check = {
  name: NAME,
  blame: 'policy',
  title: 'the agent writes raw data or chat marks, or says the same again and again (only noted)',
  inspect(episode) {
    for (const { text, turn } of speechOf(episode, 'agent')) {
      const shape = dataShape(text);
      if (shape !== null) return finding(NAME, 'policy', `the agent's turn is ${shape}`, text, turn);
      const mark = templateMark(text);
      if (mark !== null)
        return finding(
          NAME,
          'policy',
          "the agent's turn holds marks of a chat template",
          text,
          turn,
          mark.at,
        );
    }
    const repeated = repeatedTurn(episode, 'agent');
    if (repeated === null) return null;
    return finding(NAME, 'policy', 'the agent says the same again and again', repeated.text, repeated.turn);
  },
};
