import type { VerbalizedRecipe } from '../../population/index.ts';
import type { Choices } from './verbalized-tools.ts';

/** One request for candidates: how many, and whether reasons come first. */
export interface Round {
  readonly count: number;
  readonly reasoning: boolean;
}

/** Turns of the multi mode, at most. */
const TURNS = 3;

/** The requests of one turn: all at once, or spread as evenly as can be over several. */
export function roundsOf({ mode, candidates }: VerbalizedRecipe): readonly Round[] {
  if (mode !== 'multi') return [{ count: candidates, reasoning: mode === 'cot' }];
  const turns = Math.min(TURNS, candidates);
  return Array.from({ length: turns }, (_, at) => ({
    count: Math.floor(candidates / turns) + (at < candidates % turns ? 1 : 0),
    reasoning: false,
  }));
}

/** What stands behind the client's own system prompt. */
export function instructions(
  { count, reasoning }: Round,
  { tail }: VerbalizedRecipe,
  choices: Choices,
): string {
  const lines = [
    `How to answer: do not give your next message itself. The person you play might go on in different ways; write down ${amount(count)} of them, ${count === 1 ? '' : 'unlike one another, '}each a complete next message in that person's own words, with the probability that it is what the person does next.`,
  ];
  if (tail !== null) lines.push(`Leave out what is most likely: every probability must be below ${tail}.`);
  if (choices.tools.length > 0)
    lines.push(
      `${choices.text ? 'Instead of a message the person may use' : 'The person uses'} one of these tools:\n${choices.tools
        .map(({ name, description, parameters }) => JSON.stringify({ name, description, parameters }))
        .join('\n')}`,
    );
  const items = [
    choices.text ? '"text" (the message, word for word)' : null,
    choices.tools.length > 0 ? '"tool" (its name) and "arguments" (a string that holds a JSON object)' : null,
  ].filter((item) => item !== null);
  lines.push(
    `Write one JSON object and nothing else. ${
      reasoning
        ? 'Its first key is "reasoning": a few sentences on what the person wants, knows and feels at this point. Then '
        : 'It has the key '
    }"candidates": a list of exactly ${count} objects, each with ${items.join(', or ')}, and "probability" (a number from 0 to 1).`,
  );
  return lines.join('\n');
}

/** Asks for others than those before. */
export const moreOf = ({ count }: Round): string =>
  `Now ${amount(count)} that ${count === 1 ? 'is' : 'are'} unlike all those before. The same JSON: "candidates" with exactly ${count}.`;

const amount = (count: number) => (count === 1 ? 'one' : String(count));

/** For a server that holds a model to it: exactly so many items, no other keys. */
export function candidateSchema({ count, reasoning }: Round, choices: Choices): Record<string, unknown> {
  const strict = (properties: Record<string, unknown>) => ({
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  });
  const probability = { type: 'number' };
  const kinds = [
    ...(choices.text ? [strict({ text: { type: 'string' }, probability })] : []),
    ...(choices.tools.length === 0
      ? []
      : [
          strict({
            tool: { type: 'string', enum: choices.tools.map(({ name }) => name) },
            arguments: { type: 'string' },
            probability,
          }),
        ]),
  ];
  const candidates = {
    type: 'array',
    minItems: count,
    maxItems: count,
    items: kinds.length === 1 ? kinds[0] : { anyOf: kinds },
  };
  return strict({ ...(reasoning ? { reasoning: { type: 'string' } } : {}), candidates });
}

/** Tokens for the candidates of one round where the client allows `each` for a message: their JSON needs some of its own. */
export const tokensFor = (each: number, { count, reasoning }: Round): number =>
  each * count + 40 * count + 64 + (reasoning ? 400 : 0);
