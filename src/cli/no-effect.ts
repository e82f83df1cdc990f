import { CollapseAwareError } from '../errors.ts';

/** Flag of the parsed options to its name on the command line. */
type Options = Readonly<Record<string, string>>;

/** What placed rows have settled. */
export const PLACING = {
  k: '--k',
  reference: '--reference',
  sample: '--sample',
  embedder: '--embedder',
  facets: '--facets',
  format: '--format',
  map: '--map',
  simulator: '--simulator',
  simulatorFrom: '--simulator-from',
  simulatorRole: '--simulator-role',
  policy: '--policy',
} as const;

/** What a written report has settled. */
export const MEASURING = {
  ...PLACING,
  space: '--space',
  saveSpace: '--save-space',
  heldOut: '--held-out',
  rewardRange: '--reward-range',
  baseCheckpoint: '--base-checkpoint',
  classes: '--classes',
} as const;

/** @throws CA_USAGE for an option that would be ignored: the figures would not be those that were asked for. */
export function refuseOptions(options: Options, flags: object, why: string): void {
  for (const [key, name] of Object.entries(options))
    if ((flags as Readonly<Record<string, unknown>>)[key] !== undefined)
      throw new CollapseAwareError('CA_USAGE', `${name} has no meaning here: ${why}`, {
        todo: 'leave it out',
      });
}
