import { useEffect, useState } from 'preact/hooks';
import type { AuditReport, Verdict } from '../../../src/audit/report-data.ts';
import { percent } from '../format.ts';
import { Long, Name } from '../number.tsx';

const ASKS: Record<Verdict['mode'], string> = {
  'mode collapse': 'Are only few kinds of user played?',
  'coverage gap': 'Are there kinds of people nobody plays?',
  'co-adaptation': 'Does the policy learn these simulators, not users?',
  'joint signature': 'Does reward rise in training and fall elsewhere?',
};
const SHOWN = 2;

/** The first screen: one sentence, four diagnoses, and what could mislead. */
export function VerdictSection({ report }: { report: AuditReport }) {
  const wide = useWide();
  return (
    <section class="verdict" id="verdict" aria-labelledby="headline">
      <h1 id="headline" class={report.headline.length > 150 ? 'long' : undefined}>
        <Long over={340}>{report.headline}</Long>
      </h1>
      <ul class="diagnoses" aria-label="Diagnoses">
        {report.diagnosis.map((verdict) => (
          <Diagnosis key={verdict.mode} verdict={verdict} open={wide} />
        ))}
      </ul>
      <Confounds confounds={report.confounds} />
      <p class="onward">
        <a href="#next">What to do next</a>
      </p>
    </section>
  );
}

function Diagnosis({ verdict, open }: { verdict: Verdict; open: boolean }) {
  const [all, setAll] = useState(false);
  const { evidence, level, mode } = verdict;
  const shown = all ? evidence : evidence.slice(0, SHOWN);
  return (
    <li class={`diagnosis level-${level}`}>
      <details open={open}>
        <summary class="diagnosis-summary">
          <span class="diagnosis-mode">{mode}</span>
          <span class="level">
            <LevelMark level={level} />
            {level}
            {verdict.confidence !== null && <small> {confidence(verdict.confidence)}</small>}
          </span>
        </summary>
        <p class="diagnosis-asks">{ASKS[mode]}</p>
        <ul class="evidence">
          {shown.map((text, at) => (
            <li key={at}>
              <Long>{text}</Long>
            </li>
          ))}
        </ul>
        {evidence.length > SHOWN && (
          <button type="button" class="link" onClick={() => setAll(!all)} aria-expanded={all}>
            {all ? 'Show less' : `${evidence.length - SHOWN} more`}
          </button>
        )}
      </details>
    </li>
  );
}

/** Below certainty, so that no interval method is read as proof. */
function confidence(value: number): string {
  return value > 0.99 ? 'confidence >99 %' : `confidence ${percent(value)}`;
}

/** A shape of its own for each level: colour alone says nothing to some readers. */
export function LevelMark({ level }: { level: Verdict['level'] }) {
  return (
    <svg class="level-mark" viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
      {level === 'present' && (
        <>
          <path d="M8 1.2 15.4 14.4H.6z" fill="currentColor" />
          <path d="M8 6v4.2M8 11.6v1.4" stroke="var(--surface)" stroke-width="1.6" />
        </>
      )}
      {level === 'absent' && (
        <>
          <circle cx="8" cy="8" r="7" fill="currentColor" />
          <path d="M4.6 8.3l2.4 2.4 4.4-5" stroke="var(--surface)" stroke-width="1.8" fill="none" />
        </>
      )}
      {level === 'undecided' && (
        <>
          <circle
            cx="8"
            cy="8"
            r="6.2"
            fill="none"
            stroke="currentColor"
            stroke-width="1.6"
            stroke-dasharray="2.6 1.8"
          />
          <path d="M5 8h6" stroke="currentColor" stroke-width="1.8" />
        </>
      )}
    </svg>
  );
}

type Confound = AuditReport['confounds'][number];
const KINDS: Record<Confound['kind'], string> = {
  'one-policy': 'One policy only',
  topic: 'Topic',
  style: 'Style',
  'one-simulator': 'One simulator only',
  'label-contexts': 'Contexts known by label',
  'off-support': 'Off support',
  language: 'Not in English',
  codebook: 'Modes depend on the seed',
};

export function Confounds({ confounds, id = 'confounds' }: { confounds: readonly Confound[]; id?: string }) {
  const groups = new Map<Confound['kind'], Confound[]>();
  for (const confound of confounds)
    groups.set(confound.kind, [...(groups.get(confound.kind) ?? []), confound]);
  return (
    <section class="confounds" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>What could mislead</h2>
      {groups.size === 0 ? (
        <p>No confound was found in these rows.</p>
      ) : (
        <dl>
          {[...groups].map(([kind, [first, ...others]]) => (
            <div key={kind}>
              <dt>{KINDS[kind] ?? kind}</dt>
              <dd>
                <Long over={150}>{first?.text ?? ''}</Long>
                <Others others={others} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

/** The same of other simulators: their names, folded where they are many. */
function Others({ others }: { others: readonly Confound[] }) {
  if (others.length === 0) return null;
  const names = others.map(({ simulator, text }) => simulator ?? text);
  const list = names.map((name, at) => (
    <span key={at}>
      {at > 0 && ', '}
      <Name>{name}</Name>
    </span>
  ));
  if (names.join(', ').length <= 100) return <div class="fine">alike: {list}</div>;
  return (
    <details class="inline">
      <summary>{others.length} more alike</summary>
      <p class="fine">{list}</p>
    </details>
  );
}

/** Evidence stands open where there is room; on a phone the four levels must fit beside the confounds. */
function useWide(): boolean {
  const query = '(min-width: 720px)';
  const [wide, setWide] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const listen = () => setWide(media.matches);
    media.addEventListener('change', listen);
    return () => media.removeEventListener('change', listen);
  }, []);
  return wide;
}
