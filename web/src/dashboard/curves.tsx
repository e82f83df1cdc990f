import { useMemo } from 'preact/hooks';
import { PROPOSED_BARS } from '../../../src/diagnosis/breaker-settings.ts';
import type { LooksView } from '../../../src/gateway/api/control.ts';
import type { Look } from '../../../src/gateway/live/live.ts';
import type { Figure } from '../../../src/metrics/figure.ts';
import { LEVELS, LevelTag } from '../breaker-level.tsx';
import { setting } from '../format.ts';
import { Missing } from '../number.tsx';
import { Section } from '../shell.tsx';
import { Curve } from './curve.tsx';
import type { CurveBar } from './curve-plot.ts';
import { Waiting } from './verdict.tsx';

interface Course {
  readonly id: string;
  readonly title: string;
  readonly asks: string;
  readonly of: (look: Look) => Figure;
  readonly range: readonly [number, number];
  readonly bars: 'scd' | 'psod' | null;
}

const UNIT = [0, 1] as const;
const COURSES: readonly Course[] = [
  {
    id: 'scd2',
    title: 'SCD2',
    asks: '1: all members play one kind of user.',
    of: ({ scd2 }) => scd2,
    range: UNIT,
    bars: 'scd',
  },
  {
    id: 'bdi',
    title: 'BDI',
    asks: '1: as diverse as fresh people at this size.',
    of: ({ bdi }) => bdi,
    range: UNIT,
    bars: null,
  },
  {
    id: 'psod',
    title: 'PSOD, rise',
    asks: 'Gap to held-out users over the base checkpoint; joined across epochs without panel sessions.',
    of: ({ psodRise }) => psodRise,
    range: [-0.05, 0.35],
    bars: 'psod',
  },
  {
    id: 'epsilon',
    title: 'ε, member',
    asks: 'Near 0: a member always replies alike.',
    of: ({ epsilonMember }) => epsilonMember,
    range: [0, 0.5],
    bars: null,
  },
  {
    id: 'zero',
    title: 'Groups without reward variance',
    asks: 'Such groups teach the policy nothing.',
    of: ({ zeroVariance }) => zeroVariance,
    range: UNIT,
    bars: null,
  },
];

/** Each figure over epochs, with the breaker's level above it. */
export function CurvesSection({ looks, fault }: { looks: LooksView | null; fault: string | undefined }) {
  const { yellow, red } = looks?.bars ?? { yellow: null, red: null };
  // The same bars stay the same object: a curve is drawn anew where they change.
  const bars = useMemo(() => barsOf(yellow === null || red === null ? null : { yellow, red }), [yellow, red]);
  const series = useMemo(() => seriesOf(looks, bars), [looks, bars]);
  return (
    <Section
      id="curves"
      title="Over epochs"
      lead="Bands are 95 % intervals, gaps were not measured. The strip above each curve is the level of the breaker."
    >
      {looks === null ? (
        <Waiting fault={fault} what="looks" />
      ) : looks.looks.length === 0 ? (
        <Missing>No epoch has been looked at yet: the first look comes when the first epoch is over.</Missing>
      ) : (
        <div class="figure">
          <div class="legend">
            {LEVELS.map((level) => (
              <LevelTag key={level} level={level} />
            ))}
          </div>
          <div class="multiples curves-grid">
            {series.map(({ course, points, bars }) => (
              <Curve
                key={course.id}
                title={course.title}
                asks={course.asks}
                points={points}
                bars={bars}
                range={course.range}
                joined={course.bars === 'psod'}
              />
            ))}
          </div>
        </div>
      )}
    </Section>
  );
}

function seriesOf(looks: LooksView | null, scd: readonly CurveBar[]) {
  // A probe round has contexts of its own, so another mean: it stands among the events of the breaker.
  const last = new Map(
    (looks?.looks ?? []).filter(({ probe }) => probe !== true).map((look) => [look.epoch, look]),
  );
  const rows = [...last.values()].sort((a, b) => a.epoch - b.epoch);
  return COURSES.map((course) => ({
    course,
    bars: course.bars === 'scd' ? scd : course.bars === 'psod' ? PSOD_BARS : NO_BARS,
    points: rows.map((look) => ({ epoch: look.epoch, figure: course.of(look), level: look.level })),
  }));
}

function barsOf(bars: { readonly yellow: number; readonly red: number } | null): readonly CurveBar[] {
  if (bars === null) return NO_BARS;
  return (['yellow', 'red'] as const).map((level) => ({
    at: bars[level],
    level,
    word: `${level} ${setting(Number(bars[level].toFixed(3)))}`,
  }));
}

const NO_BARS: readonly CurveBar[] = [];
const PSOD_BARS = barsOf(PROPOSED_BARS.psod);
