import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JournalRecord, SessionFacts } from '../../../src/gateway/recorder/records.ts';
import type { Arrival, Placement } from '../../../src/gateway/sessions/session.ts';
import { SessionTable } from '../../../src/gateway/sessions/session-table.ts';
import type { Said } from '../../../src/gateway/speakers/speaker.ts';
import type { ChatRequest, WireMessage } from '../../../src/gateway/wire/chat-request.ts';
import { agent, arrival, GREETING, system, user } from './dialogue.ts';

function tableOf(start: string) {
  let made = 0;
  return new SessionTable({
    retryMs: 1000,
    idleMs: 60_000,
    turns: 50,
    sessions: 1000,
    newId: () => `${start}${made++}`,
  });
}

/** A gateway that keeps what the recorder keeps, and can be killed. */
class Gateway {
  readonly journal: JournalRecord[] = [];
  table = tableOf('s');

  ask(messages: readonly WireMessage[], more: Partial<Arrival> = {}): [Placement, ChatRequest] {
    const one = arrival(messages, more);
    const placement = this.table.place(one);
    const { id, kind } = placement;
    if (kind !== 'known') {
      const facts = { id, bound: placement.by, model: one.request.model } as SessionFacts;
      this.journal.push({ kind: 'open', at: 0, session: id, facts });
    }
    return [placement, one.request];
  }

  write([placement, { messages }]: [Placement, ChatRequest], text: string): void {
    const said = { text, toolCalls: [] } as unknown as Said;
    const fresh = placement.kind === 'known' ? placement.fresh : messages;
    const { id, turn, asked } = placement;
    this.journal.push({
      kind: 'exchange',
      at: 0,
      session: id,
      turn,
      messages: fresh,
      asked,
      said,
      overheadMs: 0,
    });
  }

  told(messages: readonly WireMessage[], text: string, more: Partial<Arrival> = {}) {
    const seat = this.ask(messages, more);
    this.write(seat, text);
    this.table.delivered(seat[0], { text, toolCalls: [] }, more.now ?? 0);
    return { placement: seat[0], history: [...messages, user(text)] };
  }

  restart(now = 0): void {
    this.table = tableOf('r');
    this.table.restore(this.journal, now);
  }
}

const START = [system('You are Emma.'), agent(GREETING)];

describe('a table after a restart', () => {
  it('goes on with dialogues under way, equal ones too', () => {
    const gateway = new Gateway();
    const told = ['A', 'A', 'B'].map((text) => gateway.told(START, text));
    gateway.restart();
    expect(gateway.table.open).toBe(3);
    const next = told.map(({ history }) => gateway.told([...history, agent('x')], 'X').placement);
    expect(next.map(({ id, kind, turn }) => `${id} ${kind} ${turn}`).sort()).toEqual([
      's0 known 1',
      's1 known 1',
      's2 known 1',
    ]);
  });

  it('takes a reply that never reached its client for lost, however often that tried in between', () => {
    for (const retry of [0, 1, 3]) {
      const gateway = new Gateway();
      const asked = [...gateway.told(START, 'A').history, agent('x')];
      gateway.write(gateway.ask(asked), 'not sent');
      gateway.restart(100);
      const { placement, history } = gateway.told(asked, 'B', { retry, now: 200 });
      expect(placement).toMatchObject({ kind: 'known', id: 's0', turn: 1, again: true });
      expect(gateway.told([...history, agent('y')], 'C').placement).toMatchObject({ id: 's0', turn: 2 });
    }
  });

  it('knows which turns were not delivered, and which sessions are closed', () => {
    const gateway = new Gateway();
    const asked = [...gateway.told(START, 'A').history, agent('x')];
    const seat = gateway.ask(asked);
    gateway.write(seat, 'cut off');
    gateway.journal.push({ kind: 'undelivered', at: 0, session: 's0', turn: 1 });
    const other = gateway.told([system('Other'), agent('Hi')], 'Bye');
    gateway.journal.push({ kind: 'close', at: 0, session: other.placement.id, termination: 'stop' });
    gateway.restart();
    expect(gateway.table.open).toBe(1);
    expect(gateway.ask(asked)[0]).toMatchObject({ kind: 'known', id: 's0', turn: 1, again: true });
    expect(gateway.ask([...other.history, agent('!')])[0]).toMatchObject({ kind: 'adopted' });
  });

  it('goes on with named sessions in their last incarnation', () => {
    for (const by of ['header', 'path', 'key', 'body'] as const)
      for (const id of ['a', 'b~2']) {
        const named = { id, by, weak: false };
        const gateway = new Gateway();
        gateway.told(START, 'A', { named });
        gateway.told([...gateway.told(START, 'A', { named }).history, agent('x')], 'B', { named });
        const { history, placement } = gateway.told(START, 'C', { named });
        gateway.restart();
        expect(gateway.ask([...history, agent('x')], { named })[0]).toMatchObject({
          kind: 'known',
          id: placement.id,
          turn: 1,
        });
      }
  });

  it('goes on with sessions under a weak name', () => {
    const named = { id: 'client-1', by: 'body', weak: true } as const;
    const gateway = new Gateway();
    const [one, two] = ['A', 'B'].map((text) => gateway.told(START, text, { named }));
    gateway.restart();
    expect(gateway.ask([...two!.history, agent('x')], { named })[0]).toMatchObject({
      id: 'client-1~2',
      turn: 1,
    });
    expect(gateway.ask([...one!.history, agent('x')], { named })[0]).toMatchObject({
      id: 'client-1',
      turn: 1,
    });
    expect(gateway.ask(START, { named })[0]).toMatchObject({ id: 'client-1~3', kind: 'new' });
  });

  it('finds again what was cut, and what was adopted', () => {
    const gateway = new Gateway();
    const first = gateway.told([...START, user('Foreign.'), agent('x')], 'Mine.');
    const second = gateway.told([...first.history, agent('y')], 'Mine too.');
    gateway.restart();
    const cut = [START[0]!, agent('summary'), ...second.history.slice(-1), agent('z')];
    expect(gateway.ask(cut)[0]).toMatchObject({
      kind: 'known',
      id: first.placement.id,
      turn: 3,
      edited: true,
    });
  });

  it('ends as one that was never stopped, wherever the restart comes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ who: fc.nat(5), said: fc.nat(2), reply: fc.nat(1) }), { maxLength: 40 }),
        fc.nat(40),
        (steps, at) => {
          const play = (restart: boolean) => {
            const gateway = new Gateway();
            const histories = new Map<number, readonly WireMessage[]>();
            const turns: string[] = [];
            steps.forEach(({ who, said, reply }, step) => {
              if (restart && step === at) gateway.restart();
              const before = histories.get(who) ?? [system(`task ${who % 2}`)];
              const { placement, history } = gateway.told([...before, agent(`${said}`)], `${reply}`);
              histories.set(who, history);
              turns.push(`${placement.kind} ${placement.turn}`);
            });
            return turns;
          };
          expect(play(true)).toEqual(play(false));
        },
      ),
      { numRuns: 200 },
    );
  });
});
