import { describe, expect, it } from 'vitest';
import { bestReader } from '../../src/formats/detect.ts';
import { firstObject, HEAD_BYTES } from '../../src/formats/head.ts';
import { closeJson, valueEnd } from '../../src/formats/json-scan.ts';
import { openSource } from '../../src/formats/source.ts';
import { temporary } from './fixture.ts';

const head = async (name: string, text: string) => (await openSource(temporary(name, text))).head();

describe('head', () => {
  it('tells one value from several and from a table, whatever the file is called', async () => {
    expect((await head('a.jsonl', '{"a":\n 1}')).shape).toBe('json');
    expect((await head('b.json', '{"a": 1}\n{"a": 2}\n')).shape).toBe('jsonl');
    expect(await head('c.txt', 'x,y\n1,2\n')).toMatchObject({ shape: 'csv', columns: ['x', 'y'] });
    expect((await head('d.tsv', '\tx\ty\n0\t1\t2\n')).columns).toEqual(['', 'x', 'y']);
    expect((await head('e.txt', 'Dear all, hello.\nThis, that, and more, of it, goes on.\n')).shape).toBe(
      'other',
    );
  });

  it('finds the first value behind log text', async () => {
    expect((await head('log.jsonl', '# note, with [marks]\nINFO {x}\n{"a": 1}\n')).first).toEqual({ a: 1 });
  });

  it('shows the beginning of a value that is longer than the head', async () => {
    const long = JSON.stringify({ info: { x: 1 }, tasks: Array.from({ length: 90_000 }, (_, i) => ({ i })) });
    expect(long.length).toBeGreaterThan(HEAD_BYTES);
    const seen = await head('long.json', long);
    expect(seen.partial).toBe(true);
    expect(firstObject(seen)?.info).toEqual({ x: 1 });
  });

  it('opens arrays of arrays down to an object', () => {
    expect(firstObject({ first: [[{ a: 1 }]] })).toEqual({ a: 1 });
    expect(firstObject({ first: [] })).toBeNull();
  });
});

describe('closeJson', () => {
  it('keeps whole members wherever the text is cut', () => {
    const text = '{"a": [1, {"b": "x,}"}], "c": true, "d": "e"}';
    for (let cut = 1; cut <= text.length; cut++) {
      const value = closeJson(text.slice(0, cut)) as Record<string, unknown>;
      expect(value, text.slice(0, cut)).toBeTypeOf('object');
    }
    expect(closeJson(text)).toEqual(JSON.parse(text));
    expect(closeJson('no json')).toBeUndefined();
  });

  it('finds the end of a value past brackets in strings', () => {
    expect(valueEnd('{"a": "}]\\"}"} rest', 0)).toBe(14);
    expect(valueEnd('[{"a": 1}', 0)).toBe(-1);
  });
});

describe('bestReader', () => {
  it('trusts nobody below the floor', async () => {
    const seen = await head('f.jsonl', '{"q": 1}');
    expect(bestReader(seen)).toBeNull();
  });
});
