import type { LabMethod } from '../../../src/report/lab-payload.ts';
import { LETTERS, SLOTS } from './lab-curve-plot.ts';

/** Methods by slot; null = the slot is free. A method keeps its colour while others come and go. */
export type Highlights = readonly (string | null)[];

export function toggled(highlights: Highlights, method: string): Highlights {
  if (highlights.includes(method)) return highlights.map((one) => (one === method ? null : one));
  const free = highlights.indexOf(null);
  return free < 0 ? highlights : highlights.map((one, at) => (at === free ? method : one));
}

/** Checkboxes that are the legend at the same time. */
export function MethodPicker({
  methods,
  highlights,
  choose,
}: {
  methods: readonly LabMethod[];
  highlights: Highlights;
  choose: (method: string) => void;
}) {
  const full = !highlights.includes(null);
  return (
    <fieldset class="lab-picker">
      <legend>
        Highlight{' '}
        <span class="fine">
          {full ? `${SLOTS.length} at most: clear one first` : `up to ${SLOTS.length}`}
        </span>
      </legend>
      {methods.map(({ method, title }) => {
        const slot = highlights.indexOf(method);
        const on = slot >= 0;
        return (
          <label key={method} class={on ? 'check lab-chip lab-chip-on' : 'check lab-chip'}>
            <input type="checkbox" checked={on} disabled={!on && full} onChange={() => choose(method)} />
            {on && <Sample slot={slot} />}
            <span>{title}</span>
          </label>
        );
      })}
    </fieldset>
  );
}

function Sample({ slot }: { slot: number }) {
  const { colour, dash } = SLOTS[slot]!;
  return (
    <>
      <svg class="lab-sample" viewBox="0 0 34 12" width="34" height="12" aria-hidden="true">
        <path d="M0 6h34" stroke={colour} stroke-width="2.4" stroke-dasharray={dash} />
      </svg>
      <b class={`lab-letter lab-letter-${slot + 1}`}>{LETTERS[slot]}</b>
    </>
  );
}
