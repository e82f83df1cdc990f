import { useEffect, useRef, useState } from 'preact/hooks';
import { ThemeToggle } from '../theme.tsx';

/** Asks for the admin key, and says why it is asked for. */
export function SignIn({ why, onKey }: { why: string | null; onKey: (key: string) => void }) {
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <>
      <header class="banner">
        <p class="brand">
          collapse-aware <span class="brand-kind">gateway</span>
        </p>
        <p class="banner-title">{location.host}</p>
        <ThemeToggle />
      </header>
      <main class="sign-in" id="main">
        <h1>Admin key</h1>
        {why === null ? (
          <p class="lead">
            The dashboard shows whole dialogues and can hold a training run, so it stands behind the admin key
            of this gateway.
          </p>
        ) : (
          <p class="notice at-red" role="alert">
            {why}
          </p>
        )}
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const key = text.trim();
            if (key === '') field.current?.focus();
            else onKey(key);
          }}
        >
          <label class="field">
            <span>Key</span>
            <input
              ref={field}
              type="password"
              name="key"
              autocomplete="off"
              spellcheck={false}
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          </label>
          <button type="submit" class="button button-strong">
            Open the dashboard
          </button>
        </form>
        <p class="fine">
          The gateway prints a key when it starts, unless its settings name a variable for one (
          <code>keys.adminEnv</code>). It is kept for this tab only. The address <code>#key=…</code> opens the
          page with a key.
        </p>
      </main>
    </>
  );
}
