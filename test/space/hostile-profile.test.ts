import { describe, expect, it } from 'vitest';
import { assignAll, decodeProfile, encodeProfile, fitSpace, ProfileBuilder } from '../../src/space/index.ts';
import { checkProfile } from '../../src/space/profile-check.ts';
import { EMBEDDER, episodes, FEATURES } from './synthetic.ts';

const sample = episodes({ simulators: ['a', 'b', 'c'], contexts: 10, perCell: 5, topic: 0.5 });
const space = fitSpace(
  { behaviours: sample, reference: [], embedder: EMBEDDER, features: FEATURES },
  { seed: 4 },
);
const builder = new ProfileBuilder(space.id, { seed: space.seed, reservoirSize: 20 });
builder.addPlaced(assignAll(space, sample));
const lines = encodeProfile(builder.build()).trimEnd().split('\n');
const header = JSON.parse(lines[0]!) as Record<string, unknown> & {
  rowFields: string[];
  reservoirFields: string[];
};

/** The profile with one field of its first row, or of its last reservoir row, changed by hand. */
function edited(kind: 'row' | 'reservoir', field: string, value: unknown): string[] {
  const at = kind === 'row' ? 1 : lines.length - 1;
  const fields = kind === 'row' ? header.rowFields : header.reservoirFields;
  const values = JSON.parse(lines[at]!) as unknown[];
  values[fields.indexOf(field)] = value;
  return lines.with(at, JSON.stringify(values));
}
const base64 = (...values: number[]) => Buffer.from(Float32Array.from(values).buffer).toString('base64');
const invalid = expect.objectContaining({ code: 'CA_FORMAT_INVALID' });

describe('a profile changed by hand', () => {
  it('passes as it was', () => {
    checkProfile(decodeProfile(lines), space);
  });

  it.each([
    ['row', 'cell', 255],
    ['row', 'interactionCell', 255],
    ['row', 'turnCells', '////'],
    ['row', 'policyCells', '////'],
    ['reservoir', 'z', base64(1, 2)],
    ['reservoir', 'interaction', base64(1)],
    ['reservoir', 'features', base64(1)],
  ] as const)('is held to its space: %s %s', (kind, field, value) => {
    expect(() => checkProfile(decodeProfile(edited(kind, field, value)), space)).toThrow(invalid);
  });

  it('is refused where a place of it is no number', () => {
    const { interaction } = decodeProfile(lines).reservoir.at(-1)!;
    const broken = base64(...interaction.with(0, Number.NaN));
    expect(() => checkProfile(decodeProfile(edited('reservoir', 'interaction', broken)), space)).toThrow(
      invalid,
    );
  });

  it('belongs to one space only', () => {
    const other = lines.with(0, JSON.stringify({ ...header, space: 'x' }));
    expect(() => checkProfile(decodeProfile(other), space)).toThrow(
      expect.objectContaining({ code: 'CA_SPACE_MISMATCH' }),
    );
  });

  it.each([
    ['row', 'turnCells', 'x'],
    ['row', 'turnCells', 'not base64!'],
    ['row', 'ids', []],
    ['row', 'ids', [-1]],
    ['reservoir', 'features', 'AAAA'],
  ] as const)('is not read with %s %s = %j', (kind, field, value) => {
    expect(() => decodeProfile(edited(kind, field, value))).toThrow(invalid);
  });

  it.each([
    ['seed', 1.5],
    ['reservoirSize', -1],
    ['rows', 0.5],
  ])('is not read with a header of %s %d', (key, value) => {
    expect(() => decodeProfile(lines.with(0, JSON.stringify({ ...header, [key]: value })))).toThrow(invalid);
  });
});

describe('a row that comes a hundred thousand times', () => {
  it('is one row with all its ids, and costs no more than its copies', () => {
    const row = decodeProfile(lines).row(0);
    const made = new ProfileBuilder(space.id, { seed: space.seed, reservoirSize: 5 });
    const count = 150_000;
    // From the largest down, so that nothing is in order before it is sorted.
    for (let id = count; id > 0; id--) made.add({ ...row, ids: [id] });
    for (let id = 1; id <= 1000; id++) made.add({ ...row, ids: [id] });
    const profile = made.build();
    expect(profile.size).toBe(1);
    const { ids } = profile.row(0);
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([count, 1, count]);
    expect(ids.every((id, at) => id === at + 1)).toBe(true);
  });
});
