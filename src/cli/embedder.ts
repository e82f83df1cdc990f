import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { type Embedder, FacetEmbedder, OnnxEmbedder, RemoteEmbedder } from '../embedding/index.ts';
import { OpenAiEndpoint, type Usage } from '../endpoint/index.ts';
import { CollapseAwareError } from '../errors.ts';
import { cacheHome, openDiskCache } from '../store/index.ts';
import { tell } from './terminal.ts';

export interface EmbedderFlags {
  readonly embedder?: EmbedderChoice;
  readonly facets?: string;
  readonly baseUrl?: string;
  readonly apiKeyEnv?: string;
}

export type EmbedderChoice =
  | { readonly kind: 'lsa' }
  | { readonly kind: 'openai'; readonly model: string }
  | { readonly kind: 'onnx'; readonly directory: string };

export function withEmbedderOptions(command: Command): Command {
  return command
    .option(
      '--embedder <which>',
      'lsa (built in, fitted with the space), openai:MODEL (needs --base-url) or onnx:DIR (default: lsa)',
      choice,
    )
    .option('--facets <model>', 'a chat model describes how the user behaved; the description is embedded')
    .option(
      '--base-url <url>',
      'OpenAI-compatible API for openai: and --facets, e.g. http://localhost:8000/v1',
    )
    .option('--api-key-env <name>', 'environment variable that holds the key of that API');
}

function choice(text: string): EmbedderChoice {
  if (text === 'lsa') return { kind: 'lsa' };
  const [kind, rest] = [text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 1)];
  if (kind === 'openai' && rest !== '') return { kind, model: rest };
  if (kind === 'onnx' && rest !== '') return { kind, directory: rest };
  throw new InvalidArgumentError('give lsa, openai:MODEL or onnx:DIR');
}

/** What a remote embedder was asked so far, one entry a model; empty for local ones. */
export type UsageOf = () => readonly { readonly model: string; readonly usage: Usage }[];

/** `null` = the built-in embedder, which is fitted with the space. */
export async function openEmbedder(
  flags: EmbedderFlags,
  signal: AbortSignal,
): Promise<{ embedder: Embedder | null; usage: UsageOf }> {
  const choice = flags.embedder ?? { kind: 'lsa' };
  const endpoints: { model: string; endpoint: OpenAiEndpoint }[] = [];
  const endpoint = (model: string) => {
    if (flags.baseUrl === undefined)
      throw new CollapseAwareError('CA_USAGE', `${model} is asked for, but not where it is served`, {
        todo: 'add --base-url URL (and --api-key-env NAME)',
      });
    const made = new OpenAiEndpoint({
      baseUrl: flags.baseUrl,
      model,
      ...(flags.apiKeyEnv === undefined ? {} : { apiKeyEnv: flags.apiKeyEnv }),
    });
    endpoints.push({ model, endpoint: made });
    return made;
  };
  const cache = openDiskCache(join(cacheHome(), 'vectors'));
  let embedder: Embedder | null = null;
  if (choice.kind === 'openai')
    embedder = await RemoteEmbedder.open(endpoint(choice.model), { cache }, signal);
  if (choice.kind === 'onnx') embedder = await OnnxEmbedder.open(choice.directory);
  if (flags.facets !== undefined) {
    if (embedder === null)
      throw new CollapseAwareError(
        'CA_USAGE',
        '--facets needs an embedder that is not fitted with the space',
        {
          todo: 'add --embedder openai:MODEL or --embedder onnx:DIR',
        },
      );
    embedder = new FacetEmbedder(endpoint(flags.facets), embedder, { cache });
  }
  return {
    embedder,
    usage: () => endpoints.map(({ model, endpoint: one }) => ({ model, usage: one.usage })),
  };
}

export function costsMoney(flags: EmbedderFlags): boolean {
  return flags.facets !== undefined || flags.embedder?.kind === 'openai';
}

export function reportUsage(usage: UsageOf): void {
  for (const { model, usage: used } of usage())
    tell(
      `${model}: ${used.calls} calls, ${used.promptTokens} tokens in, ${used.completionTokens} out, ${used.retries} retries, ${used.failures} failures`,
    );
}
