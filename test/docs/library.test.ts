import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Block, pages, ROOT } from './pages.ts';
import { servedExamples } from './served-examples.ts';
import { shell } from './shell.ts';
import { copyWorkspace, makeWorkspace } from './workspace.ts';

const examples = pages().flatMap(({ blocks }) => blocks.filter(({ language }) => language === 'ts'));
const at = ({ page, line }: Block) => `${page}:${line}`;
/** It asks a gateway that somebody has started. */
const isClient = ({ text }: Block) => text.includes("from 'openai'") || text.includes('client.openSession');
const fileOf = (block: Block) => `examples/${block.page.replace(/\W/g, '-')}-${block.line}`;

const TSCONFIG = {
  compilerOptions: {
    target: 'ES2022',
    lib: ['ES2023'],
    module: 'NodeNext',
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    rootDir: '.',
  },
  include: ['examples'],
};

describe('TypeScript in the pages', () => {
  let cwd = '';
  beforeAll(async () => {
    cwd = copyWorkspace(await makeWorkspace());
    mkdirSync(join(cwd, 'examples'));
    for (const block of examples)
      writeFileSync(join(cwd, `${fileOf(block)}.mts`), `${block.text}\nexport {};\n`);
    writeFileSync(join(cwd, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  });

  it('compiles against the types that the package exports, also where it is not run', () => {
    try {
      execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', '.'], {
        cwd,
        encoding: 'utf8',
        stdio: 'pipe',
      });
    } catch (error) {
      throw new Error((error as { stdout: string }).stdout);
    }
  });

  it.each(examples.filter(({ notRun }) => notRun === null).map((block) => [at(block), block] as const))(
    '%s runs, and prints what it says',
    async (_, block) => {
      const served = servedExamples(cwd);
      try {
        if (isClient(block)) {
          await served.run(`collapse-aware gateway --store ${fileOf(block)}-store`, at(block));
          const file = join(cwd, `${fileOf(block)}.mjs`);
          writeFileSync(file, served.addressed(readFileSync(file, 'utf8')));
        }
        await runProgram(block, cwd, served.environment);
      } finally {
        await served.stop();
      }
    },
  );

  async function runProgram(
    block: Block,
    folder: string,
    environment: Readonly<Record<string, string>>,
  ): Promise<void> {
    const run = await shell(`"${process.execPath}" ${fileOf(block)}.mjs`, folder, environment);
    expect(run.status, run.stderr).toBe(0);
    const prints = [...block.text.matchAll(/\/\/ prints: (.+)$/gm)].map(([, text]) => text);
    if (prints.length > 0) expect(run.stdout.trim().split('\n')).toEqual(prints);
  }
});
