import { drawer } from './draw.mjs';

const GROUPS = ['group', 'unit', 'reward', 'behaviour'];
const group = (name, unit, rewards, ways) => rewards.map((reward, i) => [name, unit, reward, ways[i]]);
const random = drawer('companions/nested');

const nested = Array.from({ length: 9 }, (_, unit) => {
  const agents = unit % 3 === 0 ? 3 : 2;
  return {
    unit,
    rewards: Array.from({ length: agents }, () =>
      Array.from({ length: 2 + random.integer(3) }, () => random.integer(11) / 10),
    ),
  };
});

const episodes = (turnsOf) =>
  [0, 1, 2].flatMap((unit) =>
    ['a', 'b'].flatMap((simulator) =>
      [0, 1].map(() => ({ unit, simulator, turns: turnsOf(simulator, unit) })),
    ),
  );

/** Jensen-Shannon divergence of (1, 0) and (1/2, 1/2) over log 2, and what is left of 1 when a third is chance. */
const OVERLAP = (1.5 * Math.log(2) - 0.75 * Math.log(3)) / Math.log(2);
const EXCESS = 2 / 3;

export const COMPANIONS = {
  file: 'companions',
  group: 'counts',
  title: 'Zero-variance groups, variance split, policy entropy, consistency, exposure of a group',
  cases: [
    {
      id: 'zero-variance/classes',
      about:
        'Why a group has no variance: same behaviour is looked at first; unknown behaviour is no sameness; a lone rollout is no group.',
      task: 'zero-variance',
      input: {
        range: [0, 1],
        table: {
          fields: GROUPS,
          rows: [
            ...group('g1', 0, [0, 0], ['p', 'q']),
            ...group('g2', 1, [1, 1], ['p', 'q']),
            ...group('g3', 2, [0, 0], ['p', 'p']),
            ...group('g4', 3, [0.5, 0.5], [null, null]),
            ...group('g5', 4, [0, 1], ['p', 'p']),
            ...group('g6', 5, [1], ['p']),
            ...group('g7', 6, [0, 0], [null, 'p']),
          ],
        },
      },
      theory: {
        groups: [6, 'groups of two or more'],
        'share.value': [5 / 6, 'five of six'],
        sameBehaviour: [1, 'g3'],
        allFail: [2, 'g1, g7'],
        allPass: [1, 'g2'],
        other: [1, 'g4'],
      },
    },
    {
      id: 'zero-variance/interval',
      about: 'Twelve contexts, one of them with two groups: units are left out, not groups.',
      task: 'zero-variance',
      input: {
        range: [0, 1],
        table: {
          fields: GROUPS,
          rows: Array.from({ length: 13 }, (_, g) =>
            group(`g${g}`, g % 12, g % 3 === 0 ? [1, 1, 1] : [0, 1, 1], ['p', 'q', 'r']),
          ).flat(),
        },
      },
      theory: { 'share.value': [5 / 13, 'groups 0, 3, 6, 9, 12'], allPass: [5, 'all at the top'] },
    },
    {
      id: 'zero-variance/negative-rewards',
      about: 'Rewards between -1 and 1: 0 is neither a pass nor a failure.',
      task: 'zero-variance',
      input: {
        range: [-1, 1],
        table: {
          fields: GROUPS,
          rows: [
            ...group('g1', 0, [0, 0], ['p', 'q']),
            ...group('g2', 0, [-1, -1], ['p', 'q']),
            ...group('g3', 1, [1, 1], ['p', 'q']),
          ],
        },
      },
      theory: { allFail: [1, 'g2'], allPass: [1, 'g3'], other: [1, 'g1'], 'share.value': [1, 'all three'] },
    },
    {
      id: 'zero-variance/none',
      about: 'No group of two.',
      task: 'zero-variance',
      input: { range: [0, 1], table: { fields: GROUPS, rows: [['g', 0, 1, null]] } },
      theory: { 'share.value': [null, 'no group'] },
    },
    {
      id: 'variance-split/by-hand',
      about: 'One context, agent seeds with rewards (0, 1) and (1, 1): variances .5 and 0, means .5 and 1.',
      task: 'variance-split',
      input: { contexts: [{ unit: 0, rewards: [[0, 1], [1, 1], [1]] }] },
      theory: {
        'simulator.value': [0.25, 'mean of .5 and 0; a seed with one reward is left out'],
        'agent.value': [0, 'variance of the means .125 less (.25 + 0) / 2'],
      },
    },
    {
      id: 'variance-split/negative',
      about: 'Agent seeds of equal means: what is left to the agent is below 0 and is shown so.',
      task: 'variance-split',
      input: {
        contexts: [
          {
            unit: 0,
            rewards: [
              [0, 1],
              [1, 0],
            ],
          },
        ],
      },
      theory: { 'simulator.value': [0.5, 'both .5'], 'agent.value': [-0.25, '0 less .5 / 2'] },
    },
    {
      id: 'variance-split/unequal',
      about: 'Nine contexts with two or three agent seeds and two to four user seeds.',
      task: 'variance-split',
      input: { contexts: nested },
    },
    {
      id: 'variance-split/no-seeds',
      about: 'One agent seed only.',
      task: 'variance-split',
      input: { contexts: [{ unit: 0, rewards: [[0, 1, 1]] }] },
      theory: { 'agent.value': [null, 'needs two agent seeds'] },
    },
    {
      id: 'policy-entropy/equal-classes',
      about: 'All classes in every unit.',
      task: 'policy-entropy',
      input: {
        k: 4,
        table: {
          fields: ['unit', 'cell'],
          rows: Array.from({ length: 40 }, (_, i) => [i % 10, Math.floor(i / 10)]),
        },
      },
      theory: { 'entropy.value': [Math.log(4), 'log K'] },
    },
    {
      id: 'policy-entropy/correction',
      about: 'One turn a unit, so the jackknife correction is all there is to see.',
      task: 'policy-entropy',
      input: {
        k: 4,
        table: {
          fields: ['unit', 'cell'],
          rows: [0, 0, 0, 1, 1, 2, 0, 3, 1].map((cell, unit) => [unit, cell]),
        },
      },
    },
    {
      id: 'consistency/same-for-all',
      about: 'The policy does one thing, whoever the user is: no divergence under any permutation.',
      task: 'consistency',
      input: { k: 3, episodes: episodes(() => [0, 2]) },
      theory: { 'consistency.value': [1, 'D = D0 = 0'] },
    },
    {
      id: 'consistency/something-else-for-each',
      about: 'Disjoint classes for each user: D = 1, and 1 - (1 - D0) / (1 - D0) = 0 whatever D0 is.',
      task: 'consistency',
      input: { k: 3, episodes: episodes((simulator) => [simulator === 'a' ? 0 : 1]) },
      theory: { 'consistency.value': [0, 'D = 1'] },
    },
    {
      id: 'consistency/half',
      about:
        'Thirty units where a says 0 0 and b says 1 1: D = 1, and 1/3 of the permutations give 1, the others 0. Thirty where a says 0 0 and b 0 1: every permutation gives the same D.',
      task: 'consistency',
      input: {
        k: 2,
        episodes: Array.from({ length: 60 }, (_, unit) =>
          [0, 0, unit < 30 ? 1 : 0, 1].map((turn, i) => ({
            unit,
            simulator: i < 2 ? 'a' : 'b',
            turns: [turn],
          })),
        ).flat(),
      },
      theory: {
        'consistency.value': [
          1 - EXCESS / (EXCESS + 1 - OVERLAP),
          'chance over all permutations: 1 - (2/3) / (2/3 + 1 - D)',
        ],
      },
      tolerance: {
        absolute: 0.015,
        relative: 0,
        why: 'chance is the mean of 200 permutations in each of 30 units: standard deviation 0.006 of 1/3, which moves the figure by 0.0023',
      },
    },
    {
      id: 'consistency/no-shared-place',
      about: 'One row of each simulator at a place says nothing.',
      task: 'consistency',
      input: {
        k: 3,
        episodes: [
          { unit: 0, simulator: 'a', turns: [0] },
          { unit: 0, simulator: 'b', turns: [1] },
        ],
      },
      theory: { 'consistency.value': [null, 'needs two rows of two simulators'] },
    },
    {
      id: 'exposure/half',
      about: 'One of two members shows a behaviour always, the other never; groups of four.',
      task: 'exposure',
      input: { weights: [0.5, 0.5], chances: [1, 0], size: 4 },
      theory: { perRollout: [1 - 0.5 ** 4, '1 - (1 - q)^G'], perGroup: [0.5, 'sum w (1 - (1 - q)^G)'] },
    },
    {
      id: 'exposure/three-members',
      about: 'Members of unequal weight.',
      task: 'exposure',
      input: { weights: [0.5, 0.3, 0.2], chances: [0.1, 0.5, 0], size: 8 },
      theory: {
        perRollout: [1 - 0.8 ** 8, 'q = .05 + .15'],
        perGroup: [0.5 * (1 - 0.9 ** 8) + 0.3 * (1 - 0.5 ** 8), 'sum w (1 - (1 - q)^G)'],
      },
    },
  ],
};
