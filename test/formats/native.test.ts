import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRecord } from '../../src/formats/native.ts';
import { trajectorySchema } from '../../src/trajectory/schema.ts';
import { TRAJECTORY_SCHEMA } from '../../src/trajectory/trajectory.ts';
import { collect, line, record, temporary } from './fixture.ts';

describe('native', () => {
  it('fills what may be absent with null and derives id and context', async () => {
    const bare = {
      schema: TRAJECTORY_SCHEMA,
      simulator: { id: 's' },
      turns: record.turns,
      scenario: ' Be  BRIEF ',
    };
    const { trajectories } = await collect(temporary('bare.jsonl', JSON.stringify(bare)));
    expect(trajectories[0]).toMatchObject({
      contextFrom: 'scenario',
      group: null,
      reward: null,
      policy: { id: 'unknown', checkpoint: null },
      simulator: { id: 's', kind: 'llm', person: null, fingerprint: null },
      source: { line: 1 },
    });
    expect(trajectories[0]?.id).toMatch(/^[0-9a-f]{32}$/);
    expect(trajectories[0]?.context).toMatch(/^-\/-\/[0-9a-f]{16}$/);
  });

  it('gives the same record back when its own output is read', async () => {
    const first = await collect(temporary('first.jsonl', line('a', { reward: 1, group: 'g', epoch: 2 })));
    const text = JSON.stringify(first.trajectories[0]);
    const second = await collect(temporary('second.jsonl', text));
    const { source: _, ...before } = first.trajectories[0] as object & { source: unknown };
    expect(second.trajectories[0]).toMatchObject(before);
  });

  it('says where a record is wrong, what was found and what was expected', async () => {
    const text = [
      line('a', { turns: [...record.turns, { role: 'bot', text: 'x' }] }),
      line('b', { reward: 'high' }),
      line('c', { simulator: { kind: 'llm' } }),
    ].join('\n');
    const { file } = await collect(temporary('wrong.jsonl', text));
    expect(file.droppedRows.map((row) => row.reason)).toEqual([
      'turns[2].role: found "bot", expected one of user, agent, tool, system',
      'reward: found "high", expected number',
      'simulator.id: found nothing, expected string',
    ]);
  });

  it('ignores fields it does not know', async () => {
    const { trajectories } = await collect(temporary('extra.jsonl', line('a', { colour: 'red' })));
    expect(trajectories).toHaveLength(1);
    expect(trajectories[0]).not.toHaveProperty('colour');
  });

  it('drops a record whose tool arguments nest deeper than later steps can follow', async () => {
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    const text = line('a', {
      turns: [{ role: 'user', text: null, toolCalls: [{ name: 'f', arguments: 'X' }] }],
    });
    const { codes, file } = await collect(temporary('deep.jsonl', text.replace('"X"', deep)));
    expect(codes).toEqual(['CA_ROW_INVALID']);
    expect(file.droppedRows[0]?.reason).toContain('nested more than 256 levels');
  });

  it('checks by hand exactly what the schema says', () => {
    const odd = fc.constantFrom<unknown>(null, 1, 1.5, '', 'user', 'llm', 'seen', true, [], {}, [1], [{}]);
    const turn = fc.record(
      {
        role: fc.constantFrom<unknown>('user', 'agent', 'bot'),
        text: fc.constantFrom<unknown>('x', null, 1),
        toolCalls: fc.constantFrom<unknown>([], [{ name: 'f' }], [{ id: 1, name: 'f' }], [{}], null),
        requestor: fc.constantFrom<unknown>('user', 'assistant'),
        acts: fc.constantFrom<unknown>(['a'], [1]),
        probability: fc.constantFrom<unknown>(0.5, '1'),
        candidates: fc.constantFrom<unknown>([{ text: 'a', probability: null }], [{ text: 'a' }]),
        resamples: fc.constantFrom<unknown>([{ law: 'member', member: null, text: 'a' }], [{ law: 'x' }]),
      },
      { requiredKeys: ['role', 'text'] },
    );
    const fields = fc.dictionary(
      fc.constantFrom(
        'id',
        'context',
        'epoch',
        'reward',
        'split',
        'policy',
        'source',
        'contextFrom',
        'turns',
        'simulator',
      ),
      odd,
      { maxKeys: 2 },
    );
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 2 }), fields, (turns, more) => {
        const value = { ...record, turns, ...more };
        expect(isRecord(value)).toBe(trajectorySchema.safeParse(value).success);
      }),
      { numRuns: 500 },
    );
  });
});
