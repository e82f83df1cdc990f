import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { timeText } from './format.ts';
import { Name } from './number.tsx';
import { ThemeToggle } from './theme.tsx';

export interface Entry {
  readonly id: string;
  readonly title: string;
}

/** The frame of a page: skip link, banner, contents, main, footer. */
export function Shell({
  kind,
  title,
  created,
  entries,
  children,
  footer,
}: {
  kind: string;
  title: string;
  /** Absent where the page holds no time. */
  created?: string;
  entries: readonly Entry[];
  children: ComponentChildren;
  footer: ComponentChildren;
}) {
  useOpenForPrint();
  return (
    <>
      <a class="skip" href="#main">
        Skip to the verdict
      </a>
      <header class="banner">
        <p class="brand">
          collapse-aware <span class="brand-kind">{kind}</span>
        </p>
        <p class="banner-title">
          <Name>{title}</Name>
        </p>
        {created !== undefined && (
          <p class="banner-date">
            <bdi>{timeText(created)}</bdi>
          </p>
        )}
        <ThemeToggle />
      </header>
      <div class="frame">
        <Contents entries={entries} />
        <main id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
      <footer class="footer">{footer}</footer>
    </>
  );
}

function Contents({ entries }: { entries: readonly Entry[] }) {
  const here = useHere(entries);
  return (
    <nav class="contents" aria-label="Contents">
      <ol>
        {entries.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`} aria-current={here === id ? 'true' : undefined}>
              {title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** The section being read: the last whose top has passed the upper third. */
function useHere(entries: readonly Entry[]): string | null {
  const [here, setHere] = useState<string | null>(entries[0]?.id ?? null);
  useEffect(() => {
    let waiting = false;
    const look = () => {
      waiting = false;
      const line = window.innerHeight / 3;
      const passed = entries.filter(
        ({ id }) => (document.getElementById(id)?.getBoundingClientRect().top ?? 1e9) < line,
      );
      setHere((passed.at(-1) ?? entries[0])?.id ?? null);
    };
    const later = () => {
      if (!waiting) requestAnimationFrame(look);
      waiting = true;
    };
    addEventListener('scroll', later, { passive: true });
    return () => removeEventListener('scroll', later);
  }, [entries]);
  return here;
}

/** Paper cannot be clicked: everything folded opens for it, and closes again. */
function useOpenForPrint() {
  useEffect(() => {
    let opened: HTMLDetailsElement[] = [];
    const before = () => {
      opened = [...document.querySelectorAll<HTMLDetailsElement>('details:not([open])')];
      for (const details of opened) details.open = true;
    };
    const after = () => {
      for (const details of opened) details.open = false;
    };
    addEventListener('beforeprint', before);
    addEventListener('afterprint', after);
    return () => {
      removeEventListener('beforeprint', before);
      removeEventListener('afterprint', after);
    };
  }, []);
}

export function Section({
  id,
  title,
  lead,
  children,
}: {
  id: string;
  title: string;
  lead?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <section class="section" id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {lead !== undefined && <p class="lead">{lead}</p>}
      {children}
    </section>
  );
}
