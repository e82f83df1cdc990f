import { openJournal } from '../../src/store/index.ts';

// Run as a program by journal-kill.test.ts: appends without end from several hands at once, says each entry that was
// acknowledged, and waits to be killed.
const [path, durability, round] = process.argv.slice(2) as [string, 'process' | 'power', string];
const journal = await openJournal({ path, durability, maxBytes: null });
let number = 0;
const hand = async () => {
  for (;;) {
    const own = Array.from({ length: 1 + (number % 3) }, () => `${round}:${number++}`);
    await journal.append(
      own.map((id) => ({
        session: `s${number % 7}`,
        kind: 'line',
        at: number,
        body: JSON.stringify({ id, fill: 'x'.repeat(number % 3000) }),
      })),
    );
    // Straight to the file descriptor: what was said before the kill must be readable after it.
    process.stdout.write(`${own.join('\n')}\n`);
  }
};
await Promise.all(Array.from({ length: 8 }, hand));
