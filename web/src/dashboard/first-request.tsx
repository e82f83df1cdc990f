import { useRef, useState } from 'preact/hooks';
import type { PopulationView } from '../../../src/gateway/api/control.ts';
import { plural } from '../format.ts';

/** Nothing has been asked yet: how to ask, and what will then stand here. */
export function FirstRequest({ population }: { population: PopulationView | null }) {
  const text = useRef<HTMLPreElement>(null);
  const [copied, setCopied] = useState<'' | 'Copied.' | 'Selected: copy it with the keyboard.'>('');
  const command = curl(location.origin);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(command);
      setCopied('Copied.');
    } catch {
      // No clipboard outside secure contexts.
      if (text.current !== null) getSelection()?.selectAllChildren(text.current);
      setCopied('Selected: copy it with the keyboard.');
    }
  };
  return (
    <section class="figure first-request" aria-labelledby="first-title">
      <h2 id="first-title">Send the first request</h2>
      <p class="lead">
        {population === null
          ? 'The population is ready.'
          : `${plural(population.members.length, 'member')} of the population wait.`}{' '}
        In a request <code>system</code> holds the simulated user's private instructions, <code>user</code> is
        your agent, and the reply is what the simulated user says.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <pre class="command" ref={text} tabIndex={0}>
        {command}
      </pre>
      <p class="form-buttons">
        <button type="button" class="button" onClick={copy}>
          Copy
        </button>
        <span class="fine" role="status">
          {copied}
        </span>
      </p>
      <p class="fine">
        Where the settings name a client key, add <code>-H 'authorization: Bearer $KEY'</code>. Any OpenAI SDK
        does the same with base URL <code>{location.origin}/v1</code>. The session stands in the list below at
        once; figures, curves and map come when enough sessions are closed to fit a space.
      </p>
    </section>
  );
}

function curl(origin: string): string {
  const body = JSON.stringify({
    model: 'population',
    messages: [
      {
        role: 'system',
        content: 'You want to return a jacket that is too small. You have lost the receipt.',
      },
      { role: 'user', content: 'Hello! How can I help you today?' },
    ],
  });
  return `curl ${origin}/v1/chat/completions \\\n  -H 'content-type: application/json' \\\n  -d '${body}'`;
}
