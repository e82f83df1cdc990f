import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { explainTrajectory, trajectoryJsonSchema } from '../../src/trajectory/schema.ts';
import { TRAJECTORY_SCHEMA } from '../../src/trajectory/trajectory.ts';

const record = { schema: TRAJECTORY_SCHEMA, simulator: { id: 's' }, turns: [{ role: 'user', text: 'Hi' }] };

describe('trajectoryJsonSchema', () => {
  const valid = new Ajv2020({ strict: false }).compile(trajectoryJsonSchema());

  it('is a JSON Schema that other languages can use', () => {
    expect(valid(record)).toBe(true);
    expect(valid({ ...record, unknown: 1, reward: null })).toBe(true);
    expect(valid({ ...record, turns: [{ role: 'bot', text: 'x' }] })).toBe(false);
    expect(valid({ ...record, simulator: {} })).toBe(false);
    expect(valid({ ...record, schema: 'collapse-aware/trajectory@2' })).toBe(false);
  });
});

describe('explainTrajectory', () => {
  it('says path, what was found and what was expected', () => {
    expect(explainTrajectory(record)).toBeNull();
    expect(explainTrajectory({ ...record, turns: [{ role: 'user' }] })).toBe(
      'turns[0].text: found nothing, expected string',
    );
    expect(explainTrajectory({ ...record, split: 'train' })).toBe(
      'split: found "train", expected one of seen, selection, test',
    );
    expect(explainTrajectory(7)).toBe('the record: found 7, expected object');
  });

  it('stays short however much is wrong', () => {
    const told =
      explainTrajectory({ ...record, turns: Array.from({ length: 50 }, () => 'x'.repeat(500)) }) ?? '';
    expect(told).toContain('and 47 more');
    expect(told.length).toBeLessThan(400);
  });
});
