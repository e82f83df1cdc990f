import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FEATURES, interactionFeatures } from '../../src/embedding/index.ts';
import type { Trajectory, Turn } from '../../src/trajectory/trajectory.ts';
import { episode } from './episode.ts';

const at = (trajectory: Trajectory, name: string): number => {
  const index = FEATURES.findIndex((feature) => feature.name === name);
  expect(index).toBeGreaterThanOrEqual(0);
  return interactionFeatures(trajectory)[index]!;
};
const call = (name: string, text: string | null = null): Turn => ({
  role: 'user',
  text,
  toolCalls: [{ name, arguments: {} }],
});

describe('features', () => {
  it('have distinct names, a family and a rule each', () => {
    expect(new Set(FEATURES.map(({ name }) => name)).size).toBe(FEATURES.length);
    for (const { describe: words, rule } of FEATURES) expect(words.length * rule.length).toBeGreaterThan(0);
    expect(new Set(FEATURES.map(({ family }) => family)).size).toBe(6);
  });

  it('are in bounds whatever is said', () => {
    const turn = fc.record({
      role: fc.constantFrom('user', 'agent', 'tool', 'system'),
      text: fc.option(
        fc.oneof(fc.string({ unit: 'binary' }), fc.lorem(), fc.constantFrom('yes', 'No!!', '???', '')),
      ),
    }) as fc.Arbitrary<Turn>;
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 12 }), (turns) => {
        const values = interactionFeatures(episode(...turns));
        expect(values.length).toBe(FEATURES.length);
        for (const value of values) expect(Number.isNaN(value) || Math.abs(value) < 12).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('are all missing where the user never speaks', () => {
    for (const silent of [
      episode('a: hello'),
      episode({ role: 'user', text: '' }, { role: 'user', text: null }, { role: 'user', text: '###STOP###' }),
    ])
      expect([...interactionFeatures(silent)].every(Number.isNaN)).toBe(true);
  });

  it('do not know ids, simulators or policies', () => {
    const one = episode('a: how can I help?', 'u: cancel my flight please');
    const other = {
      ...one,
      id: 'x',
      simulator: { ...one.simulator, id: 'y' },
      policy: { id: 'z', checkpoint: '1' },
    };
    expect(interactionFeatures(other)).toEqual(interactionFeatures(one));
  });

  it('do not grow with the number of turns alone', () => {
    const pair = ['a: And what about the price of the old one?', 'u: I think it is too expensive for us'];
    const short = episode(...pair, ...pair, ...pair);
    const long = episode(...pair, ...pair, ...pair, ...pair, ...pair, ...pair);
    const a = interactionFeatures(short);
    const b = interactionFeatures(long);
    FEATURES.forEach(({ name }, k) => {
      if (!['user-turns', 'repetition', 'new-content'].includes(name))
        expect([name, b[k]]).toEqual([name, a[k]]);
    });
  });

  it('keep harness signals and tool output out of what the user says', () => {
    const plain = episode('a: hi', 'u: please cancel it');
    expect(interactionFeatures(episode('a: hi', 'u: please cancel it ###STOP###'))).toEqual(
      interactionFeatures(plain),
    );
    expect(at(episode('a: hi', 'u: yes', 'u: API output: {}'), 'user-turns')).toBeCloseTo(Math.log(2));
  });
});

describe('style', () => {
  it('tells careful from careless typing', () => {
    const careful = episode('u: I would like a refund, please.', 'u: Thank you very much.');
    const careless = episode('u: i dont want it u know', 'u: thx');
    expect([at(careful, 'capital-start'), at(careful, 'end-mark'), at(careful, 'informal')]).toEqual([
      1, 1, 0,
    ]);
    expect([at(careless, 'capital-start'), at(careless, 'end-mark')]).toEqual([0, 0]);
    expect(at(careless, 'informal')).toBeGreaterThan(0.5);
    expect(at(careful, 'please')).toBe(0.5);
    expect(at(careful, 'thanks')).toBe(0.5);
    expect(at(careless, 'thanks')).toBe(0.5);
  });

  it('counts greetings once at the start and leave at the end, however long the dialogue', () => {
    expect(at(episode('u: Hello!', 'u: more', 'u: Bye'), 'greeting')).toBe(1);
    expect(at(episode('u: Hello!', 'u: hello', 'u: more'), 'greeting')).toBe(0.5);
  });

  it('sees short answers, hedges, feeling and the first person', () => {
    const turn = episode('u: maybe. I love it!', 'u: ok');
    expect(at(turn, 'short-answers')).toBe(0.5);
    expect(at(turn, 'hedging')).toBeCloseTo(1 / 3);
    expect(at(turn, 'emotion')).toBeCloseTo(1 / 3);
    expect(at(turn, 'first-person')).toBeCloseTo(1 / 5);
  });

  it('has no case to judge in a script without case', () => {
    expect(at(episode('u: 日本語です'), 'capital-start')).toBeNaN();
  });
});

describe('information', () => {
  it('tells who says all at once from who says bit by bit', () => {
    const once = episode(
      'u: cancel flight from Boston to Denver for Anna Miller on Friday',
      'u: yes',
      'u: ok',
    );
    const bits = episode('u: hi', 'u: cancel flight', 'u: from Boston to Denver');
    expect(at(once, 'front-load')).toBeGreaterThan(1);
    expect(at(bits, 'front-load')).toBeLessThan(0);
    expect(at(episode('u: hi'), 'front-load')).toBeNaN();
  });

  it('counts numbers and names', () => {
    expect(at(episode('u: my id is 77 and I am Anna'), 'specifics')).toBeCloseTo(Math.sqrt(2 / 8));
    expect(at(episode('u: nothing to add here'), 'specifics')).toBe(0);
  });

  it('knows what neither side has said before', () => {
    expect(at(episode('u: hi', 'a: your passport number?', 'u: passport'), 'new-content')).toBe(0);
    expect(at(episode('u: hi', 'a: anything else?', 'u: luggage'), 'new-content')).toBe(1);
  });
});

describe('stance', () => {
  const turns = (name: string, ...texts: string[]) => at(episode(...texts.map((text) => `u: ${text}`)), name);

  it('hears questions with and without the mark', () => {
    expect(turns('questions', 'really?', 'how does it work', 'tell me more', 'it works')).toBe(0.75);
  });

  it('tells asking for an explanation from small talk', () => {
    expect(turns('clarification', 'What do you mean?', 'where is it based?', 'please explain')).toBe(1);
    expect(turns('clarification', 'how are you?', 'do you donate?', 'I explain things all day')).toBeLessThan(
      0.5,
    );
  });

  it('hears refusals, and not "no problem"', () => {
    expect(turns('push-back', 'No.', "I don't want that", "that's not right", 'not interested')).toBe(1);
    expect(turns('push-back', 'No problem', "can't wait", "I can't imagine that", 'yes')).toBe(0);
  });

  it('hears agreement', () => {
    expect(turns('agreement', 'Yes', 'sounds good', "I'll do that", 'fair enough')).toBe(1);
    expect(turns('agreement', 'no', 'what is it?')).toBe(0);
  });

  it('hears self-corrections', () => {
    expect(turns('self-correction', 'sorry, I meant May', 'ok')).toBeCloseTo(Math.sqrt(0.5));
  });
});

describe('dynamics', () => {
  it('measures echo against the agent turn before, and none where there was none', () => {
    expect(at(episode('a: choose aisle or window', 'u: window'), 'echo')).toBe(1);
    expect(at(episode('a: choose aisle or window', 'u: luggage'), 'echo')).toBe(0);
    expect(at(episode('u: window'), 'echo')).toBeNaN();
  });

  it('measures repetition, drift and the trend of length', () => {
    const parrot = episode(
      'u: please refund my ticket',
      'u: please refund my ticket',
      'u: please refund my ticket',
    );
    expect(at(parrot, 'repetition')).toBe(1);
    expect(at(parrot, 'drift')).toBeCloseTo(0);
    expect(at(parrot, 'length-trend')).toBe(0);
    expect(
      at(episode('u: one two three four five six', 'u: seven two nine', 'u: ten'), 'length-trend'),
    ).toBeLessThan(0);
    expect(at(episode('u: refund', 'u: luggage'), 'drift')).toBe(1);
  });

  it('tells insisting from giving way after the agent could not', () => {
    const sorry = "a: I'm sorry, I cannot do that.";
    expect(at(episode(sorry, "u: That's not acceptable."), 'error-reaction')).toBe(1);
    expect(at(episode(sorry, 'u: Ok thanks'), 'error-reaction')).toBe(-1);
    expect(at(episode('a: Done.', 'u: Ok thanks'), 'error-reaction')).toBeNaN();
    const failed: Turn = { role: 'tool', requestor: 'user', text: 'Error: no such menu' };
    expect(at(episode(call('toggle'), failed, 'u: why is that?'), 'error-reaction')).toBe(1);
  });
});

describe('tools', () => {
  it('count the calls of the user side alone, turns without text too', () => {
    const agent: Turn = { role: 'agent', text: null, toolCalls: [{ name: 'book', arguments: {} }] };
    expect(at(episode(agent, 'u: hi'), 'tool-calls')).toBeNaN();
    expect(at(episode(call('a'), call('b'), 'u: done'), 'tool-calls')).toBeCloseTo(Math.log(3));
    expect(at(episode(call('a'), call('b'), call('b'), 'u: done'), 'tool-switches')).toBe(0.5);
  });

  it('leave out the call by which a harness ends the episode', () => {
    expect(at(episode('u: hi', call('check_for_stop')), 'tool-calls')).toBeNaN();
  });
});

describe('other languages', () => {
  const german =
    'u: Ich möchte gerne meinen Flug nach Berlin stornieren, weil ich leider krank geworden bin und nicht reisen kann. Können Sie mir bitte dabei helfen und sagen, wie viel das kostet?';

  it('lose the rules made of English words and keep the others', () => {
    const values = interactionFeatures(episode(german, 'u: vielen Dank'));
    FEATURES.forEach(({ name, english, family }, k) => {
      if (english) expect([name, values[k]]).toEqual([name, Number.NaN]);
      else if (family !== 'tools' && name !== 'length-trend')
        expect([name, Number.isNaN(values[k]!)]).toEqual([name, false]);
    });
  });

  it('are told by the script too, and short English is not taken for one', () => {
    expect(at(episode('u: нет, спасибо'), 'push-back')).toBeNaN();
    expect(at(episode('u: No thanks'), 'push-back')).toBe(1);
    expect(at(episode('u: nope'), 'push-back')).toBe(1);
  });
});
