import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  beginEpoch,
  countedEpoch,
  countSession,
  type EpochState,
  newEpochs,
  psodDue,
  settleEpochs,
} from '../../../src/gateway/live/epoch-clock.ts';

const training = (epoch: number) => ({ epoch, purpose: 'training', split: 'seen' }) as const;
const RULE = { by: 'sessions', every: 3 } as const;

function count(state: EpochState, ...epochs: number[]): { state: EpochState; ended: number[] } {
  const ended: number[] = [];
  for (const epoch of epochs) {
    const settled = settleEpochs(RULE, countSession(state, training(epoch)));
    state = settled.state;
    ended.push(...settled.ended);
  }
  return { state, ended };
}

describe('epochs by sessions', () => {
  it('end when enough sessions of the epoch have closed; late ones are counted and end nothing', () => {
    const { state, ended } = count(newEpochs(), 0, 0, 0, 0, 0, 1, 1);
    expect(ended).toEqual([0]);
    expect(state).toMatchObject({ epoch: 1, late: 2, counts: { 1: 2 }, ended: [0] });
    expect(count(state, 1).state).toMatchObject({ epoch: 2, counts: {} });
  });

  it('are counted by the gateway: a client that is ahead counts for the epoch under way', () => {
    const state = { ...newEpochs(), epoch: 4 };
    expect(countedEpoch(RULE, state, 900)).toBe(4);
    expect(countedEpoch(RULE, state, 2)).toBe(2);
    expect(countedEpoch(RULE, state, null)).toBe(4);
    expect(countedEpoch({ by: 'trainer', every: 3 }, state, 5)).toBe(5);
  });

  it('do not end by panels, probes or nested sessions', () => {
    let state = newEpochs();
    for (const purpose of ['panel', 'probe', 'nested'] as const)
      for (let i = 0; i < 9; i++) state = countSession(state, { epoch: 0, purpose, split: 'selection' });
    expect(settleEpochs(RULE, state).ended).toEqual([]);
    expect(state.panels).toEqual({ first: 0, last: 0 });
  });

  it('lose no session: counted, late or of an epoch that ended, whatever comes', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 60 }), (epochs) => {
        const { state, ended } = count(newEpochs(), ...epochs);
        const counted = Object.values(state.counts).reduce((sum, one) => sum + one, 0);
        expect(ended).toEqual(ended.map((_, i) => i));
        expect(state.epoch).toBe(ended.length);
        expect(epochs.length - counted - state.late).toBeGreaterThanOrEqual(RULE.every * ended.length);
      }),
    );
  });
});

describe('epochs by the trainer', () => {
  it('end when the next one begins; sessions that are ahead wait for theirs', () => {
    let state = newEpochs();
    for (const epoch of [0, 10, 10, 5]) state = countSession(state, training(epoch));
    const { state: next, ended } = beginEpoch(state, 10);
    expect(ended).toBe(0);
    expect(next).toMatchObject({ epoch: 10, counts: { 10: 2 }, late: 1, ended: [0] });
    expect(settleEpochs({ by: 'trainer', every: 1 }, next).ended).toEqual([]);
  });

  it('take a repeated call as one, and refuse to go back', () => {
    const state = beginEpoch(newEpochs(), 3).state;
    expect(beginEpoch(state, 3)).toEqual({ state, ended: null });
    expect(() => beginEpoch(state, 2)).toThrow(/is over/);
    expect(() => beginEpoch(state, 3.5)).toThrow(/whole number/);
  });
});

describe('panel sessions', () => {
  it('are due at the start, and when the last epoch that had some lies far enough back', () => {
    const at = (epoch: number, last: number | null, hasPanel = true) =>
      psodDue({ epoch, panels: { first: last, last } }, 10, hasPanel).due;
    expect([at(0, null), at(9, 0), at(10, 0), at(25, 20)]).toEqual([true, false, true, false]);
  });

  it('are never due without a panel, and the test panel does not count', () => {
    expect(psodDue(newEpochs(), 1, false).due).toBe(false);
    const state = countSession(newEpochs(), { epoch: 0, purpose: 'panel', split: 'test' });
    expect(state.panels).toEqual({ first: null, last: null });
  });
});
