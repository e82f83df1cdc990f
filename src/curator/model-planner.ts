import type { Plan } from '../curation/planner.ts';
import { plannerPrompt } from '../curation/planner-prompt.ts';
import { readProposal } from '../curation/planner-reply.ts';
import type { Recipe } from '../curation/recipe.ts';
import { type KnownChecks, knownChecks } from '../curation/recipe-defaults.ts';
import type { ChatMessage, OpenAiEndpoint } from '../endpoint/index.ts';
import { CollapseAwareError } from '../errors.ts';
import { willingChat } from './willing-chat.ts';

/** Of one reply: a recipe with reasons is some hundreds, and some models think aloud first. */
const MOST_TOKENS = 4_000;
/** Characters of a refused reply that the model is shown again. */
const MOST_SHOWN = 8_000;

export interface ModelPlannerOptions {
  /** Default: the built-in checks. */
  readonly known?: KnownChecks;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A plan from a model: its reply is held to the recipe's schema and the base's gate like anybody's (`readProposal`).
 * A reply that is refused is shown to the model once, with its faults. Falls back to nothing: whoever calls decides.
 * Errors: CA_ENDPOINT_REPLY where the second reply is refused too; CA_ENDPOINT_FAILED; the signal's reason.
 */
export async function planWithModel(
  intent: string,
  base: Recipe,
  endpoint: OpenAiEndpoint,
  { known = knownChecks(), signal }: ModelPlannerOptions = {},
): Promise<Plan> {
  const chat = willingChat(endpoint);
  const propose = async (messages: readonly ChatMessage[], seed: number): Promise<Proposal> => {
    const reply = await chat(messages, { temperature: 0, seed, maxTokens: MOST_TOKENS, signal });
    const text = reply.text ?? '';
    try {
      return { plan: readProposal(text, base, known) };
    } catch (error) {
      if (!(error instanceof CollapseAwareError)) throw error;
      return { text, fault: error };
    }
  };
  const asked = plannerPrompt(intent, base, known);
  const first = await propose(asked, 0);
  if ('plan' in first) return first.plan;
  const second = await propose(
    [
      ...asked,
      { role: 'assistant', content: first.text.slice(0, MOST_SHOWN) },
      {
        role: 'user',
        content: `This cannot be used: ${first.fault.message}\nAnswer again, whole and in the form that was asked for, with this mended.`,
      },
    ],
    1,
  );
  if ('plan' in second) return second.plan;
  throw new CollapseAwareError('CA_ENDPOINT_REPLY', `${endpoint.name}, twice: ${second.fault.message}`, {
    todo: 'use a stronger model, or plan by rules (leave the model out)',
    cause: second.fault,
  });
}

type Proposal = { readonly plan: Plan } | { readonly text: string; readonly fault: CollapseAwareError };
