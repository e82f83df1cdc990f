import { nativeWriter } from '../../src/formats/write-native.ts';
import { parquetWriter } from '../../src/formats/write-parquet.ts';
import { composeTrajectory } from '../../src/trajectory/compose.ts';
import { simulatorFacts } from '../../src/trajectory/identity.ts';

// Run as a program by atomic-file.test.ts: writes for ever, says so once, and waits to be killed.
const [format, path] = process.argv.slice(2) as [string, string];
const file = await (format === 'parquet' ? parquetWriter : nativeWriter).open(path);
const row = (i: number) =>
  composeTrajectory({
    turns: [{ role: 'user', text: `${i} ${'text '.repeat(200)}` }],
    simulator: simulatorFacts({ id: 'a' }),
    source: { file: 'f', line: i },
  });
for (let i = 0; i < 5000; i++) await file.write(row(i));
if (format === 'exit') process.exit(0);
console.log('written');
setInterval(() => void file.write(row(1)), 5);
