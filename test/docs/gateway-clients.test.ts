import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CollapseAwareClient, flatMetrics, type GateView, type MetricsView } from '../../src/client/index.ts';
import { gate } from '../client/control-server.ts';
import { pages, ROOT, tableUnder } from './pages.ts';

const page = pages().find(({ path }) => path === 'docs/gateway-clients.md')!;
const codes = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);

it('docs/gateway-clients.md lists every method of both clients', () => {
  const rows = tableUnder(page, 'Methods');
  const own = Object.entries(Object.getOwnPropertyDescriptors(CollapseAwareClient.prototype))
    .filter(([name, { value }]) => name !== 'constructor' && typeof value === 'function')
    .map(([name]) => name);
  expect(rows.flatMap(([typescript]) => codes(typescript!)).sort()).toEqual(own.sort());
  const source = readFileSync(join(ROOT, 'python/collapse_aware/client.py'), 'utf8');
  const defined = [...source.matchAll(/^ {4}def ([a-z]\w*)\(\s*self/gm)].map(([, name]) => name!);
  const properties = ['counts', 'close'];
  expect(rows.flatMap(([, python]) => codes(python!)).sort()).toEqual(
    defined.filter((name) => !properties.includes(name)).sort(),
  );
});

it('docs/gateway-clients.md lists every number of metrics()', () => {
  const none = { value: null };
  const view = { report: null, window: { sessions: 0 }, varianceSplit: { simulator: none, agent: none } };
  const counts = { requests: 0, retries: 0, stood_in: 0 };
  const flat = flatMetrics(view as unknown as MetricsView, gate('green', 1) as unknown as GateView, counts);
  const names = Object.keys(flat).map((key) => key.replace(/^collapse_aware\//, '').replace(/_missing$/, ''));
  const rows = tableUnder(page, 'Numbers for a tracker');
  expect(rows.flatMap(([keys]) => codes(keys!)).sort()).toEqual(names.sort());
});

it('docs/gateway-clients.md gives arguments and result of every method of both clients', () => {
  const named = (row: string[], column: number) =>
    codes(row[column]!)
      .map((code) => /^(\w+)\(/.exec(code)?.[1])
      .filter((name) => name !== undefined);
  const rows = tableUnder(page, 'Arguments and results');
  const methods = tableUnder(page, 'Methods');
  for (const column of [0, 1])
    expect(rows.flatMap((row) => named(row, column)).sort()).toEqual(
      methods.flatMap((row) => codes(row[column]!)).sort(),
    );
  // Each parameter of Python's, but for those that are passed on as they come.
  const source = readFileSync(join(ROOT, 'python/collapse_aware/client.py'), 'utf8');
  for (const row of rows)
    for (const call of codes(row[1]!)) {
      const name = /^\w+/.exec(call)![0];
      const [, list = ''] = new RegExp(`def ${name}\\(\\s*self,?([^)]*)\\)`).exec(source) ?? [];
      const parameters = [...list.matchAll(/(?:^|[\s,])(?!\*)([a-z_]+):/g)].map(([, one]) => one!);
      if (!call.includes('{id: reward}') && !call.includes('...'))
        for (const parameter of parameters) expect(call, name).toContain(parameter);
    }
});
