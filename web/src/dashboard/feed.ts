import type {
  GateView,
  LooksView,
  MapView,
  MetricsView,
  PopulationView,
  StatusView,
} from '../../../src/gateway/api/control.ts';
import { type Api, faultText, RequestFault } from './api.ts';

export type Connection =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** `since`: last answer, in this machine's milliseconds. */
  | { readonly kind: 'lost'; readonly since: number; readonly why: string };

/** Everything the page shows but sessions; null = not answered yet. */
export interface Parts {
  readonly gate: GateView | null;
  readonly status: StatusView | null;
  readonly population: PopulationView | null;
  readonly metrics: MetricsView | null;
  readonly looks: LooksView | null;
  readonly map: MapView;
}

export interface FeedState extends Parts {
  readonly connection: Connection;
  /** Why a part is not there, by its name. */
  readonly faults: Partial<Readonly<Record<keyof Parts, string>>>;
  /** Grows with every round of refreshing: the list of sessions follows it. */
  readonly round: number;
}

export const NO_FEED: FeedState = {
  gate: null,
  status: null,
  population: null,
  metrics: null,
  looks: null,
  map: null,
  connection: { kind: 'connecting' },
  faults: {},
  round: 0,
};

const PATHS: Readonly<Record<Exclude<keyof Parts, 'gate'>, string>> = {
  status: '/api/status',
  population: '/api/population',
  metrics: '/api/metrics',
  looks: '/api/looks?limit=500',
  map: '/api/map',
};

const WAIT_SECONDS = 20;
const EVERY_MS = 5000;
/** Rounds of refreshing between two looks at figures, and at the map, where the gate says nothing changed. */
const FIGURES_EVERY = 3;
const MAP_EVERY = 24;
const LONGEST_PAUSE_MS = 10_000;

/**
 * Follows the gateway: waits at the gate, and asks for the rest when the gate's revision changes or every 5 s. A
 * hidden tab asks for nothing. Returns how to end it, and how to ask at once.
 */
export function follow(
  api: Api,
  onState: (change: (state: FeedState) => FeedState) => void,
  onSignedOut: (why: string) => void,
): { readonly stop: () => void; readonly refresh: () => void } {
  const ended = new AbortController();
  const texts = new Map<keyof Parts, string>();
  let asleep = new AbortController();
  let answered = Date.now();
  let round = 0;
  let refreshing: Promise<void> | null = null;
  let again = false;
  /** Without a report there is no space, and so no map to ask for. */
  let measured = false;

  const heard = () => {
    answered = Date.now();
    onState((state) =>
      state.connection.kind === 'live' ? state : { ...state, connection: { kind: 'live' } },
    );
  };
  const failed = (error: unknown) => {
    if (ended.signal.aborted || asleep.signal.aborted) return;
    if (error instanceof RequestFault && error.kind === 'signed-out') {
      stop();
      onSignedOut(error.message);
    } else if (error instanceof RequestFault && error.kind === 'refused') heard();
    else {
      const why = faultText(error);
      onState((state) =>
        state.connection.kind === 'lost' && state.connection.why === why
          ? state
          : { ...state, connection: { kind: 'lost', since: answered, why } },
      );
    }
  };
  const ask = async (name: keyof Parts, path: string, seconds?: number): Promise<boolean> => {
    try {
      const signal = AbortSignal.any([ended.signal, asleep.signal]);
      const text = await api.text(path, seconds === undefined ? { signal } : { signal, seconds });
      const known = texts.get(name) === text;
      const value: unknown = known ? null : JSON.parse(text);
      texts.set(name, text);
      if (name === 'metrics' && !known) measured = (value as MetricsView).report !== null;
      heard();
      onState((state) => {
        if (known && state.faults[name] === undefined) return state;
        const { [name]: _, ...faults } = state.faults;
        return known ? { ...state, faults } : { ...state, faults, [name]: value };
      });
      return true;
    } catch (error) {
      failed(error);
      if (error instanceof RequestFault && error.kind === 'refused') {
        texts.delete(name);
        onState((state) => ({
          ...state,
          [name]: null,
          faults: { ...state.faults, [name]: error.message },
        }));
      }
      return false;
    }
  };
  const refresh = (all: boolean) => {
    if (refreshing !== null) {
      again ||= all;
      return;
    }
    const at = round++;
    const names: Exclude<keyof Parts, 'gate'>[] = ['status', 'population'];
    if (all || at % FIGURES_EVERY === 0) names.push('metrics', 'looks');
    const withMap = all || at % MAP_EVERY === 0;
    onState((state) => ({ ...state, round: state.round + 1 }));
    const rest = Promise.all(names.map((name) => ask(name, PATHS[name])));
    refreshing = rest.then(async () => {
      if (withMap && measured) await ask('map', PATHS.map);
      refreshing = null;
      if (again && !ended.signal.aborted) {
        again = false;
        refresh(true);
      }
    });
  };

  const gateLoop = async () => {
    let revision: number | null = null;
    let failures = 0;
    while (!ended.signal.aborted) {
      if (document.hidden) {
        await shown(ended.signal);
        revision = null;
        continue;
      }
      const began = performance.now();
      const wait: string = revision === null ? '' : `?after=${revision}&wait=${WAIT_SECONDS}`;
      if (await ask('gate', `/api/gate${wait}`, WAIT_SECONDS + 15)) {
        failures = 0;
        const seen = revisionOf(texts.get('gate'));
        // Not only a larger one: a gateway that starts anew counts from the beginning.
        if (seen !== revision) refresh(true);
        else if (performance.now() - began < 1000) await pause(1000, ended.signal);
        revision = seen;
      } else if (!asleep.signal.aborted) {
        // Asked without waiting, so that its answer tells at once that it is back.
        revision = null;
        await pause(Math.min(LONGEST_PAUSE_MS, 1000 * 2 ** failures++), ended.signal);
      }
    }
  };

  const onVisibility = () => {
    if (document.hidden) asleep.abort();
    else asleep = new AbortController();
  };
  document.addEventListener('visibilitychange', onVisibility);
  onVisibility();
  const timer = setInterval(() => {
    if (!document.hidden) refresh(false);
  }, EVERY_MS);
  const stop = () => {
    ended.abort();
    clearInterval(timer);
    document.removeEventListener('visibilitychange', onVisibility);
  };
  void gateLoop();
  return { stop, refresh: () => refresh(true) };
}

function revisionOf(text: string | undefined): number | null {
  return text === undefined ? null : (JSON.parse(text) as GateView).revision;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(end, ms);
    function end() {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      done();
    }
    signal.addEventListener('abort', end);
  });
}

/** Until the tab is looked at again. */
function shown(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const look = () => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener('visibilitychange', look);
      signal.removeEventListener('abort', look);
      done();
    };
    document.addEventListener('visibilitychange', look);
    signal.addEventListener('abort', look);
    look();
  });
}
