// Stage zero on a real benchmark: node experiments/run.mjs BENCHMARK [--dry | --measured]
//   --dry        every arm to the end without a server, a key or a GPU; the table says measured: false
//   --measured   the table of what was recorded under $STAGE_ZERO_RUNS
//   neither      checks the environment and prints the commands
//   --for ARM    checks what this arm needs too, before anything is spent
import { parseArgs } from 'node:util';
import { CollapseAwareError } from '../dist/errors.js';
import { ARMS } from './stage/arms.mjs';
import { BENCHMARKS, readArms, readBenchmark } from './stage/benchmark.mjs';
import { commandsText } from './stage/commands.mjs';
import { dryRun } from './stage/dry-run.mjs';
import { checkEnvironment } from './stage/environment.mjs';
import { measuredTable } from './stage/measured.mjs';
import { tableMarkdown } from './stage/stage-zero-table.mjs';

const USAGE = `node experiments/run.mjs ${BENCHMARKS.join('|')} [--dry [--out FOLDER] [--arms A,B]] [--measured] [--for ARM]`;

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      dry: { type: 'boolean' },
      measured: { type: 'boolean' },
      out: { type: 'string' },
      arms: { type: 'string' },
      for: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) process.stdout.write(`${USAGE}\n`);
  else await run(positionals, values);
} catch (error) {
  const known = error instanceof CollapseAwareError;
  const usage = typeof error.code === 'string' && error.code.startsWith('ERR_PARSE_ARGS');
  process.stderr.write(`${known ? error.line : usage ? `${error.message}\nusage: ${USAGE}` : error.stack}\n`);
  process.exitCode = known ? error.exit : usage ? 2 : 3;
}

async function run(names, { dry, measured, out, arms, for: arm }) {
  if (names.length !== 1 || [dry, measured, arm].filter((one) => one !== undefined).length > 1)
    throw new CollapseAwareError(
      'CA_USAGE',
      'one benchmark, and at most one of --dry, --measured and --for',
      {
        todo: USAGE,
      },
    );
  const benchmark = readBenchmark(names[0]);
  const say = (line) => process.stderr.write(`${line}\n`);
  if (dry) {
    const made = await dryRun(benchmark, { say, arms: armsOf(arms), ...(out === undefined ? {} : { out }) });
    return finish(made, say);
  }
  if (arms !== undefined || out !== undefined)
    throw new CollapseAwareError('CA_USAGE', '--arms and --out belong to --dry', { todo: USAGE });
  if (measured) return finish(await measuredTable(benchmark, process.env), say);
  if (arm !== undefined) armsOf(arm);
  checkEnvironment(benchmark, process.env, arm ?? null);
  readArms(benchmark, process.env);
  process.stdout.write(`${commandsText(benchmark, process.env)}\n`);
}

function finish({ table, files }, say) {
  process.stdout.write(tableMarkdown(table));
  say(`written: ${files.json}, ${files.markdown}`);
}

function armsOf(text) {
  if (text === undefined) return ARMS;
  const names = text.split(',').map((name) => name.trim());
  const odd = names.find((name) => !ARMS.includes(name));
  if (odd !== undefined)
    throw new CollapseAwareError('CA_USAGE', `"${odd}" is no arm`, { todo: `some of ${ARMS.join(', ')}` });
  return ARMS.filter((arm) => names.includes(arm));
}
