import { describe, expect, it } from 'vitest';
import type { AgentAct, UserAct } from '../../../../src/lab/worlds/service/acts.ts';
import {
  ADDRESS,
  CANCEL,
  CODE_PRICE,
  EXCHANGE,
  KINDS,
  type Kind,
  REFUND,
} from '../../../../src/lab/worlds/service/rules.ts';
import type { ServiceSetting } from '../../../../src/lab/worlds/service/setting.ts';
import { OPENING, play, settingWhere } from './desk-plays.ts';

type Script = readonly (AgentAct | [AgentAct, UserAct])[];
const BYE: Script = [['close', 'thanks']];
const tool = (kind: number): AgentAct => `do-${KINDS[kind] as Kind}`;
const first = (kind: number, permitted: boolean, also: (setting: ServiceSetting) => boolean = () => true) =>
  settingWhere((setting) => {
    const goal = setting.goals[0];
    return goal.kind === kind && goal.permitted === permitted && also(setting);
  });
const price = (setting: ServiceSetting) => setting.orders[setting.goals[0].order]!.price;
const reward = (setting: ServiceSetting, ...script: Script) => play(setting, script).reward;

describe('what is permitted', () => {
  it('is done with the tool of its kind', () => {
    expect(reward(first(CANCEL, true), ...OPENING, 'do-cancel', ...BYE)).toBe(1);
    expect(
      reward(
        first(REFUND, true, (s) => price(s) < CODE_PRICE),
        ...OPENING,
        'do-refund',
        ...BYE,
      ),
    ).toBe(1);
    expect(
      reward(first(EXCHANGE, true), ...OPENING, ['ask-detail', 'give-detail'], 'do-exchange', ...BYE),
    ).toBe(1);
    expect(
      reward(
        first(ADDRESS, true),
        ...OPENING,
        ['ask-detail', 'give-detail'],
        ['ask-code', 'tool-done'],
        'do-address',
        ...BYE,
      ),
    ).toBe(1);
  });
  it('is not done by closing or denying', () => {
    const setting = first(CANCEL, true);
    expect(reward(setting, ...OPENING, ['deny', 'accept'], ...BYE)).toBe(0);
    expect(reward(setting, ...OPENING, ['explain', 'leave'])).toBe(0);
  });
  it('is done wrongly without the code where one is needed', () => {
    const large = first(REFUND, true, (s) => price(s) >= CODE_PRICE);
    expect(reward(large, ...OPENING, 'do-refund', ...BYE)).toBe(0);
    expect(reward(large, ...OPENING, ['ask-code', 'tool-done'], 'do-refund', ...BYE)).toBe(1);
    expect(
      reward(first(ADDRESS, true), ...OPENING, ['ask-detail', 'give-detail'], 'do-address', ...BYE),
    ).toBe(0);
  });
  it('counts when the user leaves after it was done', () => {
    expect(reward(first(CANCEL, true), ...OPENING, 'do-cancel', ['close', 'leave'])).toBe(1);
  });
});

describe('what is forbidden', () => {
  it.each([CANCEL, REFUND, EXCHANGE, ADDRESS])('is denied, and the denial taken (kind %i)', (kind) => {
    const setting = first(kind, false);
    expect(reward(setting, ...OPENING, ['deny', 'accept'], ...BYE)).toBe(1);
    expect(reward(setting, ...OPENING, ['deny', 'insist'], ['close', 'insist'])).toBe(0);
    expect(reward(setting, ...OPENING, ['deny', 'push-back'], ['explain', 'leave'])).toBe(0);
    const detail: Script = kind === EXCHANGE || kind === ADDRESS ? [['ask-detail', 'give-detail']] : [];
    expect(reward(setting, ...OPENING, ...detail, ['ask-code', 'tool-done'], tool(kind), ...BYE)).toBe(0);
  });
});

describe('a wrong order number', () => {
  const WRONG: Script = [
    ['ask-goal', 'state-goal'],
    ['ask-identity', 'give-identity'],
    ['ask-order', 'give-wrong-order'],
  ];
  it('touches the wrong record', () => {
    const setting = first(CANCEL, true);
    const encounter = play(setting, [...WRONG, 'do-cancel', ...BYE]);
    expect(encounter.reward).toBe(0);
    expect(encounter.desk.database.kind[setting.mistaken]).toBe(CANCEL);
    expect(encounter.desk.database.kind[setting.goals[0].order]).toBe(-1);
    expect(encounter.outcome).toContain(`${setting.orders[setting.mistaken]!.id} cancel`);
  });
  it('is put right when the plan is read back', () => {
    const encounter = play(first(CANCEL, true), [
      ...WRONG,
      ['confirm-plan', 'correct-self'],
      'do-cancel',
      ...BYE,
    ]);
    expect(encounter.reward).toBe(1);
  });
  it('makes a denial stand for the wrong order', () => {
    expect(reward(first(CANCEL, false), ...WRONG, ['deny', 'accept'], ...BYE)).toBe(0);
  });
  it('looks to the agent like a right one', () => {
    const setting = first(CANCEL, true);
    const seen = (order: UserAct) => {
      const encounter = play(setting, [...WRONG.slice(0, 2), ['ask-order', order]]);
      const into = new Float64Array(70);
      encounter.observe(into, 0);
      return into;
    };
    expect(seen('give-wrong-order')).toEqual(seen('give-order'));
  });
});

describe('a change of mind', () => {
  const bothCheap = (second: number, sameOrder: boolean) =>
    settingWhere(({ goals }) => {
      const [a, b] = goals;
      return (
        a.permitted &&
        b.permitted &&
        a.kind === CANCEL &&
        b.kind === second &&
        (b.order === a.order) === sameOrder
      );
    });
  it('makes another goal the one that is checked', () => {
    const setting = bothCheap(ADDRESS, true);
    const changed: Script = [...OPENING, ['confirm-plan', 'change-goal']];
    expect(reward(setting, ...changed, 'do-cancel', ...BYE)).toBe(0);
    expect(
      reward(
        setting,
        ...changed,
        ['ask-detail', 'give-detail'],
        ['ask-code', 'tool-done'],
        'do-address',
        ...BYE,
      ),
    ).toBe(1);
  });
  it('leaves the order number stale', () => {
    const setting = bothCheap(EXCHANGE, false);
    const changed: Script = [...OPENING, ['confirm-plan', 'change-goal'], ['ask-detail', 'give-detail']];
    const stale = play(setting, [...changed, 'do-exchange', ...BYE]);
    expect(stale.reward).toBe(0);
    expect(stale.desk.database.kind[setting.goals[0].order]).toBe(EXCHANGE);
    expect(reward(setting, ...changed, ['ask-order', 'give-order'], 'do-exchange', ...BYE)).toBe(1);
  });
  it('comes too late for what was done unasked, and not at all after a yes', () => {
    const setting = bothCheap(ADDRESS, true);
    expect(reward(setting, ...OPENING, 'do-cancel', ['close', 'change-goal'])).toBe(0);
    expect(() =>
      play(setting, [...OPENING, ['confirm-plan', 'accept'], 'do-cancel', ['close', 'change-goal']]),
    ).toThrow('not possible');
  });
  it('opens a way out of a denial', () => {
    const setting = settingWhere(
      ({ goals }) => !goals[0].permitted && goals[1].permitted && goals[1].kind === EXCHANGE,
    );
    expect(
      reward(
        setting,
        ...OPENING,
        ['deny', 'push-back'],
        ['offer-alternative', 'change-goal'],
        ['ask-order', 'give-order'],
        ['ask-detail', 'give-detail'],
        'do-exchange',
        ...BYE,
      ),
    ).toBe(1);
  });
});

it('writes an order once: a second write fails and changes nothing', () => {
  const setting = settingWhere(
    ({ goals: [a, b] }) => a.kind === REFUND && b.kind === EXCHANGE && a.order === b.order,
  );
  const encounter = play(setting, [...OPENING, 'do-refund']);
  expect(encounter.desk.database.write(setting.goals[0].order, EXCHANGE, -1, false)).toBe(false);
  expect(encounter.desk.database.kind[setting.goals[0].order]).toBe(REFUND);
});
