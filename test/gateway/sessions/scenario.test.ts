import { describe, expect, it } from 'vitest';
import { scenarioOf, systemPromptOf } from '../../../src/gateway/sessions/scenario.ts';

describe('the scenario in a system prompt', () => {
  it('is what stock tau2-bench puts between its tags, after guidelines that may speak of them', () => {
    const prompt = '# Guidelines\nFollow the <scenario>.\n\n<scenario>\nYou are Emma.\n</scenario>';
    expect(scenarioOf(prompt, null)).toBe('You are Emma.');
  });

  it('is the whole prompt where nothing marks it', () => {
    for (const prompt of [
      ' You are Emma.\n',
      'You </scenario> are',
      'You <scenario> are',
      '<scenario> </scenario>',
    ])
      expect(scenarioOf(prompt, null)).toBe(prompt.trim());
    expect(scenarioOf('  ', null)).toBeNull();
  });

  it('is the first group of a pattern, where that finds something', () => {
    expect(scenarioOf('Goal: refund. End', 'Goal: (.*?)\\.')).toBe('refund');
    expect(scenarioOf('<scenario>x</scenario>', 'Goal: (.*?)\\.')).toBe('x');
    expect(scenarioOf('Goal: refund.', 'Goal')).toBe('Goal: refund.');
  });

  it('is looked for in all leading system messages', () => {
    expect(
      systemPromptOf([
        { role: 'system', content: 'a' },
        { role: 'developer', content: [{ type: 'text', text: 'b' }] },
        { role: 'user', content: 'c' },
        { role: 'system', content: 'd' },
      ]),
    ).toBe('a\n\nb');
    expect(systemPromptOf([{ role: 'user', content: 'c' }])).toBeNull();
  });
});
