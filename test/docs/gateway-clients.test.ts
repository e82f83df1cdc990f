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
