import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

type Drawn = (SVGSVGElement | HTMLElement) & { scale?: unknown };

/**
 * A Plot figure that follows its width. Plot puts a <style> into each figure, which the page's content
 * security policy refuses; its rules stand in chart.css instead.
 */
export function Chart({
  draw,
  label,
  onDrawn,
}: {
  draw: (width: number) => Drawn;
  label: string;
  onDrawn?: (node: Drawn, host: HTMLElement) => void;
}) {
  const host = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = host.current;
    if (element === null) return;
    const measure = () => setWidth(Math.floor(element.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const element = host.current;
    if (element === null || width < 40) return;
    const node = draw(width);
    for (const style of node.querySelectorAll('style')) style.remove();
    node.setAttribute('role', 'img');
    node.setAttribute('aria-label', label);
    element.replaceChildren(node);
    onDrawn?.(node, element);
  }, [draw, width, label, onDrawn]);
  return <div class="chart" ref={host} />;
}

/** A figure: what it shows, the chart, and the same numbers as a table. */
export function FigureBlock({
  title,
  lead,
  legend,
  children,
  table,
}: {
  title?: string;
  lead?: ComponentChildren;
  legend?: ComponentChildren;
  children: ComponentChildren;
  table?: ComponentChildren;
}) {
  return (
    <figure class="figure">
      {(title !== undefined || lead !== undefined) && (
        <figcaption>
          {title !== undefined && <h3>{title}</h3>}
          {lead !== undefined && <p class="lead">{lead}</p>}
        </figcaption>
      )}
      {legend !== undefined && <div class="legend">{legend}</div>}
      {children}
      {table !== undefined && (
        <details class="as-table">
          <summary>Show as a table</summary>
          {table}
        </details>
      )}
    </figure>
  );
}

export function LegendItem({
  tone,
  shape = 'dot',
  children,
}: {
  tone: 'people' | 'simulator' | 'quiet' | 'pool' | 'warn';
  shape?: 'dot' | 'cross' | 'line' | 'dash' | 'outline';
  children: ComponentChildren;
}) {
  return (
    <span class="legend-item">
      <svg class={`legend-mark tone-${tone}`} viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
        {shape === 'dot' && <circle cx="7" cy="7" r="4.5" fill="currentColor" />}
        {shape === 'cross' && <path d="M3.5 3.5l7 7m0-7l-7 7" stroke="currentColor" stroke-width="2" />}
        {shape === 'line' && <path d="M0 7h14" stroke="currentColor" stroke-width="2.5" />}
        {shape === 'dash' && (
          <path d="M7 0v14" stroke="currentColor" stroke-width="1.5" stroke-dasharray="3 2" />
        )}
        {shape === 'outline' && (
          <path d="M2 12V4h10v8" stroke="currentColor" stroke-width="1.8" fill="none" />
        )}
      </svg>
      {children}
    </span>
  );
}
