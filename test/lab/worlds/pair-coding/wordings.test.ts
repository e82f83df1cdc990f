import { expect, it } from 'vitest';
import type { Pattern } from '../../../../src/lab/speech/pattern.ts';
import { say } from '../../../../src/lab/speech/pattern.ts';
import { renderTurns } from '../../../../src/lab/speech/render.ts';
import { AGENT_ACTS, AGENT_MESSAGES, P, PARTNER_ACTS } from '../../../../src/lab/worlds/pair-coding/acts.ts';
import { pairCoding } from '../../../../src/lab/worlds/pair-coding/index.ts';
import type { PairSetting } from '../../../../src/lab/worlds/pair-coding/pair-setting.ts';
import { seeded } from '../../../../src/math/random.ts';
import { anyAllowed, begin, play } from './dialogue.ts';

const world = pairCoding();
const { slots } = world.setting(0, 1);
const renderings = (pattern: Pattern) => {
  const random = seeded('wordings');
  return new Set(Array.from({ length: 300 }, () => say(pattern, slots, (n) => random.integer(n))));
};

it('says every message of the agent in at least 8 ways', () => {
  for (const act of AGENT_ACTS.slice(0, AGENT_MESSAGES))
    expect(renderings(world.wordings.agent[act]!).size, act).toBeGreaterThanOrEqual(8);
});
it('says every act of the partner but the quiet ones in at least 8 ways, shorter and longer too', () => {
  for (const act of PARTNER_ACTS.slice(0, P.leave + 1)) {
    const { core, terse, more } = world.wordings.user[act]!;
    expect(renderings(core).size, act).toBeGreaterThanOrEqual(8);
    expect(renderings(terse!).size, act).toBeGreaterThanOrEqual(2);
    expect(renderings(more!).size, act).toBeGreaterThanOrEqual(2);
  }
  expect(Object.keys(world.wordings.user).sort()).toEqual(PARTNER_ACTS.slice(0, P.leave + 1).toSorted());
});
it('leaves no sign of the notation in what is said', () => {
  for (const pattern of Object.values(world.wordings.agent))
    for (const text of renderings(pattern)) expect(text).not.toMatch(/[<>|()]|\s\s|^\s|\s$/);
  for (const { core, terse, more } of Object.values(world.wordings.user))
    for (const pattern of [core, terse!, more!])
      for (const text of renderings(pattern)) expect(text).not.toMatch(/[<>|()]|\s\s|^\s|\s$/);
});
it('writes down whole dialogues, a call and its answer for every tool', () => {
  for (let i = 0; i < 40; i++) {
    const random = seeded(`dialogue ${i}`);
    const setting = world.setting(i, 1) as PairSetting;
    const voice = world.anyTraits(random);
    const over = play(begin(world, setting, [voice]), anyAllowed(random), random);
    const turns = renderTurns(world, setting, over.steps, { voice, breadth: 1 }, random);
    for (const turn of turns) expect(turn.text !== null || turn.toolCalls !== undefined).toBe(true);
    const calls = over.steps.filter((step) => step.tool !== undefined);
    expect(turns.filter(({ role }) => role === 'tool')).toHaveLength(calls.length);
    for (const { tool } of calls) expect(() => JSON.parse(tool!.answer)).not.toThrow();
    expect(turns.length).toBe(over.steps.length + calls.length);
  }
});
