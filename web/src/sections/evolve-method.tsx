import { useMemo } from 'preact/hooks';
import type { EvolveView } from '../../../src/report/evolve-payload.ts';
import { Name } from '../number.tsx';
import { yamlText } from '../recipe-text.ts';
import { Section } from '../shell.tsx';
import { Fact } from './method.tsx';

/** Command, settings, and what the words mean. */
export function EvolveMethodSection({ view }: { view: EvolveView }) {
  const { command, settings, space, selected } = view;
  const text = useMemo(() => yamlText(settings), [settings]);
  return (
    <Section id="method" title="How it was made">
      <dl class="facts">
        {command !== null && (
          <Fact term="Command">
            <code class="evolve-command">{command}</code>
          </Fact>
        )}
        <Fact term="Space">
          {space === null ? (
            'Not open yet.'
          ) : (
            <>
              <code>{space.id}</code>, K = {space.k} modes, {space.people ? 'with people' : 'without people'}.
              Numbers of two spaces are never compared.
            </>
          )}
        </Fact>
        <Fact term="Selected">
          {selected === null ? (
            'Said when the run is over: the checkpoint that did best with the selection panel.'
          ) : (
            <>
              <Name>{selected.checkpoint}</Name>,{' '}
              {selected.round === 0 ? 'before training' : `of round ${selected.round}`}: the best with the
              selection panel. The test panel and people were asked once, after that choice.
            </>
          )}
        </Fact>
        <Fact term="A round">
          A look at the population in force; the breaker; candidates by path, gap and search, each auditioned;
          the new population against the best so far on fresh paired probes, accepted or rolled back; the data
          plan; training, unless it is paused; an examination.
        </Fact>
        <Fact term="Intervals">
          95 %, by the method that stands with each number; bounds of the acceptance are one-sided at the
          level that stands with them. A dash is not measured, with its reason, and never 0.
        </Fact>
      </dl>
      <h3>Settings</h3>
      {/* A region that scrolls must be reachable by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section class="recipe" aria-label="Settings" tabIndex={0}>
        <pre>{text}</pre>
      </section>
    </Section>
  );
}
