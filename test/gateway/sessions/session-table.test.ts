import { describe, expect, it } from 'vitest';
import type { WireMessage } from '../../../src/gateway/wire/chat-request.ts';
import { agent, arrival, GREETING, request, said, system, user } from './dialogue.ts';
import { client, errorOf, header, isKnown, START, tableOf } from './table.ts';

describe('a dialogue without an id', () => {
  it('is found by the replies that it was given', () => {
    const table = tableOf();
    const { told } = client(table);
    const first = told(START, 'My flight is late.');
    expect(first.placement).toMatchObject({ kind: 'new', by: 'content', turn: 0, id: 's0' });
    const second = told([...first.history, agent('Which one?')], 'HAT039.');
    isKnown(second.placement, 's0', 1, { fresh: [agent('Which one?')] });
    isKnown(told([...second.history, agent('Thanks.')], '###STOP###').placement, 's0', 2);
    expect(table.open).toBe(1);
  });

  it('is another one for another reply, model, seed or prompt', () => {
    const table = tableOf();
    const { told } = client(table);
    told(START, 'A');
    const ask = (body: object) =>
      table.place({
        ...arrival(START),
        request: request([...START, user('A'), agent('And?')], body as Record<string, unknown>),
      });
    expect(ask({ model: 'panel/test' }).kind).toBe('adopted');
    expect(client(table).ask([system('You are Omar.'), agent(GREETING), user('A'), agent('And?')]).kind).toBe(
      'adopted',
    );
    expect(client(table).ask([...START, user('B'), agent('And?')]).kind).toBe('adopted');
    isKnown(ask({}), 's0', 1);
  });

  it('is new for every equal beginning that stands beside or comes after it', () => {
    const { ask, told } = client(tableOf());
    const ids = [ask(START).id, ask(START).id, told(START, 'A').placement.id, ask(START).id];
    expect(new Set(ids).size).toBe(4);
  });

  it('goes on where clients change what does not matter', () => {
    const table = tableOf();
    const { told } = client(table);
    const { placement } = told(
      [system('You are Emma. '), agent('Hi!\r\nHello')],
      '<think>Hm.</think>\n\nYes. ',
    );
    const back = { role: 'assistant', content: 'Yes.', name: 'user_sim', reasoning: 'Hm.', tool_calls: null };
    const { placement: next } = told(
      [
        { role: 'developer', content: 'You are Emma.' },
        { role: 'user', content: [{ type: 'text', text: 'Hi!\nHello' }] },
        back as never,
        agent('So?'),
      ],
      'So.',
    );
    isKnown(next, placement.id, 1);
  });

  it('finds its own tool calls under other ids, and not under exchanged results', () => {
    const call = (id: string, args: string) => ({
      id,
      type: 'function' as const,
      function: { name: 'look', arguments: args },
    });
    const history = (a: string, b: string, results: [string, string]): WireMessage[] => [
      ...START,
      { role: 'assistant', content: null, tool_calls: [call(a, '{"x": 1, "y": 2}'), call(b, '{}')] },
      { role: 'tool', content: results[0], tool_call_id: a },
      { role: 'tool', content: results[1], tool_call_id: b },
    ];
    const table = tableOf();
    const { ask, told } = client(table);
    table.delivered(
      ask(START),
      { text: null, toolCalls: [call('c1', '{"y":2,"x":1}'), call('c2', '{}')] },
      0,
    );
    const second = told(history('k1', 'k2', ['one', 'two']), 'Done.');
    isKnown(second.placement, 's0', 1);
    const exchanged = [...history('c1', 'c2', ['two', 'one']), user('Done.'), agent('And?')];
    expect(ask(exchanged)).not.toMatchObject({ kind: 'known', edited: false });
  });

  it('is found by the ids of its calls among others that called the same', () => {
    const table = tableOf();
    const { ask } = client(table);
    const call = (id: string) => ({
      id,
      type: 'function' as const,
      function: { name: 'look', arguments: '{}' },
    });
    for (const id of ['a', 'b', 'c']) table.delivered(ask(START), { text: null, toolCalls: [call(id)] }, 0);
    const back = (id: string): WireMessage[] => [
      ...START,
      { role: 'assistant', tool_calls: [call(id)] },
      { role: 'tool', content: 'x', tool_call_id: id },
    ];
    expect(['c', 'a', 'b'].map((id) => ask(back(id)).id)).toEqual(['s2', 's0', 's1']);
  });

  it('is adopted with its history where the gateway never gave the replies', () => {
    const { told } = client(tableOf());
    const first = told([...START, user('Foreign.'), agent('Well?')], 'Mine.');
    expect(first.placement).toMatchObject({ kind: 'adopted', turn: 1, forkedFrom: null });
    isKnown(told([...first.history, agent('Go on.')], 'x').placement, first.placement.id, 2);
  });

  it('forks where two go on from one history at once', () => {
    const { ask, told } = client(tableOf());
    const first = told(START, 'A');
    const left = ask([...first.history, agent('Left?')]);
    const right = ask([...first.history, agent('Right?')]);
    const twin = ask([...first.history, agent('Left?')]);
    isKnown(left, 's0', 1);
    expect(right).toMatchObject({ kind: 'adopted', turn: 1, forkedFrom: 's0' });
    expect(twin).toMatchObject({ kind: 'adopted', forkedFrom: 's0' });
  });

  it('forks from an earlier point of its own, and goes on itself', () => {
    const { told } = client(tableOf());
    const first = told(START, 'A');
    const second = told([...first.history, agent('One?')], 'B');
    expect(told([...first.history, agent('Two?')], 'C').placement).toMatchObject({
      forkedFrom: 's0',
      turn: 1,
    });
    isKnown(told([...second.history, agent('More?')], 'D').placement, 's0', 2);
  });

  it('goes on though its history was cut, as long as what is left are its replies', () => {
    const { ask, told } = client(tableOf());
    let { history } = told(START, 'First.');
    for (const text of ['Second.', 'Third.']) ({ history } = told([...history, agent('And?')], text));
    const cut = [history[0]!, agent('Summary: they greeted.'), ...history.slice(-3), agent('What else?')];
    expect(ask([history[0]!, user('Not mine.'), ...history.slice(-3), agent('x')])).toMatchObject({
      kind: 'adopted',
    });
    isKnown(ask(cut), 's0', 3, { edited: true, fresh: [agent('What else?')] });
  });

  it('is not guessed at where two could have been cut to the same', () => {
    const { ask, told } = client(tableOf());
    for (const text of ['A', 'B']) told([...told(START, text).history, agent('And?')], 'Yes.');
    expect(ask([START[0]!, agent('And?'), user('Yes.'), agent('So?')]).kind).toBe('adopted');
  });
});

describe('a retry without an id', () => {
  it('takes up a beginning without an answer, in time', () => {
    const table = tableOf();
    const { ask } = client(table);
    table.failed(ask(START), 0);
    const second = ask(START, { now: 900 });
    isKnown(second, 's0', 0, { again: true, fresh: START });
    table.undelivered(second, 900);
    expect(ask(START, { now: 2000 })).toMatchObject({ kind: 'new', id: 's1' });
  });

  it('asks a later turn again however late, also in other words', () => {
    const table = tableOf();
    const { ask, told } = client(table);
    const { history } = told(START, 'A');
    table.failed(ask([...history, agent('One?')]), 0);
    const fresh = [agent('Other?')];
    isKnown(ask([...history, ...fresh], { now: 50_000 }), 's0', 1, { again: true, fresh });
  });

  it('supersedes the attempt that it is the retry of, whose end then says nothing', () => {
    const table = tableOf();
    const { ask } = client(table);
    const old = ask(START);
    const retry = ask(START, { retry: 1 });
    isKnown(retry, 's0', 0, { again: true, supersedes: true });
    expect(table.delivered(old, said('late'), 0)).toBe(false);
    expect(table.undelivered(old, 0)).toBe(false);
    expect(table.delivered(retry, said('now'), 0)).toBe(true);
  });

  it('leaves the attempts of others alone that are as many tries old as itself', () => {
    const { ask } = client(tableOf());
    // After an outage everybody comes back with a count.
    expect([1, 1, 1].map(() => ask(START, { retry: 1 }).kind)).toEqual(['new', 'new', 'new']);
  });

  it('of a beginning that was refused is none of one under way', () => {
    const table = tableOf({ sessions: 1 });
    const { ask } = client(table);
    const first = ask(START);
    expect(errorOf(() => ask(START))).toMatchObject({ status: 429, code: 'session_limit' });
    table.close('s0', 0);
    expect(ask(START, { retry: 1 })).toMatchObject({ kind: 'new', id: 's1' });
    expect(table.delivered(first, said('A'), 0)).toBe(true);
  });

  it('of a lost reply replaces it, and whoever had got it after all goes on apart', () => {
    const { told } = client(tableOf());
    const first = told(START, 'A');
    const asked = [...first.history, agent('One?')];
    const lost = told(asked, 'Lost.');
    const again = told(asked, 'Again.', { now: 500 });
    isKnown(again.placement, 's0', 1, { again: true, fresh: [agent('One?')] });
    isKnown(told([...again.history, agent('Two?')], 'B').placement, 's0', 2);
    expect(told([...lost.history, agent('Two?')], 'C').placement).toMatchObject({
      kind: 'adopted',
      forkedFrom: 's0',
    });
  });

  it('of a lost first reply has to say that it is one', () => {
    const { told } = client(tableOf());
    told(START, 'A');
    isKnown(told(START, 'B', { retry: 1 }).placement, 's0', 0, { again: true });
    expect(told(START, 'C').placement).toMatchObject({ kind: 'new' });
  });

  it('opens a session again that its lost reply had closed', () => {
    const table = tableOf();
    const { told } = client(table);
    const asked = [...told(START, 'A').history, agent('Bye.')];
    told(asked, '###STOP###');
    expect(table.close('s0', 0)).toEqual({ id: 's0', orphan: false });
    isKnown(told(asked, '###STOP###', { now: 100 }).placement, 's0', 1, { again: true, reopened: true });
    expect(table.open).toBe(1);
    expect(table.close('s0', 200)).toEqual({ id: 's0', orphan: false });
    expect(table.close('s0', 200)).toBeNull();
    table.expire(2000);
    expect(told(asked, '###STOP###', { now: 2000 }).placement).toMatchObject({
      kind: 'adopted',
      forkedFrom: null,
    });
  });
});

describe('limits and ages', () => {
  it('refuses a turn beyond the limit', () => {
    const { ask, told } = client(tableOf({ turns: 2 }));
    const second = told([...told(START, 'A').history, agent('x')], 'B');
    expect(errorOf(() => ask([...second.history, agent('y')]))).toMatchObject({
      status: 400,
      code: 'turn_limit',
    });
  });

  it('refuses sessions beyond the limit, and says when to come again', () => {
    const table = tableOf({ sessions: 2 });
    const { told, ask } = client(table);
    const { history } = told(START, 'A');
    told(START, 'B');
    const error = errorOf(() => ask(START));
    expect(error.retryAfter).toBeGreaterThanOrEqual(1);
    isKnown(ask([...history, agent('x')]), 's0', 1);
  });

  it('ends what is idle, and tells orphans from sessions', () => {
    const table = tableOf();
    const { ask, told } = client(table);
    told(START, 'A');
    table.failed(ask([system('x'), agent('y')], { now: 10 }), 10);
    const flying = ask([system('long'), agent('y')], { now: 10 });
    expect(table.expire(500)).toEqual([]);
    expect(table.expire(1010)).toEqual([{ id: 's1', orphan: true }]);
    expect(table.expire(59_999)).toEqual([]);
    expect(table.expire(60_000)).toEqual([{ id: 's0', orphan: false }]);
    expect(table.delivered(flying, said('z'), 70_000)).toBe(true);
    expect(table.open).toBe(1);
  });

  it('forgets all of a session in the end', () => {
    const table = tableOf({ sessions: 5000 });
    for (let at = 0; at < 500; at++) {
      const named = at % 2 === 0 ? null : header(`n${at % 50}`);
      const { told, ask } = client(table, { named });
      const { history } = told([system(`p${at % 7}`), agent(GREETING)], `r${at % 3}`, { now: at });
      if (at % 3 === 0) table.failed(ask([...history, agent('x')], { now: at }), at);
    }
    expect(table.held).toBeGreaterThan(0);
    table.expire(100_000);
    table.expire(200_000);
    expect([table.held, table.open]).toEqual([0, 0]);
  });
});
