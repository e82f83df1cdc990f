import { describe, expect, it } from 'vitest';
import { actBehaviour, behaviourWidth } from '../../../src/lab/methods/act-behaviour.ts';
import { modesOfPeople, modesOfRows, placeBehaviours } from '../../../src/lab/methods/act-modes.ts';
import { peopleOnRecord } from '../../../src/lab/methods/people-on-record.ts';
import { loadModes, saveModes } from '../../../src/lab/methods/saved-modes.ts';
import { peopleOf } from '../../../src/lab/simulators/index.ts';
import type { Encounter } from '../../../src/lab/world/index.ts';
import { seeded } from '../../../src/math/index.ts';
import { world } from './steps.ts';

const setting = (scenario: string) => ({ world: 'w', label: 'l', scenario, slots: {} });
const said = (acts: readonly number[], termination = 'user') =>
  ({
    termination,
    steps: acts.flatMap((act) => [
      { side: 'agent', act: 0 },
      { side: 'user', act },
    ]),
  }) as unknown as Encounter;
const onRecord = (dialogues: number, people = 100) =>
  peopleOnRecord(world, peopleOf(world, 'reference', people, 1), dialogues, seeded('people'));

describe('behaviour at the level of acts', () => {
  it('is shares of acts and the shape of the dialogue', () => {
    const { vector } = actBehaviour(setting('a'), said([2, 2, 0, 2]), 3, 10);
    expect(vector).toHaveLength(behaviourWidth(3));
    expect([...vector].map((x) => Number(x.toFixed(6)))).toEqual([0.25, 0, 0.75, 0.4, 0.5, 0.333333, 1]);
    expect([...actBehaviour(setting('a'), said([], 'turn limit'), 3, 10).vector]).toEqual(
      new Array(7).fill(0),
    );
  });

  it('is one content where setting and acts are equal, and else another', () => {
    const hash = (scenario: string, acts: number[]) =>
      actBehaviour(setting(scenario), said(acts), 3, 10).hash;
    expect(hash('a', [0, 1])).toMatch(/^[0-9a-f]{32}$/);
    expect(hash('a', [0, 1])).toBe(hash('a', [0, 1]));
    expect(
      new Set([hash('a', [0, 1]), hash('b', [0, 1]), hash('a', [1, 0]), hash('a', [0, 1, 1])]).size,
    ).toBe(4);
  });
});

describe('modes of acts', () => {
  it('are at most one for 15 dialogues of the fitting half, shared out by people who were held out of it', () => {
    const people = onRecord(300);
    const modes = modesOfPeople(people, 1);
    expect(modes.k).toBeGreaterThan(4);
    expect(15 * modes.k).toBeLessThanOrEqual(165);
    expect(modes.reference!.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
    const far = placeBehaviours(modes, people).outside.reduce((sum, one) => sum + one, 0) / people.length;
    expect(far).toBeLessThan(0.1);
  });

  it('do not depend on the order of the record', () => {
    const people = onRecord(120);
    expect(modesOfPeople([...people].reverse(), 2)).toEqual(modesOfPeople(people, 2));
  });

  it('are one mode where there are too few rows for two, and need no people', () => {
    const modes = modesOfRows(onRecord(9), 1);
    expect(modes).toMatchObject({ k: 1, reference: null, codebook: { radius: null } });
    expect(placeBehaviours(modes, onRecord(9)).outside.every((one) => one === 0)).toBe(true);
  });

  it('come back from JSON with the same bits', () => {
    const rows = onRecord(90);
    const modes = modesOfRows(rows, 1);
    const back = loadModes(JSON.parse(JSON.stringify(saveModes(modes))));
    expect(placeBehaviours(back, rows)).toEqual(placeBehaviours(modes, rows));
  });
});

describe('people on record', () => {
  it('are taken in turn, and the same by the same stream', () => {
    const record = onRecord(10, 4);
    expect(record.map(({ person }) => person).slice(0, 5)).toEqual([
      'reference-0',
      'reference-1',
      'reference-2',
      'reference-3',
      'reference-0',
    ]);
    expect(onRecord(10, 4)).toEqual(record);
    expect(onRecord(5, 4)).toEqual(record.slice(0, 5));
  });
});
