// Rewards that cannot be true, or are not there. They carry no words; what varies is the number and the dialogue.
const BAD = [
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  2,
  -1,
  1.0001,
  -0.0001,
  1e9,
  -1e9,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  100,
  42,
  -7.5,
  1.5,
  -100,
  1 + 1e-6,
  999,
  1e300,
];

const rewarded = (host) => host.task && host.episode.reward !== null;

/** In [0, 1], the range of the hosts' data sets. */
export const invalidReward = {
  kind: 'invalid reward',
  expect: 'drop',
  forms: BAD.map((reward) => ({
    name: String(reward),
    fits: rewarded,
    plant: (host) => ({ ...host.episode, reward }),
  })),
};

export const missingReward = {
  kind: 'missing reward among rewarded rows',
  expect: 'drop',
  /** Unplanted rows of the hosts' data sets stand beside them. */
  beside: 'rewarded',
  forms: [
    { name: 'null', fits: rewarded, plant: (host) => ({ ...host.episode, reward: null }) },
    {
      name: 'null, with an outcome',
      fits: rewarded,
      plant: (host) => ({ ...host.episode, reward: null, outcome: 'unknown' }),
    },
    {
      name: 'null, in no group',
      fits: rewarded,
      plant: (host) => ({ ...host.episode, reward: null, group: null }),
    },
  ],
};
