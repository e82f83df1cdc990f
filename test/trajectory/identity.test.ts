import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  contentHash,
  contextIdentity,
  fingerprint,
  hashText,
  normaliseScenario,
  simulatorFacts,
} from '../../src/trajectory/identity.ts';
import type { Turn } from '../../src/trajectory/trajectory.ts';

const facts = { benchmark: 'b', domain: 'd', scenario: 'You are Mia.', contextLabel: '7' };

describe('contextIdentity', () => {
  it('goes by the scenario text, not by the task id', () => {
    const one = contextIdentity(facts, 'own');
    expect(one.contextFrom).toBe('scenario');
    expect(contextIdentity({ ...facts, contextLabel: '8' }, 'other')).toEqual(one);
    expect(contextIdentity({ ...facts, scenario: 'You are Max.' }, 'own').context).not.toBe(one.context);
  });

  it('keeps benchmarks and domains apart', () => {
    const one = contextIdentity(facts, 'own').context;
    expect(contextIdentity({ ...facts, benchmark: 'c' }, 'own').context).not.toBe(one);
    expect(contextIdentity({ ...facts, domain: null }, 'own').context).not.toBe(one);
  });

  it('does not see case, spacing or Unicode form', () => {
    const same = contextIdentity({ ...facts, scenario: ' you  ARE\nmia. ' }, 'own').context;
    expect(same).toBe(contextIdentity(facts, 'own').context);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(normaliseScenario(normaliseScenario(text))).toBe(normaliseScenario(text));
        expect(normaliseScenario(` ${text.normalize('NFD')}\t`)).toBe(normaliseScenario(text));
      }),
    );
  });

  it('falls back to the label, then to the episode itself, and says so', () => {
    expect(contextIdentity({ ...facts, scenario: ' ' }, 'own')).toEqual({
      context: 'b/d/label:7',
      contextFrom: 'label',
    });
    expect(contextIdentity({ ...facts, scenario: null, contextLabel: null }, 'abc')).toEqual({
      context: 'b/d/own:abc',
      contextFrom: 'none',
    });
  });
});

describe('contentHash', () => {
  const turns: Turn[] = [
    { role: 'agent', text: 'Hi' },
    { role: 'user', text: null, toolCalls: [{ id: '1', name: 'f', arguments: { x: 1 } }] },
  ];

  it('changes with what was said and done, and with nothing else', () => {
    const hash = contentHash(turns, 's');
    expect(
      contentHash(
        turns.map((turn) => ({ ...turn, probability: 0.5 })),
        'S',
      ),
    ).toBe(hash);
    const renamed = turns.map((turn) =>
      turn.toolCalls === undefined
        ? turn
        : { ...turn, toolCalls: [{ ...turn.toolCalls[0], id: '9', name: 'f', arguments: { x: 1 } }] },
    );
    expect(contentHash(renamed, 's')).toBe(hash);
    expect(contentHash(turns.slice(0, 1), 's')).not.toBe(hash);
    expect(contentHash([...turns].reverse(), 's')).not.toBe(hash);
    expect(contentHash(turns, 't')).not.toBe(hash);
  });

  it('keeps turns apart that join to the same text', () => {
    const split: Turn[] = [
      { role: 'user', text: 'a' },
      { role: 'user', text: 'b' },
    ];
    expect(contentHash(split, null)).not.toBe(contentHash([{ role: 'user', text: 'ab' }], null));
  });
});

describe('simulators', () => {
  it('have a fingerprint where something is known of their making', () => {
    expect(fingerprint({ model: null, recipe: null })).toBeNull();
    expect(simulatorFacts({ id: 's' })).toEqual({
      id: 's',
      kind: 'llm',
      person: null,
      model: null,
      recipe: null,
      fingerprint: null,
    });
    const hot = simulatorFacts({ id: 's', model: 'm', sampling: { temperature: 1 } });
    expect(hot.fingerprint).toMatch(/^[0-9a-f]{16}$/);
    expect(simulatorFacts({ id: 's', model: 'm', sampling: { temperature: 0 } }).fingerprint).not.toBe(
      hot.fingerprint,
    );
    expect(simulatorFacts({ id: 'other name', model: 'm', sampling: { temperature: 1 } }).fingerprint).toBe(
      hot.fingerprint,
    );
  });

  it('are hashed to 128 bits', () => {
    expect(hashText('')).toBe('e3b0c44298fc1c149afbf4c8996fb924');
  });
});
