import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { VERSION } from '../../src/version.ts';
import { requirement } from '../require.ts';

const ROOT = join(import.meta.dirname, '../..');
const found = spawnSync('python3', ['-c', 'import sys; assert sys.version_info >= (3, 9)']);
const ready = requirement('Python 3.9', found.status === 0, 'apt-get install python3');

describe.skipIf(!ready)('the Python client', { timeout: 60_000 }, () => {
  it.each(['test_client.py', 'test_steering.py'])('passes its own tests: %s', (tests) => {
    const run = spawnSync('python3', ['-B', join(import.meta.dirname, tests)], {
      encoding: 'utf8',
    });
    expect(run.stderr).toMatch(/^Ran \d+ tests/m);
    expect(run.status, run.stderr).toBe(0);
  });

  it('needs nothing but the standard library', () => {
    const program = [
      'import sys; before = set(sys.modules); sys.path.insert(0, "python"); import collapse_aware',
      'loaded = {name.split(".")[0] for name in set(sys.modules) - before}',
      'print(sorted(loaded - set(getattr(sys, "stdlib_module_names", loaded)) - {"collapse_aware"}))',
    ].join('\n');
    const printed = execFileSync('python3', ['-B', '-c', program], { cwd: ROOT, encoding: 'utf8' });
    expect(printed.trim()).toBe('[]');
  });

  it('has the version of the npm package', () => {
    const text = (path: string) => readFileSync(join(ROOT, 'python', path), 'utf8');
    expect(text('pyproject.toml')).toContain(`\nversion = "${VERSION}"\n`);
    expect(text('collapse_aware/__init__.py')).toContain(`__version__ = "${VERSION}"`);
  });
});
