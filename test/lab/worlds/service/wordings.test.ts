import { describe, expect, it } from 'vitest';
import { type Pattern, say } from '../../../../src/lab/speech/pattern.ts';
import { AGENT_ACTS, USER_ACTS } from '../../../../src/lab/worlds/service/acts.ts';
import { isTool } from '../../../../src/lab/worlds/service/service-step.ts';
import type { ServiceSetting } from '../../../../src/lab/worlds/service/setting.ts';
import { seeded } from '../../../../src/math/random.ts';
import { begin, draw, OPENING, play, settingWhere, world } from './desk-plays.ts';

const setting = settingWhere(({ goals: [goal] }) => goal.kind === 2 && goal.permitted);
const slots = { ...setting.slots, ...play(setting, OPENING).steps.at(-1)!.slots };

function renderings(pattern: Pattern): Set<string> {
  const random = seeded('words');
  const said = new Set<string>();
  for (let i = 0; i < 300; i++) said.add(say(pattern, slots, (n) => random.integer(n)));
  return said;
}

describe('wordings', () => {
  it.each(USER_ACTS)('say "%s" in eight ways or more, shorter, and at more length', (act) => {
    const { core, terse, more } = world.wordings.user[act]!;
    expect(renderings(core).size).toBeGreaterThanOrEqual(8);
    expect(terse && renderings(terse).size).toBeGreaterThanOrEqual(2);
    expect(more && renderings(more).size).toBeGreaterThanOrEqual(2);
  });
  it('say every act of the agent that is no tool call, in eight ways or more', () => {
    for (const [act, name] of AGENT_ACTS.entries()) {
      const pattern = world.wordings.agent[name];
      if (isTool(act)) expect(pattern).toBeUndefined();
      else expect(renderings(pattern!).size).toBeGreaterThanOrEqual(8);
    }
  });
  it('have all slots filled at every step, and tool calls with JSON answers', () => {
    const law = new Float64Array(USER_ACTS.length);
    const shares = new Float64Array(AGENT_ACTS.length);
    const tools = new Set<string>();
    for (let index = 0; index < 150; index++) {
      const random = seeded(`slots/${index}`);
      const here = world.setting(index, 9) as ServiceSetting;
      const encounter = begin(here, [world.anyTraits(random)]);
      while (encounter.phase !== 'over') {
        if (encounter.phase === 'agent') {
          world.demonstrate(encounter, shares);
          encounter.actAgent(draw(shares, random));
        } else {
          encounter.law(0, law);
          encounter.actUser(draw(law, random));
        }
      }
      for (const step of encounter.steps) {
        const known = { ...here.slots, ...step.slots };
        const choose = (n: number) => random.integer(n);
        if (step.tool !== undefined) {
          tools.add(step.tool.call.name);
          expect(Object.keys(JSON.parse(step.tool.answer))).not.toHaveLength(0);
        }
        if (step.side === 'agent') {
          const pattern = world.wordings.agent[AGENT_ACTS[step.act]!];
          if (pattern !== undefined) expect(say(pattern, known, choose)).not.toMatch(/[<>()|]|undefined/);
          continue;
        }
        const { core, terse, more } = world.wordings.user[USER_ACTS[step.act]!]!;
        for (const pattern of [core, terse!, more!])
          expect(say(pattern, known, choose)).not.toMatch(/[<>()|]|undefined/);
      }
    }
    expect([...tools].sort()).toEqual([
      'cancel_order',
      'change_address',
      'check_email',
      'exchange_item',
      'get_order',
      'refund_order',
    ]);
  });
  it('write a wrong order number with the number that was given', () => {
    const encounter = play(setting, [OPENING[0], OPENING[1], ['ask-order', 'give-wrong-order']]);
    expect(encounter.steps.at(-1)!.slots!.order).toBe(setting.orders[setting.mistaken]!.id);
    expect(encounter.steps.at(-1)!.slots!.meant).toBe(setting.orders[setting.goals[0].order]!.id);
  });
});
