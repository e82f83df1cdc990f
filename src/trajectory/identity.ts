import { hash } from 'node:crypto';
import type { SimulatorFacts, Trajectory, Turn } from './trajectory.ts';

/** First 128 bits of SHA-256, as 32 hex digits. */
export function hashText(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32);
}

/** Case, spacing and Unicode form of a scenario do not make another scenario. */
export function normaliseScenario(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}

export interface ContextFacts {
  readonly benchmark: string | null;
  readonly domain: string | null;
  readonly scenario: string | null;
  readonly contextLabel: string | null;
}

/**
 * benchmark / domain / hash of the normalised scenario text; the bare label only where there is no scenario.
 * `own` (the content hash) stands in where neither is known: such contexts never repeat.
 */
export function contextIdentity(
  facts: ContextFacts,
  own: string,
): { context: string; contextFrom: Trajectory['contextFrom'] } {
  const place = `${facts.benchmark ?? '-'}/${facts.domain ?? '-'}`;
  if (facts.scenario !== null && facts.scenario.trim() !== '')
    return {
      context: `${place}/${hashText(normaliseScenario(facts.scenario)).slice(0, 16)}`,
      contextFrom: 'scenario',
    };
  if (facts.contextLabel !== null)
    return { context: `${place}/label:${facts.contextLabel}`, contextFrom: 'label' };
  return { context: `${place}/own:${own.slice(0, 16)}`, contextFrom: 'none' };
}

/**
 * Hash of what happened: the scenario and every turn's role, text and tool calls. Ids, names of files,
 * simulators and policies are left out, so that renaming changes nothing.
 */
export function contentHash(turns: readonly Turn[], scenario: string | null): string {
  let content = scenario === null ? '' : normaliseScenario(scenario);
  for (const turn of turns) {
    content += `\u001e${turn.role}\u001f${turn.text ?? ''}`;
    if (turn.toolCalls !== undefined)
      for (const call of turn.toolCalls)
        content += `\u001f${call.name}\u001f${JSON.stringify(call.arguments ?? null)}`;
  }
  return hashText(content);
}

/** Hash of model + prompt recipe + sampling, `null` where none is known. */
export function fingerprint(parts: {
  model: string | null;
  recipe: string | null;
  sampling?: unknown;
}): string | null {
  if (parts.model === null && parts.recipe === null && parts.sampling === undefined) return null;
  return hashText(JSON.stringify([parts.model, parts.recipe, parts.sampling ?? null])).slice(0, 16);
}

export function simulatorFacts(
  facts: Partial<SimulatorFacts> & { id: string; sampling?: unknown },
): SimulatorFacts {
  const model = facts.model ?? null;
  const recipe = facts.recipe ?? null;
  return {
    id: facts.id,
    kind: facts.kind ?? 'llm',
    person: facts.person ?? null,
    model,
    recipe,
    fingerprint:
      facts.fingerprint ??
      fingerprint({ model, recipe, ...('sampling' in facts ? { sampling: facts.sampling } : {}) }),
  };
}
