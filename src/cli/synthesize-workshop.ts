import { CollapseAwareError } from '../errors.ts';
import type { GatewaySettings } from '../gateway/settings/settings.ts';
import type { WorldId } from '../lab/world/world.ts';
import type { Member } from '../population/index.ts';
import {
  memberOfVector,
  type PersonaDraft,
  personaDrafts,
  RECIPE_NUMBERS,
  type SearchCandidate,
} from '../synthesis/index.ts';
import { contentHash } from '../trajectory/identity.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import { openEmbedder, reportUsage } from './embedder.ts';
import { checkInput, openInput } from './input.ts';
import type { Progress } from './progress.ts';
import { readYaml } from './recipe-file.ts';
import { openReference } from './reference-options.ts';
import { readSpace } from './space-file.ts';
import { chatStage } from './synthesize-chat.ts';
import { type Ground, groundOf } from './synthesize-ground.ts';
import type { SynthesisFlags } from './synthesize-options.ts';
import { rewardBy } from './synthesize-reward.ts';
import type { Stage } from './synthesize-stage.ts';

export const SYNTHESIS_STAGES = {
  read: 'Read episodes',
  fit: 'Fit or restore the behaviour space',
  play: 'Play dialogues',
  place: 'Place and verify',
  write: 'Write',
} as const;
export type SynthesisStage = keyof typeof SYNTHESIS_STAGES;

/** Everything that a synthesis works with. */
export interface Workshop {
  readonly ground: Ground;
  /** Members there are, by id. */
  readonly members: ReadonlyMap<string, Member>;
  /** Contexts that can be played, at most as many as were asked for. */
  readonly contexts: number;
  readonly settings: GatewaySettings | null;
  /** Persons to describe who show a mode. */
  readonly drafts: (mode: number) => readonly PersonaDraft[];
  /** Numbers of a search over recipes, and the member that a vector stands for. */
  readonly numbers: readonly string[];
  readonly memberOf: (candidate: SearchCandidate, bases: readonly Member[]) => Member;
  /** Member ids that are asked through the upstream of another; made members are put here. */
  readonly upstreamAs: Map<string, string>;
  /** Not before it is needed: keys are looked for then. */
  openStage(): Stage;
}

const GATEWAY_FILE = { noun: 'settings file', format: 'YAML', mostBytes: 2_000_000 };

/** @throws CA_USAGE for options that lack one another, and what reading and fitting throw. */
export async function openWorkshop(
  paths: readonly string[],
  flags: SynthesisFlags,
  signal: AbortSignal,
  progress: Progress<SynthesisStage>,
): Promise<Workshop> {
  if (flags.world !== undefined) return worldOfLab(flags.world, paths, flags, signal, progress);
  if (flags.gateway === undefined)
    throw new CollapseAwareError('CA_USAGE', 'there is nobody to play', {
      todo: 'give --gateway FILE (members over chat) or --world persuasion (the lab)',
    });
  if (paths.length === 0)
    throw new CollapseAwareError('CA_USAGE', 'no rollouts are given', {
      todo: 'name files of rollouts: the space, the gaps and the contexts come from them',
    });
  const { readSettings } = await import('../gateway/settings/read-settings.ts');
  const settings = readSettings(await readYaml(flags.gateway, GATEWAY_FILE), {
    file: flags.gateway,
    environment: process.env,
  });
  progress('read', 0, null);
  const strict = flags.strict === true;
  const input = await openInput(paths, flags);
  const rollouts = await allOf(input.records);
  checkInput(input.files(), strict);
  const reference = await openReference(flags);
  const people = reference === null ? [] : await allOf(reference.records);
  if (reference !== null) checkInput(reference.files(), strict);
  progress('fit', 0, null);
  const { embedder, usage } = await openEmbedder(flags, signal);
  const ground = await groundOf({
    rollouts,
    people,
    seed: flags.seed,
    signal,
    ...(flags.k === undefined ? {} : { k: flags.k }),
    ...(flags.space === undefined ? {} : { space: await readSpace(flags.space) }),
    ...(embedder === null ? {} : { embedder }),
  });
  reportUsage(usage);
  const { panels } = settings.population;
  const contexts = contextsOf(rollouts, flags.contexts);
  const upstreamAs = new Map<string, string>();
  return {
    ground,
    members: new Map(Object.values(panels).flatMap((panel) => panel.map((member) => [member.id, member]))),
    contexts: contexts.length,
    settings,
    drafts: (mode) => personaDrafts(ground.exemplars.get(mode) ?? [], ground.people),
    numbers: RECIPE_NUMBERS,
    memberOf: memberOfVector,
    upstreamAs,
    openStage() {
      const { agentUrl, agentModel } = flags;
      if (agentUrl === undefined || agentModel === undefined)
        throw new CollapseAwareError('CA_USAGE', 'there is no agent to talk to', {
          todo: 'give --agent-url and --agent-model',
        });
      return chatStage({
        settings,
        agent: { url: agentUrl, model: agentModel, keyEnv: flags.agentKeyEnv ?? null },
        contexts,
        userPrompt: flags.userPrompt,
        agentPrompt: flags.agentPrompt,
        opening: flags.opening ?? null,
        turns: flags.turns,
        maxTokens: flags.maxTokens,
        lanes: flags.lanes,
        upstreamAs,
        rewardOf: flags.rewardCommand === undefined ? null : rewardBy(flags.rewardCommand, flags.rewardRange),
        environment: process.env,
      });
    },
  };
}

/** A world of the lab: its families play, its people are the reference, its demonstrator is the policy. */
async function worldOfLab(
  id: WorldId,
  paths: readonly string[],
  flags: SynthesisFlags,
  signal: AbortSignal,
  progress: Progress<SynthesisStage>,
): Promise<Workshop> {
  if (paths.length > 0 || flags.gateway !== undefined || flags.reference !== undefined)
    throw new CollapseAwareError('CA_USAGE', '--world brings its own rollouts, people and members', {
      todo: 'leave out the files, --reference and --gateway, or --world',
    });
  const { worldWorkshop } = await import('./synthesize-world.ts');
  progress('read', 0, null);
  const world = worldWorkshop(id, flags.seed);
  progress('fit', 0, null);
  const ground = await groundOf({
    rollouts: world.rollouts,
    people: world.people,
    seed: flags.seed,
    signal,
    ...(flags.k === undefined ? {} : { k: flags.k }),
    ...(flags.space === undefined ? {} : { space: await readSpace(flags.space) }),
  });
  return {
    ground,
    members: world.members,
    contexts: flags.contexts,
    settings: null,
    drafts: (mode) => world.draftsOf(ground.exemplars.get(mode) ?? []),
    numbers: world.numbers,
    memberOf: world.memberOf,
    upstreamAs: new Map(),
    openStage: () => world.stage(flags.contexts),
  };
}

async function allOf(records: () => AsyncIterable<Trajectory>): Promise<Trajectory[]> {
  const rows: Trajectory[] = [];
  for await (const row of records()) rows.push(row);
  return rows;
}

/** One dialogue of each context, those contexts first whose smallest content hash comes first. */
function contextsOf(rollouts: readonly Trajectory[], most: number): readonly Trajectory[] {
  const first = new Map<string, { hash: string; one: Trajectory }>();
  for (const one of rollouts) {
    const hash = contentHash(one.turns, one.scenario);
    const held = first.get(one.context);
    if (held === undefined || hash < held.hash) first.set(one.context, { hash, one });
  }
  return [...first.values()]
    .sort((a, b) => (a.hash < b.hash ? -1 : 1))
    .slice(0, most)
    .map(({ one }) => one);
}

/**
 * Members whose model can be asked to be somebody else: those named, else all of the gateway's that can.
 * @throws CA_USAGE for a name that is nobody's.
 */
export function basesOf(
  workshop: Pick<Workshop, 'members'>,
  named: readonly string[] | undefined,
): readonly Member[] {
  const able = [...workshop.members.values()].filter(({ recipe: { kind } }) =>
    ['direct', 'persona', 'verbalized'].includes(kind),
  );
  const bases = named === undefined ? able : named.map((id) => memberNamed(workshop, id));
  if (bases.length === 0)
    throw new CollapseAwareError('CA_USAGE', 'no member can be asked to be somebody else', {
      todo: 'add one whose recipe is direct, persona or verbalized',
    });
  return bases;
}

/** @throws CA_USAGE */
export function memberNamed({ members }: Pick<Workshop, 'members'>, id: string): Member {
  const found = members.get(id);
  if (found !== undefined) return found;
  throw new CollapseAwareError('CA_USAGE', `there is no member '${id}'`, {
    todo: `name one of ${[...members.keys()].sort().join(', ')}`,
  });
}
