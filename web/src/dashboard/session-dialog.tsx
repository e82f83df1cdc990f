import { useEffect, useState } from 'preact/hooks';
import type { SessionView } from '../../../src/gateway/api/control.ts';
import { number, plural } from '../format.ts';
import { Missing, Name } from '../number.tsx';
import { type Api, faultText } from './api.ts';
import { Modal } from './modal.tsx';
import { moment } from './time.ts';
import { TurnView } from './turn.tsx';

/** One session from its instructions to its reward. */
export function SessionDialog({
  api,
  id,
  round,
  onClose,
}: {
  api: Api;
  id: string;
  round: number;
  onClose: () => void;
}) {
  const [session, setSession] = useState<SessionView | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const settled = session !== null && session.state !== 'open';
  useEffect(() => {
    if (settled) return;
    const ended = new AbortController();
    api.text(pathOf(id), { signal: ended.signal }).then(
      (text) => {
        if (ended.signal.aborted) return;
        setFault(null);
        setSession(JSON.parse(text));
      },
      (error: unknown) => {
        if (!ended.signal.aborted) setFault(faultText(error));
      },
    );
    return () => ended.abort();
  }, [api, id, round, settled]);
  return (
    <Modal title={`Session ${id}`} onClose={onClose}>
      {session === null ? (
        <Missing>{fault === null ? 'Asking for the session …' : `It is not to be had: ${fault}`}</Missing>
      ) : (
        <Whole session={session} />
      )}
    </Modal>
  );
}

/** An id may hold half a character, which no address can. */
function pathOf(id: string): string {
  return `/api/sessions/${encodeURIComponent(id.replace(/\p{Surrogate}/gu, '\uFFFD'))}`;
}

function Whole({ session }: { session: SessionView }) {
  const { trajectory, answers } = session;
  const answerOf = new Map(answers.map((answer) => [answer.turn, answer]));
  const { simulator } = trajectory;
  const facts: readonly (readonly [string, string | null])[] = [
    ['Member', session.member],
    ['Persona or person', simulator.person],
    ['Recipe', simulator.recipe],
    ['Model', simulator.model],
    ['Fingerprint', session.fingerprint],
    ['Panel', session.split],
    ['Epoch', session.epoch === null ? null : String(session.epoch)],
    ['Group', session.group],
    [
      'Policy',
      [trajectory.policy.id, trajectory.policy.checkpoint].filter((part) => part !== null).join(', '),
    ],
    ['Known by', session.bound],
    ['Reward', session.reward === null ? null : number(session.reward)],
    ['Ended by', session.termination],
    ['Opened', moment(session.openedAt)],
    ['Last turn', moment(session.touchedAt)],
  ];
  return (
    <>
      <p class="fine">
        {session.state}, {plural(session.turns, 'turn')} of the simulated user
      </p>
      <dl class="session-facts">
        {facts.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {text === null || text === '' ? <span class="zero">none on record</span> : <Name>{text}</Name>}
            </dd>
          </div>
        ))}
      </dl>
      {trajectory.scenario !== null && (
        <details class="as-table">
          <summary>Private instructions of the simulated user</summary>
          <p class="said" dir="auto">
            {trajectory.scenario}
          </p>
        </details>
      )}
      {trajectory.turns.length === 0 ? (
        <Missing>Nothing was said yet.</Missing>
      ) : (
        <ol class="dialogue">
          {trajectory.turns.map((turn, at) => (
            <TurnView key={at} turn={turn} answer={answerOf.get(at) ?? null} />
          ))}
        </ol>
      )}
    </>
  );
}
