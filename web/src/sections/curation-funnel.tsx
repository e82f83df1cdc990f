import type { Blame } from '../../../src/curation/gate/check.ts';
import type {
  CheckCount,
  CurationManifest,
  DropBlame,
  FunnelStage,
  GatedAccount,
  JudgeAccount,
} from '../../../src/curation/manifest.ts';
import { count, percent, plural } from '../format.ts';
import { Missing, Name } from '../number.tsx';
import { Section } from '../shell.tsx';
import { type Column, Table } from '../table.tsx';

export const BLAMES: readonly {
  readonly blame: Blame;
  readonly title: string;
  readonly meaning: string;
}[] = [
  {
    blame: 'simulator',
    title: 'Simulator errors',
    meaning: 'The simulated user broke. No policy should be rewarded or punished for it.',
  },
  {
    blame: 'policy',
    title: 'Policy failures',
    meaning: 'Mistakes of the agent itself. Training is there to unlearn them, so flagged rows stay.',
  },
  {
    blame: 'infrastructure',
    title: 'Infrastructure',
    meaning: 'Time-outs and broken connections: nobody’s behaviour.',
  },
  { blame: 'data', title: 'Data', meaning: 'Rows that cannot be used: no reward, or there twice.' },
];
/** In the order of the bar: what is nobody's fault comes last. */
const DRAWN: readonly DropBlame[] = [...BLAMES.map(({ blame }) => blame), 'none'];
const STAGES: Record<FunnelStage['stage'], string> = {
  read: 'Reading',
  gate: 'Quality gate',
  selection: 'Selection',
  batches: 'Batches',
};

interface ReasonRow {
  readonly stage: string;
  readonly reason: string;
  readonly blame: DropBlame;
  readonly count: number;
}

const REASONS: readonly Column<ReasonRow>[] = [
  { id: 'reason', header: 'Reason', text: ({ reason }) => reason },
  { id: 'count', header: 'Rows', number: (row) => row.count },
  { id: 'blame', header: 'Blame', node: ({ blame }) => <BlameTag blame={blame} /> },
  { id: 'stage', header: 'Stage', text: ({ stage }) => stage },
];
const CHECKS: readonly Column<CheckCount>[] = [
  { id: 'check', header: 'Check', text: ({ check }) => check },
  { id: 'found', header: 'Found', hint: 'Rows with a finding', number: ({ found }) => found },
  { id: 'dropped', header: 'Dropped', number: ({ dropped }) => dropped },
  {
    id: 'unchecked',
    header: 'Unchecked',
    hint: 'Rows the check could not look at',
    number: ({ unchecked }) => unchecked,
  },
  { id: 'blame', header: 'Blame', node: ({ blame }) => <BlameTag blame={blame} /> },
  { id: 'action', header: 'Action', text: ({ action }) => action },
];

/** From the rows read to the batches: nothing is dropped without a reason and somebody to answer for it. */
export function FunnelSection({ manifest }: { manifest: CurationManifest }) {
  const { funnel, gate, judge } = manifest;
  const read = funnel[0]?.entered ?? 0;
  const reasons = funnel.flatMap(({ stage, reasons: own }) =>
    own.map((reason) => ({ ...reason, stage: STAGES[stage] })),
  );
  return (
    <Section
      id="funnel"
      title="From rows to batches"
      lead="Rows that leave one stage enter the next. Colour says who answers for what was dropped; rows left out are sound, but not needed."
    >
      {funnel.length === 0 ? (
        <Missing>No row was read.</Missing>
      ) : (
        <>
          <p class="legend stages-legend">
            <BlameKey name="kept" text="goes on" />
            {BLAMES.map(({ blame, title }) => (
              <BlameKey key={blame} name={blame} text={title.toLowerCase()} />
            ))}
            {reasons.some(({ blame }) => blame === 'none') && <BlameKey name="spare" text="left out" />}
          </p>
          <ol class="stages">
            {funnel.map((stage) => (
              <Stage key={stage.stage} stage={stage} read={read} />
            ))}
          </ol>
          <Gated gated={manifest.gated} />
        </>
      )}
      <h3>Whose fault it was</h3>
      {gate === null ? (
        <Missing>The quality gate was switched off: no row was looked at.</Missing>
      ) : (
        <>
          <ul class="blames">
            {BLAMES.map((entry) => (
              <BlamePanel
                key={entry.blame}
                {...entry}
                checks={gate.filter(({ blame }) => blame === entry.blame)}
              />
            ))}
          </ul>
          <p class="judge fine">A row with several findings counts for each.</p>
          {judge !== null && <Judge judge={judge} />}
          <Table caption="Checks of the quality gate" columns={CHECKS} rows={gate} sortable />
        </>
      )}
      <Table
        caption="Why rows were dropped or left out, stage by stage"
        columns={REASONS}
        rows={reasons}
        sortable
        empty="No row was dropped or left out."
      />
    </Section>
  );
}

function Stage({ stage, read }: { stage: FunnelStage; read: number }) {
  const lost = stage.entered - stage.left;
  // Sound rows, one reason each.
  const spared = stage.reasons.reduce(
    (sum, { blame, count: rows }) => sum + (blame === 'none' ? rows : 0),
    0,
  );
  const told = [
    ...(lost > spared ? [`${count(lost - spared)} dropped`] : []),
    ...(spared > 0 ? [`${count(spared)} left out`] : []),
  ];
  const share = (rows: number) => (read > 0 ? (100 * rows) / read : 0);
  // A row with several reasons counts for each; the bar shows each lost row once.
  const named = stage.reasons.reduce((sum, { count: rows }) => sum + rows, 0);
  const scale = named > lost && named > 0 ? lost / named : 1;
  let at = share(stage.left);
  return (
    <li>
      <p class="stage-name">
        <b>{STAGES[stage.stage]}</b> <span class="value">{count(stage.entered)}</span> in,{' '}
        <b class="value">{count(stage.left)}</b> go on
        <span class="fine">
          {' '}
          {lost === 0
            ? 'all of them'
            : `${told.join(', ')}, ${percent(stage.entered > 0 ? lost / stage.entered : 0)}`}
        </span>
      </p>
      <svg class="stage-bar" viewBox="0 0 100 14" preserveAspectRatio="none" aria-hidden="true">
        <rect class="stage-rest" width="100" height="14" />
        <rect class="fill-kept" width={share(stage.left)} height="14" />
        {DRAWN.map((blame) => {
          const rows = stage.reasons
            .filter((reason) => reason.blame === blame)
            .reduce((sum, reason) => sum + reason.count, 0);
          const width = share(rows * scale);
          const x = at;
          at += width;
          const fill = blame === 'none' ? 'spare' : blame;
          return width > 0 && <rect key={blame} class={`fill-${fill}`} x={x} width={width} height="14" />;
        })}
      </svg>
    </li>
  );
}

function BlameKey({ name, text }: { name: string; text: string }) {
  return (
    <span class="legend-item">
      <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
        <rect class={`fill-${name}`} x="1" y="1" width="12" height="12" rx="3" />
      </svg>
      {text}
    </span>
  );
}

export function BlameTag({ blame }: { blame: DropBlame }) {
  return <span class={`tag blame-tag blame-${blame}`}>{blame === 'none' ? 'left out' : blame}</span>;
}

/** What passed, by content and by group: a repeated dialogue and a lone row weigh less than their number says. */
function Gated({ gated }: { gated: GatedAccount | undefined }) {
  if (gated === undefined) return null;
  const { rows, contents, groups, lone, ungrouped } = gated;
  return (
    <p class="judge fine">
      {plural(rows, 'row')} passed: {plural(contents, 'different dialogue')}
      {groups > 0 && `, ${plural(groups, 'group')} (${count(lone)} of them with a single row)`}
      {ungrouped > 0 && `, ${groups > 0 ? count(ungrouped) : plural(ungrouped, 'row')} of no group`}.
    </p>
  );
}

function BlamePanel({
  blame,
  title,
  meaning,
  checks,
}: {
  blame: Blame;
  title: string;
  meaning: string;
  checks: readonly CheckCount[];
}) {
  const dropped = checks.reduce((sum, check) => sum + check.dropped, 0);
  const noted = checks.reduce((sum, check) => sum + check.found - check.dropped, 0);
  const active = checks
    .filter(({ found, unchecked }) => found + unchecked > 0)
    .sort((a, b) => b.found - a.found);
  const quiet = checks.length - active.length;
  return (
    <li class={`blame blame-${blame}`}>
      <h4>{title}</h4>
      <p class="blame-sum">
        <b>{count(dropped)}</b> dropped{noted > 0 && `, ${count(noted)} only noted`}
      </p>
      <p class="fine">{meaning}</p>
      {checks.length === 0 ? (
        <p class="fine">No check of this kind was set.</p>
      ) : (
        <ul class="blame-checks">
          {active.map(({ check, found, action, unchecked }, at) => (
            <li key={at}>
              <Name>{check}</Name>
              <span class="value">{count(found)}</span>
              {(action !== 'drop' || unchecked > 0) && (
                <span class="fine">
                  {[
                    ...(action === 'drop' ? [] : [action]),
                    ...(unchecked > 0 ? [`${count(unchecked)} unchecked`] : []),
                  ].join(', ')}
                </span>
              )}
            </li>
          ))}
          {quiet > 0 && (
            <li class="fine">{plural(quiet, active.length > 0 ? 'more check' : 'check')} found nothing.</li>
          )}
        </ul>
      )}
    </li>
  );
}

function Judge({ judge }: { judge: JudgeAccount }) {
  return (
    <p class="judge fine">
      A model was asked what rules cannot see: <Name>{judge.model}</Name>, about {plural(judge.rows, 'row')};{' '}
      {plural(judge.votes, 'vote')}. {plural(judge.invalid, 'row')} had an answer that could not be read;{' '}
      {plural(judge.unchecked, 'row')} were left with an open question.
    </p>
  );
}
