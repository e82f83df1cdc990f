import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nativeRow } from '../../../src/formats/native.ts';
import { composeSession } from '../../../src/gateway/recorder/compose-session.ts';
import type { JournalRecord } from '../../../src/gateway/recorder/records.ts';
import { SessionIndex } from '../../../src/gateway/recorder/session-index.ts';
import {
  agent,
  close,
  dialogue,
  exchange,
  open,
  probe,
  reward,
  said,
  system,
  undelivered,
} from './records.ts';

const scenarioOf = (prompt: string) => prompt.replace('You are a person. ', '');
const compose = (records: readonly JournalRecord[]) => composeSession(records, { scenarioOf });
const texts = (records: readonly JournalRecord[]) =>
  compose(records)?.trajectory.turns.map(({ text }) => text);
const call = (id: string, name: string, args: string) => ({
  id,
  type: 'function' as const,
  function: { name, arguments: args },
});

describe('a session composed from its records', () => {
  it('has the scenario, the turns in order and what is known of the simulator', () => {
    const one = compose([
      ...dialogue('s', 2, { group: 'g', contextLabel: 'task 7', domain: 'retail' }),
      reward('s', 0.5, 'ok'),
    ])!;
    expect(one.trajectory).toMatchObject({
      id: 's',
      scenario: 's',
      contextFrom: 'scenario',
      group: 'g',
      epoch: 1,
      domain: 'retail',
      contextLabel: 'task 7',
      reward: 0.5,
      outcome: 'ok',
      termination: 'done',
      split: 'seen',
      simulator: { id: 'm1', kind: 'llm', recipe: 'direct', fingerprint: 'f1' },
      turns: [
        { role: 'agent', text: 'Hello?' },
        { role: 'user', text: 's says 0' },
        { role: 'agent', text: 'And 1?' },
        { role: 'user', text: 's says 1' },
      ],
    });
    expect(one).toMatchObject({ closed: true, rewarded: true });
    expect(one.answers.map(({ turn, answeredBy }) => [turn, answeredBy])).toEqual([
      [1, 'm1'],
      [3, 'm1'],
    ]);
    expect(nativeRow(JSON.parse(JSON.stringify(one.trajectory)), 'f', 1, false).kind).toBe('trajectory');
  });

  it("keeps tool calls, whose they are, and the user's own results", () => {
    const one = compose([
      open('s'),
      exchange(
        's',
        0,
        [agent('Check it.')],
        said(null, { toolCalls: [call('c1', 'look', '{"at": 1}'), call('c2', 'odd', '{no')] }),
      ),
      exchange(
        's',
        1,
        [
          { role: 'tool', tool_call_id: 'c1', content: 'there' },
          { role: 'tool', tool_call_id: 'c2', content: 'what?' },
        ],
        said('It is there.'),
      ),
    ])!;
    expect(one.trajectory.turns).toEqual([
      { role: 'agent', text: 'Check it.' },
      {
        role: 'user',
        text: null,
        toolCalls: [
          { id: 'c1', name: 'look', arguments: { at: 1 } },
          { id: 'c2', name: 'odd', arguments: '{no' },
        ],
      },
      { role: 'tool', text: 'there', requestor: 'user' },
      { role: 'tool', text: 'what?', requestor: 'user' },
      { role: 'user', text: 'It is there.' },
    ]);
  });

  it('takes arguments that are nested without end as text', () => {
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    const one = compose([
      open('s'),
      exchange('s', 0, [], said(null, { toolCalls: [call('c', 'f', deep)] })),
    ])!;
    expect(one.trajectory.turns[0]!.toolCalls).toEqual([{ id: 'c', name: 'f', arguments: deep }]);
  });

  it('carries candidates, probability, acts and extra replies on the turn they belong to', () => {
    const candidates = [
      { text: 'a', probability: 0.7 },
      { text: 'b', probability: 0.3 },
    ];
    const one = compose([
      open('s'),
      exchange('s', 0, [], said('b', { candidates, drawn: 1, probability: 0.3, acts: ['ask'] })),
      exchange('s', 1, [], said('c', { fallback: 're-asked directly: no JSON' })),
      probe('s', 0, 'x'),
      probe('s', 0, 'y'),
    ])!;
    expect(one.trajectory.turns[0]).toEqual({
      role: 'user',
      text: 'b',
      acts: ['ask'],
      probability: 0.3,
      candidates,
      resamples: [{ law: 'member', member: 'm1', text: 'y' }],
      probeProbability: 0.25,
    });
    expect(one.trajectory.turns[1]).toEqual({ role: 'user', text: 'c' });
    expect(one.answers[0]).toMatchObject({ drawn: 1, fallback: null });
    expect(one.answers[1]).toMatchObject({ drawn: null, fallback: 're-asked directly: no JSON' });
  });

  it('counts no reply that did not arrive, and the one that replaced it', () => {
    const lost = [
      open('s'),
      exchange('s', 0, [agent('a')], said('0')),
      exchange('s', 1, [agent('b')], said('1')),
      undelivered('s', 1),
    ];
    expect(texts(lost)).toEqual(['a', '0']);
    expect(texts([...lost, exchange('s', 1, [agent('b')], said('1 again'))])).toEqual([
      'a',
      '0',
      'b',
      '1 again',
    ]);
    expect(
      texts([open('s'), exchange('s', 0, [agent('a')], said('0')), undelivered('s', 0)]),
    ).toBeUndefined();
  });

  it('goes back to the reply before, where the repeated one did not arrive', () => {
    const twice = [open('s'), exchange('s', 0, [], said('first')), exchange('s', 0, [], said('second'))];
    expect(texts(twice)).toEqual(['second']);
    expect(texts([...twice, undelivered('s', 0)])).toEqual(['first']);
  });

  it('believes a dialogue that goes on from a reply that it did arrive', () => {
    const records = [
      open('s'),
      exchange('s', 0, [], said('0')),
      undelivered('s', 0),
      exchange('s', 1, [agent('so')], said('1')),
    ];
    expect(texts(records)).toEqual(['0', 'so', '1']);
    const late = [
      open('s'),
      exchange('s', 0, [], said('0')),
      exchange('s', 1, [agent('so')], said('1')),
      undelivered('s', 0),
    ];
    expect(texts(late)).toEqual(['0', 'so', '1']);
  });

  it('gives up the turns after one that is asked for anew with something else, and what was probed there', () => {
    const one = compose([
      open('s'),
      exchange('s', 0, [agent('a')], said('0')),
      exchange('s', 1, [agent('b')], said('1')),
      exchange('s', 2, [agent('c')], said('2')),
      probe('s', 2, 'x'),
      exchange('s', 1, [agent('B')], said('one'), 'something else'),
      exchange('s', 2, [agent('C')], said('two')),
    ])!;
    expect(one.trajectory.turns.map(({ text }) => text)).toEqual(['a', '0', 'B', 'one', 'C', 'two']);
    expect(one.trajectory.turns.every(({ resamples }) => resamples === undefined)).toBe(true);
  });

  it('takes the last reward, whenever it came, and is open again when it goes on after its end', () => {
    const base = dialogue('s', 1);
    expect(compose([reward('s', 1), ...base])!.trajectory.reward).toBe(1);
    expect(compose([...base, reward('s', 1), reward('s', 0)])!.trajectory.reward).toBe(0);
    expect(compose(base)).toMatchObject({ rewarded: false, trajectory: { reward: null } });
    expect(compose([...base, reward('s', null)])).toMatchObject({
      rewarded: true,
      trajectory: { reward: null },
    });
    const on = compose([...base, exchange('s', 1, [agent('still there?')], said('yes'))])!;
    expect(on.closed).toBe(false);
    expect(on.trajectory.termination).toBeNull();
  });

  it('is the same where every record was written twice', () => {
    const records = [...dialogue('s', 3), probe('s', 1, 'x'), reward('s', 1)];
    const twice = records.flatMap((record) => [record, record]);
    expect(compose(twice)).toEqual(compose(records));
  });

  it('reads replies in an adopted history as the user, and later instructions as turns', () => {
    const adopted = [
      open('s'),
      exchange(
        's',
        2,
        [system('You are a person. x'), agent('a'), { role: 'assistant', content: 'foreign' }, agent('b')],
        said('own'),
      ),
      exchange('s', 3, [system('more'), agent('c')], said('own too')),
    ];
    expect(compose(adopted)!.trajectory.turns.map(({ role, text }) => [role, text])).toEqual([
      ['agent', 'a'],
      ['user', 'foreign'],
      ['agent', 'b'],
      ['user', 'own'],
      ['system', 'more'],
      ['agent', 'c'],
      ['user', 'own too'],
    ]);
    expect(compose(adopted)!.answers.map(({ turn }) => turn)).toEqual([3, 6]);
  });

  it('is ordered as its records are, whatever their clock said', () => {
    const records = dialogue('s', 4);
    const back = records.map((record, i) => ({ ...record, at: 5000 - i * 100 }) as JournalRecord);
    expect(compose(back)!.trajectory).toEqual(compose(records)!.trajectory);
  });

  it('is a foreign episode with the reward that came for it', () => {
    const { trajectory } = compose(dialogue('other', 2))!;
    const episode: JournalRecord = { kind: 'episode', at: 1, session: 'other', trajectory };
    expect(compose([episode])).toMatchObject({ facts: null, closed: true, rewarded: false, trajectory });
    expect(compose([episode, reward('other', 2)])!.trajectory).toEqual({ ...trajectory, reward: 2 });
    expect(
      compose([{ ...episode, trajectory: { ...trajectory, reward: 9 } } as JournalRecord, episode])!
        .trajectory,
    ).toEqual(trajectory);
  });
});

/** Any session that a client with retries, reloads and lost connections can make. */
const story = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('exchange' as const),
        turn: fc.nat(4),
        asked: fc.constantFrom('p', 'q'),
        text: fc.string(),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('undelivered' as const), turn: fc.nat(4) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('probe' as const), turn: fc.nat(4) }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('reward' as const), value: fc.integer({ min: -5, max: 5 }) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('close' as const) }) },
  ),
  { maxLength: 14 },
);
const recordsOf = (
  session: string,
  steps: typeof story extends fc.Arbitrary<infer T> ? T : never,
): JournalRecord[] => [
  open(session),
  ...steps.map((step): JournalRecord => {
    if (step.kind === 'exchange')
      return exchange(
        session,
        step.turn,
        [agent(`${step.turn}`)],
        said(step.text),
        `${step.turn}${step.asked}`,
      );
    if (step.kind === 'undelivered') return undelivered(session, step.turn);
    if (step.kind === 'probe') return probe(session, step.turn, 'x');
    if (step.kind === 'reward') return reward(session, step.value);
    return close(session);
  }),
];

describe('sessions whose records are mixed', () => {
  it('are composed and summed up as if they had come one by one', () => {
    fc.assert(
      fc.property(
        fc.array(story, { minLength: 1, maxLength: 5 }),
        fc.infiniteStream(fc.nat(1000)),
        (stories, dice) => {
          const sessions = stories.map((steps, i) => recordsOf(`s${i}`, steps));
          const alone = sessions.map((records) => compose(records));
          const queues = sessions.map((records) => [...records]);
          const mixed: JournalRecord[] = [];
          while (queues.some((queue) => queue.length > 0)) {
            const left = queues.filter((queue) => queue.length > 0);
            mixed.push(left[dice.next().value % left.length]!.shift()!);
          }
          const index = new SessionIndex();
          mixed.forEach((record, seq) => {
            index.apply(record, seq + 1);
          });
          sessions.forEach((_, i) => {
            const again = compose(mixed.filter(({ session }) => session === `s${i}`));
            expect(again).toEqual(alone[i]);
            const summary = index.get(`s${i}`)!;
            const users = alone[i]?.trajectory.turns.filter(({ role }) => role === 'user').length ?? 0;
            expect(summary.turns).toBe(users);
            if (alone[i] != null)
              expect(summary).toMatchObject({
                reward: alone[i]!.trajectory.reward,
                rewarded: alone[i]!.rewarded,
                termination: alone[i]!.trajectory.termination,
                state: alone[i]!.closed ? 'closed' : 'open',
              });
          });
          const { open: opened, closed, orphan } = index.counts();
          expect(opened + closed + orphan).toBe(sessions.length);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('are valid records whatever was said', () => {
    fc.assert(
      fc.property(story, (steps) => {
        const one = compose(recordsOf('s', steps));
        if (one !== null)
          expect(nativeRow(JSON.parse(JSON.stringify(one.trajectory)), 'f', 1, false).kind).toBe(
            'trajectory',
          );
      }),
    );
  });
});
