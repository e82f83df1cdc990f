// Prints the checkpoint that the selection panel chose: node experiments/choose.mjs selection.jsonl
import { CollapseAwareError } from '../dist/errors.js';
import { readFiles } from '../dist/formats/index.js';
import { chosenCheckpoint } from './stage/chosen-checkpoint.mjs';

try {
  const sessions = [];
  for await (const one of readFiles(process.argv.slice(2)))
    if (one.kind === 'trajectory') sessions.push(one.trajectory);
  const { checkpoint, scores } = chosenCheckpoint(sessions);
  for (const { name, mean, contexts } of scores)
    process.stderr.write(
      `${name}: ${mean.toFixed(3)} over ${contexts} contexts${name === checkpoint ? ', chosen' : ''}\n`,
    );
  process.stdout.write(`${checkpoint}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof CollapseAwareError ? error.line : error.stack}\n`);
  process.exitCode = error.exit ?? 3;
}
