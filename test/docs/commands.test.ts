import { beforeAll, describe, it } from 'vitest';
import { isShell, pages } from './pages.ts';
import { servedExamples } from './served-examples.ts';
import { runCommands } from './shell.ts';
import { copyWorkspace, makeWorkspace } from './workspace.ts';

describe('commands in the pages', { timeout: 600_000 }, () => {
  let base = '';
  beforeAll(async () => {
    base = await makeWorkspace();
  });

  for (const page of pages()) {
    const blocks = page.blocks.filter((block) => isShell(block) && block.notRun === null);
    if (blocks.length === 0) continue;
    it(`of ${page.path} end as they say`, async () => {
      const cwd = copyWorkspace(base);
      const served = servedExamples(cwd);
      try {
        for (const block of blocks) await runCommands(block.text, cwd, `${page.path}:${block.line}`, served);
      } finally {
        await served.stop();
      }
    });
  }
});
