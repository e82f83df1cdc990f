import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { stringify } from 'yaml';
import {
  type Plan,
  planRecipe,
  type Recipe,
  recipeDiff,
  recipeDiffText,
  recipeFaults,
  writtenRecipe,
} from '../curation/index.ts';
import { planWithModel } from '../curator/index.ts';
import { OpenAiEndpoint } from '../endpoint/index.ts';
import { CollapseAwareError } from '../errors.ts';
import { writeFileAtomic } from '../store/index.ts';
import { nameArgument } from './input.ts';
import { interruptSignal } from './interrupt.ts';
import { readRecipeFile, readYaml } from './recipe-file.ts';
import { printable, show, tell } from './terminal.ts';

interface PlanFlags {
  readonly intent: string;
  readonly recipe?: string;
  readonly output?: string;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly apiKeyEnv?: string;
  readonly json?: boolean;
}

const EXAMPLES = `
Examples:
  $ collapse-aware curate plan --intent "balanced behaviours, keep quality strict" -o recipe.yaml
  $ collapse-aware curate plan --intent "keep 4 of 8 rollouts a group" --recipe recipe.yaml
  $ collapse-aware curate plan --intent "robust to impatient users" --model qwen3 --base-url http://localhost:8000/v1

Shows what would change before anything is written. The quality gate is never loosened.

Exit status: 0 done, 2 wrong usage or recipe, 3 an endpoint that failed.`;

export function curatePlanCommand(): Command {
  return new Command('plan')
    .description(
      'A need in words to a recipe: by documented rules, or with a model that is held to the schema.',
    )
    .requiredOption('--intent <text>', 'what the data should do for the policy', nameArgument)
    .option('--recipe <file>', 'the recipe to change (default: the standard recipe)')
    .option('-o, --output <file>', 'write the recipe; without it only the change is shown')
    .option('--model <name>', 'ask this chat model instead of the rules (needs --base-url)')
    .option('--base-url <url>', 'OpenAI-compatible API that serves it')
    .option('--api-key-env <name>', 'environment variable that holds the key of that API')
    .option('--json', 'print the plan as JSON')
    .addHelpText('after', EXAMPLES)
    .action(runPlan);
}

async function runPlan(flags: PlanFlags): Promise<void> {
  await checkRecipePlace(flags.output);
  const base = await readRecipeFile(flags.recipe);
  const plan = await planned(flags, base);
  const diff = recipeDiff(base, plan.proposed);
  if (flags.json === true)
    process.stdout.write(`${JSON.stringify({ ...plan, diff, by: flags.model ?? 'rules' }, null, 2)}\n`);
  else show(textOf(plan, recipeDiffText(diff)).split('\n').map(printable).join('\n'));
  if (flags.output === undefined) return;
  await writeFileAtomic(flags.output, stringify(writtenRecipe(plan.proposed)));
  tell(`recipe: ${flags.output}`);
}

/** @throws CA_USAGE where something other than a recipe stands at the output: nobody wants to lose it. */
async function checkRecipePlace(path: string | undefined): Promise<void> {
  if (path === undefined || !existsSync(path)) return;
  const found = await readYaml(path).catch(() => null);
  if (typeof found === 'object' && found !== null && recipeFaults(found).length === 0) return;
  throw new CollapseAwareError('CA_USAGE', 'is there already and is no recipe', {
    place: { file: path },
    todo: 'name another file',
  });
}

async function planned({ intent, model, baseUrl, apiKeyEnv }: PlanFlags, base: Recipe): Promise<Plan> {
  if (model === undefined) {
    if (baseUrl !== undefined || apiKeyEnv !== undefined)
      throw new CollapseAwareError('CA_USAGE', 'an endpoint is named, but no model', {
        todo: 'add --model NAME, or leave --base-url and --api-key-env out to plan by rules',
      });
    return planRecipe(intent, base);
  }
  if (baseUrl === undefined)
    throw new CollapseAwareError('CA_USAGE', `${model} is asked for, but not where it is served`, {
      todo: 'add --base-url URL (and --api-key-env NAME)',
    });
  const endpoint = new OpenAiEndpoint({
    baseUrl,
    model,
    ...(apiKeyEnv === undefined ? {} : { apiKeyEnv }),
  });
  const plan = await planWithModel(intent, base, endpoint, { signal: interruptSignal() });
  const { usage } = endpoint;
  tell(`${model}: ${usage.calls} calls, ${usage.promptTokens} tokens in, ${usage.completionTokens} out`);
  return plan;
}

function textOf({ reasons, refused, notUnderstood }: Plan, diff: string): string {
  const lines = diff === '' ? ['nothing to change'] : [diff.trimEnd()];
  for (const { path, because } of reasons) lines.push(`${path}: ${because}`);
  for (const { path, because } of refused) lines.push(`refused: ${path}: ${because}`);
  if (notUnderstood.length > 0) lines.push(`not understood: ${notUnderstood.join('; ')}`);
  return lines.join('\n');
}
