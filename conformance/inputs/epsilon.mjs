import { drawer } from './draw.mjs';

const random = drawer('epsilon/drawn');
const laws = [
  [0.9, 0.1, 0, 0],
  [0.4, 0.3, 0.2, 0.1],
  [1, 0, 0, 0],
];
const drawn = Array.from({ length: 36 }, (_, i) => ({
  unit: Math.floor(i / 3),
  probability: [1, 0.5, 0.25][i % 3],
  classes: Array.from({ length: i === 7 ? 5 : 8 }, () => random.index(laws[i % 3])),
}));
const history = (unit, classes, probability = 1) => ({ unit, probability, classes });

export const EPSILON = {
  file: 'epsilon',
  group: 'counts',
  title: 'epsilon from resample classes, and from known laws',
  cases: [
    {
      id: 'epsilon/deterministic',
      about: 'One class at every visited history, though another at each: no disagreement anywhere.',
      task: 'epsilon',
      input: {
        k: 4,
        law: 'member',
        histories: Array.from({ length: 8 }, (_, u) => history(u, Array(8).fill(u % 4))),
      },
      theory: {
        'disagreement.value': [0, 'no pair differs'],
        'epsilon.value': [0, 'deterministic'],
        'conditional.value': [1, 'collapsed at every history'],
      },
    },
    {
      id: 'epsilon/by-hand',
      about: 'Classes 0 0 0 0 1 1 2 3: pairs that agree 12 + 2 of 56; leave one out hits four of eight.',
      task: 'epsilon',
      input: { k: 4, law: 'member', histories: [history(0, [0, 0, 0, 0, 1, 1, 2, 3])] },
      theory: {
        'disagreement.value': [1 - 14 / 56, 'pairs'],
        'plugIn.value': [0.5, '1 - 4 / 8'],
        'leaveOneOut.value': [0.5, 'a 0 less still leads: 4 of 8 predicted'],
        'lowerBound.value': [1 - Math.sqrt(14 / 56), '1 - sqrt(1 - G2)'],
        'conditional.value': [1 - (0.75 * 4) / 3, '1 - G2 K / (K - 1)'],
      },
    },
    {
      id: 'epsilon/ties',
      about: 'Classes 0 0 0 1 1 1: without one reply its class has 2 against 3, so none is predicted.',
      task: 'epsilon',
      input: { k: 2, law: 'member', histories: [history(0, [0, 0, 0, 1, 1, 1])] },
      theory: {
        'plugIn.value': [0.5, '1 - 3 / 6'],
        'leaveOneOut.value': [1, 'no reply is predicted'],
        'disagreement.value': [18 / 30, '18 of 30 ordered pairs differ'],
      },
    },
    {
      id: 'epsilon/shared-ties',
      about: 'Classes 0 0 0 1 1 2: without a 0 the classes 0 and 1 lead together and share the guess.',
      task: 'epsilon',
      input: { k: 3, law: 'member', histories: [history(0, [0, 0, 0, 1, 1, 2])] },
      theory: { 'leaveOneOut.value': [1 - 1.5 / 6, 'three replies, each predicted by half'] },
    },
    {
      id: 'epsilon/weights',
      about: 'Histories weigh one over their probing probability: (1 x 0 + 4 x 1) / 5.',
      task: 'epsilon',
      input: { k: 3, law: 'population', histories: [history(0, [0, 0]), history(1, [1, 2], 0.25)] },
      theory: { 'disagreement.value': [0.8, '4 / 5'], 'epsilon.value': [null, 'fewer than 6 resamples'] },
    },
    {
      id: 'epsilon/too-few-resamples',
      about:
        'Nine of ten histories by weight must have six resamples; here eight of ten do. A single reply is left out.',
      task: 'epsilon',
      input: {
        k: 3,
        law: 'member',
        histories: [
          ...Array.from({ length: 8 }, (_, u) => history(u, [0, 0, 0, 0, 0, 1])),
          history(8, [0, 1]),
          history(9, [0, 0]),
          history(9, [2]),
        ],
      },
      theory: { 'epsilon.value': [null, '8 of 10 is below .9'], histories: [10, 'with two replies or more'] },
    },
    {
      id: 'epsilon/drawn',
      about: 'Twelve contexts of three histories, one with a lost reply; intervals over contexts.',
      task: 'epsilon',
      input: { k: 4, law: 'member', histories: drawn.toReversed() },
    },
    {
      id: 'epsilon/none',
      about: 'No history with two replies.',
      task: 'epsilon',
      input: { k: 4, law: 'member', histories: [history(0, [1])] },
      theory: { 'disagreement.value': [null, 'no pair'] },
    },
    {
      id: 'law/members-drawn-per-turn',
      about: 'K disjoint deterministic users, drawn again at every turn.',
      task: 'law',
      input: {
        weights: [0.25, 0.25, 0.25, 0.25],
        past: [[], [], [], []],
        members: [0, 1, 2, 3].map((i) => [0, 1, 2, 3].map((c) => (c === i ? 1 : 0))),
      },
      theory: {
        'population.epsilon': [3 / 4, '1 - 1/K'],
        'population.disagreement': [3 / 4, '1 - 1/K'],
        'member.0.epsilon': [0, 'deterministic'],
      },
    },
    {
      id: 'law/sticky-member-later',
      about: 'The same users, sticky, after a first turn that only the second could have said.',
      task: 'law',
      input: {
        weights: [0.25, 0.25, 0.25, 0.25],
        past: [[0], [1], [0], [0]],
        members: [0, 1, 2, 3].map((i) => [0, 1, 2, 3].map((c) => (c === i ? 1 : 0))),
      },
      theory: {
        'posterior.1': [1, 'the past names the member'],
        'population.epsilon': [0, 'the member is known'],
      },
    },
    {
      id: 'law/posterior',
      about: 'Weights .5, .3, .2 and past likelihoods .5 x .2, .5 x .5, 0.',
      task: 'law',
      input: {
        weights: [0.5, 0.3, 0.2],
        past: [
          [0.5, 0.2],
          [0.5, 0.5],
          [0.4, 0],
        ],
        members: [
          [1, 0],
          [0.5, 0.5],
          [0, 1],
        ],
      },
      theory: {
        'posterior.0': [0.05 / 0.125, 'w prod phi, scaled'],
        'posterior.1': [0.075 / 0.125, 'w prod phi, scaled'],
        'posterior.2': [0, 'could not have said the past'],
        'population.epsilon': [0.3, '1 - (.4 + .6 / 2)'],
        'population.disagreement': [1 - 0.7 ** 2 - 0.3 ** 2, '1 - sum phi^2'],
      },
    },
    {
      id: 'law/impossible-past',
      about: 'No member could have said the past: only first turns can be measured.',
      task: 'law',
      input: {
        weights: [0.5, 0.5],
        past: [[0], [0.5, 0]],
        members: [
          [1, 0],
          [0, 1],
        ],
      },
      theory: { 'population.epsilon': [null, 'no posterior'], 'posterior.0': [null, 'no posterior'] },
    },
  ],
};
