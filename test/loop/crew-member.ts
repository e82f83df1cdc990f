import { writeSync } from 'node:fs';
import { setTimeout as pass } from 'node:timers/promises';
import { joinCrew, runStudy } from '../../src/loop/index.ts';
import { EXAMPLE_STAGE, examplePerformer, exampleProgram, exampleSettings } from './run-example.ts';

// Run as a program by postgres-crew.test.ts: joins, leads a run if one is named, and tells what it performs.
const [url, slow, run, rounds] = process.argv.slice(2) as [string, string, string?, string?];
const say = (line: string) => writeSync(1, `${line}\n`);
const crew = await joinCrew({
  url,
  program: exampleProgram,
  performs: Number(slow) >= 0,
  make: () =>
    examplePerformer({
      asked: async ({ id }) => {
        say(`performs ${id}`);
        await pass(Number(slow));
      },
    }),
  onWarning: (line) => say(`warns ${line}`),
});
say('joined');
if (run !== undefined) {
  try {
    const study = runStudy(exampleSettings(1, Number(rounds)), EXAMPLE_STAGE);
    say((await crew.lead(run, study)).kind);
  } catch (error) {
    say((error as { line?: string }).line ?? String(error));
    process.exitCode = 3;
  }
  await crew.leave();
} else process.on('SIGTERM', () => void crew.leave().then(() => process.exit(0)));
