import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { VERSION } from '../../src/version.ts';
import { pages, ROOT, tableUnder } from './pages.ts';

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  version: string;
  exports: Record<string, string | { types: string; default: string }>;
  scripts: Record<string, string>;
};

/** Every module that an import resolves to, by a resolve hook in a process of its own: addresses, `node:` names. */
async function loadedBy(specifier: string): Promise<string[]> {
  const hook =
    'let port; export function initialize(data) { port = data.port }' +
    'export async function resolve(name, context, next) {' +
    ' const found = await next(name, context); port.postMessage(found.url); return found }';
  const program = `
    import { register } from 'node:module';
    import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
    const { port1, port2 } = new MessageChannel();
    const hook = 'data:text/javascript,' + encodeURIComponent(${JSON.stringify(hook)});
    register(hook, import.meta.url, { data: { port: port2 }, transferList: [port2] });
    await import(${JSON.stringify(specifier)});
    await new Promise((done) => setTimeout(done, 20));
    const found = [];
    for (let got = receiveMessageOnPort(port1); got !== undefined; got = receiveMessageOnPort(port1)) found.push(got.message);
    port1.close();
    process.stdout.write(JSON.stringify(found));
  `;
  // The package names itself: its own exports are what is tested.
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    cwd: ROOT,
  });
  return [...new Set(JSON.parse(stdout) as string[])];
}

const packageOf = (url: string) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1];
const packages = (urls: readonly string[]) => new Set(urls.flatMap((url) => packageOf(url) ?? []));

/** What a gateway needs and nobody else. */
const SERVER = ['fastify', 'libsql', 'pino', 'prom-client'];

describe('what an import loads', () => {
  it.each(['metrics', 'diagnosis', 'math', 'client'])(
    'collapse-aware/%s: its own modules alone',
    async (name) => {
      const loaded = await loadedBy(`collapse-aware/${name}`);
      expect(loaded.length).toBeGreaterThan(5);
      expect(loaded.filter((url) => !url.startsWith('file:') || packageOf(url) !== undefined)).toEqual([]);
    },
  );

  it.each(['space', 'embedding'])('collapse-aware/%s: no other package', async (name) => {
    expect([...packages(await loadedBy(`collapse-aware/${name}`))]).toEqual([]);
  });

  it.each(['curation', 'population'])(
    'collapse-aware/%s: zod, and no module of Node that reads files or the network',
    async (name) => {
      const loaded = await loadedBy(`collapse-aware/${name}`);
      expect([...packages(loaded)]).toEqual(['zod']);
      expect(loaded.filter((url) => url.startsWith('node:'))).toEqual(['node:crypto']);
    },
  );

  it.each(['', '/audit', '/curator', '/formats', '/report'].map((path) => `collapse-aware${path}`))(
    '%s: neither DuckDB nor the command line, no ONNX runtime and no server',
    async (specifier) => {
      const found = packages(await loadedBy(specifier));
      for (const name of [
        '@duckdb/node-api',
        'commander',
        'listr2',
        'onnxruntime-node',
        'pg',
        '@dbos-inc/dbos-sdk',
        ...SERVER,
      ])
        expect(found).not.toContain(name);
    },
  );

  it('collapse-aware/loop: nothing of a database, which is loaded when one is used', async () => {
    expect([...packages(await loadedBy('collapse-aware/loop'))]).toEqual(['zod']);
  });

  it('collapse-aware/gateway: alone loads the server; the database of its journal only when one is opened', async () => {
    const found = packages(await loadedBy('collapse-aware/gateway'));
    for (const name of ['fastify', 'pino', 'prom-client']) expect(found).toContain(name);
    for (const name of ['libsql', 'commander', 'listr2', 'onnxruntime-node'])
      expect(found).not.toContain(name);
    expect([...packages(await loadedBy('collapse-aware/client'))]).toEqual([]);
  });
});

describe('the package', () => {
  it('calls itself by the version of package.json', () => {
    expect(VERSION).toBe(manifest.version);
  });

  it('exports what docs/library.md lists, and lists what it exports', () => {
    const page = pages().find(({ path }) => path === 'docs/library.md')!;
    const listed = tableUnder(page, 'As a library').map(([name]) => name!.replaceAll('`', ''));
    const exported = Object.keys(manifest.exports).filter((path) => path !== './package.json');
    expect(listed.sort()).toEqual(exported.map((path) => path.replace('.', 'collapse-aware')).sort());
  });

  it('is tested in CI by the command that the README gives, and both of its commands are scripts', () => {
    const readme = pages().find(({ path }) => path === 'README.md')!;
    const commands = [...readme.text.matchAll(/^npm install && (npm [a-z: ]+?) *(?:#|$)/gm)].map(
      ([, c]) => c!,
    );
    expect(commands).toEqual(['npm run demo', 'npm test']);
    expect(manifest.scripts).toHaveProperty('demo');
    expect(readFileSync(join(ROOT, '.ci/run'), 'utf8')).toContain(`npm install && ${commands[1]}`);
  });

  it('names its version in the changelog, or keeps changes under Unreleased', () => {
    const text = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
    expect(text.includes(`## [${manifest.version}]`) || text.includes('## Unreleased')).toBe(true);
  });
});
