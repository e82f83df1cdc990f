import { describe, expect, it } from 'vitest';
import { defaultGate, planGate } from '../../../src/curation/gate/index.ts';
import { episode } from './episode.ts';
import { CLEAN, FAULTS } from './sentences.ts';

const gate = () => planGate(defaultGate('strict'));

describe('what a user says in the middle of a dialogue', () => {
  const faults = Object.entries(FAULTS).flatMap(([check, texts]) =>
    texts.map((text) => [check, text] as const),
  );
  it.each(faults)('is %s: %s', (check, text) => {
    const { findings } = gate().inspect(
      episode([
        ['agent', 'Hello.'],
        ['user', 'My order is late.'],
        ['agent', 'Oh.'],
        ['user', text],
        ['agent', 'I see.'],
        ['user', 'Thanks.'],
      ]),
    );
    expect(findings.map((found) => found.check)).toContain(check);
    const found = findings.find((one) => one.check === check)!;
    expect(found.turn).toBe(3);
    expect(found.evidence.length).toBeGreaterThan(0);
  });

  it.each(CLEAN)('is nothing wrong: %s', (text) => {
    const verdict = gate().inspect(
      episode([
        ['agent', 'Hello.'],
        ['user', 'My order is late.'],
        ['agent', 'Oh.'],
        ['user', text],
        ['agent', 'I see.'],
        ['user', 'Thanks.'],
      ]),
    );
    expect(verdict).toEqual({ kept: true, findings: [], flags: [], unchecked: [] });
  });
});
