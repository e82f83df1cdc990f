import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readFiles } from '../../src/formats/index.ts';
import { mappingReader } from '../../src/formats/mapping.ts';
import { parseMapping } from '../../src/formats/mapping-schema.ts';
import { matchName } from '../../src/formats/name-pattern.ts';
import { collect, temporary } from './fixture.ts';

const reader = (yaml: string) => mappingReader(parseMapping(yaml, 'map.yaml'));
const message = [{ role: 'user', content: 'hi' }];

describe('a hostile pattern on file names', () => {
  const endless = /^(a+)+$/;
  const name = `${'a'.repeat(60)}!`;

  it('is stopped with a code instead of backtracking without end', () => {
    expect(() => matchName(endless, name)).toThrow(expect.objectContaining({ code: 'CA_USAGE' }));
  });

  it('finds no name where the match is empty', () => {
    expect(matchName(/x*/, 'abc')).toBeNull();
    expect(matchName(/a(b)?/, 'ac')).toBe('a');
    expect(matchName(/b(.)/g, 'abcabd')).toBe('c');
  });

  it('costs its file only', async () => {
    const path = temporary(name, `${JSON.stringify({ messages: message })}\n`);
    const reading = readFiles([path], { simulatorFrom: endless });
    for await (const row of reading) expect(row.kind).toBe('never');
    expect(reading.files[0]!.error).toMatchObject({ code: 'CA_USAGE' });
  });
});

describe('a hostile mapping', () => {
  it.each([
    ['a template', "fields: { id: { template: '{[[}' } }\nturns: { path: m }", 'fields.id'],
    ['a condition', "where: { '[[': 1 }\nturns: { path: m }", 'where'],
  ])('with a broken path in %s is refused with its place', (_, yaml, place) => {
    expect(() => parseMapping(yaml, 'map.yaml')).toThrow(
      expect.objectContaining({ code: 'CA_CONFIG_INVALID', message: expect.stringContaining(place) }),
    );
  });

  it('takes rows from a list longer than a call has arguments', async () => {
    const items = Array.from({ length: 150_000 }, (_, id) => ({ id, m: message }));
    const path = temporary('long.json', JSON.stringify({ data: { items } }));
    const map = 'rows: data.items[*]\nfields: { id: id, simulator: { const: s } }\nturns: { path: m }';
    const { trajectories, codes } = await collect(path, { reader: reader(map) });
    expect(codes).toEqual([]);
    expect(trajectories).toHaveLength(150_000);
  });

  it('makes no number of blanks or hexadecimal text', async () => {
    const rewards = [' ', '', null, ' 1 ', '-.5e1', '0x10', 'Infinity', 'NaN'];
    const path = temporary(
      'rewards.jsonl',
      rewards.map((r, id) => `${JSON.stringify({ id, r, m: message })}\n`).join(''),
    );
    const map = 'fields: { id: id, reward: r, simulator: { const: s } }\nturns: { path: m }';
    const { trajectories, codes } = await collect(path, { reader: reader(map) });
    expect(trajectories.map(({ reward }) => reward)).toEqual([null, null, null, 1, -5]);
    expect(codes).toEqual(['CA_ROW_INVALID', 'CA_ROW_INVALID', 'CA_ROW_INVALID']);
  });
});

describe('a folder of hostile names', () => {
  it('is read with its longest names, compressed too', async () => {
    const path = temporary('x.jsonl', '');
    const folder = join(path, '..', 'names');
    mkdirSync(folder);
    writeFileSync(
      join(folder, `${'n'.repeat(240)}.json.gz`),
      gzipSync(`${JSON.stringify({ messages: message })}\n`),
    );
    const reading = readFiles([folder]);
    let rows = 0;
    for await (const row of reading) rows += row.kind === 'trajectory' ? 1 : 0;
    expect(rows).toBe(1);
  });
});
