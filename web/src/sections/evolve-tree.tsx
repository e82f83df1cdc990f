import { useMemo, useState } from 'preact/hooks';
import {
  flatLineage,
  hasServed,
  lineageOf,
  ORIGINS,
  originKind,
} from '../../../src/report/evolve-lineage.ts';
import type { EvolveMember, EvolveView } from '../../../src/report/evolve-payload.ts';
import { FigureBlock } from '../chart.tsx';
import { count, percent, plural } from '../format.ts';
import { Long, Missing, Name } from '../number.tsx';
import { Section } from '../shell.tsx';
import { EvolveMemberTable } from './evolve-member-table.tsx';
import { ORIGIN_LOOKS, OriginTag, OriginText } from './evolve-origin.tsx';
import { EvolveOriginsBlock } from './evolve-origins.tsx';

/** Rows before the reader asks for more. */
const FIRST = 40;
/** Beyond this generations indent no further. */
const DEEPEST = 5;

/** Who was made from whom, who stayed and why, and their shares over rounds. */
export function EvolveTreeSection({ view }: { view: EvolveView }) {
  const { members, rounds } = view;
  const [everybody, setEverybody] = useState(false);
  const [all, setAll] = useState(false);
  const rows = useMemo(() => flatLineage(lineageOf(members)), [members]);
  const chosen = useMemo(
    () => (everybody ? rows : rows.filter(({ member }) => hasServed(member))),
    [rows, everybody],
  );
  const shown = all ? chosen : chosen.slice(0, FIRST);
  const kinds = ORIGINS.filter((kind) => members.some((member) => originKind(member) === kind));
  const most = useMemo(() => largestShare(members), [members]);
  return (
    <Section
      id="tree"
      title="Population"
      lead="Who was made from whom, and how much of the population each was: at the start and after each round. A member of a path has two parents and stands below the first."
    >
      {members.length === 0 ? (
        <Missing>The run has no members yet.</Missing>
      ) : (
        <>
          <EvolveOriginsBlock view={view} />
          <FigureBlock
            title="Population tree"
            legend={kinds.map((kind) => (
              <span class="legend-item" key={kind}>
                <OriginTag kind={kind} /> {ORIGIN_LOOKS[kind].meaning}
              </span>
            ))}
            table={<EvolveMemberTable view={view} />}
          >
            <fieldset class="segments">
              <legend class="unseen">Members shown</legend>
              {[false, true].map((value) => (
                <label key={String(value)}>
                  <input
                    type="radio"
                    name="evolve-members"
                    checked={everybody === value}
                    onChange={() => setEverybody(value)}
                  />
                  <span>
                    {value
                      ? `All that were met (${count(rows.length)})`
                      : `In service at some time (${count(rows.filter(({ member }) => hasServed(member)).length)})`}
                  </span>
                </label>
              ))}
            </fieldset>
            <p class="fine">
              Bars: share of the population at the start
              {rounds.length > 0 && ` and after rounds ${rounds[0]!.round} to ${rounds.at(-1)!.round}`}; a
              full bar is {percent(most)}.
            </p>
            <ol class="evolve-tree">
              {shown.map(({ member, depth }) => (
                <Row
                  key={`${member.round} ${member.id}`}
                  member={member}
                  depth={depth}
                  most={most}
                  view={view}
                />
              ))}
            </ol>
            {chosen.length > FIRST && (
              <button type="button" class="button" aria-expanded={all} onClick={() => setAll(!all)}>
                {all ? `Show the first ${FIRST} only` : `Show all ${count(chosen.length)}`}
              </button>
            )}
          </FigureBlock>
        </>
      )}
    </Section>
  );
}

/** Of a full bar. */
function largestShare(members: readonly EvolveMember[]): number {
  let most = 0.01;
  for (const { shares } of members) for (const share of shares) most = Math.max(most, share ?? 0);
  return most;
}

function Row({
  member,
  depth,
  most,
  view,
}: {
  member: EvolveMember;
  depth: number;
  most: number;
  view: EvolveView;
}) {
  const kind = originKind(member);
  return (
    <li class={`evolve-row evolve-depth-${Math.min(depth, DEEPEST)}`}>
      <div class="evolve-who">
        <p class="evolve-name">
          <OriginTag kind={kind} /> <Name>{member.id}</Name>
          {depth > 0 && <span class="unseen"> generation {depth}</span>}
        </p>
        <p class="fine">
          <OriginText member={member} />
          {member.round > 0 && `; round ${member.round}`}
        </p>
      </div>
      <ShareBars member={member} most={most} view={view} />
      <div class="evolve-fate">
        <p class={member.kept ? 'evolve-kept' : 'evolve-dropped'}>
          <svg viewBox="0 0 14 14" width="12" height="12" aria-hidden="true">
            {member.kept ? (
              <path d="M2 7.5l3.4 3.4L12 3.5" stroke="currentColor" stroke-width="2.2" fill="none" />
            ) : (
              <path d="M3 3l8 8m0-8l-8 8" stroke="currentColor" stroke-width="2" />
            )}
          </svg>
          {fateOf(member, view)}
        </p>
        <p class="fine">
          <Long over={110}>{member.reason}</Long>
        </p>
      </div>
    </li>
  );
}

/** Kept by its audition is not yet in service: its population may have been rolled back. */
function fateOf({ kept, shares }: EvolveMember, { rounds }: EvolveView): string {
  const last = shares.findLastIndex((share) => share !== null);
  if (last < 0) return kept ? 'kept, never in service' : 'refused';
  if (last === shares.length - 1) return 'in service';
  return `left in round ${rounds[last]?.round ?? last + 1}`;
}

/** A bar a round; a member that never served has a hollow line. */
function ShareBars({ member, most, view }: { member: EvolveMember; most: number; view: EvolveView }) {
  const { shares } = member;
  const step = 100 / Math.max(1, shares.length);
  const path = shares
    .map((share, at) => {
      if (share === null) return '';
      const height = 24 * Math.max(0.06, share / most);
      return `M${(at + 0.1) * step} 24h${0.8 * step}v${-height}h${-0.8 * step}z`;
    })
    .join('');
  return (
    <svg
      class={`evolve-bars evolve-origin-${originKind(member)}`}
      viewBox="0 0 100 25"
      preserveAspectRatio="none"
      role="img"
      aria-label={shareWords(member, view)}
    >
      <path class="evolve-base" d="M0 24.5h100" />
      <path d={path} fill="currentColor" />
    </svg>
  );
}

/** `25 % at the start, 12 % after round 6; in service in 6 of 7`. */
function shareWords({ shares }: EvolveMember, { rounds }: EvolveView): string {
  const served = shares.flatMap((share, at) => (share === null ? [] : [{ share, at }]));
  const [first, last] = [served[0], served.at(-1)];
  if (first === undefined || last === undefined) return 'never in service';
  const when = (at: number) => (at === 0 ? 'at the start' : `after round ${rounds[at - 1]?.round ?? at}`);
  const course =
    first.at === last.at
      ? `${percent(first.share)} ${when(first.at)}`
      : `${percent(first.share)} ${when(first.at)}, ${percent(last.share)} ${when(last.at)}`;
  return `${course}; in service ${plural(served.length, 'time')} of ${shares.length}`;
}
