import { writeSync } from 'node:fs';
import { setTimeout as pass } from 'node:timers/promises';
import { drive, runDirectory, runStudy } from '../../src/loop/index.ts';
import { EXAMPLE_STAGE, examplePerformer, exampleProgram, exampleSettings } from './run-example.ts';

// Run as a program by run-kill.test.ts: leads a run, slowly enough to be killed anywhere. Ends with 3 and the error's line.
const [folder, rounds, slow] = process.argv.slice(2) as [string, string, string];
try {
  const store = await runDirectory(folder).open(runStudy(exampleSettings(1, Number(rounds)), EXAMPLE_STAGE));
  for (const note of store.notes) writeSync(1, `note ${note}\n`);
  const performer = examplePerformer({ asked: () => pass(Number(slow)) });
  const end = await drive(exampleProgram, store, performer, {
    onEvent: ({ kind }) => {
      if (kind === 'answer' || kind === 'replayed') writeSync(1, `${kind}\n`);
    },
  });
  await store.close();
  writeSync(1, `${end.kind}\n`);
} catch (error) {
  const { line } = error as { line?: string };
  if (line === undefined) throw error;
  writeSync(1, `${line}\n`);
  process.exitCode = 3;
}
