import { isBetween, type PathPlan, planPath, reaches, verifyPath } from '../synthesis/index.ts';
import type { SynthesisFlags } from './synthesize-options.ts';
import type { Kind } from './synthesize-run.ts';
import { memberNamed } from './synthesize-workshop.ts';

export interface PathFlags extends SynthesisFlags {
  readonly from: string;
  readonly to: string;
  readonly how: 'prompt' | 'sampling' | 'mixture';
  readonly lambdas: number[];
  readonly tolerance: number;
}

/** Members between two. */
export const pathKind: Kind<PathFlags> = {
  name: 'path',
  plan(workshop, flags) {
    const { from, to, how, lambdas } = flags;
    const plan = planPath({ a: memberNamed(workshop, from), b: memberNamed(workshop, to), how, lambdas });
    for (const { member } of plan.steps) workshop.upstreamAs.set(member.id, from);
    return {
      data: plan,
      members: plan.steps.map(({ member }) => member),
      lines: [
        `${plan.steps.length} members from ${from} to ${to} by ${how}: ${plan.steps.map(({ member }) => member.id).join(', ')}`,
      ],
    };
  },
  async carryOut({ data }, { play }, { ground }, { floor, tolerance }) {
    const plan = data as PathPlan;
    const rows = await play(plan.steps.map(({ member }) => member));
    const path = verifyPath(plan, rows, ground.k, { tolerance });
    const reasons = new Map<string, string>();
    const accepted = new Set<string>();
    const inner = new Map(
      plan.steps.flatMap(({ lambda, member }, i) =>
        lambda > 0 && lambda < 1 ? [[member.id, path.steps[i]!] as const] : [],
      ),
    );
    /** Why a member is not taken; null where it is. */
    const against = (member: string): string | null => {
      const point = inner.get(member);
      // The ends are members that there are already.
      if (point === undefined) return 'an end of the path';
      if (path.verdict !== 'monotone') return `path ${path.verdict}`;
      if (!reaches(point.realism, floor)) return 'realism not shown to reach the floor';
      return isBetween(point) ? null : 'not shown to lie between the ends';
    };
    const taken = plan.steps.filter(({ member }) => against(member.id) === null);
    for (const { id, simulator, outside } of rows) {
      const reason = against(simulator) ?? (outside ? 'off support' : null);
      if (reason === null) accepted.add(id);
      else reasons.set(id, reason);
    }
    return {
      found: { path },
      members: taken.map(({ member, origin }) => ({ member, origin })),
      accepted,
      reasons,
    };
  },
};
