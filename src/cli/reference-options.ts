import type { Command } from 'commander';
import { type InputFiles, openInput } from './input.ts';

/** The people that simulators are held against. */
export interface ReferenceFlags {
  readonly reference?: string[];
  readonly referenceMap?: string;
  readonly referenceFormat?: string;
}

export function withReferenceOptions(command: Command): Command {
  return command
    .option('--reference <files...>', 'dialogues of people with the same task, to compare with')
    .option('--reference-map <file>', 'mapping for the reference files')
    .option('--reference-format <name>', 'format of the reference files');
}

/** `null` where no people are given. */
export async function openReference(flags: ReferenceFlags): Promise<InputFiles | null> {
  if (flags.reference === undefined) return null;
  const reading = {
    ...(flags.referenceMap === undefined ? {} : { map: flags.referenceMap }),
    ...(flags.referenceFormat === undefined ? {} : { format: flags.referenceFormat }),
  };
  return openInput(flags.reference, reading, true);
}
