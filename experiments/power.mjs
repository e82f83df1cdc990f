// Prints the sample sizes of stage zero, with every assumption named. node experiments/power.mjs [benchmark ...]
import { parseArgs } from 'node:util';
import { CollapseAwareError } from '../dist/errors.js';
import { BENCHMARKS, readBenchmark } from './stage/benchmark.mjs';
import { pilotOf } from './stage/pilot.mjs';
import { powerText } from './stage/power-text.mjs';

const USAGE = `node experiments/power.mjs [${BENCHMARKS.join('|')}] [--pilot PATTERN] [--tokens-per-episode N --tokens-per-second N]`;

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      pilot: { type: 'string', multiple: true },
      'tokens-per-episode': { type: 'string' },
      'tokens-per-second': { type: 'string' },
    },
  });
  const names = positionals.length === 0 ? BENCHMARKS : positionals;
  const pilot = values.pilot === undefined ? null : await pilotOf(values.pilot);
  const rate = rateOf(values);
  process.stdout.write(`${names.map((id) => powerText(readBenchmark(id), { pilot, rate })).join('\n\n')}\n`);
} catch (error) {
  const known = error instanceof CollapseAwareError;
  process.stderr.write(`${known ? error.line : `${error.message}\nusage: ${USAGE}`}\n`);
  process.exitCode = known ? error.exit : 2;
}

function rateOf(values) {
  const [tokens, perSecond] = [values['tokens-per-episode'], values['tokens-per-second']].map((text) =>
    text === undefined ? null : Number(text),
  );
  if (tokens === null && perSecond === null) return null;
  if (!(tokens > 0) || !(perSecond > 0))
    throw new CollapseAwareError(
      'CA_USAGE',
      'GPU-hours need both --tokens-per-episode and --tokens-per-second',
      {
        todo: 'give two numbers above 0, as you measured them',
      },
    );
  return { tokens, perSecond };
}
