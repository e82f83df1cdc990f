import { expect, it } from 'vitest';
import { A, AGENT_ACTS } from '../../../../src/lab/worlds/pair-coding/acts.ts';
import { pairCoding } from '../../../../src/lab/worlds/pair-coding/index.ts';
import type { PairEncounter } from '../../../../src/lab/worlds/pair-coding/pair-encounter.ts';
import type { PairSetting } from '../../../../src/lab/worlds/pair-coding/pair-setting.ts';
import { type Random, seeded } from '../../../../src/math/random.ts';
import { adaptive } from './adaptive-agent.ts';
import { begin, draw, play } from './dialogue.ts';

type Agent = (random: Random) => (encounter: PairEncounter) => number;

const world = pairCoding();
const EACH = 100;

/** Share of dialogues with people in which both features pass, and their mean length in agent turns. */
function success(agent: Agent): { passed: number; turns: number } {
  let passed = 0;
  let turns = 0;
  for (const { id, share, traits } of world.types)
    for (let i = 0; i < EACH; i++) {
      const random = seeded(`${id} ${i}`);
      const setting = world.setting(i, 1) as PairSetting;
      const over = play(begin(world, setting, [traits]), agent(random.fork('agent')), random);
      passed += (share * over.reward!) / EACH;
      turns += (share * over.turn) / EACH;
    }
  return { passed, turns };
}

const law = new Float64Array(AGENT_ACTS.length);
const demonstrator: Agent = (random) => (encounter) => {
  world.demonstrate(encounter, law);
  return draw(law, random);
};

/** Acts one after the other, without a look at what is said; those not allowed are passed over. */
const script =
  (acts: readonly (keyof typeof A)[]): Agent =>
  () => {
    let at = 0;
    const allowed = new Uint8Array(AGENT_ACTS.length);
    return (encounter) => {
      encounter.allowed(allowed, 0);
      while (at < acts.length) {
        const act = A[acts[at++]!];
        if (allowed[act] === 1) return act;
      }
      return A.done;
    };
  };

it('is neither hopeless nor easy for a developer who treats everyone alike', () => {
  const { passed, turns } = success(demonstrator);
  expect(passed).toBeGreaterThan(0.25);
  expect(passed).toBeLessThan(0.5);
  expect(turns).toBeLessThan(30);
});
it('rewards going by what the partner does, far over any short script', () => {
  const best = success(() => adaptive);
  expect(best.passed).toBeGreaterThan(0.65);
  expect(best.turns).toBeLessThan(30);
  const edits = ['editOwn', 'editOwn', 'editOverlap', 'editOverlap', 'push'] as const;
  const scripts: (keyof typeof A)[][] = [
    [...edits],
    ['sharePlan', 'yield', 'yield', 'editOwn', 'editOwn', 'push'],
    ['sharePlan', 'askPlan', 'claimExplain', 'claimTrade', ...edits],
    ['sharePlan', 'askPlan', 'claimAsk', 'claimAsk', ...edits],
    ['sharePlan', 'claimExplain', ...edits, 'warn', 'pull', 'adapt', 'push'],
  ];
  for (const acts of scripts)
    expect(success(script(acts)).passed, acts.join(' ')).toBeLessThan(best.passed - 0.25);
});
