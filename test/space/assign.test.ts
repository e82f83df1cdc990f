import { describe, expect, it } from 'vitest';
import { assign, assignAll, fitSpace, turnCellsOf } from '../../src/space/index.ts';
import { DIMENSION, EMBEDDER, episodes, FEATURES, withFacts } from './synthetic.ts';

const sample = episodes({ simulators: ['a', 'b', 'c'], contexts: 15, perCell: 6, topic: 0.5 });
const space = fitSpace(
  { behaviours: sample, reference: [], embedder: EMBEDDER, features: FEATURES },
  { seed: 4 },
);

describe('assignAll', () => {
  it('places rows as one by one, in the order given', () => {
    const { rows } = assignAll(space, sample.slice(0, 20));
    expect(rows).toEqual(sample.slice(0, 20).map((row) => assign(space, row).row));
  });

  it('calls rows far from all modes outside, and about one in twenty of fresh ones', () => {
    const fresh = episodes({ simulators: ['d'], contexts: 15, perCell: 20, topic: 0.5, seed: 9 });
    const placed = assignAll(space, fresh).rows;
    const share = placed.filter((row) => row.interactionOutside).length / placed.length;
    expect(share).toBeGreaterThan(0.005);
    expect(share).toBeLessThan(0.15);
    const far = fresh.map((row) => ({ ...row, semantic: row.semantic.map((x) => 30 + x) }));
    const moved = assignAll(space, far).rows;
    expect(moved.every((row) => row.outside === true && row.semanticOutside)).toBe(true);
    expect(moved.map((row) => row.interactionOutside)).toEqual(placed.map((row) => row.interactionOutside));
  });

  it('gives rows of contexts new to the space the interaction block alone', () => {
    const { row, reservoir } = assign(space, withFacts(sample[0]!, { context: 'never seen' }));
    expect(row.cell).toBeNull();
    expect(row.outside).toBeNull();
    expect(reservoir.z).toBeNull();
    expect(row.interactionCell).toBe(assign(space, sample[0]!).row.interactionCell);
  });

  it('gives people known to the space their part, and others mass or ceiling by person', () => {
    const people = episodes({
      simulators: ['people'],
      contexts: 10,
      perCell: 6,
      kind: 'human',
      person: (_, c, copy) => `p${(7 * c + copy) % 12}`,
    });
    const beside = fitSpace(
      { behaviours: sample, reference: people, embedder: EMBEDDER, features: FEATURES },
      { seed: 4 },
    );
    for (const row of assignAll(beside, people, { reference: true }).rows)
      expect(row.part).toBe(beside.reference.get(row.hash));
    expect(assignAll(beside, people).rows.every((row) => row.part === null)).toBe(true);
    const parts = new Map<string, Set<string | null>>();
    for (const row of assignAll(space, people, { reference: true }).rows)
      parts.set(row.person!, (parts.get(row.person!) ?? new Set()).add(row.part));
    expect([...parts.values()].every((seen) => seen.size === 1)).toBe(true);
    expect([...new Set([...parts.values()].flatMap((seen) => [...seen]))].sort()).toEqual([
      'ceiling',
      'mass',
    ]);
  });

  it('takes the most frequent annotated act as the class', () => {
    const acts = [['agree'], ['ask', 'agree'], []];
    expect(assign(space, withFacts(sample[0]!, { acts })).row.actClass).toBe('agree');
    expect(assign(space, withFacts(sample[0]!, { acts: [] })).row.actClass).toBeNull();
  });

  it('has a cell for every turn, and none for an episode without turns', () => {
    const { row } = assign(space, sample[0]!);
    expect(row.turnCells.length).toBe(sample[0]!.turns.length / DIMENSION);
    expect(turnCellsOf(space, sample[0]!.turns)).toEqual(row.turnCells);
    const silent = { ...sample[0]!, turns: new Float32Array(0), policyTurns: new Float32Array(0) };
    expect(assign(space, silent).row.turnCells.length).toBe(0);
  });

  it('refuses vectors of another length', () => {
    const code = expect.objectContaining({ code: 'CA_SPACE_MISMATCH' });
    expect(() => assign(space, { ...sample[0]!, semantic: new Float32Array(5) })).toThrow(code);
    expect(() => assign(space, { ...sample[0]!, interaction: new Float64Array(2) })).toThrow(code);
  });

  it('knows no cells of agent turns where none were fitted', () => {
    const silent = sample.map((row) => ({ ...row, policyTurns: new Float32Array(0) }));
    const mute = fitSpace(
      { behaviours: silent, reference: [], embedder: EMBEDDER, features: FEATURES },
      { seed: 4 },
    );
    expect(assign(mute, sample[0]!).row.policyCells.length).toBe(0);
  });
});
