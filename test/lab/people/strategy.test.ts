import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  AGENT_STATES,
  countByThird,
  countPairs,
  countStrategies,
  describePersuaders,
  fitPersuaders,
  P4G_PERSUADERS,
  PERSUADEE_ACTS,
  PERSUADER_ACTS,
  persuaderLaw,
  STRATEGIES,
  STRATEGY_CONTEXTS,
  STRATEGY_MODELS,
  strategyContext,
  strategyDialogue,
  strategyLaw,
  USER_STATES,
} from '../../../src/lab/people/index.ts';
import { seeded } from '../../../src/math/index.ts';
import type { Trajectory } from '../../../src/trajectory/trajectory.ts';
import { episodes, hasData } from '../../data.ts';

const sum = (values: Iterable<number>) => [...values].reduce((a, b) => a + b, 0);
const act = (name: string) => (PERSUADER_ACTS as readonly string[]).indexOf(name);
const reply = (name: string) => (PERSUADEE_ACTS as readonly string[]).indexOf(name);

/** `A label` is the persuader's turn, `U label` the persuadee's. */
const dialogue = (...turns: string[]) =>
  strategyDialogue({
    id: 'd',
    simulator: { person: 'p' },
    turns: turns.map((turn) => ({
      role: turn.startsWith('A') ? 'agent' : 'user',
      text: 'x',
      acts: [turn.slice(2)],
    })),
  } as unknown as Trajectory);

describe('a persuader', () => {
  it('closes where only thanks and talk follow, and thanks in passing before', () => {
    const closed = dialogue(
      ...['A greeting', 'U greeting', 'A thank', 'U off-task', 'A logical-appeal', 'U agree-donation'],
      ...['A thank', 'U thank', 'A other', 'U closing', 'A closing'],
    );
    expect(closed.strategies).toEqual(['greet', 'rapport', 'logic', 'close'].map(act));
    expect(closed.replies).toEqual(['greet', 'chat', 'agree'].map(reply));
    expect(closed.users).toEqual([USER_STATES - 1, ...closed.replies]);
    expect(closed.own).toEqual([AGENT_STATES - 1, ...closed.strategies.slice(0, 3)]);
    expect(closed.stages).toEqual([0, 0, 1, 2]);
    expect(closed.closed).toBe(true);
  });

  it('need not close, and turns without a known label are left out', () => {
    const open = dialogue('A greeting', 'U no such label', 'A thank', 'A proposition-of-donation', 'U thank');
    expect(open.strategies).toEqual(['greet', 'rapport', 'propose'].map(act));
    expect(open.users).toEqual(new Array(3).fill(USER_STATES - 1));
    expect(open.replies).toEqual([reply('close')]);
    expect(open.closed).toBe(false);
  });
});

describe('replies', () => {
  it('are counted by thirds and in pairs', () => {
    const thirds = countByThird([[0, 1, 1, 2], [3]]);
    expect([thirds[0]![0], thirds[0]![1], thirds[0]![3], thirds[1]![1], thirds[2]![2]]).toEqual([
      1, 1, 1, 1, 1,
    ]);
    const pairs = countPairs([[0, 1, 1, 2], [3]]);
    expect(sum(pairs)).toBe(3);
    expect([pairs[1], pairs[15], pairs[16]]).toEqual([1, 1, 1]);
  });
});

describe('the law of strategies', () => {
  const dialogues = Array.from({ length: 40 }, (_, i) => {
    const random = seeded(i);
    const names = ['greeting', 'logical-appeal', 'emotion-appeal', 'other', 'proposition-of-donation'];
    const said = ['agree-donation', 'other', 'thank'];
    // After consent always a proposition: what the persuadee said decides.
    const turns: string[] = [];
    let last = '';
    for (let t = 0; t < 8; t++) {
      turns.push(`A ${last === said[0] ? names[4] : names[random.integer(4)]}`);
      last = said[random.integer(3)]!;
      turns.push(`U ${last}`);
    }
    return { ...dialogue(...turns), id: `d${i}`, person: `p${i % 30}` };
  });

  it('gives a distribution in every context, by every model', () => {
    const counts = countStrategies(dialogues);
    expect(sum(counts)).toBe(40 * 8);
    for (const model of STRATEGY_MODELS) {
      const law = strategyLaw(counts, model, { one: 4, all: 8 });
      for (let row = 0; row < STRATEGY_CONTEXTS; row++)
        expect(sum(law.subarray(row * STRATEGIES, (row + 1) * STRATEGIES))).toBeCloseTo(1, 10);
    }
  });

  it('finds what a strategy follows from, on dialogues left out', () => {
    const fitted = fitPersuaders(dialogues, { seed: 's', folds: 3 });
    const gain = new Map(fitted.goodness.map(({ model, gain: one }) => [model, one]));
    expect(gain.get('user')!.low).toBeGreaterThan(0.2);
    expect(gain.get('own')!.estimate).toBeLessThan(0.2);
    const law = persuaderLaw(fitted);
    const row = strategyContext(reply('agree'), act('logic'), 1) * STRATEGIES;
    expect(law[row + act('propose')]).toBeGreaterThan(0.8);
  });

  it('does not depend on the order of the dialogues', () => {
    const part = dialogues.slice(0, 20);
    expect(fitPersuaders([...part].reverse(), { seed: 's', folds: 2 })).toEqual(
      fitPersuaders(part, { seed: 's', folds: 2 }),
    );
  });
});

describe('the committed persuaders', () => {
  it('stand in docs/people.md as they are', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/people.md'), 'utf8');
    const lines = new Set(page.split('\n'));
    for (const line of describePersuaders(P4G_PERSUADERS))
      if (line.startsWith('| ')) expect(lines).toContain(line);
    const { n, closed, lengths } = P4G_PERSUADERS;
    expect(page).toContain(`Of the ${n.dialogues}, ${closed} were closed so`);
    expect(page).toContain(`${lengths[10]! + lengths[11]!} of the ${n.dialogues} dialogues have 10 or 11`);
  });

  it.skipIf(!hasData('p4g'))('are what the data give', async () => {
    const dialogues = (await episodes(['p4g/300_dialog.xlsx'])).map(strategyDialogue);
    const { goodness, ...rest } = fitPersuaders(dialogues, { seed: P4G_PERSUADERS.seed });
    const { goodness: due, ...others } = P4G_PERSUADERS;
    expect(rest).toEqual(others);
    goodness.forEach((one, i) => {
      expect(one.model).toBe(due[i]!.model);
      expect(one.perTurn.estimate).toBeCloseTo(due[i]!.perTurn.estimate, 3);
    });
  });
});
