import { join } from 'node:path';
import { stringify } from 'yaml';
import { type Member, writtenMember } from '../population/index.ts';
import { writeFileAtomic } from '../store/index.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import type { MadeMember, RefusedEpisode, SynthesisReport } from './synthesize-report.ts';

export interface SynthesisOutputs {
  readonly report: SynthesisReport;
  readonly accepted: readonly Trajectory[];
  readonly refused: readonly RefusedEpisode[];
  readonly members: readonly MadeMember[];
  /** Upstream of each accepted member by its id; nobody in the lab has one. */
  readonly upstreamOf: ReadonlyMap<string, string>;
}

/** The files of a synthesis, each whole or not at all; the report last, so that where it is, the others are. */
export async function writeOutputs(
  folder: string,
  { report, accepted, refused, members, upstreamOf }: SynthesisOutputs,
  signal: AbortSignal,
): Promise<void> {
  const write = (name: string, content: string) => writeFileAtomic(join(folder, name), content, { signal });
  await write('accepted.jsonl', accepted.map((one) => `${JSON.stringify(one)}\n`).join(''));
  await write('refused.jsonl', refused.map((one) => `${JSON.stringify(one)}\n`).join(''));
  await write('members.yaml', membersFile(members, upstreamOf));
  await write('report.json', `${JSON.stringify(report, null, 2)}\n`);
}

const HEAD = `# Members that were accepted. In the settings of a gateway: under population.members, and their ids under
# population.seen. In a panels file: under members, without their upstream.
`;

/** Members inside a recipe by their ids: the file that this goes into has them. */
function namingParts(member: Member): Record<string, unknown> {
  const written = writtenMember(member);
  const { recipe } = member;
  return recipe.kind === 'interpolate'
    ? { ...written, recipe: { ...recipe, a: recipe.a.id, b: recipe.b.id } }
    : written;
}

function membersFile(members: readonly MadeMember[], upstreamOf: ReadonlyMap<string, string>): string {
  const written = members.map(({ member }) => {
    const upstream = upstreamOf.get(member.id);
    return { ...namingParts(member), ...(upstream === undefined ? {} : { upstream }) };
  });
  return `${HEAD}${stringify({ members: written }, { lineWidth: 0 })}`;
}
