import { useEffect, useState } from 'preact/hooks';
import type { EvolveReply } from '../../../src/gateway/api/control.ts';
import type { EvolveView } from '../../../src/report/evolve-payload.ts';
import { EvolveSections } from '../evolve-sections.tsx';
import { type Api, faultText, RequestFault } from './api.ts';
import { ago } from './time.ts';

/** The run of the loop as the gateway has it. */
export interface RunState {
  /** Null = none was sent yet, or not asked yet. */
  readonly run: EvolveView | null;
  /** Milliseconds since 1970, by the gateway's clock. */
  readonly updatedAt: number | null;
  /** Why the last asking failed. */
  readonly fault: string | null;
}

const NONE: RunState = { run: null, updatedAt: null, fault: null };
/** Between two looks while the page is seen; an unchanged run is not sent again. */
const EVERY_MS = 5000;

/** Follows the run that was sent last. */
export function useRun(api: Api): RunState {
  const [state, setState] = useState(NONE);
  useEffect(() => {
    const ended = new AbortController();
    let known: number | null = null;
    let asking = false;
    const ask = async () => {
      if (asking || document.hidden) return;
      asking = true;
      try {
        const path = known === null ? '/api/evolve' : `/api/evolve?after=${known}`;
        const reply = JSON.parse(await api.text(path, { signal: ended.signal })) as EvolveReply;
        known = reply.updatedAt;
        setState((before) =>
          reply.run === undefined
            ? before.fault === null
              ? before
              : { ...before, fault: null }
            : { run: reply.run, updatedAt: reply.updatedAt, fault: null },
        );
      } catch (error) {
        // The gate's loop tells who is signed out, and that the gateway is lost.
        if (!ended.signal.aborted && !(error instanceof RequestFault && error.kind === 'signed-out'))
          setState((before) => ({ ...before, fault: faultText(error) }));
      } finally {
        asking = false;
      }
    };
    void ask();
    const timer = setInterval(ask, EVERY_MS);
    document.addEventListener('visibilitychange', ask);
    return () => {
      ended.abort();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', ask);
    };
  }, [api]);
  return state;
}

export type View = 'gateway' | 'run';

/** Between what the gateway serves and the run that drives it; absent where nobody sent a run. */
export function ViewSwitch({ view, choose }: { view: View; choose: (view: View) => void }) {
  return (
    <fieldset class="segments view-switch">
      <legend class="unseen">What is shown</legend>
      {(['gateway', 'run'] as const).map((one) => (
        <label key={one}>
          <input type="radio" name="view" checked={view === one} onChange={() => choose(one)} />
          <span>{one === 'gateway' ? 'Gateway' : 'Run of the loop'}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** The run's page, and how old it is. */
export function RunView({ state, now }: { state: RunState; now: number }) {
  const { run, updatedAt, fault } = state;
  if (run === null || updatedAt === null) return null;
  return (
    <>
      <p class="fine run-age">
        {run.title}: sent {ago(updatedAt, now)}
        {fault !== null && <>; not asked again since: {fault}</>}
      </p>
      <EvolveSections view={run} />
    </>
  );
}
