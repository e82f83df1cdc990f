import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { EVOLVE_ENTRIES } from '../evolve-sections.tsx';
import { Guard } from '../guard.tsx';
import { Shell } from '../shell.tsx';
import { type Api, adminApi } from './api.ts';
import { BehavioursSection } from './behaviours.tsx';
import { BreakerSection } from './breaker.tsx';
import { CurvesSection } from './curves.tsx';
import { type FeedState, follow, NO_FEED } from './feed.ts';
import { FiguresSection } from './figures.tsx';
import { FirstRequest } from './first-request.tsx';
import { forgetKey, keepKey, takeKey } from './key.ts';
import { MachinerySection, totalOf } from './machinery.tsx';
import { MembersSection } from './members.tsx';
import { RunView, useRun, type View, ViewSwitch } from './run.tsx';
import { SessionsSection } from './sessions.tsx';
import { SignIn } from './sign-in.tsx';
import { VerdictSection } from './verdict.tsx';

const ENTRIES = [
  { id: 'verdict', title: 'Verdict' },
  { id: 'figures', title: 'Figures' },
  { id: 'curves', title: 'Over epochs' },
  { id: 'map', title: 'Map of behaviours' },
  { id: 'members', title: 'Members' },
  { id: 'breaker', title: 'Breaker' },
  { id: 'sessions', title: 'Sessions' },
  { id: 'machinery', title: 'Recorder, probes' },
] as const;

/** The key first, then everything under it. */
export function Dashboard() {
  const [key, setKey] = useState(takeKey);
  const [why, setWhy] = useState<string | null>(null);
  useEffect(() => {
    const look = () => {
      if (!location.hash.startsWith('#key=')) return;
      setWhy(null);
      setKey(takeKey());
    };
    addEventListener('hashchange', look);
    return () => removeEventListener('hashchange', look);
  }, []);
  if (key === null)
    return (
      <SignIn
        why={why}
        onKey={(given) => {
          keepKey(given);
          setWhy(null);
          setKey(given);
        }}
      />
    );
  const leave = (reason: string | null) => {
    forgetKey();
    setWhy(reason);
    setKey(null);
  };
  return <Live key={key} secret={key} leave={leave} />;
}

function Live({ secret, leave }: { secret: string; leave: (why: string | null) => void }) {
  const api = useMemo(() => adminApi(secret), [secret]);
  const [feed, refresh] = useFeed(api, leave);
  const run = useRun(api);
  const [chosen, choose] = useState<View>('gateway');
  const view = run.run === null ? 'gateway' : chosen;
  const { gate, status, population, looks, metrics } = feed;
  const empty = status !== null && totalOf(status) === 0;
  const now = status?.now ?? Date.now();
  const level = gate?.level;
  useEffect(() => {
    document.title = `${level === undefined ? '' : `${level}: `}collapse-aware gateway`;
  }, [level]);
  return (
    <Shell
      kind="gateway"
      title={location.host}
      entries={view === 'run' ? EVOLVE_ENTRIES : ENTRIES}
      footer={
        <>
          {status === null ? 'collapse-aware' : `collapse-aware ${status.version}`}. This page asks{' '}
          {location.host} and nobody else.{' '}
          <button type="button" class="link" onClick={() => leave(null)}>
            Forget the key
          </button>
        </>
      }
    >
      {run.run !== null && <ViewSwitch view={view} choose={choose} />}
      {view === 'run' ? (
        <RunView state={run} now={now} />
      ) : (
        <>
          <Guard name="The verdict">
            <VerdictSection feed={feed} now={now} />
          </Guard>
          {empty && (
            <Guard name="How to begin">
              <FirstRequest population={population} />
            </Guard>
          )}
          <Guard name="The figures">
            <FiguresSection metrics={metrics} looks={looks} fault={feed.faults.metrics} />
          </Guard>
          <Guard name="The curves">
            <CurvesSection looks={looks} fault={feed.faults.looks} />
          </Guard>
          <Guard name="The map">
            <BehavioursSection map={feed.map} metrics={metrics} fault={feed.faults.map} />
          </Guard>
          <Guard name="The members">
            <MembersSection population={population} fault={feed.faults.population} />
          </Guard>
          <Guard name="The breaker">
            <BreakerSection gate={gate} looks={looks} now={now} api={api} onDone={refresh} />
          </Guard>
          <Guard name="The sessions">
            <SessionsSection api={api} population={population} round={feed.round} now={now} />
          </Guard>
          <Guard name="Recorder and probes">
            <MachinerySection status={status} />
          </Guard>
        </>
      )}
    </Shell>
  );
}

function useFeed(api: Api, leave: (why: string | null) => void): [FeedState, () => void] {
  const [feed, setFeed] = useState<FeedState>(NO_FEED);
  const going = useRef<ReturnType<typeof follow> | null>(null);
  const left = useRef(leave);
  left.current = leave;
  useEffect(() => {
    const now = follow(api, setFeed, (why) =>
      left.current(`This gateway refuses the key: ${why}. Give the admin key, not a client's.`),
    );
    going.current = now;
    return now.stop;
  }, [api]);
  return [feed, () => going.current?.refresh()];
}
