import { type Command, InvalidArgumentError, Option } from 'commander';
import type { WorldId } from '../lab/world/world.ts';
import { type EmbedderFlags, withEmbedderOptions } from './embedder.ts';
import {
  type InputFlags,
  nameArgument,
  names,
  positiveNumber,
  upTo,
  wholeNumber,
  withInputOptions,
} from './input.ts';
import { rangeArgument } from './measure-options.ts';
import { type ReferenceFlags, withReferenceOptions } from './reference-options.ts';

/** What every kind of synthesis takes. */
export interface SynthesisFlags extends InputFlags, ReferenceFlags, EmbedderFlags {
  readonly gateway?: string;
  readonly world?: WorldId;
  readonly agentUrl?: string;
  readonly agentModel?: string;
  readonly agentKeyEnv?: string;
  readonly agentPrompt: string;
  readonly userPrompt: string;
  readonly opening?: string;
  readonly turns: number;
  readonly maxTokens: number;
  readonly lanes: number;
  readonly agentPrices?: readonly [number, number];
  readonly rewardCommand?: string;
  readonly rewardRange: readonly [number, number];
  readonly space?: string;
  readonly k?: number;
  readonly contexts: number;
  readonly episodes: number;
  readonly floor: number;
  readonly seed: number;
  readonly out: string;
  readonly dryRun?: boolean;
  readonly quiet?: boolean;
}

export const USER_PROMPT =
  '{scenario}\n\nYou are the person in this conversation, not an assistant. Write your next message only. When it is over for you, end it with ###STOP###.';
export const AGENT_PROMPT = 'You are the agent in this conversation. Write your next message only.';

export function withSynthesisOptions(command: Command): Command {
  withReferenceOptions(
    command.argument(
      '[files...]',
      'rollouts with today’s simulators: what the space is fitted on, what is missing, and the contexts to play',
    ),
  );
  command
    .option('--space <file>', 'place everything in this saved space instead of fitting one')
    .option('--k <number>', 'number of modes (default: n_fit / 15, at most 64)', wholeNumber)
    .option('-g, --gateway <file>', 'settings of a gateway: its upstreams and members')
    .addOption(
      new Option('--world <name>', 'play in a world of the lab instead: no files, no endpoint').choices([
        'persuasion',
        'service',
        'pair-coding',
      ]),
    )
    .option('--agent-url <url>', 'base URL of the agent that members talk to: http://host/v1')
    .option('--agent-model <name>', 'model of the agent')
    .option('--agent-key-env <name>', 'environment variable that holds the key of the agent')
    .option('--agent-prompt <text>', 'system prompt of the agent; {scenario}, {label}', AGENT_PROMPT)
    .option('--user-prompt <text>', 'system prompt of the members; {scenario}, {label}', USER_PROMPT)
    .option('--opening <text>', 'what the agent says first (default: it is asked)')
    .option('--turns <n>', 'turns of the user, at most', upTo(1000), 8)
    .option('--max-tokens <n>', 'tokens of one message, at most', positiveNumber, 300)
    .option('--lanes <n>', 'dialogues at once', upTo(1000), 8)
    .option('--agent-prices <prompt,completion>', 'of the agent, per million tokens', rangeless)
    .option('--reward-command <command>', 'reads an episode as JSON and prints its reward')
    .option('--reward-range <low,high>', 'lowest and highest possible reward', rangeArgument, [0, 1])
    .option('--contexts <n>', 'contexts to play in, the same for every member', upTo(100_000), 16)
    .option('--episodes <n>', 'dialogues of each member', upTo(100_000), 32)
    .option('--floor <share>', 'realism that must be shown, 0 to 1', shareArgument, 0.5)
    .option('--seed <number>', 'seed of every draw', wholeNumber, 0)
    .option('-o, --out <folder>', 'where everything goes', nameArgument, 'synthesis')
    .option('--dry-run', 'say what would be made and played, with an estimate of tokens and cost, and stop')
    .option('-q, --quiet', 'no progress');
  return withEmbedderOptions(withInputOptions(command));
}

export const basesOption = (command: Command): Command =>
  command.option('--bases <members>', 'members whose model is asked to be somebody else, by comma', names);

export function shareArgument(text: string): number {
  const share = Number(text);
  if (text.trim() === '' || !(share >= 0 && share <= 1))
    throw new InvalidArgumentError('give a number from 0 to 1');
  return share;
}

/** Two prices, in whatever order. */
function rangeless(text: string): [number, number] {
  const prices = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (prices.length !== 2 || !prices.every((price) => price >= 0 && Number.isFinite(price)))
    throw new InvalidArgumentError('give two prices: 0.5,1.5');
  return [prices[0]!, prices[1]!];
}
