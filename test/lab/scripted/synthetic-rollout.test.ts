import { describe, expect, it } from 'vitest';
import { SYNTHETIC, syntheticRollout } from '../../../src/lab/scripted/index.ts';

const rows = Array.from({ length: 600 }, (_, i) => syntheticRollout(i, 1));

describe('rows of the bench file', () => {
  it('are a pure function of index and seed', () => {
    expect(syntheticRollout(17, 1)).toEqual(rows[17]);
    expect(syntheticRollout(17, 2).turns).not.toEqual(rows[17]!.turns);
  });
  it('are about 10 kB of JSON, made up as real service dialogues are', () => {
    const bytes = { user: 0, agent: 0, tool: 0, system: 0, calls: 0 };
    let line = 0;
    for (const row of rows) {
      line += JSON.stringify(row).length;
      for (const turn of row.turns) {
        bytes[turn.role] += (turn.text ?? '').length;
        bytes.calls += turn.toolCalls === undefined ? 0 : JSON.stringify(turn.toolCalls).length;
      }
    }
    expect(line / rows.length).toBeGreaterThan(9_000);
    expect(line / rows.length).toBeLessThan(11_500);
    const all = bytes.user + bytes.agent + bytes.tool + bytes.calls;
    // Measured on tau2 airline: user .11, agent .28, tool .41, calls .19.
    expect(bytes.user / all).toBeCloseTo(0.11, 1);
    expect(bytes.agent / all).toBeCloseTo(0.28, 1);
    expect(bytes.tool / all).toBeCloseTo(0.41, 1);
    expect(bytes.calls / all).toBeCloseTo(0.19, 1);
  });
  it('have twelve simulators, many contexts and texts that hardly repeat', () => {
    expect(new Set(rows.map((r) => r.simulator.id)).size).toBe(SYNTHETIC.simulators);
    expect(new Set(rows.map((r) => r.context)).size).toBeGreaterThan(400);
    const texts = rows.flatMap((r) => r.turns.filter((t) => t.role === 'user').map((t) => t.text));
    expect(new Set(texts).size / texts.length).toBeGreaterThan(0.95);
  });
});
