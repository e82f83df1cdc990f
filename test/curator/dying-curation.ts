import { OutputFolder } from '../../src/curator/output-folder.ts';

// Run as a program by output-folder.test.ts: fills a folder, says so once, and waits to be killed.
const [path, how] = process.argv.slice(2) as [string, string];
const folder = await OutputFolder.open(path, { replace: true });
const lines = await folder.lines('rows.jsonl');
for (let i = 0; i < 2000; i++) await lines.write({ i, text: 'x'.repeat(200) });
if (how === 'exit') process.exit(0);
console.log('written');
setInterval(() => void lines.write({}), 5);
