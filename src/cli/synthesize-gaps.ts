import { CollapseAwareError } from '../errors.ts';
import { memberFingerprint } from '../population/index.ts';
import { type GapMember, type GapPlan, planGaps, verifyGap } from '../synthesis/index.ts';
import type { SynthesisFlags } from './synthesize-options.ts';
import type { Kind } from './synthesize-run.ts';
import { basesOf } from './synthesize-workshop.ts';

export interface GapFlags extends SynthesisFlags {
  readonly bases?: string[];
  readonly gaps: number;
  readonly perGap: number;
  readonly candidates: number;
}

const percent = (share: number) => `${Math.round(100 * share)} %`;

/** Members for modes that people show and the rollouts do not. */
export const gapsKind: Kind<GapFlags> = {
  name: 'gaps',
  plan(workshop, flags) {
    const { ground, drafts } = workshop;
    if (ground.people.length === 0)
      throw new CollapseAwareError('CA_USAGE', 'without people nothing can be said to be missing', {
        todo: 'give dialogues of people with the same task: --reference FILES',
      });
    const whole = planGaps({
      gaps: ground.gaps.slice(0, flags.gaps),
      bases: basesOf(workshop, flags.bases),
      drafts,
      // More than are wanted: some may be made for a larger gap already.
      perGap: SPARE * flags.perGap,
      candidates: flags.candidates,
    });
    const plan = onceEach(whole, flags.perGap);
    const made = plan.targets.flatMap(({ members }) => members);
    for (const { member, origin } of made)
      if (origin.kind === 'gap') workshop.upstreamAs.set(member.id, origin.base);
    return {
      data: plan,
      members: made.map(({ member }) => member),
      lines: [
        ground.gaps.length === 0
          ? 'no mode of people is missing: nobody needs to be made'
          : `${ground.gaps.length} modes of people are missing; the ${plan.targets.length} largest are planned for`,
        ...plan.targets.map(
          ({ mode, mass, members, reason }) =>
            `  mode ${mode} (${percent(mass)} of people): ${reason ?? members.map(({ member }) => member.id).join(', ')}`,
        ),
      ],
    };
  },
  async carryOut({ data }, { play, tokensOf }, _workshop, flags) {
    const { targets } = data as GapPlan;
    const made = targets.flatMap((target) => target.members.map((one) => ({ ...one, target })));
    const rows = await play(made.map(({ member }) => member));
    const verified = made.map((one) => ({
      ...one,
      found: verifyGap({ ...one.target, member: one.member.id }, rows, {
        realismFloor: flags.floor,
        tokensOf,
      }),
    }));
    return {
      found: {
        gaps: verified.map(({ found }) => found),
        skipped: targets.flatMap(({ mode, mass, reason }) =>
          reason === null ? [] : [{ mode, mass, reason }],
        ),
      },
      members: verified.flatMap(({ found, member, origin }) =>
        found.verdict === 'accepted' ? [{ member, origin }] : [],
      ),
      accepted: new Set(verified.flatMap(({ found }) => found.accepted)),
      reasons: new Map(verified.flatMap(({ found }) => found.refused.map(({ id, reason }) => [id, reason]))),
    };
  },
};

const SPARE = 4;

/** Two gaps may be described alike: one simulator is made once, for the larger of them. */
function onceEach(plan: GapPlan, perGap: number): GapPlan {
  const made = new Set<string>();
  return {
    ...plan,
    targets: plan.targets.map((target) => {
      const members: GapMember[] = [];
      for (const one of target.members) {
        const print = memberFingerprint(one.member);
        if (members.length === perGap || made.has(print)) continue;
        made.add(print);
        members.push(one);
      }
      const reason = members.length === 0 ? 'its persons are made for a larger gap' : null;
      return { ...target, members, reason: target.reason ?? reason };
    }),
  };
}
