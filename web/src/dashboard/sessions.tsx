import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { PopulationView, SessionList, SessionSummary } from '../../../src/gateway/api/control.ts';
import { count, number } from '../format.ts';
import { Missing, Name } from '../number.tsx';
import { Section } from '../shell.tsx';
import { type Column, Table } from '../table.tsx';
import { type Api, faultText } from './api.ts';
import { SessionDialog } from './session-dialog.tsx';
import { ago, moment } from './time.ts';

const LIMIT = 50;
const TYPING_MS = 300;

interface Filter {
  readonly state: string;
  readonly member: string;
  readonly epoch: string;
  readonly text: string;
}

const NO_FILTER: Filter = { state: '', member: '', epoch: '', text: '' };

/** Sessions by page: the gateway keeps the list, the page holds fifty of them. */
export function SessionsSection({
  api,
  population,
  round,
  now,
}: {
  api: Api;
  population: PopulationView | null;
  round: number;
  now: number;
}) {
  const [filter, setFilter] = useState(NO_FILTER);
  /** Cursors of the pages before this one; null = the first. */
  const [pages, setPages] = useState<readonly (string | null)[]>([null]);
  const [open, setOpen] = useState<string | null>(null);
  const after = pages.at(-1) ?? null;
  const { list, page, fault } = useSessions(api, filter, after, pages.length, round);
  const change = (part: Partial<Filter>) => {
    setFilter({ ...filter, ...part });
    setPages([null]);
  };
  const columns = useMemo(() => columnsOf(setOpen, now), [now]);
  const from = (page - 1) * LIMIT;
  const rows = list?.sessions ?? [];
  const filtered = Object.values(filter).some((text) => text !== '');
  const caption = `Sessions ${rows.length === 0 ? 0 : count(from + 1)} to ${count(from + rows.length)} of ${count(list?.total ?? 0)}, newest first`;
  return (
    <Section
      id="sessions"
      title="Sessions"
      lead="Press an id to read the dialogue, with the replies the simulated user had to choose from."
    >
      <Filters filter={filter} change={change} population={population} />
      {fault !== null && (
        <p class="notice at-red" role="alert">
          The list is not to be had: {fault}
        </p>
      )}
      {list === null ? (
        fault === null && <Missing>Asking for sessions …</Missing>
      ) : (
        <div class="sessions">
          <Table
            caption={caption}
            columns={columns}
            rows={rows}
            empty={filtered ? 'No session is like that.' : 'No session yet.'}
          />
          <p class="paging">
            <button
              type="button"
              class="button"
              disabled={pages.length === 1}
              onClick={() => setPages(pages.slice(0, -1))}
            >
              Newer
            </button>
            <button
              type="button"
              class="button"
              disabled={list.next === null}
              onClick={() => setPages([...pages, list.next])}
            >
              Older
            </button>
            <span class="fine" role="status">
              page {count(page)} of {count(Math.max(1, Math.ceil(list.total / LIMIT)))}
            </span>
          </p>
        </div>
      )}
      {open !== null && <SessionDialog api={api} id={open} round={round} onClose={() => setOpen(null)} />}
    </Section>
  );
}

function Filters({
  filter,
  change,
  population,
}: {
  filter: Filter;
  change: (part: Partial<Filter>) => void;
  population: PopulationView | null;
}) {
  const [typed, setTyped] = useState({ epoch: filter.epoch, text: filter.text });
  const latest = useRef(change);
  latest.current = change;
  useEffect(() => {
    if (typed.epoch === filter.epoch && typed.text === filter.text) return;
    const timer = setTimeout(() => latest.current(typed), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, filter.epoch, filter.text]);
  return (
    <form class="controls session-filters" onSubmit={(event) => event.preventDefault()}>
      <label class="select">
        <span>State</span>
        <select value={filter.state} onChange={(event) => change({ state: event.currentTarget.value })}>
          <option value="">all</option>
          <option value="open">open</option>
          <option value="closed">closed</option>
          <option value="orphan">orphan</option>
        </select>
      </label>
      <label class="select">
        <span>Member</span>
        <select value={filter.member} onChange={(event) => change({ member: event.currentTarget.value })}>
          <option value="">all</option>
          {(population?.members ?? []).map(({ id }) => (
            <option key={id} value={id}>
              {id}
            </option>
          ))}
        </select>
      </label>
      <label class="select">
        <span>Epoch</span>
        <input
          class="input-short"
          inputMode="numeric"
          value={typed.epoch}
          onInput={(event) =>
            setTyped({ ...typed, epoch: event.currentTarget.value.replace(/\D/g, '').slice(0, 9) })
          }
        />
      </label>
      <label class="select">
        <span>Id holds</span>
        <input
          type="search"
          value={typed.text}
          maxLength={200}
          spellcheck={false}
          onInput={(event) => setTyped({ ...typed, text: event.currentTarget.value })}
        />
      </label>
    </form>
  );
}

function columnsOf(open: (id: string) => void, now: number): readonly Column<SessionSummary>[] {
  return [
    {
      id: 'id',
      header: 'Session',
      node: ({ id }) => (
        <button type="button" class="link session-id" onClick={() => open(id)}>
          <Name>{id}</Name>
        </button>
      ),
    },
    {
      id: 'state',
      header: 'State',
      node: ({ state, termination }) => (
        <>
          {state}
          {termination !== null && termination !== state && (
            <span class="fine session-end">{termination}</span>
          )}
        </>
      ),
    },
    { id: 'member', header: 'Member', text: ({ member }) => member },
    { id: 'split', header: 'Panel', text: ({ split }) => split ?? '–' },
    { id: 'epoch', header: 'Epoch', number: ({ epoch }) => epoch, format: String },
    { id: 'turns', header: 'Turns', number: ({ turns }) => turns },
    { id: 'reward', header: 'Reward', number: ({ reward }) => reward, format: (value) => number(value) },
    {
      id: 'group',
      header: 'Group',
      node: ({ group }) => <span class="session-group">{group === null ? '–' : <Name>{group}</Name>}</span>,
    },
    { id: 'bound', header: 'Known by', hint: 'What told it from other sessions', text: ({ bound }) => bound },
    {
      id: 'touched',
      header: 'Last turn',
      node: ({ touchedAt, openedAt }) => (
        <span class="value" title={`opened ${moment(openedAt)}, last turn ${moment(touchedAt)}`}>
          {ago(touchedAt, now)}
        </span>
      ),
    },
  ];
}

/** The list under a filter; asked for anew each round, the old one stands until the new one is there. */
function useSessions(
  api: Api,
  filter: Filter,
  after: string | null,
  page: number,
  round: number,
): { list: SessionList | null; page: number; fault: string | null } {
  const [found, setFound] = useState<{ list: SessionList | null; page: number }>({ list: null, page: 1 });
  const [fault, setFault] = useState<string | null>(null);
  const kept = useRef('');
  useEffect(() => {
    const ended = new AbortController();
    const query = new URLSearchParams({ limit: String(LIMIT) });
    for (const [name, value] of Object.entries(filter)) if (value !== '') query.set(name, value);
    if (after !== null) query.set('after', after);
    api.text(`/api/sessions?${query}`, { signal: ended.signal }).then(
      (text) => {
        if (ended.signal.aborted) return;
        setFault(null);
        const known = `${page} ${text}`;
        if (known === kept.current) return;
        kept.current = known;
        setFound({ list: JSON.parse(text), page });
      },
      (error: unknown) => {
        // A connection that is lost has its own line at the top.
        if (!ended.signal.aborted && (error as { kind?: string }).kind === 'refused')
          setFault(faultText(error));
      },
    );
    return () => ended.abort();
  }, [api, filter, after, page, round]);
  return { ...found, fault };
}
