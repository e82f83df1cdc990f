import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonValuesOptions, jsonValues } from '../../src/formats/json-stream.ts';
import { parseJson } from '../../src/formats/json-text.ts';
import { openSource } from '../../src/formats/source.ts';
import { temporary } from './fixture.ts';

async function read(text: string, options: JsonValuesOptions = {}) {
  const values: unknown[] = [];
  const dropped: [number | null, string][] = [];
  const source = await openSource(temporary('values.jsonl', text));
  for await (const item of jsonValues(source, options))
    if (item.kind === 'value') values.push(item.value);
    else dropped.push([item.dropped.line, item.dropped.code]);
  return { values, dropped, warnings: source.warnings };
}

const rows = [{ a: 1 }, { a: [{ b: '}{' }, '\n"'] }, { a: null }];

describe('jsonValues', () => {
  it('reads the same rows however they are laid out', async () => {
    const layouts = [
      rows.map((row) => JSON.stringify(row)).join('\n'),
      rows.map((row) => JSON.stringify(row)).join(''),
      rows.map((row) => JSON.stringify(row, null, 2)).join('\n'),
      JSON.stringify(rows),
      JSON.stringify(rows, null, 2),
      `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`,
      rows.map((row) => JSON.stringify([row])).join('\n'),
      `\n\n  ${rows.map((row) => JSON.stringify(row)).join('\n\n  ')}\n\n`,
    ];
    for (const layout of layouts)
      expect(await read(layout)).toEqual({ values: rows, dropped: [], warnings: [] });
  });

  it('leaves arrays closed where asked', async () => {
    expect((await read('[1,2]\n[3]\n', { flatten: false })).values).toEqual([[1, 2], [3]]);
  });

  it('drops log text between lines, one row a line', async () => {
    expect(await read('INFO start\n{"a":1}\n# note\n{"a":2}\nTraceback')).toMatchObject({
      values: [{ a: 1 }, { a: 2 }],
      dropped: [
        [1, 'CA_JSON_INVALID'],
        [3, 'CA_JSON_INVALID'],
        [5, 'CA_JSON_INVALID'],
      ],
    });
  });

  it('keeps the rest of a file when one line is cut, wherever it is cut', async () => {
    const line = '{"a": "x", "b": [1, {"c": "d"}], "e": true}';
    for (let cut = 1; cut < line.length; cut++) {
      const { values, dropped } = await read(`{"n":1}\n${line.slice(0, cut)}\n{"n":2}\n{"n":3}\n`);
      expect(values.at(-1), line.slice(0, cut)).toEqual({ n: 3 });
      expect(values[0]).toEqual({ n: 1 });
      expect(dropped, line.slice(0, cut)).toHaveLength(1);
      expect(dropped[0]?.[0]).toBe(2);
    }
  });

  it('drops a truncated last line with its number', async () => {
    expect(await read('{"a":1}\n{"a":2}\n{"a": "cut of')).toMatchObject({
      values: [{ a: 1 }, { a: 2 }],
      dropped: [[3, 'CA_JSON_INVALID']],
    });
  });

  it('keeps the whole elements of an array that breaks off', async () => {
    const { values, dropped } = await read('[{"a":1},{"a":2},{"a": "cut');
    expect(values).toEqual([{ a: 1 }, { a: 2 }]);
    expect(dropped).toHaveLength(1);
    const lined = await read('[\n{"a":1},\n{"a":2},\n');
    expect(lined.values).toEqual([{ a: 1 }, { a: 2 }]);
    expect(lined.warnings).toEqual(['the array is not closed: the file may be cut short']);
  });

  it('costs one row where one element of an array is broken', async () => {
    const { values, dropped } = await read('[{"a":1}, {\'a\':2}, {"a":3}]');
    expect(values).toEqual([{ a: 1 }, { a: 3 }]);
    expect(dropped).toHaveLength(1);
  });

  it('counts a broken pretty-printed value once and goes on with the next', async () => {
    const { values, dropped } = await read('{\n  "a": 1,\n  oops\n  "b": 2\n}\n{"c": 3}\n');
    expect(values).toEqual([{ c: 3 }]);
    expect(dropped).toEqual([[1, 'CA_JSON_INVALID']]);
  });

  it('goes on with the next element of an indented array', async () => {
    const text = JSON.stringify([{ a: 1 }, { b: 'broken' }, { c: { d: 1 } }, { e: 1 }], null, 2);
    for (const broken of [text.replace('broken"', 'broken'), text.replace('"broken"', '"x\ny"')]) {
      const { values, dropped } = await read(broken);
      expect(values).toEqual([{ a: 1 }, { c: { d: 1 } }, { e: 1 }]);
      expect(dropped).toEqual([[5, 'CA_JSON_INVALID']]);
    }
  });

  it('takes time in proportion to the text where nothing ever closes', async () => {
    const { values, dropped } = await read(`${'{\n'.repeat(30_000)}{"a": 1}\n`);
    expect(values).toEqual([{ a: 1 }]);
    expect(dropped.length).toBeLessThanOrEqual(30_000);
    const nested = await read('{"a":\n'.repeat(30_000));
    expect(nested.values).toEqual([]);
    expect(nested.dropped[0]).toEqual([1, 'CA_JSON_INVALID']);
  });

  it('reads NaN and Infinity as null, and leaves the words in texts alone', async () => {
    expect((await read('{"a": NaN, "b": -Infinity, "c": "NaN Infinity", "d": [Infinity]}')).values).toEqual([
      { a: null, b: null, c: 'NaN Infinity', d: [null] },
    ]);
  });

  it('keeps half surrogates as U+FFFD and whole ones as they are', async () => {
    const { values } = await read(
      '{"a": "x\\ud83dy", "b": "\\ud83d\\ude42", "c": "\\\\ud83d", "d": "\\udc00\\ud83d"}',
    );
    expect(values).toEqual([{ a: 'x\ufffdy', b: '🙂', c: '\\ud83d', d: '\ufffd\ufffd' }]);
  });

  it('drops lines with NUL bytes in them and says so', async () => {
    const { values, dropped } = await read('{"a":1}\n\0\0\0\0\n{"a":"\0"}\n{"a":2}');
    expect(values).toEqual([{ a: 1 }, { a: 2 }]);
    expect(dropped.map(([line]) => line)).toEqual([2, 3]);
  });

  it('survives nesting deeper than any stack', async () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const { values } = await read(`{"a": ${deep}}\n{"b": 1}\n${deep}\n{"c": 1}`);
    expect(values.at(-1)).toEqual({ c: 1 });
    expect(values[1]).toEqual({ b: 1 });
  });

  it('drops a value over the limit that is spread over lines', async () => {
    const { values, dropped } = await read(`{\n"a": [\n${'1,\n'.repeat(2000)}1]\n}\n{"b": 1}\n`, {
      rowLimit: 1000,
    });
    expect(values).toEqual([{ b: 1 }]);
    expect(dropped).toEqual([[1, 'CA_ROW_TOO_LARGE']]);
  });

  it('opens an array on one line that is longer than the limit for a row', async () => {
    const path = temporary('array.json', JSON.stringify(Array.from({ length: 500 }, (_, i) => ({ i }))));
    const source = await openSource(path, { rowLimit: 1000 });
    const values: unknown[] = [];
    for await (const item of jsonValues(source, { rowLimit: 1000 })) values.push(item.kind);
    expect(values).toEqual(Array.from({ length: 500 }, () => 'value'));
  });

  it('gives back any JSON values, a line each or indented', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 4 }),
        fc.constantFrom(undefined, 1),
        async (values, indent) => {
          const text = `${values.map((value) => JSON.stringify(value, null, indent)).join('\n')}\n`;
          const result = await read(text);
          expect(result.dropped).toEqual([]);
          expect(result.values).toEqual(values.map((value) => JSON.parse(JSON.stringify(value))));
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('parseJson', () => {
  it('agrees with JSON.parse wherever that succeeds', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
    );
  });

  it('never throws', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('{', '"', '\\', 'u', 'd', '8', 'NaN', ',', ']', ' ') }),
        (text) => {
          expect(typeof parseJson(text).ok).toBe('boolean');
        },
      ),
    );
  });
});
