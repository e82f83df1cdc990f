import { useLayoutEffect, useState } from 'preact/hooks';

type Theme = 'auto' | 'light' | 'dark';
const NEXT: Record<Theme, Theme> = { auto: 'light', light: 'dark', dark: 'auto' };
const NAMES: Record<Theme, string> = { auto: 'Auto', light: 'Light', dark: 'Dark' };
const KEY = 'collapse-aware-theme';

/** Light, dark, or whatever the reader's system says. */
export function ThemeToggle() {
  const [theme, setTheme] = useState<Theme>(stored);
  useLayoutEffect(() => {
    if (theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // A page opened from a file may have no storage; the choice then lasts as long as the page.
    }
  }, [theme]);
  return (
    <button
      type="button"
      class="button theme"
      onClick={() => setTheme(NEXT[theme])}
      aria-label={`Colours: ${NAMES[theme]}. Change to ${NAMES[NEXT[theme]]}.`}
    >
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" stroke-width="1.6" />
        <path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor" />
      </svg>
      <span>{NAMES[theme]}</span>
    </button>
  );
}

function stored(): Theme {
  try {
    const value = localStorage.getItem(KEY);
    return value === 'light' || value === 'dark' ? value : 'auto';
  } catch {
    return 'auto';
  }
}
