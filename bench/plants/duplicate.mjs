// Rows that hold what another row holds. A form may give several rows; `original` stays, its copies are planted.
const copy = (name, change, { original = (episode) => episode, fits = () => true } = {}) => ({
  name,
  fits: (host) => host.users.length >= 2 && fits(host),
  plant: (host) => change({ ...original(host.episode), id: `${host.episode.id}/copy` }, host),
  original: (host) => original(host.episode),
});
const free = (episode) => ({ ...episode, group: null });
const file = (episode, name, line) => ({ ...episode, source: { file: name, line } });

export const duplicate = {
  kind: 'duplicate, outside groups',
  expect: 'drop',
  beside: 'original',
  forms: [
    copy('other id', (episode) => episode, { original: free }),
    copy('other id that is a number', (episode) => ({ ...episode, id: '17' }), { original: free }),
    copy('other file', (episode) => file(episode, 'again.jsonl', 3), { original: free }),
    copy('other run', (episode) => ({ ...episode, run: 'second' }), { original: free }),
    copy('other epoch', (episode) => ({ ...episode, epoch: 7 }), { original: free }),
    copy(
      'other reward',
      (episode) => ({ ...episode, reward: episode.reward === null ? null : 1 - Math.min(1, episode.reward) }),
      { original: free },
    ),
    copy('termination lost', (episode) => ({ ...episode, termination: null }), { original: free }),
    copy('other person', (episode) => ({ ...episode, simulator: { ...episode.simulator, person: 'p-2' } }), {
      original: free,
    }),
    copy('other split', (episode) => ({ ...episode, split: 'seen' }), { original: free }),
    copy('other label', (episode) => ({ ...episode, contextLabel: 'x9' }), { original: free }),
    copy('other benchmark name', (episode) => ({ ...episode, benchmark: `${episode.benchmark}-copy` }), {
      original: free,
    }),
    copy('other outcome', (episode) => ({ ...episode, outcome: 'done' }), { original: free }),
    copy(
      'call ids renumbered',
      (episode) => ({
        ...episode,
        turns: episode.turns.map((turn) =>
          turn.toolCalls === undefined
            ? turn
            : { ...turn, toolCalls: turn.toolCalls.map((call, n) => ({ ...call, id: `c${n}` })) },
        ),
      }),
      { original: free },
    ),
    copy(
      'other simulator name',
      (episode) => ({ ...episode, simulator: { ...episode.simulator, id: 'other' } }),
      { original: free },
    ),
    copy('other policy name', (episode) => ({ ...episode, policy: { id: 'other', checkpoint: null } }), {
      original: free,
    }),
  ],
};

/** Whether these are one fault (a file read twice) or two honest draws is not in the rows: told, not judged. */
export const duplicateAcrossGroups = {
  kind: 'equal rows in two groups',
  expect: 'told',
  beside: 'original',
  forms: [
    copy('other group', (episode) => ({ ...episode, group: `${episode.group}/b` }), {
      fits: (host) => host.episode.group !== null,
    }),
    copy('other group and run', (episode) => ({ ...episode, group: `${episode.group}/b`, run: 'second' }), {
      fits: (host) => host.episode.group !== null,
    }),
  ],
};

/** Equal rollouts of one GRPO group are what the policy did: dropping one would bend the group's mean. */
export const duplicateInGroup = {
  kind: 'control: equal rows in one group',
  expect: 'keep',
  beside: 'original',
  forms: [
    copy('same group', (episode) => episode, { fits: (host) => host.episode.group !== null }),
    copy('same group, other line', (episode) => file(episode, episode.source.file, 99), {
      fits: (host) => host.episode.group !== null,
    }),
    copy('group given to both', (episode) => episode, {
      original: (episode) => ({ ...episode, group: 'g-1' }),
    }),
  ],
};
