// Rows that hold what another row holds. `original` stays beside its copy; either of them may go.
const copy = (name, change, { original = free, fits = () => true } = {}) => ({
  name,
  fits: (host) => host.users.length >= 2 && fits(host),
  plant: (host) => change({ ...original(host.episode), id: `${host.episode.id}/copy` }),
  original: (host) => original(host.episode),
});
const free = (episode) => ({ ...episode, group: null });
const same = (episode) => episode;
const given = (facts) => (episode) => ({ ...episode, ...facts });
const file = (name, line) => given({ source: { file: name, line } });

export const duplicate = {
  kind: 'duplicate, outside groups',
  expect: 'drop',
  beside: 'original',
  forms: [
    copy('other id', same),
    copy('other id that is a number', given({ id: '17' })),
    copy('id in capitals', (episode) => ({ ...episode, id: episode.id.toUpperCase() })),
    copy('other file', file('again.jsonl', 3)),
    copy('other line', (episode) => file(episode.source.file, 99_999)(episode)),
    copy('line lost', (episode) => file(episode.source.file, null)(episode)),
    copy('other run', given({ run: 'second' })),
    copy('other run and file', (episode) => file('b.jsonl', 1)({ ...episode, run: 'second' })),
    copy('scenario with other blanks', (episode) => ({
      ...episode,
      scenario: episode.scenario === null ? null : `${episode.scenario.replaceAll(' ', '  ')}\n`,
    })),
    copy('other person', (episode) => ({ ...episode, simulator: { ...episode.simulator, person: 'p-2' } })),
    copy('other split', given({ split: 'seen' })),
    copy('other label', given({ contextLabel: 'x9' })),
    copy('other benchmark name', (episode) => ({ ...episode, benchmark: `${episode.benchmark}-copy` })),
    copy('domain lost', given({ domain: null })),
    copy('call ids renumbered', (episode) => ({
      ...episode,
      turns: episode.turns.map((turn) =>
        turn.toolCalls === undefined
          ? turn
          : { ...turn, toolCalls: turn.toolCalls.map((call, n) => ({ ...call, id: `c${n}` })) },
      ),
    })),
  ],
};

const grouped = { original: same, fits: (host) => host.episode.group !== null };

/** Whether these are one fault (a file read twice) or two honest draws is not in the rows: told, not judged. */
export const duplicateElsewhere = {
  kind: 'equal words, other facts',
  expect: 'told',
  beside: 'original',
  forms: [
    copy('other group', (episode) => ({ ...episode, group: `${episode.group}/b` }), grouped),
    copy(
      'other group and run',
      (episode) => ({ ...episode, group: `${episode.group}/b`, run: 'b' }),
      grouped,
    ),
    copy('other epoch', given({ epoch: 7 })),
    copy('other reward', (episode) => ({ ...episode, reward: 1 - episode.reward }), {
      fits: (host) => host.task && host.episode.reward !== null,
    }),
    copy('termination lost', given({ termination: null })),
    copy('other outcome', given({ outcome: 'done' })),
    copy('other simulator name', (episode) => ({ ...episode, simulator: { ...episode.simulator, id: 'b' } })),
    copy('other policy name', given({ policy: { id: 'b', checkpoint: null } })),
  ],
};

/** Equal rollouts of one GRPO group are what the policy did: dropping one would bend the group's mean. */
export const duplicateInGroup = {
  kind: 'control: equal rows in one group',
  expect: 'keep',
  beside: 'original',
  forms: [
    copy('same group', same, grouped),
    copy('same group, other line', (episode) => file(episode.source.file, 99_999)(episode), grouped),
    copy('group given to both', same, { original: given({ group: 'g-1' }) }),
  ],
};
