import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ClientError, CollapseAwareClient, type NewSession } from '../../src/client/index.ts';
import type { Trajectory } from '../../src/trajectory/trajectory.ts';
import { controlServer, gate, refuse } from './control-server.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function served(...[answer]: Parameters<typeof controlServer>) {
  const server = await controlServer(answer);
  open.push(server);
  const client = new CollapseAwareClient({
    baseUrl: `${server.url}/v1/`,
    adminKey: 'secret',
    timeoutMs: 2000,
  });
  return { ...server, client };
}
/** Nobody listens there any more. */
let down = '';
beforeAll(async () => {
  const gone = await controlServer(() => undefined);
  await gone.close();
  down = gone.url;
});
const episode = (id: string) => ({ id }) as Trajectory;

describe('a call', () => {
  it('is one request a batch, under the admin key', async () => {
    const { client, asked } = await served(() => ({ accepted: 2, rejected: [] }));
    expect(
      await client.rewards([
        { session: 'b', reward: 1 },
        { session: 'a', reward: null },
      ]),
    ).toEqual({
      accepted: 2,
      rejected: [],
    });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({
      method: 'POST',
      path: '/api/rewards',
      body: {
        rewards: [
          { session: 'b', reward: 1 },
          { session: 'a', reward: null },
        ],
      },
    });
    expect(asked[0]!.headers.authorization).toBe('Bearer secret');
  });

  it('waits as long as the service asks, and asks again', async () => {
    const { client, asked } = await served((_, number, response) =>
      number === 0
        ? refuse(response, 429, { 'retry-after': '0' })
        : number === 1
          ? refuse(response, 503, { 'retry-after': '0' })
          : { weights: { a: 1 }, unknown: [], ess: 1, notes: [] },
    );
    expect((await client.weights(['a'])).notes).toEqual([]);
    expect(asked).toHaveLength(3);
    expect(client.counts).toEqual({ requests: 3, retries: 2, stood_in: 0 });
  });

  it('is not made again where the wait would outlast its time', async () => {
    const { client, asked } = await served((_, __, response) =>
      refuse(response, 429, { 'retry-after': '3600' }),
    );
    await expect(client.status()).rejects.toMatchObject({ status: 429, retryAfterMs: 3_600_000 });
    expect(asked).toHaveLength(1);
  });

  it('says what the service refuses, at once and also with failOpen, and never the key', async () => {
    const { client, asked } = await served((_, __, response) => refuse(response, 401, {}, 'invalid_api_key'));
    const failure = await client.decide([{ sessions: ['a'] }]).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ClientError);
    expect(failure).toMatchObject({ code: 'CA_ENDPOINT_REPLY', status: 401, reason: 'invalid_api_key' });
    expect(JSON.stringify([failure, String(failure), (failure as Error).stack])).not.toContain('secret');
    expect(asked).toHaveLength(1);
  });

  it('ends with its time when nothing comes, and the next has one attempt until the service answers', async () => {
    let silent = true;
    const server = await controlServer(() => (silent ? undefined : gate('green', 1)));
    open.push(server);
    const client = new CollapseAwareClient({
      baseUrl: server.url,
      timeoutMs: 30,
      retries: 1,
      failOpen: false,
    });
    await expect(client.gate()).rejects.toThrow(/no answer within/);
    expect(server.asked).toHaveLength(2);
    await expect(client.gate()).rejects.toMatchObject({ status: null, code: 'CA_ENDPOINT_FAILED' });
    expect(server.asked).toHaveLength(3);
    silent = false;
    expect(await client.gate()).toMatchObject({ level: 'green' });
  });

  it('ends with the reason of the signal', async () => {
    const { client } = await served(() => undefined);
    const stop = new AbortController();
    const gone = client.gate({ wait: 30, signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(gone).rejects.toThrow('enough');
  });
});

describe('where the service is down', () => {
  const client = () => new CollapseAwareClient({ baseUrl: down, retries: 0 });

  it('training goes on: weight 1, accept, everybody selected, green', async () => {
    const service = client();
    expect((await service.weights(['b', 'a'])).weights).toEqual({ a: 1, b: 1 });
    expect(await service.decide([{ id: 'g', sessions: ['b', 'a'] }])).toMatchObject([
      { group: 'g', decision: 'accept', usable: ['b', 'a'], dropped: [] },
    ]);
    const chosen = await service.select(['x', { id: 'a', group: 'g' }, { id: 'b', group: 'g' }], 1);
    expect(chosen).toMatchObject({ kept: ['x', 'a', 'b'], inclusion: { x: 1, a: 1, b: 1 } });
    expect(chosen.pairs).toEqual([{ a: 'a', b: 'b', joint: 1 }]);
    expect(await service.gate()).toMatchObject({ training: 'go', level: 'green', view: null });
    expect(await service.waitForGreen()).toMatchObject({ timedOut: false });
    expect(await service.epochs({ epoch: 1 })).toMatchObject({ training: 'go', view: null });
    const lost = { accepted: 0, rejected: [{ id: 'a', code: 'unavailable' }] };
    expect(await service.record([episode('a')])).toMatchObject(lost);
    expect(await service.rewards([{ session: 'a', reward: 1 }])).toMatchObject(lost);
    expect(await service.metrics()).toEqual({
      'collapse_aware/up': 0,
      'collapse_aware/requests': 10,
      'collapse_aware/retries': 0,
      'collapse_aware/stood_in': 8,
    });
  });

  it('what has no stand-in throws, and everything does where failing closed was chosen', async () => {
    await expect(client().session('a')).rejects.toMatchObject({ code: 'CA_ENDPOINT_FAILED' });
    const closed = new CollapseAwareClient({ baseUrl: down, retries: 0, failOpen: false });
    for (const call of [() => closed.weights(['a']), () => closed.gate(), () => closed.metrics()])
      await expect(call()).rejects.toBeInstanceOf(ClientError);
  });

  it('an answer that is not JSON counts as none', async () => {
    const { client: cut } = await served((_, __, response) => void response.writeHead(200).end('<html>'));
    expect(await cut.gate()).toMatchObject({ level: 'green', view: null });
  });
});

describe('answers', () => {
  it('are found by id, whatever their order', async () => {
    const { client } = await served(({ body, path }) => {
      const ids = [...(body.ids as string[])].reverse();
      return path === '/api/weights'
        ? { weights: Object.fromEntries(ids.map((id, at) => [id, at + 0.5])), unknown: [], ess: 2, notes: [] }
        : undefined;
    });
    expect((await client.weights(['a', 'b'])).weights.a).toBe(1.5);
  });

  it('to a batch that is too large come from its halves', async () => {
    const { client, asked } = await served(({ body }, _, response) => {
      const rows = body.trajectories as Trajectory[];
      if (rows.length > 2) return refuse(response, 413);
      return {
        accepted: rows.filter(({ id }) => id !== 'c').length,
        rejected: rows
          .filter(({ id }) => id === 'c')
          .map(({ id }) => ({ id, code: 'CA_ROW_INVALID', reason: 'r' })),
      };
    });
    const receipt = await client.record(['a', 'b', 'c', 'd', 'e'].map(episode));
    expect(receipt).toEqual({ accepted: 4, rejected: [{ id: 'c', code: 'CA_ROW_INVALID', reason: 'r' }] });
    expect(asked.length).toBeGreaterThan(2);
  });
});

describe('the gate', () => {
  it('is asked again from where it was until training may go on', async () => {
    const levels = ['red', 'half-open', 'yellow'];
    const { client, asked } = await served((_, number) => gate(levels[number]!, number + 7));
    expect(await client.waitForGreen()).toMatchObject({ level: 'yellow', training: 'go', timedOut: false });
    expect(asked.map(({ query }) => query.after)).toEqual([undefined, '7', '8']);
    expect(asked[1]!.query.wait).toBe('30');
  });

  it('is left after the longest wait, and that is said', async () => {
    const { client } = await served(() => gate('red', 1));
    expect(await client.waitForGreen({ maxSeconds: 0 })).toMatchObject({ training: 'hold', timedOut: true });
  });
});

describe('trajectories', () => {
  it('come one by one while they are sent, whatever pieces the lines come in', async () => {
    const { client, asked } = await served((_, __, response) => {
      response.writeHead(200);
      for (const piece of ['{"id":"a"}\n{"id', '":"', 'b 💡"}\n\n{"id":"c"}']) response.write(piece);
      response.end();
    });
    const ids: string[] = [];
    for await (const { id } of client.trajectories({ of: 'all', purpose: ['training', 'probe'] }))
      ids.push(id);
    expect(asked[0]!.query).toEqual({ of: 'all', purpose: 'training,probe' });
    expect(ids).toEqual(['a', 'b 💡', 'c']);
  });

  it('stop where the reader stops', async () => {
    let gone: () => void = () => {};
    const left = new Promise<void>((done) => {
      gone = done;
    });
    const { client } = await served((_, __, response) => {
      response.on('close', () => gone());
      response.writeHead(200).write('{"id":"a"}\n');
    });
    for await (const { id } of client.trajectories()) {
      expect(id).toBe('a');
      break;
    }
    await left;
  });

  it('that break off are an error, not an end', async () => {
    const { client } = await served((_, __, response) => {
      response.writeHead(200).write('{"id":"a"}\n');
      setImmediate(() => response.destroy());
    });
    const read = async () => {
      for await (const _ of client.trajectories());
    };
    await expect(read()).rejects.toMatchObject({ code: 'CA_ENDPOINT_FAILED' });
  });
});

it('sessions, population and operator have their paths', async () => {
  const { client, asked } = await served(() => ({ checkpoints: ['c'] }));
  const session: NewSession = { id: 's', model: 'population', group: 'g' };
  await client.openSession(session);
  await client.sessions({ state: 'open', limit: 5 });
  await client.session('a/b');
  await client.endSession('a/b', 'truncated');
  await client.population();
  await client.setPopulation({ draw: 'uniform' }, 'me');
  await client.setWeights({ m: 2 }, 'me');
  expect(await client.pushCheckpoint('pool', 'c')).toEqual(['c']);
  await client.override({ level: 'green', by: 'me', reason: 'why' });
  await client.release('me');
  expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /api/sessions',
    'GET /api/sessions',
    'GET /api/sessions/a%2Fb',
    'POST /api/sessions/a%2Fb/end',
    'GET /api/population',
    'PUT /api/population',
    'PATCH /api/population/weights',
    'POST /api/population/pool/checkpoints',
    'POST /api/breaker',
    'POST /api/breaker',
  ]);
  expect(asked[0]!.body).toEqual(session);
  expect(asked[1]!.query).toEqual({ state: 'open', limit: '5' });
  expect(asked[9]!.body).toEqual({ release: true, by: 'me' });
});
