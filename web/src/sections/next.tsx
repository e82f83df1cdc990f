import type { ComponentChildren } from 'preact';
import type { AuditReport } from '../../../src/audit/report-data.ts';
import { Missing } from '../number.tsx';
import { Section } from '../shell.tsx';
import { LevelMark } from './verdict.tsx';

const ORDER = { present: 0, undecided: 1, absent: 2 } as const;

/** Advice in the order of urgency: what is present first. */
export function NextSection({ report }: { report: AuditReport }) {
  const able = [...report.diagnosis]
    .filter(({ advice }) => advice.length > 0)
    .sort((a, b) => ORDER[a.level] - ORDER[b.level]);
  return (
    <Section id="next" title="What to do next">
      {able.length === 0 ? (
        <Missing>Nothing follows from these diagnoses.</Missing>
      ) : (
        <ol class="advice">
          {able.map(({ mode, level, advice }) => (
            <li key={mode} class={`level-${level}`}>
              <h3>
                <span class="advice-mode">{mode}</span>
                <span class="level">
                  <LevelMark level={level} />
                  {level}
                </span>
              </h3>
              <ul>
                {advice.map((text, at) => (
                  <li key={at} dir="auto">
                    {code(text)}
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}

/** Advice names commands between backticks. */
function code(text: string): ComponentChildren {
  return text.split('`').map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part));
}
