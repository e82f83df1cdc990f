import { expect } from 'vitest';
import type { Arrival, Named, Placement, TableOptions } from '../../../src/gateway/sessions/session.ts';
import { SessionTable } from '../../../src/gateway/sessions/session-table.ts';
import { ApiError } from '../../../src/gateway/wire/api-error.ts';
import type { WireMessage } from '../../../src/gateway/wire/chat-request.ts';
import { agent, arrival, GREETING, said, system, user } from './dialogue.ts';

export const START = [system('You are Emma.'), agent(GREETING)];
export const header = (id: string): Named => ({ id, by: 'header', weak: false });

export function tableOf(options: Partial<TableOptions> = {}) {
  let made = 0;
  return new SessionTable({
    retryMs: 1000,
    idleMs: 60_000,
    turns: 50,
    sessions: 100,
    newId: () => `s${made++}`,
    ...options,
  });
}

/** A client that asks and is told, in short. */
export function client(table: SessionTable, more: Partial<Arrival> = {}) {
  const ask = (messages: readonly WireMessage[], other: Partial<Arrival> = {}) =>
    table.place(arrival(messages, { ...more, ...other }));
  const told = (messages: readonly WireMessage[], text: string, other: Partial<Arrival> = {}) => {
    const placement = ask(messages, other);
    table.delivered(placement, said(text), other.now ?? 0);
    return { placement, history: [...messages, user(text)] };
  };
  return { ask, told };
}

export function errorOf(act: () => unknown): ApiError {
  try {
    act();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

export const isKnown = (one: Placement, id: string, turn: number, more: object = {}) =>
  expect(one).toMatchObject({
    kind: 'known',
    id,
    turn,
    again: false,
    edited: false,
    supersedes: false,
    ...more,
  });
