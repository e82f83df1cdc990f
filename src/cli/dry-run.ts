import { scan } from '../audit/index.ts';
import { spokenTexts } from '../embedding/index.ts';
import { costsMoney, type EmbedderFlags } from './embedder.ts';
import { checkInput, type InputFlags, openInput } from './input.ts';

/** Characters a token, roughly, in English; only for an estimate that is called one. */
const CHARACTERS_PER_TOKEN = 4;

interface DryRunFlags extends InputFlags, EmbedderFlags {
  readonly seed: number;
  readonly sample?: number;
}

/** Says what an audit or comparison would read and embed, without asking any endpoint. */
export async function dryRun(paths: readonly string[], flags: DryRunFlags): Promise<void> {
  const input = await openInput(paths, flags);
  const texts = new Set<string>();
  const each = flags.sample;
  const { rows, simulators, sample } = await scan(input.records, {
    seed: flags.seed,
    ...(each === undefined ? { sampleLimit: Number.MAX_SAFE_INTEGER } : { perSimulator: each }),
  });
  checkInput(input.files(), flags.strict === true);
  let characters = 0;
  for (const trajectory of sample)
    for (const role of ['user', 'agent'] as const)
      for (const text of spokenTexts(trajectory, role))
        if (!texts.has(text)) {
          texts.add(text);
          characters += text.length;
        }
  const lines = [
    `${rows.toLocaleString('en')} episodes of ${simulators.size} simulator${simulators.size === 1 ? '' : 's'}, ${sample.length.toLocaleString('en')} to use`,
    ...[...simulators]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, { rows: n }]) => `  ${id}: ${n.toLocaleString('en')}`),
    `${texts.size.toLocaleString('en')} different texts to embed, ${characters.toLocaleString('en')} characters`,
    costsMoney(flags)
      ? `about ${Math.ceil(characters / CHARACTERS_PER_TOKEN).toLocaleString('en')} tokens to send (estimate: ${CHARACTERS_PER_TOKEN} characters a token), before the cache`
      : 'embedded locally: nothing is sent anywhere',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
