import type { LabFigure, LabTable } from '../../../src/report/lab-payload.ts';
import { type LabStanding, labHeadline, standingOf, standingText } from '../../../src/report/lab-standing.ts';
import { count, plural, pValue } from '../format.ts';
import { Value } from '../number.tsx';
import { differenceText, unitless } from './lab-figure-text.ts';
import { LevelMark } from './verdict.tsx';

/** The first screen: who leads each world, and whether that is more than chance. */
export function LabVerdict({ table }: { table: LabTable }) {
  const headline = labHeadline(table);
  const standings = table.worlds.map((world) => standingOf(table, world));
  const methods = new Set(table.worlds.flatMap((world) => world.methods.map(({ method }) => method)));
  return (
    <section class="verdict" id="verdict" aria-labelledby="headline">
      <h1 id="headline" class={headline.length > 150 ? 'long' : undefined}>
        {headline}
      </h1>
      <ul class="lab-worlds-list" aria-label="Each world">
        {standings.map((standing) => (
          <WorldCard
            key={standing.world.name}
            standing={standing}
            table={table}
            alone={standings.length === 1}
          />
        ))}
      </ul>
      <p class="fine lab-caveat">
        {plural(table.worlds.length, 'world')}, {plural(methods.size, 'method')},{' '}
        {plural(table.seeds.length, 'seed')} each. A small policy trained against a stated model of users: it
        says what follows from that model, and nothing of any language model. The highest of{' '}
        {count(methods.size)} means is high in part by luck; “apart” is said by the paired difference,
        Holm-adjusted, at 5 %.
      </p>
    </section>
  );
}

function WorldCard({ standing, table, alone }: { standing: LabStanding; table: LabTable; alone: boolean }) {
  const { world, best, comparison, difference, apart, others } = standing;
  const level = apart === true ? 'absent' : 'undecided';
  const lost = world.methods.reduce((sum, { seeds }) => sum + seeds.diverged.length, 0);
  const missing = world.methods.reduce((sum, { seeds }) => sum + seeds.missing.length, 0);
  return (
    <li class={`change level-${level}`}>
      <h2 class="change-name">{world.name}</h2>
      {!alone && (
        <p class="lab-sentence">{standingText(standing, table.comparison).slice(world.name.length + 2)}</p>
      )}
      {best !== null && (
        <dl class="lab-lead">
          <Lead term={`${best.title}, held-out`} figure={best.figures.heldOut} />
          <Lead term="the same with people" figure={best.figures.people} />
          {comparison !== null && comparison !== best && (
            <Lead term={`${comparison.title}, held-out`} figure={comparison.figures.heldOut} />
          )}
        </dl>
      )}
      <p class="level">
        <LevelMark level={level} />
        {difference === null
          ? others.of > 0
            ? `${count(others.apart)} of ${count(others.of)} others told apart`
            : best === null || comparison === null || world.methods.length < 2
              ? 'not compared'
              : 'cannot be told'
          : apart === null
            ? 'cannot be told'
            : apart
              ? 'told apart'
              : 'not told apart'}
      </p>
      {difference !== null && difference.value !== null && (
        <p class="fine value">
          {differenceText(difference)}
          {difference.pHolm !== null && `, Holm p ${pValue(difference.pHolm)}`}
        </p>
      )}
      {(lost > 0 || missing > 0) && (
        <p class="fine">
          {[
            ...(lost > 0
              ? [`${plural(lost, 'run')} diverged and ${lost === 1 ? 'is' : 'are'} not averaged`]
              : []),
            ...(missing > 0 ? [`${plural(missing, 'run')} not made yet`] : []),
          ].join('; ')}
        </p>
      )}
    </li>
  );
}

function Lead({ term, figure }: { term: string; figure: LabFigure | undefined }) {
  if (figure === undefined) return null;
  return (
    <div>
      <dt>{term}</dt>
      <dd>{figure.value === null ? (figure.reason ?? 'no value') : <Value figure={unitless(figure)} />}</dd>
    </div>
  );
}
