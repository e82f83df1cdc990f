import type { Parts } from './gateway.ts';

/** Brings gauges up to date, for whoever reads them now. */
export function measure({ instruments, members, recorder, table, live, conversations }: Parts): void {
  const { open, closed, orphans } = recorder.counts();
  for (const [state, count] of Object.entries({ open, closed, orphan: orphans }))
    instruments.sessions.set({ state }, count);
  instruments.sessions.set({ state: 'under way' }, table.open);
  instruments.journalBytes.set(recorder.status().bytes);
  instruments.held.set(live.keeper.held);
  instruments.running.set(conversations.running);
  for (const [upstream, load] of members.loads())
    for (const state of ['running', 'waiting'] as const)
      instruments.upstreams.set({ upstream, state }, load[state]);
  instruments.level.set(LEVELS[live.keeper.level]);
  instruments.webhooks.reset();
  for (const [outcome, count] of Object.entries(live.webhooks)) instruments.webhooks.inc({ outcome }, count);
  const look = live.looks.looks.findLast(({ probe }) => probe !== true);
  instruments.figure.reset();
  for (const name of FIGURES)
    for (const part of ['value', 'low', 'high'] as const) {
      const figure = look?.[name][part];
      // Missing is no sample: 0 would be a statement.
      if (figure != null) instruments.figure.set({ name, part }, figure);
    }
}

const FIGURES = ['scd2', 'scd', 'bdi', 'psod', 'psodRise', 'zeroVariance', 'epsilonMember'] as const;

const LEVELS = { green: 0, yellow: 1, 'half-open': 2, red: 3 } as const;
