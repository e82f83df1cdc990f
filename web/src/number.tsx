import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Figure } from '../../src/metrics/figure.ts';
import { count, intervalText, pointText } from './format.ts';

/** A number with its interval and sample size, or why there is none. */
export function Value({ figure, n = true }: { figure: Figure; n?: boolean }) {
  if (figure.value === null)
    return (
      <span class="value value-missing">
        <span class="value-reason">not measured: {figure.reason ?? 'no reason given'}</span>
      </span>
    );
  return (
    <span class="value">
      <Point figure={figure} />
      <Range figure={figure} />
      {n && <span class="value-n">n {count(figure.n)}</span>}
    </span>
  );
}

export function Point({ figure }: { figure: Figure }) {
  if (figure.value === null) return <span class="value-point">–</span>;
  return (
    <span class="value-point">
      {figure.approximate === true && (
        <abbr title="approximate: outside the range in which the interval was tested">≈</abbr>
      )}
      {pointText(figure)}
      {figure.unit !== undefined && <small> {figure.unit}</small>}
    </span>
  );
}

export function Range({ figure }: { figure: Figure }) {
  const range = intervalText(figure);
  return (
    <span class="value-range" title={figure.method}>
      {range ?? 'no interval'}
    </span>
  );
}

/** Somebody else's name inside our sentence: its direction stays its own. */
export function Name({ children, class: name }: { children: string; class?: string }) {
  return (
    <bdi class={name === undefined ? 'name' : `name ${name}`} dir="auto">
      {children}
    </bdi>
  );
}

const TURN = /^(agent|user|tool|system): ?(.*)$/i;

/** A stretch of somebody's dialogue; the user's turns stand out, they are what is measured. */
export function Quote({ children }: { children: string }) {
  const turns: { who: string | null; text: string }[] = [];
  for (const line of children.split('\n')) {
    const [, who, text] = TURN.exec(line) ?? [];
    const last = turns.at(-1);
    if (who !== undefined) turns.push({ who: who.toLowerCase(), text: text ?? '' });
    else if (last === undefined) turns.push({ who: null, text: line });
    else last.text += `\n${line}`;
  }
  return (
    <blockquote class="quote">
      {turns.map(({ who, text }, at) => (
        <p key={at} class={who === null || who === 'user' ? 'turn' : 'turn turn-other'} dir="auto">
          {who !== null && <span class="turn-who">{who}</span>}
          {text}
        </p>
      ))}
    </blockquote>
  );
}

export function Missing({ children }: { children: ComponentChildren }) {
  return <p class="absent">{children}</p>;
}

/** Text of any length that takes a few lines at first, so that one long name hides nothing else. */
export function Long({ children, over = 190 }: { children: string; over?: number }) {
  const [whole, setWhole] = useState(false);
  if (children.length <= over) return <span dir="auto">{children}</span>;
  return (
    <>
      <span dir="auto" class={whole ? undefined : 'clamped'}>
        {children}
      </span>{' '}
      <button type="button" class="link" aria-expanded={whole} onClick={() => setWhole(!whole)}>
        {whole ? 'Less' : 'Whole text'}
      </button>
    </>
  );
}
