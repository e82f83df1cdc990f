import type { StatusView } from '../../../src/gateway/api/control.ts';
import { count, plural } from '../format.ts';
import { Section } from '../shell.tsx';
import { type Column, Table } from '../table.tsx';
import { type Tile, Tiles } from '../tiles.tsx';
import { bytes, duration, moment } from './time.ts';
import { Waiting } from './verdict.tsx';

interface Drop {
  readonly reason: string;
  readonly probes: number;
}

/** Reasons that a name alone does not tell. */
const WHY: Readonly<Record<string, string>> = {
  'clients first': 'clients first: the upstream was busy with clients',
  failed: 'failed: the member gave no reply',
  superseded: 'superseded: the session was probed anew',
  draining: 'draining: the gateway was stopping',
};

const DROPS: readonly Column<Drop>[] = [
  { id: 'reason', header: 'Why', text: ({ reason }) => WHY[reason] ?? reason },
  { id: 'probes', header: 'Probes', number: ({ probes }) => probes },
];

/** Counts of what records and probes, so that a hole in the figures can be found. */
export function MachinerySection({ status }: { status: StatusView | null }) {
  if (status === null)
    return (
      <Section id="machinery" title="Recorder and probes">
        <Waiting fault={undefined} what="counts" />
      </Section>
    );
  const { probes } = status;
  const drops = Object.entries(probes.dropped)
    .map(([reason, n]) => ({ reason, probes: n }))
    .sort((a, b) => b.probes - a.probes || (a.reason < b.reason ? -1 : 1));
  const dropped = drops.reduce((sum, drop) => sum + drop.probes, 0);
  return (
    <Section
      id="machinery"
      title="Recorder and probes"
      lead={`Running for ${duration(status.now - status.startedAt)}, since ${moment(status.startedAt)}.`}
    >
      <Tiles tiles={tilesOf(status, dropped)} />
      {drops.length > 0 && (
        <Table caption={`${plural(dropped, 'probe')} dropped, by why`} columns={DROPS} rows={drops} />
      )}
    </Section>
  );
}

/** Of whatever state. */
export function totalOf({ sessions }: Pick<StatusView, 'sessions'>): number {
  return sessions.open + sessions.closed + sessions.orphans;
}

function tilesOf({ sessions, recorder, probes, requests }: StatusView, dropped: number): readonly Tile[] {
  return [
    {
      name: 'Sessions',
      value: count(totalOf({ sessions })),
      meaning: `${count(sessions.open)} open, ${count(sessions.closed)} closed; ${plural(sessions.orphans, 'orphan')} whose reply nobody came back for`,
    },
    {
      name: 'Requests now',
      value: count(requests.running),
      meaning: `under way; ${count(requests.held)} held by the breaker`,
    },
    {
      name: 'Records',
      value: count(recorder.records),
      meaning: `${bytes(recorder.bytes)} in the journal; ${count(recorder.unrecorded)} replies unrecorded`,
    },
    {
      name: 'Recorder',
      value: recorder.failing === null ? 'writes' : 'fails',
      meaning: recorder.failing ?? 'every reply is on record before it is sent',
    },
    {
      name: 'Probes',
      value: count(probes.done),
      meaning: `done of ${count(probes.asked)} asked; ${count(dropped)} dropped, ${plural(probes.failedReplies, 'reply', 'replies')} failed`,
    },
    {
      name: 'Tokens of probes',
      value: count(probes.promptTokens + probes.completionTokens),
      meaning: `${count(probes.promptTokens)} in, ${count(probes.completionTokens)} out`,
    },
  ];
}
