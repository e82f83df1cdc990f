import { expect, it } from 'vitest';
import { CODES } from '../../src/errors.ts';
import { pages, tableUnder } from './pages.ts';

it('docs/errors.md holds the whole catalogue, with the status and meaning of the code', () => {
  const page = pages().find(({ path }) => path === 'docs/errors.md')!;
  const rows = tableUnder(page, 'The catalogue');
  expect(rows.map(([code, status, meaning]) => [code, status, meaning])).toEqual(
    Object.entries(CODES).map(([code, { exit, meaning }]) => [`\`${code}\``, String(exit), meaning]),
  );
  for (const [code, , , advice] of rows) expect(advice, code).not.toBe('');
});
