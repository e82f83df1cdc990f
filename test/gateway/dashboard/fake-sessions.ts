import type { MemberView, SessionSummary, SessionView } from '../../../src/gateway/api/control.ts';
import type { Turn } from '../../../src/trajectory/trajectory.ts';
import { WAYS } from '../../report/dialogues.ts';

/** The `at`-th session, with every state, panel and way of being known among them. */
export function fakeSession(
  at: number,
  now: number,
  members: readonly MemberView[],
  epochs: number,
  word: (plain: string) => string,
): SessionSummary {
  const who = members[(at * 7) % members.length]!;
  return {
    id: `${word('s') === 's' ? 'session' : word('s')}-${String(at).padStart(5, '0')}`,
    state: at % 97 === 5 ? 'orphan' : at % 17 === 3 ? 'open' : 'closed',
    bound: (['content', 'header', 'key', 'path'] as const)[at % 4]!,
    member: who.id,
    fingerprint: who.fingerprint,
    split: who.panel,
    group: at % 3 === 0 ? null : word(`group-${Math.floor(at / 8)}`),
    epoch: epochs === 0 ? null : Math.floor((at * epochs) / 10_000) % Math.max(1, epochs),
    turns: 2 + (at % 9),
    reward: at % 17 === 3 ? null : (at % 5) / 4,
    termination: at % 17 === 3 ? null : 'user stopped',
    openedAt: now - (12_000 - at) * 400 - 60_000,
    touchedAt: now - (12_000 - at) * 400,
  };
}

/** A dialogue with candidates, replies drawn again, a call of a tool, and a fallback. */
export function fakeDialogue(
  session: SessionSummary,
  members: readonly MemberView[],
  word: (plain: string) => string,
  texts: readonly string[] | undefined,
): SessionView {
  const who = members.find(({ id }) => id === session.member)!;
  const said = (way: number, at: number) =>
    texts === undefined
      ? WAYS[way % WAYS.length]!.turns[at % WAYS[way % WAYS.length]!.turns.length]!
      : texts[(way + at) % texts.length]!;
  const way = Number(session.id.slice(-5)) % WAYS.length;
  const user = (at: number): Turn => ({
    role: 'user',
    text: said(way, at),
    probability: 0.31,
    candidates: [0, 1, 2, 3, 4].map((k) => ({
      text: k === 1 ? said(way, at) : said(way + k + 1, at),
      probability: k === 4 ? null : [0.4, 0.31, 0.17, 0.12][k]!,
    })),
    ...(at === 1
      ? {
          probeProbability: 0.2,
          resamples: [0, 1, 2].flatMap((k) => [
            { law: 'member' as const, member: who.id, text: said(way + k, at) },
            { law: 'population' as const, member: members[k]!.id, text: said(way + k + 2, at) },
          ]),
        }
      : {}),
  });
  const turns: readonly Turn[] = [
    { role: 'agent', text: 'Hello! How can I help you today?' },
    user(0),
    { role: 'agent', text: null, toolCalls: [{ name: 'find_order', arguments: { order: '#W2378156' } }] },
    { role: 'tool', text: '{"status": "delivered", "items": 2}' },
    { role: 'agent', text: 'I have found your order. Which of the two items would you like to return?' },
    user(1),
    { role: 'agent', text: 'Done. Is there anything else?' },
    { role: 'user', text: '###STOP###' },
  ];
  return {
    ...session,
    trajectory: {
      schema: 'collapse-aware/trajectory@1',
      id: session.id,
      context: 'retail/ab12',
      contextFrom: 'scenario',
      contextLabel: null,
      benchmark: 'retail',
      domain: 'retail',
      scenario: word('You are Yusuf Rossi. You want to return the keyboard, and you are short of time.'),
      group: session.group,
      epoch: session.epoch,
      run: 'run-7',
      simulator: {
        id: session.member,
        kind: 'llm',
        person: word('a retired teacher'),
        model: who.model,
        recipe: who.recipe,
        fingerprint: who.fingerprint,
      },
      policy: { id: 'agent-8b', checkpoint: 'step-200' },
      turns,
      reward: session.reward,
      outcome: null,
      split: session.split,
      termination: session.termination,
      source: { file: 'journal', line: null },
    },
    answers: [1, 5, 7].map((turn) => ({
      turn,
      answeredBy: session.member,
      fingerprint: who.fingerprint,
      fallback:
        turn === 7 ? word('re-asked directly: the reply held no list of candidates after 2 attempts') : null,
      drawn: turn === 7 ? null : 1,
      attempts: turn === 7 ? 3 : 1,
      upstreamMs: 412.3,
      overheadMs: 1.84,
    })),
  };
}
