import { describe, expect, it } from 'vitest';
import { defaultGate, planGate } from '../../../src/curation/gate/index.ts';
import { episode } from './episode.ts';

const MEGABYTE = 1 << 20;
const filled = (unit: string) => unit.repeat(Math.ceil(MEGABYTE / unit.length));

/** Each is read by every rule; a rule that backtracks would not come back. */
describe('turns of a megabyte', () => {
  it.each([
    'a',
    ' ',
    '"',
    "'",
    '{"a":',
    '[',
    '1. (',
    '1. 0.5 p ',
    '<response>',
    '\n',
    '\n ',
    'user',
    'User:',
    '#',
    '###',
    'ab',
    'my name is ',
    'you are a ',
    'reservation is ',
    '1',
    '1-',
    'a.',
    'a@',
    'a_',
    'a_b_',
    'a.a(',
    'a=',
    '. you do not want ',
    'let me now ',
    '\ud83d',
    '\ud83d\ude00',
    'é',
    '你',
    '“',
    '\u0000',
    '(0.1) ',
    '- p=0.1\n',
    "it's ",
    "'a ",
    '[1] a\n',
    '<a>',
    '<a b="0.1">',
    '{{a',
    'your account ',
    '0.1, ',
    '5%\n',
    '> ',
    '##',
    '### STOP',
    'response 1: a\n',
    'response: a\nstop: b\n',
    'one two three four ',
    'Zд',
    'a1#b2$c3%',
    'a.B',
    '[error ',
    'the next user message ',
  ])('of %j end', (unit) => {
    const text = filled(unit);
    const verdict = planGate(defaultGate('strict')).inspect(
      episode(
        [
          ['user', text],
          ['agent', text],
          ['user', `${text} ###STOP###`],
        ],
        { scenario: text, termination: text, outcome: text },
      ),
    );
    expect(verdict.unchecked).toEqual([]);
    for (const found of [...verdict.findings, ...verdict.flags])
      expect(found.evidence.length).toBeLessThanOrEqual(300);
  });

  it('and ten thousand turns end', () => {
    const said = Array.from(
      { length: 10_000 },
      (_, at) => [at % 2 === 0 ? 'user' : 'agent', `I say the same words in turn ${at} again`] as const,
    );
    expect(planGate(defaultGate('strict')).inspect(episode(said)).unchecked).toEqual([]);
  });
});
