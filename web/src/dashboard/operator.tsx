import { useState } from 'preact/hooks';
import type { GateView, OverrideEntry } from '../../../src/gateway/api/control.ts';
import { LevelShape } from '../breaker-level.tsx';
import { type Api, faultText } from './api.ts';
import { keepOperatorName, operatorName } from './key.ts';
import { Modal } from './modal.tsx';

type Wanted = OverrideEntry['level'] | 'release';

const LEVELS: readonly OverrideEntry['level'][] = ['green', 'yellow', 'red'];
const EFFECTS: Readonly<Record<Wanted, string>> = {
  green:
    'Training goes on whatever the figures say. The rules keep counting, but nothing they find stops the run.',
  yellow: 'Training goes on, and members marked anti-collapse are drawn more often.',
  red: 'New sessions are held, then refused with 429. Sessions under way go on; panel sessions and probes pass.',
  release: 'The level goes back to what the rules say.',
};
const TIMES: readonly (readonly [string, number | null])[] = [
  ['15 minutes', 900],
  ['1 hour', 3600],
  ['8 hours', 28_800],
  ['until released', null],
];

/** Sets the level by hand; nothing is sent before it was confirmed. */
export function OperatorButtons({
  gate,
  api,
  onDone,
}: {
  gate: GateView | null;
  api: Api;
  onDone: () => void;
}) {
  const [wanted, setWanted] = useState<Wanted | null>(null);
  return (
    <fieldset class="operator" aria-label="Set the breaker by hand">
      <span class="fine">Set by hand:</span>
      {LEVELS.map((level) => (
        <button key={level} type="button" class={`button at-${level}`} onClick={() => setWanted(level)}>
          <LevelShape level={level} />
          {level} …
        </button>
      ))}
      <button
        type="button"
        class="button"
        disabled={gate?.override == null}
        onClick={() => setWanted('release')}
      >
        Release …
      </button>
      {wanted !== null && (
        <Confirm
          wanted={wanted}
          gate={gate}
          api={api}
          onClose={() => setWanted(null)}
          onDone={() => {
            setWanted(null);
            onDone();
          }}
        />
      )}
    </fieldset>
  );
}

function Confirm({
  wanted,
  gate,
  api,
  onClose,
  onDone,
}: {
  wanted: Wanted;
  gate: GateView | null;
  api: Api;
  onClose: () => void;
  onDone: () => void;
}) {
  const [by, setBy] = useState(operatorName);
  const [reason, setReason] = useState('');
  const [time, setTime] = useState('1');
  const [fault, setFault] = useState<string | null>(null);
  const [sending, setSending] = useState(false);
  const send = async () => {
    const name = by.trim();
    const why = reason.trim();
    if (name === '' || (wanted !== 'release' && why === '')) {
      setFault(wanted === 'release' ? 'Say who you are.' : 'Say who you are, and why.');
      return;
    }
    const seconds = TIMES[Number(time)]?.[1] ?? null;
    setSending(true);
    setFault(null);
    try {
      keepOperatorName(name);
      await api.post(
        '/api/breaker',
        wanted === 'release'
          ? { release: true, by: name }
          : { level: wanted, by: name, reason: why, ...(seconds === null ? {} : { seconds }) },
      );
      onDone();
    } catch (error) {
      setFault(`The gateway did not take it: ${faultText(error)}`);
      setSending(false);
    }
  };
  const title = wanted === 'release' ? "Release the operator's level?" : `Set the breaker to ${wanted}?`;
  return (
    <Modal title={title} onClose={onClose} narrow>
      <form
        class="confirm"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <p>{EFFECTS[wanted]}</p>
        {gate !== null && (
          <p class="fine">
            Now: {gate.level}; the rules say {gate.rules}.
          </p>
        )}
        <label class="field">
          <span>Who you are</span>
          <input
            value={by}
            maxLength={80}
            autocomplete="off"
            onInput={(event) => setBy(event.currentTarget.value)}
          />
        </label>
        {wanted !== 'release' && (
          <>
            <label class="field">
              <span>Reason, for the record</span>
              <input
                value={reason}
                maxLength={400}
                autocomplete="off"
                onInput={(event) => setReason(event.currentTarget.value)}
              />
            </label>
            <label class="field">
              <span>For how long</span>
              <select value={time} onChange={(event) => setTime(event.currentTarget.value)}>
                {TIMES.map(([name], at) => (
                  <option key={name} value={String(at)}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
          </>
        )}
        <p class="form-fault" role="alert">
          {fault}
        </p>
        <p class="form-buttons">
          <button type="submit" class="button button-strong" disabled={sending}>
            {wanted === 'release' ? 'Release' : `Set ${wanted}`}
          </button>
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
        </p>
      </form>
    </Modal>
  );
}
