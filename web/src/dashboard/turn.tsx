import type { SessionView } from '../../../src/gateway/api/control.ts';
import type { Candidate, Resample, ToolCall, Turn } from '../../../src/trajectory/trajectory.ts';
import { number, plural, setting } from '../format.ts';
import { Name } from '../number.tsx';

type Answer = SessionView['answers'][number];

const WHO: Readonly<Record<Turn['role'], string>> = {
  user: 'simulated user',
  agent: 'agent',
  tool: 'tool',
  system: 'system',
};

/** What was said; of the simulated user's turns also what else could have been said, and how the reply came about. */
export function TurnView({ turn, answer }: { turn: Turn; answer: Answer | null }) {
  const { role, text, toolCalls, candidates, resamples, acts } = turn;
  return (
    <li class={`said-turn said-${role}`}>
      <p class="said-who">
        {WHO[role]}
        {acts !== undefined && acts.length > 0 && <span class="fine"> {acts.join(', ')}</span>}
      </p>
      {text !== null && (
        <p class="said" dir="auto">
          {text}
        </p>
      )}
      {toolCalls?.map((call, at) => (
        <Call key={at} call={call} />
      ))}
      {text === null && (toolCalls === undefined || toolCalls.length === 0) && (
        <p class="fine">no text on record</p>
      )}
      {answer?.fallback != null && (
        <p class="fallback">
          <b>Fallback</b> <span dir="auto">{answer.fallback}</span>
        </p>
      )}
      {candidates !== undefined && candidates.length > 0 && (
        <Candidates candidates={candidates} drawn={answer?.drawn ?? null} />
      )}
      {resamples !== undefined && resamples.length > 0 && (
        <Resamples resamples={resamples} chance={turn.probeProbability ?? null} />
      )}
      {answer !== null && <How answer={answer} probability={turn.probability ?? null} />}
    </li>
  );
}

function Call({ call }: { call: ToolCall }) {
  const given = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
  return (
    <p class="said">
      <code>
        {call.name}({given})
      </code>
    </p>
  );
}

function Candidates({ candidates, drawn }: { candidates: readonly Candidate[]; drawn: number | null }) {
  return (
    <table class="candidates">
      <caption>{plural(candidates.length, 'candidate')}</caption>
      <thead>
        <tr>
          <th scope="col" class="numeric">
            Probability
          </th>
          <th scope="col">Reply</th>
        </tr>
      </thead>
      <tbody>
        {candidates.map(({ text, probability }, at) => (
          <tr key={at} class={at === drawn ? 'drawn' : undefined}>
            <td class="numeric">
              <span class="share tone-simulator">
                <svg viewBox="0 0 10 4" preserveAspectRatio="none" aria-hidden="true">
                  <rect class="share-rest" width="10" height="4" />
                  <rect
                    width={10 * Math.min(1, Math.max(0, probability ?? 0))}
                    height="4"
                    fill="currentColor"
                  />
                </svg>
                {probability === null ? '–' : number(probability, 2)}
              </span>
            </td>
            <td dir="auto">
              {at === drawn && <span class="tag tag-simulator">drawn</span>}
              {text}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const LAWS: Readonly<Record<Resample['law'], string>> = {
  member: 'By the same member',
  population: 'By a member drawn again',
};

function Resamples({ resamples, chance }: { resamples: readonly Resample[]; chance: number | null }) {
  return (
    <details class="inline">
      <summary>
        {plural(resamples.length, 'reply', 'replies')} drawn again at this history
        {chance === null ? '' : ` (probed with chance ${setting(chance)})`}
      </summary>
      {(['member', 'population'] as const).map((law) => {
        const some = resamples.filter((resample) => resample.law === law);
        return some.length === 0 ? null : (
          <div key={law}>
            <p class="fine">{LAWS[law]}</p>
            <ul>
              {some.map(({ member, text, toolCalls }, at) => (
                <li key={at} dir="auto">
                  {law === 'population' && member !== null && (
                    <span class="fine">
                      <Name>{member}</Name>:{' '}
                    </span>
                  )}
                  {text}
                  {toolCalls?.map((call, place) => (
                    <Call key={place} call={call} />
                  ))}
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </details>
  );
}

function How({ answer, probability }: { answer: Answer; probability: number | null }) {
  return (
    <p class="fine said-how">
      answered by <Name>{answer.answeredBy}</Name>
      {probability === null ? '' : `, probability ${number(probability, 2)}`}
      {answer.attempts > 1 ? `, ${plural(answer.attempts, 'attempt')}` : ''};{' '}
      {answer.attempts === 0 ? 'no upstream' : `upstream ${number(answer.upstreamMs, 0)} ms`}, gateway{' '}
      {number(answer.overheadMs, answer.overheadMs < 10 ? 1 : 0)} ms
    </p>
  );
}
