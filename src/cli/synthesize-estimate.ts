import { spokenTexts } from '../embedding/index.ts';
import { mean } from '../math/summary.ts';
import { type Member, memberParts } from '../population/index.ts';
import type { SynthesisFlags } from './synthesize-options.ts';
import type { Workshop } from './synthesize-workshop.ts';

/** Characters a token, roughly, in English; only for an estimate that is called one. */
const CHARACTERS_PER_TOKEN = 4;
/** Tokens of the instructions of Verbalized Sampling, and of each candidate's JSON. */
const VERBALIZED_PROMPT = 170;
const CANDIDATE = 12;

export interface Estimate {
  readonly dialogues: number;
  readonly users: { readonly prompt: number; readonly completion: number };
  readonly agent: { readonly prompt: number; readonly completion: number };
  /** Null where some price is not known. */
  readonly cost: number | null;
}

/** Tokens of dialogues as long as those of the rollouts are, one for each of `dialogues` of every member. */
export function estimateOf(
  members: readonly Member[],
  dialogues: number,
  { ground, settings, upstreamAs }: Pick<Workshop, 'ground' | 'settings' | 'upstreamAs'>,
  flags: SynthesisFlags,
): Estimate {
  const spoken = (role: 'user' | 'agent') => ground.rollouts.map((one) => spokenTexts(one, role));
  const users = spoken('user');
  const user = tokensOf(mean(users.flat().map((text) => text.length)));
  const agent = tokensOf(
    mean(
      spoken('agent')
        .flat()
        .map((text) => text.length),
    ),
  );
  const turns = Math.max(1, Math.min(flags.turns, Math.round(mean(users.map((texts) => texts.length)))));
  const scenario = tokensOf(mean(ground.rollouts.map((one) => (one.scenario ?? '').length)));
  const sums = { users: { prompt: 0, completion: 0 }, agent: { prompt: 0, completion: 0 } };
  let cost: number | null = 0;
  for (const member of members) {
    const own = { prompt: 0, completion: 0 };
    for (let turn = 1; turn <= turns; turn++) {
      const history = turn * agent + (turn - 1) * user;
      own.prompt += tokensOf(flags.userPrompt.length) + scenario + promptOf(member) + history;
      own.completion += completionOf(member, user);
      sums.agent.prompt += dialogues * (tokensOf(flags.agentPrompt.length) + history - agent);
      sums.agent.completion += dialogues * agent;
    }
    sums.users.prompt += dialogues * own.prompt;
    sums.users.completion += dialogues * own.completion;
    const name = settings?.population.upstreamOf[upstreamAs.get(member.id) ?? member.id];
    const prices = settings?.upstreams.find((one) => one.name === name)?.prices ?? null;
    cost =
      cost === null || prices === null
        ? null
        : cost + (dialogues * (own.prompt * prices.prompt + own.completion * prices.completion)) / 1e6;
  }
  const prices = flags.agentPrices ?? null;
  return {
    dialogues: dialogues * members.length,
    users: rounded(sums.users),
    agent: rounded(sums.agent),
    cost:
      cost === null || prices === null
        ? null
        : cost + (sums.agent.prompt * prices[0] + sums.agent.completion * prices[1]) / 1e6,
  };
}

export function estimateText({ dialogues, users, agent, cost }: Estimate): string {
  const count = (n: number) => n.toLocaleString('en');
  return [
    `${count(dialogues)} dialogues would be played`,
    `about ${count(users.prompt)} tokens to send and ${count(users.completion)} back for the users, ${count(agent.prompt)} and ${count(agent.completion)} for the agent (estimate: ${CHARACTERS_PER_TOKEN} characters a token, dialogues as long as the rollouts)`,
    cost === null
      ? 'cost not known: write prices of the upstreams into the settings, and give --agent-prices'
      : `about ${cost.toFixed(2)} in the currency of the prices`,
  ].join('\n');
}

const tokensOf = (characters: number) =>
  Number.isFinite(characters) ? characters / CHARACTERS_PER_TOKEN : 0;
const rounded = ({ prompt, completion }: { prompt: number; completion: number }) => ({
  prompt: Math.ceil(prompt),
  completion: Math.ceil(completion),
});

/** Tokens that a member's recipe puts in front of every turn; the longest of its parts. */
function promptOf(member: Member): number {
  const { recipe } = member;
  const parts = memberParts(member);
  if (parts.length > 0) return Math.max(...parts.map(promptOf));
  if (recipe.kind === 'persona') return tokensOf((recipe.text ?? recipe.bank?.[0] ?? '').length);
  if (recipe.kind !== 'verbalized') return 0;
  const described = [recipe.persona ?? '', ...recipe.exemplars].join('\n');
  return VERBALIZED_PROMPT + tokensOf(described.length);
}

function completionOf(member: Member, each: number): number {
  const parts = memberParts(member);
  if (parts.length > 0) return Math.max(...parts.map((part) => completionOf(part, each)));
  const { recipe } = member;
  return recipe.kind === 'verbalized' ? recipe.candidates * (each + CANDIDATE) : each;
}
