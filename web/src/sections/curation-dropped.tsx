import { Fragment } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { CurationPage, DroppedExample } from '../../../src/curation/manifest.ts';
import { count } from '../format.ts';
import { Long, Missing, Name, Quote } from '../number.tsx';
import { Section } from '../shell.tsx';
import { BlameTag } from './curation-funnel.tsx';

/** Cards shown before somebody asks for more. */
const SHOWN = 12;

/** Some rows that were dropped, with what was seen in them. */
export function DroppedSection({ page }: { page: CurationPage }) {
  const { dropped } = page;
  const [check, setCheck] = useState<string | null>(null);
  const [all, setAll] = useState(false);
  const checks = useMemo(() => countsOf(dropped), [dropped]);
  const mixed = useMemo(() => mixedByCheck(dropped), [dropped]);
  const chosen = check === null ? mixed : dropped.filter((example) => example.check === check);
  const shown = all ? chosen : chosen.slice(0, SHOWN);
  return (
    <Section
      id="dropped"
      title="Rows dropped or left out"
      lead="Some of every reason; dropped.jsonl has all. Read a few before you trust the gate. Rows left out are sound."
    >
      {dropped.length === 0 ? (
        <Missing>There is no example: no row was dropped or left out.</Missing>
      ) : (
        <>
          <div class="controls dropped-controls">
            <label class="select">
              <span>Check</span>
              <select
                // The position is the option's value: a check of somebody's own may have any name.
                value={String(checks.findIndex(({ name }) => name === check))}
                onChange={(event) => {
                  setCheck(checks[Number(event.currentTarget.value)]?.name ?? null);
                  setAll(false);
                }}
              >
                <option value="-1">All checks ({count(dropped.length)})</option>
                {checks.map(({ name, n }, at) => (
                  <option key={name} value={String(at)}>
                    {optionText(name)} ({count(n)})
                  </option>
                ))}
              </select>
            </label>
            <p class="fine" aria-live="polite">
              {count(shown.length)} of {count(chosen.length)} examples
            </p>
          </div>
          <ul class="gallery dropped">
            {shown.map((example, at) => (
              <Example key={at} example={example} />
            ))}
          </ul>
          {chosen.length > SHOWN && (
            <button type="button" class="button" aria-expanded={all} onClick={() => setAll(!all)}>
              {all ? 'Show fewer' : `Show all ${count(chosen.length)}`}
            </button>
          )}
        </>
      )}
    </Section>
  );
}

function Example({ example }: { example: DroppedExample }) {
  const { blame, check, evidence, id, reason, simulator, source, stage } = example;
  // A row that no reader could use has no name and no simulator.
  const facts = (
    [
      ['Row', id],
      ['Simulator', simulator],
      ['Source', source],
      ['Stage', stage],
    ] as const
  ).filter(([, text]) => text !== '');
  return (
    <li class={`blame-${blame}`}>
      <h3>
        <Name>{check}</Name>
      </h3>
      <p class="dropped-reason">
        <BlameTag blame={blame} /> <Long>{reason}</Long>
      </p>
      {evidence !== '' && <Quote>{evidence}</Quote>}
      <dl class="dropped-facts fine">
        {facts.map(([term, text]) => (
          <Fragment key={term}>
            <dt>{term}</dt>
            <dd>
              <Name>{text}</Name>
            </dd>
          </Fragment>
        ))}
      </dl>
    </li>
  );
}

function countsOf(dropped: readonly DroppedExample[]) {
  const counts = new Map<string, number>();
  for (const { check } of dropped) counts.set(check, (counts.get(check) ?? 0) + 1);
  return [...counts].map(([name, n]) => ({ name, n })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** What was dropped before what was only left out; the first of every check, then the second of every check: a few cards show all kinds. */
function mixedByCheck(dropped: readonly DroppedExample[]): readonly DroppedExample[] {
  const seen = new Map<string, number>();
  return dropped
    .map((example, at) => {
      const turn = seen.get(example.check) ?? 0;
      seen.set(example.check, turn + 1);
      return { example, turn, at };
    })
    .sort((a, b) => spared(a) - spared(b) || a.turn - b.turn || a.at - b.at)
    .map(({ example }) => example);
}

function spared({ example }: { example: DroppedExample }): number {
  return Number(example.blame === 'none');
}

/** A list of options cannot wrap. */
function optionText(name: string): string {
  return name.length > 60 ? `${name.slice(0, 60)}…` : name;
}
