import type { BreakerLevel } from '../../src/diagnosis/breaker.ts';

export const LEVELS: readonly BreakerLevel[] = ['green', 'yellow', 'half-open', 'red'];

/** The API's text as one of the four levels; anything else is unknown. */
export function levelFrom(text: string | undefined): BreakerLevel | null {
  return LEVELS.find((level) => level === text) ?? null;
}

/** Name and shape: colour alone says nothing to some readers. */
export function LevelTag({ level }: { level: BreakerLevel }) {
  return (
    <span class={`level-tag at-${level}`}>
      <LevelShape level={level} />
      {level}
    </span>
  );
}

export function LevelShape({ level, size = 14 }: { level: BreakerLevel; size?: number }) {
  return (
    <svg class="level-mark" viewBox="0 0 16 16" width={size} height={size} aria-hidden="true">
      {level === 'green' && (
        <>
          <circle cx="8" cy="8" r="7" fill="currentColor" />
          <path d="M4.6 8.3l2.4 2.4 4.4-5" stroke="var(--surface)" stroke-width="1.8" fill="none" />
        </>
      )}
      {level === 'yellow' && (
        <>
          <path d="M8 1.2 15.4 14.4H.6z" fill="currentColor" />
          <path d="M8 6v4.2M8 11.6v1.4" stroke="var(--surface)" stroke-width="1.6" />
        </>
      )}
      {level === 'half-open' && (
        <>
          <circle cx="8" cy="8" r="6.2" fill="none" stroke="currentColor" stroke-width="1.6" />
          <path d="M8 1.8a6.2 6.2 0 0 1 0 12.4z" fill="currentColor" />
        </>
      )}
      {level === 'red' && (
        <>
          <path d="M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1z" fill="currentColor" />
          <path d="M5.3 5.3l5.4 5.4m0-5.4l-5.4 5.4" stroke="var(--surface)" stroke-width="1.8" />
        </>
      )}
    </svg>
  );
}
