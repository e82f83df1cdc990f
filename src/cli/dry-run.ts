import { scan } from '../audit/index.ts';
import { spokenTexts } from '../embedding/index.ts';
import { costsMoney, type EmbedderFlags } from './embedder.ts';
import { checkInput, type InputFiles } from './input.ts';
import { printable, show } from './terminal.ts';

/** Characters a token, roughly, in English; only for an estimate that is called one. */
const CHARACTERS_PER_TOKEN = 4;

interface DryRunFlags extends EmbedderFlags {
  readonly seed?: number;
  readonly strict?: boolean;
}

export interface DryInput {
  readonly input: InputFiles;
  /** Which episodes are embedded: all, those a space is fitted on, or so many of each simulator. */
  readonly use: 'all' | 'fit' | number;
}

/** Says what a command would read and embed, without asking any endpoint. */
export async function dryRun(inputs: readonly DryInput[], flags: DryRunFlags): Promise<void> {
  const texts = new Set<string>();
  const simulators = new Map<string, number>();
  let [rows, used, characters] = [0, 0, 0];
  for (const { input, use } of inputs) {
    const found = await scan(input.records, {
      seed: flags.seed ?? 0,
      ...(use === 'all' ? { sampleLimit: Number.MAX_SAFE_INTEGER } : {}),
      ...(typeof use === 'number' ? { perSimulator: use } : {}),
    });
    checkInput(input.files(), flags.strict === true);
    rows += found.rows;
    used += found.sample.length;
    for (const [id, { rows: n }] of found.simulators) simulators.set(id, (simulators.get(id) ?? 0) + n);
    for (const trajectory of found.sample)
      for (const role of ['user', 'agent'] as const)
        for (const text of spokenTexts(trajectory, role))
          if (!texts.has(text)) {
            texts.add(text);
            characters += text.length;
          }
  }
  const lines = [
    `${count(rows)} episodes of ${simulators.size} simulator${simulators.size === 1 ? '' : 's'}, ${count(used)} to use`,
    ...[...simulators].sort(([a], [b]) => (a < b ? -1 : 1)).map(([id, n]) => `  ${id}: ${count(n)}`),
    `${count(texts.size)} different texts to embed, ${count(characters)} characters`,
    costsMoney(flags)
      ? `about ${count(Math.ceil(characters / CHARACTERS_PER_TOKEN))} tokens to send (estimate: ${CHARACTERS_PER_TOKEN} characters a token), before the cache`
      : 'embedded locally: nothing is sent anywhere',
  ];
  show(lines.map(printable).join('\n'));
}

/** What was placed or measured before has its vectors: there is nothing to embed. */
export function nothingToSend(what: 'saved profiles' | 'reports'): void {
  show(`${what}: no text to embed, nothing is sent anywhere`);
}

function count(n: number): string {
  return n.toLocaleString('en');
}
