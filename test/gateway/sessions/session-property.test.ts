import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sessionIds } from '../../../src/gateway/sessions/session-id.ts';
import { SessionTable } from '../../../src/gateway/sessions/session-table.ts';
import { seeded } from '../../../src/math/random.ts';
import { agent, type Dialogue, dialogue, GREETING, play, Records, said, type Trouble } from './dialogue.ts';

interface Game {
  readonly seed: number;
  readonly dialogues: number;
  /** Different prompts. */
  readonly prompts: number;
  readonly turns: number;
  /** Different sayings of agents, and of users. */
  readonly sayings: number;
  readonly trouble: Trouble;
  readonly sayTries?: boolean;
}

function table(seed: number) {
  return new SessionTable({
    retryMs: 1e6,
    idleMs: 1e9,
    turns: 100,
    sessions: 1000,
    newId: sessionIds(seeded(seed)),
  });
}

function playGame({ seed, dialogues: n, prompts, turns, sayings, trouble, sayTries = true }: Game) {
  const random = seeded(seed);
  const records = new Records();
  const dialogues: Dialogue[] = Array.from({ length: n }, (_, at) =>
    dialogue(`d${at}`, `<scenario>task ${at % prompts}</scenario>`, 1 + random.integer(turns)),
  );
  const asked = new Set<string>();
  const sessions = table(seed);
  play(
    {
      table: sessions,
      records,
      random,
      trouble,
      sayTries,
      asked,
      now: 0,
      replyTo: (asked, r) =>
        said(
          r.next() < trouble.drawn
            ? `reply ${r.integer(sayings)}`
            : `reply ${asked.messages.length % sayings}`,
        ),
      say: (one, r) => [agent(one.replies === 0 ? GREETING : `and ${r.integer(sayings)}?`)],
    },
    dialogues,
  );
  return { dialogues, records, sessions, asked };
}

const game = (trouble: fc.Arbitrary<Trouble>, prompts = fc.integer({ min: 1, max: 4 })) =>
  fc.record({
    seed: fc.nat(),
    dialogues: fc.integer({ min: 1, max: 12 }),
    prompts,
    turns: fc.integer({ min: 1, max: 5 }),
    sayings: fc.integer({ min: 1, max: 3 }),
    trouble,
  });
const chance = (max: number) => fc.double({ min: 0, max, noNaN: true });
const without = fc.record({
  failed: chance(0.25),
  hungUp: chance(0.25),
  timedOut: chance(0.2),
  lost: fc.constant(0),
  drawn: chance(1),
});
const any = fc.record({
  failed: chance(0.2),
  hungUp: chance(0.2),
  timedOut: chance(0.2),
  lost: chance(0.2),
  drawn: chance(1),
});
const silent = fc.record({
  failed: chance(0.3),
  hungUp: chance(0.3),
  timedOut: fc.constant(0),
  lost: fc.constant(0),
  drawn: chance(1),
});
const own = (dialogues: readonly Dialogue[]) =>
  dialogues.map(({ history }) => JSON.stringify(history)).sort();

describe('dialogues that only their content tells apart', () => {
  it('are one session each, word for word, through failures, hang-ups and time-outs', () => {
    fc.assert(
      fc.property(game(without), (one) => {
        const { dialogues, records } = playGame(one);
        expect(records.histories().sort()).toEqual(own(dialogues));
      }),
      { numRuns: 250 },
    );
  });

  it('are one session each though replies are lost, where no two say the same', () => {
    fc.assert(
      fc.property(game(any, fc.constant(1000)), (one) => {
        const { dialogues, records } = playGame(one);
        expect(records.histories().sort()).toEqual(own(dialogues));
      }),
      { numRuns: 150 },
    );
  });

  it('are one session each where clients do not say that they try again', () => {
    fc.assert(
      fc.property(game(silent), (one) => {
        const { dialogues, records } = playGame({ ...one, sayTries: false });
        expect(records.histories().sort()).toEqual(own(dialogues));
      }),
      { numRuns: 150 },
    );
  });

  it('are never mixed, whatever is lost between equal ones', () => {
    fc.assert(
      fc.property(game(any), fc.boolean(), (one, sayTries) => {
        const { records, asked } = playGame({ ...one, sayTries });
        for (const id of records.sessions.keys())
          expect(asked).toContain(JSON.stringify(records.history(id).slice(0, -1)));
      }),
      { numRuns: 150 },
    );
  });

  it('are placed the same when the same happens again', () => {
    fc.assert(
      fc.property(game(any), (one) => {
        expect([...playGame(one).records.sessions]).toEqual([...playGame(one).records.sessions]);
      }),
      { numRuns: 60 },
    );
  });
});
