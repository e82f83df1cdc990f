import { openRecorder } from '../../../src/gateway/recorder/recorder.ts';
import { openJournal } from '../../../src/store/index.ts';
import { agent, close, exchange, open, said } from './records.ts';

// Run as a program by recorder-kill.test.ts: records dialogues from many hands at once, says each reply and reward that
// was acknowledged, drops old sessions meanwhile, and waits to be killed.
const [path, round] = process.argv.slice(2) as [string, string];
const recorder = await openRecorder({
  journal: await openJournal({ path, durability: 'process', maxBytes: null }),
  scenarioOf: (prompt) => prompt,
  pricesOf: () => null,
  retention: { keepSessions: 300, keepDays: null },
  clock: Date.now,
  retainEvery: 40,
});
const hand = async (name: number) => {
  for (let number = 0; ; number++) {
    const id = `${round}-${name}-${number}`;
    void recorder.append(open(id));
    for (let turn = 0; turn < 5; turn++) {
      await recorder.append(
        exchange(id, turn, [agent(`${turn} ${'x'.repeat((number * 37) % 900)}`)], said(`${id} ${turn}`)),
      );
      process.stdout.write(`${id} turn ${turn}\n`);
    }
    if (number % 3 === 2) {
      await recorder.append(close(id));
      process.stdout.write(`${id} over\n`);
    } else {
      await recorder.addRewards([{ session: id, reward: number }]);
      process.stdout.write(`${id} over ${number}\n`);
    }
  }
};
await Promise.all(Array.from({ length: 20 }, (_, name) => hand(name)));
