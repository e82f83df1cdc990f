import { type Random, seeded } from '../../../math/random.ts';
import type { Setting } from '../../world/setting.ts';
import { PROJECTS } from './projects.ts';
import { KIND, type Work } from './repository.ts';

export interface Region {
  readonly symbol: string;
  readonly file: string;
}

/** Two features in one repository: each side needs its own regions and the overlap. */
export interface PairSetting extends Setting, Work {
  readonly agentRegions: readonly Region[];
  readonly partnerRegions: readonly Region[];
  readonly overlapRegions: readonly Region[];
}

/** Below this horizon one region overlaps, and both have their own parts behind them. */
const SHORT = 20;
const TWO_OVERLAPS = 0.4;
/** P(merge), P(agent's signature), the rest is the partner's. */
const MERGES = 0.3;
const AGENT_SIGNS = 0.42;

export function pairSetting(index: number, seed: number, horizon: number): PairSetting {
  const random = seeded(seed).fork(`pair-coding setting ${index}`);
  const project = PROJECTS[random.integer(PROJECTS.length)]!;
  const regions = random.shuffle(project.regions.map(([symbol, file]) => ({ symbol, file })));
  const [feature, other] = random.shuffle([...project.features]) as [string, string];
  const overlaps = horizon >= SHORT && random.next() < TWO_OVERLAPS ? 2 : 1;
  const agentOnly = 1 + random.integer(2);
  // 4 to 6 regions in all.
  const partnerOnly = overlaps + agentOnly < 3 ? 2 : 1 + random.integer(2);
  const kinds = Array.from({ length: overlaps }, () => kindOf(random));
  const overlapRegions = regions.slice(0, overlaps);
  const agentRegions = regions.slice(overlaps, overlaps + agentOnly);
  const partnerRegions = regions.slice(overlaps + agentOnly, overlaps + agentOnly + partnerOnly);
  const shared = overlapRegions[0]!;
  const begun = horizon < SHORT;
  const partnerPlan = listed([...overlapRegions, ...partnerRegions]);
  const rules = overlapRegions.map(({ symbol }, o) => {
    if (kinds[o] === KIND.partner) return `${symbol} must take your signature.`;
    if (kinds[o] === KIND.agent) return `${symbol} can take another signature than yours.`;
    return `${symbol} can hold both changes.`;
  });
  return {
    world: 'pair-coding',
    label: `${project.name}: ${feature} beside ${other} (${listed(overlapRegions)})`,
    // Two settings that differ in anything differ here.
    scenario:
      `Build ${other} in ${project.name}: change ${partnerPlan}. ${rules.join(' ')} ` +
      `Somebody else builds ${feature}: keep out of ${listed(agentRegions)}.${
        begun ? ` ${listed(partnerRegions)}: done and pushed.` : ''
      }`,
    slots: {
      project: project.name,
      feature,
      other,
      agentPlan: listed([...overlapRegions, ...agentRegions]),
      partnerPlan,
      region: shared.symbol,
      file: shared.file,
    },
    agentOnly,
    partnerOnly,
    kinds,
    begun,
    agentRegions,
    partnerRegions,
    overlapRegions,
  };
}

function kindOf(random: Random): number {
  const u = random.next();
  if (u < MERGES) return KIND.merge;
  return u < MERGES + AGENT_SIGNS ? KIND.agent : KIND.partner;
}

function listed(regions: readonly Region[]): string {
  const names = regions.map(({ symbol }) => symbol);
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
