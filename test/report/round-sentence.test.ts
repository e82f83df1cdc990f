import { describe, expect, it } from 'vitest';
import { roundSentence } from '../../src/report/index.ts';
import { sampleEvolve } from './evolve-fixture.ts';

describe('a round in a line', () => {
  const lines = sampleEvolve().run.rounds.map(roundSentence);

  it('says what became of the proposal, by the bounds that the rule looked at, and whether the policy was trained', () => {
    expect(lines).toHaveLength(8);
    for (const [at, line] of lines.entries()) {
      expect(line).toMatch(new RegExp(`^round ${at + 1}: SCD2 .*, breaker (green|yellow|red|half-open); `));
      expect(line).toMatch(/; (training is paused|nothing was trained|\d+ steps of training)$/);
      expect(line).not.toContain('\n');
    }
    const judged = lines.filter((line) => !line.includes('no population was proposed'));
    expect(judged).toHaveLength(7);
    for (const line of judged)
      expect(line).toMatch(/SCD2 up by \d\.\d{3} at most of '.*', BDI down by .*, realism down by/);
    expect(lines.filter((line) => line.endsWith('training is paused')).length).toBeGreaterThan(0);
  });

  it('says what is not known', () => {
    const hollow = sampleEvolve({ hollow: true }).run.rounds.map(roundSentence).join('\n');
    expect(hollow).toContain('SCD2 up: not known');
    expect(hollow).not.toMatch(/NaN|undefined|null/);
  });
});
