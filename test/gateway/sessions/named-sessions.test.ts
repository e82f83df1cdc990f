import { describe, expect, it } from 'vitest';
import type { Arrival } from '../../../src/gateway/sessions/session.ts';
import { agent, GREETING, said, system, user } from './dialogue.ts';
import { client, errorOf, header, isKnown, START, tableOf } from './table.ts';

describe('a named session', () => {
  it('goes by its name, whatever others say', () => {
    const table = tableOf();
    const a = client(table, { named: header('a') });
    const b = client(table, { named: header('b') });
    const [one, two] = [a.told(START, 'A'), b.told(START, 'A')];
    isKnown(b.told([...two.history, agent('x')], 'X').placement, 'b', 1);
    isKnown(a.told([...one.history, agent('x')], 'X').placement, 'a', 1);
    expect(client(table).ask([...one.history, agent('x')])).toMatchObject({ kind: 'adopted', by: 'content' });
  });

  it('goes on though its history was edited', () => {
    const { told } = client(tableOf(), { named: header('a') });
    told(START, 'A reply.');
    isKnown(told([...START, user('Another.'), agent('x')], 'B').placement, 'a', 1, { edited: true });
    isKnown(told([START[0]!, agent('summary'), user('B'), agent('y')], 'C').placement, 'a', 2, {
      edited: true,
    });
  });

  it('is its next incarnation where it starts over, goes back, or goes on after its end', () => {
    const table = tableOf();
    const { told } = client(table, { named: header('a') });
    const first = told(START, 'A');
    told([...first.history, agent('x')], 'B');
    expect(told(START, 'A').placement).toMatchObject({ kind: 'new', id: 'a~2', by: 'header' });
    const third = told([...told([...first.history, agent('x')], 'B').history, agent('y')], 'C');
    isKnown(third.placement, 'a~2', 2);
    expect(told([...first.history, agent('z')], 'D').placement).toMatchObject({
      id: 'a~3',
      kind: 'adopted',
      forkedFrom: 'a~2',
    });
    table.close('a~3', 0);
    expect(told(START, 'A').placement).toMatchObject({ kind: 'new', id: 'a~4' });
  });

  it('never takes an id of the past', () => {
    const { ask } = client(tableOf({ taken: (id) => ['a', 'a~2', 's0'].includes(id) }), {
      named: header('a'),
    });
    expect(ask(START).id).toBe('a~3');
    const table = tableOf({ taken: (id) => id === 's0' });
    expect(client(table).ask(START).id).toBe('s1');
  });

  it('refuses another request while a turn is under way; the same one supersedes it', () => {
    const table = tableOf();
    const { ask } = client(table, { named: header('a') });
    const old = ask(START);
    expect(errorOf(() => ask([...START, agent('!')]))).toMatchObject({ status: 409, code: 'session_busy' });
    const again = ask(START);
    isKnown(again, 'a', 0, { again: true, supersedes: true });
    expect(table.failed(old, 0)).toBe(false);
    expect(table.delivered(again, said('A'), 0)).toBe(true);
  });

  it('is not taken from a retry by the try before it, which was read later', () => {
    const table = tableOf();
    const { ask } = client(table, { named: header('a') });
    const retried = ask(START, { retry: 1 });
    expect(errorOf(() => ask(START))).toMatchObject({ status: 409, code: 'superseded' });
    expect(table.delivered(retried, said('A'), 0)).toBe(true);
  });

  it('goes on past a request that its client gave up turns ago and that is read only now', () => {
    const table = tableOf();
    const { ask, told } = client(table, { named: header('a') });
    const first = told(START, 'A');
    const second = told([...first.history, agent('1')], 'B');
    const third = told([...second.history, agent('2')], 'C');
    const stray = ask([...first.history, agent('1')]);
    expect(stray).toMatchObject({ kind: 'adopted', id: 'a~2' });
    // Be the stray one still under way or not.
    isKnown(ask([...third.history, agent('3')]), 'a', 3);
    expect(table.failed(stray, 0)).toBe(true);
    isKnown(ask([...third.history, agent('3')]), 'a', 3, { again: true, supersedes: true });
  });

  it('gives a lost reply again', () => {
    const { told } = client(tableOf(), { named: header('a') });
    told(START, 'A');
    isKnown(told(START, 'B', { now: 50_000 }).placement, 'a', 0, { again: true, fresh: START });
  });

  it('can be named by the id that the gateway made', () => {
    const table = tableOf();
    const { placement, history } = client(table).told(START, 'A');
    isKnown(client(table, { named: header(placement.id) }).ask([...history, agent('x')]), 's0', 1);
  });

  it('is one of many under a weak name, told apart by what they say', () => {
    const table = tableOf();
    const weak = (id: string): Partial<Arrival> => ({ named: { id, by: 'body', weak: true } });
    const one = client(table, weak('client-1'));
    const first = one.told(START, 'A');
    const second = one.told([system('You are Omar.'), agent(GREETING)], 'B');
    expect([first.placement.id, second.placement.id]).toEqual(['client-1', 'client-1~2']);
    isKnown(one.told([...first.history, agent('x')], 'X').placement, 'client-1', 1);
    isKnown(one.told([...second.history, agent('x')], 'X').placement, 'client-1~2', 1);
    expect(client(table, weak('client-2')).ask([...first.history, agent('x')]).kind).toBe('adopted');
  });
});
