import type { LabTable } from '../../../src/report/lab-payload.ts';
import { type LabStanding, labHeadline, standingOf, standingText } from '../../../src/report/lab-standing.ts';
import { count, intervalText, plural, pointText, pValue } from '../format.ts';
import { differenceText } from './lab-figure-text.ts';
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
  const held = best?.figures.heldOut;
  const people = best?.figures.people;
  return (
    <li class={`change level-${level}`}>
      <h2 class="change-name">{world.name}</h2>
      {!alone && (
        <p class="lab-sentence">{standingText(standing, table.comparison).slice(world.name.length + 2)}</p>
      )}
      {best !== null && held !== undefined && (
        <dl class="lab-lead">
          <div>
            <dt>{best.title}, held-out</dt>
            <dd class="value">
              <b>{pointText(held)}</b> {intervalText(held) ?? 'no interval'}
            </dd>
          </div>
          {people !== undefined && people.value !== null && (
            <div>
              <dt>with people</dt>
              <dd class="value">
                <b>{pointText(people)}</b> {intervalText(people) ?? 'no interval'}
              </dd>
            </div>
          )}
          {comparison !== null && comparison !== best && comparison.figures.heldOut !== undefined && (
            <div>
              <dt>{comparison.title}, held-out</dt>
              <dd class="value">
                <b>{pointText(comparison.figures.heldOut)}</b>{' '}
                {comparison.figures.heldOut.value === null
                  ? (comparison.figures.heldOut.reason ?? 'no value')
                  : (intervalText(comparison.figures.heldOut) ?? 'no interval')}
              </dd>
            </div>
          )}
        </dl>
      )}
      <p class="level">
        <LevelMark level={level} />
        {difference === null
          ? others.of > 0
            ? `${count(others.apart)} of ${count(others.of)} others told apart`
            : 'not compared'
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
