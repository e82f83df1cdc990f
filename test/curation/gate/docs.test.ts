import { expect, it } from 'vitest';
import { CHECKS, defaultGate, GATE_PROFILES } from '../../../src/curation/gate/index.ts';
import { pages, tableUnder } from '../../docs/pages.ts';

const page = pages().find(({ path }) => path === 'docs/gate.md')!;
const plain = (cell: string) => cell.replaceAll('`', '');

it('docs/gate.md lists every check with its blame', () => {
  const rows = tableUnder(page, 'The checks').map(([check, blame]) => [
    plain(check!),
    blame!.split(/[ ,]/)[0],
  ]);
  expect(rows).toEqual(CHECKS.map(({ name, blame }) => [name, blame]));
});

it('docs/gate.md says what each profile does', () => {
  const rows = tableUnder(page, 'Profiles').map(([check, ...actions]) => [plain(check!), ...actions]);
  const told = CHECKS.map(({ name }) => [
    name,
    ...GATE_PROFILES.map((profile) => defaultGate(profile).actions[name]),
  ]);
  const unchecked = GATE_PROFILES.map((profile) =>
    defaultGate(profile).unchecked === 'drop' ? 'dropped' : 'kept',
  );
  expect(rows).toEqual([...told, ['rows left unchecked', ...unchecked]]);
});
