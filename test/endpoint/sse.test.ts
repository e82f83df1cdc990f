import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EventReader } from '../../src/endpoint/sse.ts';

const read = (pieces: readonly (string | Buffer)[]): string[] => {
  const reader = new EventReader();
  const found = pieces.flatMap((piece) => reader.push(Buffer.from(piece as string)));
  const rest = reader.end();
  return rest === null ? found : [...found, rest];
};

it('keeps data alone: comments, names of events and a mark at the front are passed over', () => {
  expect(
    read(['\ufeff: hello\nevent: x\nid: 1\ndata: a\n\nretry: 5\n\ndata:b\ndata: c\n\ndatax: no\n\n']),
  ).toEqual(['a', 'b\nc']);
  expect(read(['data\n\ndata: \n\n'])).toEqual(['', '']);
});

it('gives an event whose blank line the server forgot', () => {
  expect(read(['data: a\n\ndata: b'])).toEqual(['a', 'b']);
  expect(read(['data: a\n\ndata: b\n'])).toEqual(['a', 'b']);
});

it('reads the same wherever the bytes are cut, with any ends of lines', () => {
  const payload = fc
    .string({ unit: 'grapheme', maxLength: 12 })
    .map((text) => text.replace(/[\r\n\ufeff]/g, '·'));
  const event = fc.array(payload, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(
      fc.array(event, { maxLength: 5 }),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.array(fc.nat(200), { maxLength: 30 }),
      (events, end, cuts) => {
        const text = events.map(
          (lines) => `${lines.map((line) => `data: ${line}${end}`).join('')}: c${end}${end}`,
        );
        const bytes = Buffer.from(text.join(''));
        const at = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
        const pieces = at.slice(1).map((to, i) => bytes.subarray(at[i], to));
        expect(read(pieces)).toEqual(events.map((lines) => lines.join('\n')));
      },
    ),
  );
});
