import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seeded } from '../../src/math/index.ts';
import {
  assign,
  assignAll,
  decodeProfile,
  encodeProfile,
  fitSpace,
  mergeProfiles,
  type Profile,
  ProfileBuilder,
  type ProfileRow,
} from '../../src/space/index.ts';
import { EMBEDDER, episodes, FEATURES, withFacts } from './synthetic.ts';

const sample = episodes({ simulators: ['a', 'b', 'c'], contexts: 10, perCell: 5, topic: 0.5 });
const people = episodes({ simulators: ['people'], contexts: 10, perCell: 8, topic: 0.5, kind: 'human' });
const space = fitSpace(
  { behaviours: sample, reference: people, embedder: EMBEDDER, features: FEATURES },
  { seed: 4 },
);

function profileOf(rows: typeof sample, reference: typeof sample = [], reservoirSize = 20): Profile {
  const builder = new ProfileBuilder(space.id, { seed: space.seed, reservoirSize });
  builder.addPlaced(assignAll(space, rows));
  if (reference.length > 0) builder.addPlaced(assignAll(space, reference, { reference: true }));
  return builder.build();
}

const whole = encodeProfile(profileOf(sample, people));

describe('profile', () => {
  it('merged from ten parts is the whole, byte for byte, with duplicates across parts and in any order', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), (seed) => {
        const random = seeded(seed);
        const parts: (typeof sample)[] = Array.from({ length: 10 }, () => []);
        for (const row of sample) {
          parts[random.integer(10)]!.push(row);
          if (random.next() < 0.3) parts[random.integer(10)]!.push(row);
        }
        const profiles = parts.map((part) => profileOf(random.shuffle(part)));
        profiles.push(profileOf([], people));
        expect(encodeProfile(mergeProfiles(random.shuffle(profiles)))).toBe(whole);
      }),
      { numRuns: 8 },
    );
  });

  it('is the same after encoding and decoding', () => {
    expect(encodeProfile(decodeProfile(whole.split('\n')))).toBe(whole);
  });

  it('keeps one row of repeated content and all its ids', () => {
    const twin = withFacts(sample[0]!, { id: 'copied', group: 'another' });
    const profile = profileOf([sample[0]!, twin, sample[0]!]);
    expect(profile.size).toBe(1);
    expect(profile.row(0).ids).toHaveLength(2);
    expect(profile.reservoir).toHaveLength(1);
    const other = profileOf([twin, sample[0]!]);
    expect(encodeProfile(other)).toBe(encodeProfile(profile));
  });

  it('keeps rows apart that differ in simulator, policy, checkpoint, epoch, context or reward', () => {
    const variants = [
      sample[0]!,
      withFacts(sample[0]!, { simulator: 'z' }),
      withFacts(sample[0]!, { policy: 'z' }),
      withFacts(sample[0]!, { checkpoint: '7' }),
      withFacts(sample[0]!, { epoch: 0 }),
      withFacts(sample[0]!, { epoch: 1 }),
      withFacts(sample[0]!, { context: 'z' }),
      withFacts(sample[0]!, { reward: null }),
      withFacts(sample[0]!, { reward: 0.5 }),
    ];
    expect(profileOf(variants).size).toBe(variants.length);
  });

  it('gives back every field of a row', () => {
    const row: ProfileRow = {
      ...assign(space, sample[3]!).row,
      hash: 'no hexadecimal',
      ids: [3, 9],
      contextLabel: null,
      person: 'p "1"',
      kind: 'trained',
      checkpoint: 'step-10',
      epoch: -2.5,
      group: 'g',
      split: 'selection',
      reward: null,
      part: 'ceiling',
      cell: null,
      outside: null,
      interactionOutside: true,
      semanticOutside: true,
      turnCells: Uint8Array.of(0, 255, 3),
      policyCells: new Uint8Array(0),
      actClass: 'agree',
    };
    const builder = new ProfileBuilder('s', { seed: 1 });
    builder.add(row);
    const profile = builder.build();
    expect(profile.row(0)).toEqual(row);
    expect(decodeProfile(encodeProfile(profile).split('\n')).row(0)).toEqual(row);
    expect(() => builder.add(row)).toThrow(expect.objectContaining({ code: 'CA_INTERNAL' }));
  });

  it('keeps a bottom-k of every simulator and part', () => {
    const { reservoir } = profileOf(sample, people, 7);
    const counts = new Map<string, number>();
    for (const { simulator, part } of reservoir)
      counts.set(`${simulator}/${part}`, (counts.get(`${simulator}/${part}`) ?? 0) + 1);
    expect([...counts].sort()).toEqual([
      ['a/null', 7],
      ['b/null', 7],
      ['c/null', 7],
      ['people/ceiling', 7],
      ['people/fit', 7],
      ['people/mass', 7],
    ]);
    expect(reservoir.map((row) => row.hash)).toEqual(reservoir.map((row) => row.hash).sort());
  });

  it('refuses to merge profiles of two spaces', () => {
    const other = fitSpace(
      { behaviours: sample, reference: [], embedder: EMBEDDER, features: FEATURES },
      { seed: 4 },
    );
    const foreign = new ProfileBuilder(other.id, { seed: 4 }).build();
    expect(() => mergeProfiles([profileOf(sample), foreign])).toThrow(
      expect.objectContaining({ code: 'CA_SPACE_MISMATCH' }),
    );
    expect(() => mergeProfiles([])).toThrow(expect.objectContaining({ code: 'CA_INPUT_EMPTY' }));
  });

  it('says which line of a broken file is wrong', () => {
    const lines = whole.split('\n');
    const broken = (change: (lines: string[]) => void) => {
      const copy = [...lines];
      change(copy);
      return () => decodeProfile(copy, 'p.jsonl');
    };
    const at = (line: number, code: string) =>
      expect.objectContaining({ code, place: { file: 'p.jsonl', line } });
    expect(broken((copy) => (copy[4] = '{'))).toThrow(at(5, 'CA_JSON_INVALID'));
    expect(broken((copy) => (copy[4] = '[1]'))).toThrow(at(5, 'CA_FORMAT_INVALID'));
    expect(broken((copy) => (copy[0] = '{}'))).toThrow(at(1, 'CA_FORMAT_INVALID'));
    expect(broken((copy) => copy.splice(7, 1))).toThrow(
      expect.objectContaining({ code: 'CA_FORMAT_INVALID' }),
    );
    expect(broken((copy) => (copy[3] = copy[3]!.replace(/"(llm|human)"/, '"robot"')))).toThrow(
      at(4, 'CA_FORMAT_INVALID'),
    );
    expect(() => decodeProfile([])).toThrow(expect.objectContaining({ code: 'CA_FORMAT_INVALID' }));
  });

  it('survives random damage with a coded error or a profile', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.string({ maxLength: 3 }), (where, length, put) => {
        const start = where % whole.length;
        const text = whole.slice(0, start) + put + whole.slice(start + (length % 40));
        try {
          decodeProfile(text.split('\n'));
        } catch (error) {
          expect((error as { code?: string }).code).toMatch(/^CA_(FORMAT|JSON)_INVALID$/);
        }
      }),
      { numRuns: 60 },
    );
  });
});
