import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClosedSession } from '../../../src/gateway/live/closed-session.ts';
import {
  contextsToPlay,
  keptPlayed,
  MOST_CONTEXTS,
  type PlayedContexts,
  withPlayed,
} from '../../../src/gateway/live/played-contexts.ts';
import type { Purpose } from '../../../src/gateway/recorder/purpose.ts';

const session = (contextLabel: string | null, purpose: Purpose = 'training') =>
  ({
    purpose,
    trajectory: {
      contextLabel,
      context: `-/-/${contextLabel ?? 'hash'}`,
      contextFrom: contextLabel === 'own' ? 'none' : 'scenario',
    },
  }) as Pick<ClosedSession, 'purpose' | 'trajectory'>;

const play = (labels: readonly (string | null)[], epoch = 0, before: PlayedContexts = new Map()) =>
  labels.reduce((played, label) => withPlayed(played, session(label), epoch), before);
const told = (played: PlayedContexts, epoch: number, ended: readonly number[] = []) =>
  contextsToPlay(played, { epoch, ended });

describe('contexts to play panel sessions on', () => {
  it('are those of training sessions, by label, else by identity; one that never comes again is left out', () => {
    let played = play(['a', 'b', 'a', null, 'own']);
    played = withPlayed(played, session('panel', 'panel'), 0);
    played = withPlayed(played, session('probe', 'probe'), 0);
    expect([...told(played, 0).contexts].sort()).toEqual(['-/-/hash', 'a', 'b']);
  });

  it('are of the epoch under way, and of the last one until a session of this one is over', () => {
    const first = play(['a'], 3);
    expect(told(first, 4, [2, 3])).toEqual({ contexts: ['a'], contextsEpoch: 3 });
    const both = play(['b'], 4, first);
    expect(told(both, 4, [2, 3])).toEqual({ contexts: ['b'], contextsEpoch: 4 });
    expect(told(new Map(), 0)).toEqual({ contexts: [], contextsEpoch: null });
    expect(told(first, 9, [8])).toEqual({ contexts: [], contextsEpoch: null });
    expect([...keptPlayed(both, { epoch: 5, ended: [3, 4] }).keys()]).toEqual([4]);
    expect(keptPlayed(both, { epoch: 4, ended: [3] })).toBe(both);
  });

  it('are at most 64, whatever the order and however often they come', () => {
    const many = Array.from({ length: 200 }, (_, i) => `t${i}`);
    const all = told(play(many), 0).contexts;
    expect(all).toHaveLength(MOST_CONTEXTS);
    fc.assert(
      fc.property(
        fc.shuffledSubarray(many, { minLength: 200 }),
        fc.array(fc.constantFrom(...many)),
        (one, more) => {
          expect(told(play([...one, ...more]), 0).contexts).toEqual(all);
        },
      ),
      { numRuns: 20 },
    );
  });
});
