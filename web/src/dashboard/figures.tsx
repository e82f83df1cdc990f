import { useMemo } from 'preact/hooks';
import { PROPOSED_BARS } from '../../../src/diagnosis/breaker-settings.ts';
import { THRESHOLDS } from '../../../src/diagnosis/thresholds.ts';
import type { LooksView, MetricsView } from '../../../src/gateway/api/control.ts';
import type { Figure } from '../../../src/metrics/figure.ts';
import { count, figureText, number, plural, setting } from '../format.ts';
import { Long, Value } from '../number.tsx';
import { Section } from '../shell.tsx';
import { type Entry, WhiskerBlock } from '../whisker-chart.tsx';
import { moment } from './time.ts';
import { Waiting } from './verdict.tsx';

interface Bar {
  readonly at: number;
  readonly level: 'yellow' | 'red' | 'gap';
}

interface Shown {
  readonly name: string;
  readonly asks: string;
  readonly figure: Figure;
  readonly domain: readonly [number, number];
  readonly bars: readonly Bar[];
  /** What its name stands for. */
  readonly means: string;
  readonly notes?: readonly string[];
}

export type Bars = NonNullable<LooksView['bars']>;

/** The figures of the present window: what `audit` says of the same records. */
export function FiguresSection({
  metrics,
  looks,
  fault,
}: {
  metrics: MetricsView | null;
  looks: LooksView | null;
  fault: string | undefined;
}) {
  const shown = useMemo(() => shownOf(metrics, looks?.bars ?? null), [metrics, looks]);
  return (
    <Section
      id="figures"
      title="Figures"
      lead={
        metrics === null
          ? 'Collapse at the histories that the policy really visits.'
          : `Window of ${windowText(metrics)}, measured as the audit command measures the same records; SCD2 is that of the training members, as in a look of the breaker.`
      }
    >
      {metrics === null ? (
        <Waiting fault={fault} what="figures" />
      ) : (
        <>
          <ul class="tiles live-tiles">
            {shown.map((one) => (
              <FigureTile key={one.name} shown={one} />
            ))}
          </ul>
          <EpsilonTables metrics={metrics} />
        </>
      )}
    </Section>
  );
}

function windowText({ window, asOf, report }: MetricsView): string {
  const { epochs, sessions } = window;
  const [first, last] = [Math.min(...epochs), Math.max(...epochs)];
  const which =
    epochs.length === 0 ? 'no epoch yet' : first === last ? `epoch ${first}` : `epochs ${first} to ${last}`;
  const twice = report?.input.duplicates ?? 0;
  const equal = twice === 0 ? '' : ` (${count(twice)} equal to another, counted once)`;
  return `${plural(sessions, 'session')}${equal}, ${which}${asOf === null ? '' : `, newest record ${moment(asOf)}`}`;
}

function shownOf(metrics: MetricsView | null, bars: Bars | null): readonly Shown[] {
  if (metrics === null) return [];
  const { report, reason, training } = metrics;
  const none: Figure = {
    value: null,
    low: null,
    high: null,
    n: 0,
    method: 'none',
    reason: reason ?? 'no report yet',
  };
  const unit = [0, 1] as const;
  const { psod } = PROPOSED_BARS;
  const errors = report?.epsilon;
  const { scd2, mci, leftOut } = training ?? { scd2: none, mci: null, leftOut: [] };
  const g2 = (figure: Figure | undefined) =>
    figure?.value == null
      ? {}
      : { notes: [`two replies differ in class with chance ${number(figure.value)}`] };
  return [
    {
      name: 'SCD2',
      asks: 'training members; 1: all of them play one kind of user',
      means:
        'Strategy collapse, of pairs: how much more often two sessions show the same kind of behaviour than those of a population at its most diverse. Training members alone, as in a look of the breaker: held-out panels are left out.',
      figure: scd2,
      domain: unit,
      bars:
        bars === null
          ? []
          : [
              { at: bars.yellow, level: 'yellow' },
              { at: bars.red, level: 'red' },
            ],
      notes: [
        ...(bars === null ? ['no bars yet: they come with the behaviour space'] : []),
        ...leftOut,
        ...(mci?.simulator == null
          ? []
          : [`most concentrated: ${mci.simulator}, MCI ${figureText(mci.figure)}`]),
      ],
    },
    {
      name: 'BDI',
      asks: "share of people's own diversity",
      means:
        'Behavioural diversity index: how much of the behaviour that people show the members cover, where fresh people of the same number cover 1. It needs a reference of people (live.reference in the settings).',
      figure: report?.bdi.headline ?? none,
      domain: unit,
      bars: [{ at: THRESHOLDS.bdi, level: 'gap' }],
    },
    {
      name: 'PSOD, rise',
      asks: 'gap to held-out users, over the base checkpoint',
      means:
        'Panel-specific overfitting: reward with members that the policy trains on, minus reward with members that it never trains on; here, how much that gap grew since the first epoch with panel sessions.',
      figure: playPanel(report?.psod.rise ?? none),
      domain: [-0.2, 0.5],
      bars: [
        { at: psod.yellow, level: 'yellow' },
        { at: psod.red, level: 'red' },
      ],
    },
    {
      name: 'ε, member',
      asks: 'near 0: at a visited history a member always replies alike',
      means:
        'Epsilon: a member is asked again at histories that training visited; how far its replies there are from always falling into the same class. Collapse of single turns, which SCD2 does not see.',
      figure: errors?.member ?? none,
      domain: unit,
      bars: [],
      ...g2(errors?.member.disagreement),
    },
    {
      name: 'ε, population',
      asks: 'the same with the member drawn again for each reply',
      means: 'Epsilon of the whole population: each reply comes from a member that is drawn anew.',
      figure: errors?.population ?? none,
      domain: unit,
      bars: [],
      ...g2(errors?.population.disagreement),
    },
  ];
}

/** The reason speaks of options of a command: here, panel sessions are what is missing. */
function playPanel(figure: Figure): Figure {
  if (figure.value !== null || !/--held-out|no held-out/.test(figure.reason ?? '')) return figure;
  return { ...figure, reason: 'no panel session in the window: play some with model panel/selection' };
}

function FigureTile({ shown }: { shown: Shown }) {
  const { name, asks, means, figure, domain, bars, notes = [] } = shown;
  return (
    <li>
      <h3>{name}</h3>
      <Value figure={figure} />
      <Scale figure={figure} domain={domain} bars={bars} />
      <p class="fine">{asks}</p>
      {bars.length > 0 && <p class="fine bars-text">{bars.map(barText).join(', ')}</p>}
      {notes.map((note) => (
        <p key={note} class="fine">
          <Long>{note}</Long>
        </p>
      ))}
      <details class="inline fine">
        <summary>What it is</summary>
        <p>{means}</p>
      </details>
    </li>
  );
}

function barText({ at, level }: Bar): string {
  return level === 'gap' ? `gap below ${setting(at)}` : `${level} above ${setting(at)}`;
}

const TONES = { yellow: 'at-yellow', red: 'at-red', gap: 'at-red' } as const;

/** Where the figure and its interval lie among the bars; the words beside say the same. */
function Scale({
  figure,
  domain,
  bars,
}: {
  figure: Figure;
  domain: readonly [number, number];
  bars: readonly Bar[];
}) {
  const [from, to] = domain;
  const x = (value: number) => Math.min(100, Math.max(0, (100 * (value - from)) / (to - from)));
  const { value, low, high } = figure;
  return (
    <svg class="scale" viewBox="0 0 100 14" preserveAspectRatio="none" aria-hidden="true">
      <rect class="scale-track" x="0" y="6" width="100" height="2" />
      {low !== null && high !== null && (
        <rect
          class="scale-range"
          x={x(low)}
          y="4"
          width={Math.max(0.6, x(high) - x(low))}
          height="6"
          rx="0.5"
        />
      )}
      {value !== null && <rect class="scale-point" x={x(value) - 0.7} y="1" width="1.4" height="12" />}
      {bars.map(({ at, level }) => (
        <rect key={level} class={`scale-bar ${TONES[level]}`} x={x(at) - 0.4} y="0" width="0.8" height="14" />
      ))}
    </svg>
  );
}

/** Epsilon by member and by depth: who repeats himself, and when. */
function EpsilonTables({ metrics }: { metrics: MetricsView }) {
  const { epsilon } = metrics;
  const rows = useMemo(() => {
    if (epsilon === null) return null;
    const one = (label: string, figure: Figure, tone: Entry['tone'], meaning: string): Entry => ({
      label,
      figure,
      tone,
      meaning,
    });
    return {
      members: epsilon.byMember.map(({ simulator, member }) =>
        one(simulator, member.epsilon, 'simulator', `${count(member.histories)} histories probed`),
      ),
      depths: epsilon.byDepth.flatMap(({ depth, member, population }) => [
        one(
          `turn ${depth + 1}, member`,
          member.epsilon,
          'simulator',
          `${count(member.histories)} histories probed`,
        ),
        ...(population === null
          ? []
          : [
              one(
                `turn ${depth + 1}, population`,
                population.epsilon,
                'pool',
                `${count(population.histories)} histories probed`,
              ),
            ]),
      ]),
    };
  }, [epsilon]);
  if (rows === null || rows.members.length + rows.depths.length === 0) return null;
  return (
    <details class="as-table">
      <summary>ε by member and by turn</summary>
      <div class="pair">
        {rows.members.length > 0 && (
          <WhiskerBlock
            title="ε by member"
            lead="Near 0: at a visited history the member always replies in the same way."
            rows={rows.members}
            domain={UNIT}
          />
        )}
        {rows.depths.length > 0 && (
          <WhiskerBlock
            title="ε by turn of the simulated user"
            lead="Later turns that are all alike are collapse."
            rows={rows.depths}
            domain={UNIT}
          />
        )}
      </div>
    </details>
  );
}

const UNIT = [0, 1] as const;
