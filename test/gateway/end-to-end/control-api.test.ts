import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeUpstream, fakeUpstream } from '../fake-upstream.ts';
import { rollOut, train } from './rollouts.ts';
import { CLIENT_KEY, type Stand, stand, until } from './stand.ts';

const scripted = (family: string) => ({ id: family, family, recipe: { kind: 'scripted', family } });
const MEMBERS = [
  ...['alder', 'birch', 'cedar', 'elm'].map(scripted),
  { id: 'rotating', family: 'fir', model: 'step-0', upstream: 'fake', recipe: { kind: 'pool', size: 2 } },
  { id: 'anna', family: 'people', recipe: { kind: 'human' } },
];
const POPULATION = {
  members: MEMBERS,
  seen: ['alder', 'birch', 'cedar', 'rotating', 'anna'],
  selection: ['elm'],
  draw: 'weighted',
};

let upstream: FakeUpstream;
let gateway: Stand;
beforeAll(async () => {
  upstream = await fakeUpstream(({ body }) => ({ text: `I am ${body.model}.` }));
  gateway = await stand({
    settings: {
      seed: 'control',
      upstreams: { fake: { baseUrl: upstream.url } },
      population: POPULATION,
      live: { epochs: { by: 'trainer', every: 1 }, warmUp: 100 },
    },
  });
  await gateway.api('PATCH', '/api/population/weights', { weights: { anna: 0, rotating: 0 }, by: 'test' });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const hello = {
  model: 'population',
  messages: [{ role: 'user', content: 'Hello, can I ask you something?' }],
};

describe('sessions made beforehand', () => {
  it('have a key and a base URL that stand for them, on record before the first turn and after a restart', async () => {
    const made = {
      id: 'made',
      group: 'g',
      contextLabel: 'task 7',
      run: 'r',
      policy: { id: 'agent', checkpoint: '3' },
    };
    const { body: opened } = await gateway.api('POST', '/api/sessions', made);
    expect(opened.baseUrl).toBe(`${gateway.url}/sessions/made/v1`);
    const { body: list } = await gateway.api('GET', '/api/sessions?text=made');
    expect(list.sessions[0]).toMatchObject({ id: 'made', state: 'open', turns: 0, member: opened.member });
    expect((await gateway.raw('POST', '/api/sessions', made)).status).toBe(409);
    await gateway.restart();
    const byKey = await gateway.chat(hello, { key: opened.key });
    expect([byKey.status, byKey.headers['x-session-id'], byKey.headers['x-ca-turn']]).toEqual([
      200,
      'made',
      '0',
    ]);
    const messages = [
      ...hello.messages,
      { role: 'assistant', content: byKey.body.choices[0].message.content },
      { role: 'user', content: 'What do you think?' },
    ];
    const byPath = await gateway.chat({ ...hello, messages }, { base: `${gateway.url}/sessions/made/v1` });
    expect([byPath.headers['x-session-id'], byPath.headers['x-ca-turn']]).toEqual(['made', '1']);
    expect(byPath.headers['x-ca-simulator']).toBe(opened.member);
    const other = await gateway.chat(hello, { key: opened.key, headers: { 'x-session-id': 'theirs' } });
    expect(other.status).toBe(403);
    const { body: view } = await gateway.api('GET', '/api/sessions/made');
    expect(view.trajectory).toMatchObject({
      group: 'g',
      contextLabel: 'task 7',
      run: 'r',
      policy: { id: 'agent', checkpoint: '3' },
      simulator: { id: opened.member, fingerprint: opened.fingerprint },
    });
    await gateway.api('POST', '/api/sessions/made/end', {});
    // The last question again is a reply that was lost: it is answered, and the session stays over.
    const lost = await gateway.chat({ ...hello, messages }, { base: `${gateway.url}/sessions/made/v1` });
    expect([lost.status, lost.headers['x-session-id'], lost.headers['x-ca-turn']]).toEqual([
      200,
      'made',
      '1',
    ]);
    await until(async () => {
      const { body } = await gateway.api('GET', '/api/sessions/made');
      return body.state === 'closed' && body.termination === 'ended by the trainer';
    }, 'the end on record again');
    // Nothing begins under the key of a session that is over, within the time for retries either.
    const anew = { ...hello, messages: [{ role: 'user', content: 'Something else?' }] };
    expect((await gateway.chat(anew, { key: opened.key })).status).toBe(401);
    expect((await gateway.api('GET', '/api/sessions?text=made~')).body.total).toBe(0);
    expect((await gateway.chat(hello, { key: `${opened.key}x` })).status).toBe(401);
    expect(
      (await gateway.chat(hello, { key: opened.key.replace('ca-session-', 'ca-session-b') })).status,
    ).toBe(401);
  });

  it('play a nested plan, whose rewards give the split of the variance', async () => {
    const contexts = [2, 3, 4, 5, 6, 7, 8, 9, 10].map((n) => `task-${n}`);
    const { body } = await gateway.api('GET', `/api/probes/nested?contexts=${contexts.join(',')}`);
    expect(body.sessions).toHaveLength(4 * contexts.length);
    const rewards: { session: string; reward: number }[] = [];
    for (const [at, plan] of body.sessions.entries()) {
      const { body: opened } = await gateway.api('POST', '/api/sessions', plan);
      const context = Number(plan.contextLabel.slice(5));
      const { baseUrl: base, key } = opened;
      await rollOut(gateway, { id: opened.id, context, base, key, seed: plan.nested.agentSeed });
      // By agent seed alone: all the variance is the agent's.
      rewards.push({ session: opened.id, reward: Math.floor(at / 2) % 2 });
    }
    const { body: receipt } = await gateway.api('POST', '/api/rewards', { rewards });
    expect(receipt).toEqual({ accepted: rewards.length, rejected: [] });
    const split = await until(async () => {
      const { varianceSplit } = (await gateway.api('GET', '/api/metrics')).body;
      return varianceSplit.agent.value !== null && varianceSplit.agent.n >= rewards.length
        ? varianceSplit
        : null;
    }, 'a split');
    expect(split.simulator.value).toBeCloseTo(0, 12);
    expect(split.agent.value).toBeCloseTo(0.5, 12);
  });
});

describe('what trainers ask', () => {
  it('does not hang on the order of ids, by thousands', async () => {
    await train(
      gateway,
      Array.from({ length: 32 }, (_, at) => ({ id: `s-${at}`, context: at >> 2, group: `g-${at >> 2}` })),
    );
    const own = Array.from({ length: 32 }, (_, at) => `s-${at}`);
    const [one] = await gateway.trajectories('?of=closed');
    const foreign = Array.from({ length: 2000 - 32 }, (_, at) => ({
      ...one!,
      id: `f-${at}`,
      group: `f-${at >> 3}`,
      reward: (at % 5) / 4,
      turns: one!.turns.map((turn) => ({ ...turn, text: `${turn.text} (${at})` })),
    }));
    const { body: recorded } = await gateway.api('POST', '/api/record', { trajectories: foreign });
    expect(recorded).toMatchObject({ accepted: foreign.length, rejected: [] });
    const ids = [...own, ...foreign.map(({ id }) => id)];
    const turned = ids.toReversed();
    await until(async () => (await gateway.raw('GET', '/api/space')).status === 200, 'a space');
    const weights = async (of: readonly string[]) =>
      (await gateway.api('POST', '/api/weights', { ids: of })).body;
    const [a, b] = [await weights([...ids, 'nobody']), await weights(['nobody', ...turned])];
    expect(Object.keys(a.weights)).toHaveLength(2001);
    expect(a.weights.nobody).toBe(1);
    expect(a.unknown).toMatchObject([{ id: 'nobody' }]);
    for (const id of ids) expect(b.weights[id]).toBeCloseTo(a.weights[id], 12);
    const mean = ids.reduce((sum, id) => sum + a.weights[id], 0) / ids.length;
    expect(mean).toBeCloseTo(1, 9);
    const chosen = (await gateway.api('POST', '/api/select', { candidates: ids, n: 4 })).body;
    const again = (await gateway.api('POST', '/api/select', { candidates: turned, n: 4 })).body;
    expect([...again.kept].sort()).toEqual([...chosen.kept].sort());
    expect(again.inclusion).toEqual(chosen.inclusion);
    expect(chosen.kept).toHaveLength(4 * (8 + Math.ceil((2000 - 32) / 8)));
    const groups = Array.from({ length: 8 }, (_, g) => ({
      id: `g-${g}`,
      sessions: own.slice(4 * g, 4 * g + 4),
    }));
    const decide = async (of: typeof groups) =>
      (await gateway.api('POST', '/api/decide', { groups: of })).body.decisions as { group: string }[];
    const byGroup = (list: { group: string }[]) => [...list].sort((x, y) => (x.group < y.group ? -1 : 1));
    const permuted = groups.toReversed().map(({ id, sessions }) => ({ id, sessions: sessions.toReversed() }));
    const [first, second] = [byGroup(await decide(groups)), byGroup(await decide(permuted))];
    const bare = (list: unknown) =>
      JSON.parse(JSON.stringify(list, (_, v) => (Array.isArray(v) ? [...v].sort() : v)));
    expect(bare(second)).toEqual(bare(first));
    const { body: views } = await gateway.api('GET', '/api/sessions?limit=1');
    expect(views.total).toBeGreaterThan(2000);
  });

  it('takes rewards by a name of the trainer, and says of which it knows no session', async () => {
    const reply = await gateway.chat({ ...hello, metadata: { trace_id: 'trace-77', session_id: 'named' } });
    expect(reply.headers['x-session-id']).toBe('named');
    const { body } = await gateway.api('POST', '/api/rewards', {
      rewards: [
        { session: 'trace-77', reward: 0.75 },
        { session: 'unheard of', reward: 1 },
      ],
    });
    expect(body.accepted).toBe(1);
    expect(body.rejected).toMatchObject([{ id: 'unheard of', code: 'session_unknown' }]);
    expect((await gateway.api('GET', '/api/sessions/trace-77')).body).toMatchObject({
      id: 'named',
      reward: 0.75,
    });
  });

  it('begins epochs, and exports by epoch, split, member and state', async () => {
    const { body: gate } = await gateway.api('POST', '/api/epochs', {
      epoch: 5,
      policy: { id: 'agent', checkpoint: '5' },
    });
    expect(gate.epoch).toBe(5);
    expect((await gateway.raw('POST', '/api/epochs', { epoch: 4 })).status).toBe(409);
    await train(gateway, [
      { id: 'five-0', context: 1 },
      { id: 'five-1', context: 2, model: 'panel/selection' },
    ]);
    await gateway.chat({ ...hello, model: 'population/birch' }, { headers: { 'x-session-id': 'five-open' } });
    const ids = async (query: string) => (await gateway.trajectories(query)).map(({ id }) => id).sort();
    expect(await ids('?epoch=5')).toEqual(['five-0', 'five-1']);
    expect(await ids('?of=all&epoch=5')).toEqual(['five-0', 'five-1', 'five-open']);
    expect(await ids('?of=all&epoch=5&split=selection')).toEqual(['five-1']);
    expect(await ids('?of=all&epoch=5&member=birch')).toContain('five-open');
    expect((await gateway.trajectories('?epoch=5'))[0]!.policy).toEqual({
      id: 'demonstrator',
      checkpoint: null,
    });
    // Pages of two, newest first, each session once.
    const seen: string[] = [];
    for (let after = ''; ; ) {
      const { body } = await gateway.api(
        'GET',
        `/api/sessions?epoch=5&limit=2${after === '' ? '' : `&after=${after}`}`,
      );
      expect(body.total).toBe(3);
      seen.push(...body.sessions.map(({ id }: { id: string }) => id));
      if (body.next === null) break;
      after = body.next;
    }
    expect(seen[0]).toBe('five-open');
    expect([...seen].sort()).toEqual(['five-0', 'five-1', 'five-open']);
    expect((await gateway.api('GET', '/api/sessions?epoch=5&state=open')).body.total).toBe(1);
  });

  it('exports probes and nested sessions to those who ask for them alone', async () => {
    await train(gateway, [
      { id: 'training-for', context: 1 },
      { id: 'panel-for', context: 1, model: 'panel/selection' },
      { id: 'probe-for', context: 1, model: 'probe/population' },
    ]);
    await gateway.api('POST', '/api/sessions', {
      id: 'nested-for',
      nested: { agentSeed: 'a', userSeed: 'b' },
    });
    await train(gateway, [{ id: 'nested-for', context: 1 }]);
    const ids = async (query: string) =>
      (await gateway.trajectories(query)).map(({ id }) => id).filter((id) => id.endsWith('-for'));
    expect(await ids('')).toEqual(['training-for', 'panel-for']);
    expect(await ids('?of=all')).toEqual(['training-for', 'panel-for']);
    expect(await ids('?purpose=training')).toEqual(['training-for']);
    expect(await ids('?purpose=nested,%20probe')).toEqual(['probe-for', 'nested-for']);
    expect(await ids('?purpose=training,panel,probe,nested')).toHaveLength(4);
    expect(await ids('?of=window&purpose=probe')).toEqual([]);
    expect((await gateway.raw('GET', '/api/trajectories?purpose=trial')).body.error.param).toBe('purpose');
  });

  it('exports whole lines while fifty dialogues run', async () => {
    let playing = true;
    const rollouts = Array.from({ length: 50 }, (_, at) => ({ id: `busy-${at}`, context: at % 10 }));
    const played = train(gateway, rollouts, { most: 50, batch: 50 }).finally(() => {
      playing = false;
    });
    const sizes: number[] = [];
    while (playing) sizes.push((await gateway.trajectories('?of=all&epoch=5')).length);
    await played;
    expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
    const rows = await gateway.trajectories('?of=closed&epoch=5');
    expect(rows.filter(({ id }) => id.startsWith('busy-'))).toHaveLength(50);
  });
});

describe('members', () => {
  it('change for new sessions alone', async () => {
    const pinned = { ...hello, model: 'population/cedar' };
    const begun = await gateway.chat(pinned, { headers: { 'x-session-id': 'stays' } });
    const population = {
      ...POPULATION,
      members: MEMBERS.filter(({ id }) => id !== 'cedar'),
      seen: ['alder', 'rotating', 'anna'],
    };
    const { body } = await gateway.api('PUT', '/api/population', { population, by: 'test' });
    expect(body.members.map(({ id }: { id: string }) => id)).not.toContain('cedar');
    const messages = [
      ...hello.messages,
      { role: 'assistant', content: begun.body.choices[0].message.content },
      { role: 'user', content: 'And then?' },
    ];
    const gone = await gateway.chat({ ...pinned, messages }, { headers: { 'x-session-id': 'stays' } });
    expect([gone.status, gone.headers['x-ca-simulator']]).toEqual([200, 'cedar']);
    const fresh = await gateway.chat(pinned, { headers: { 'x-session-id': 'new' } });
    expect([fresh.status, fresh.body.error.code]).toEqual([404, 'model_not_found']);
    const { body: models } = await gateway.raw('GET', '/v1/models', undefined, CLIENT_KEY);
    expect(models.data.map(({ id }: { id: string }) => id)).not.toContain('population/cedar');
  });

  it('of a pool are its newest checkpoints', async () => {
    const path = '/api/population/rotating/checkpoints';
    for (const [checkpoint, expected] of [
      ['step-1', ['step-0', 'step-1']],
      ['step-2', ['step-1', 'step-2']],
    ] as const) {
      const { body } = await gateway.api('POST', path, { checkpoint });
      expect([...body.checkpoints].sort()).toEqual([...expected].sort());
    }
    expect((await gateway.raw('POST', path, { checkpoint: 'step-2' })).status).toBe(400);
    expect((await gateway.raw('POST', '/api/population/alder/checkpoints', { checkpoint: 'x' })).status).toBe(
      400,
    );
    await gateway.restart();
    const said = new Set<string>();
    for (let at = 0; at < 12; at++) {
      const headers = { 'x-session-id': `pool-${at}` };
      const { body } = await gateway.chat({ ...hello, model: 'population/rotating' }, { headers });
      said.add(body.choices[0].message.content);
    }
    expect([...said].sort()).toEqual(['I am step-1.', 'I am step-2.']);
  });

  it('may be a person, who sees the conversation and nothing of who else could have answered', async () => {
    const asked = gateway.chat(
      { ...hello, model: 'population/anna' },
      { headers: { 'x-session-id': 'blind' } },
    );
    const question = await until(async () => {
      const { questions } = (await gateway.api('GET', '/api/people/questions')).body;
      return questions[0] ?? null;
    }, 'a question');
    expect(JSON.stringify(question)).not.toMatch(/blind|anna|alder|population|seen/);
    await gateway.api('POST', `/api/people/questions/${question.id}`, { text: 'I would rather not.' });
    const { body, headers } = await asked;
    expect(body.choices[0].message.content).toBe('I would rather not.');
    expect(headers['x-session-id']).toBe('blind');
    expect(
      (await gateway.raw('POST', `/api/people/questions/${question.id}`, { text: 'again' })).status,
    ).toBe(404);
    const { body: view } = await gateway.api('GET', '/api/sessions/blind');
    expect(view.trajectory.simulator).toMatchObject({ id: 'anna', kind: 'human' });
  });
});
