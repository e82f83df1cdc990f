import type { GateAction, GateProfile, GateRecipe } from './gate/gate-recipe.ts';
import type { Recipe } from './recipe.ts';

/** A proposal that was changed back. */
export interface Undone {
  readonly path: string;
  /** What was proposed, and what stands instead. */
  readonly found: string;
  readonly kept: string;
}

const PROFILES: readonly GateProfile[] = ['lenient', 'standard', 'strict'];
const ACTIONS: readonly GateAction[] = ['off', 'flag', 'drop'];

/**
 * A proposed recipe whose gate lets nothing pass that the base's would not: it may get stricter, never looser, and
 * the judge (whom rows are sent to, with which key) stays what a person chose. Both planners go through it.
 */
export function withoutBypass(base: Recipe, proposed: Recipe): { recipe: Recipe; undone: Undone[] } {
  const undone: Undone[] = [];
  if (base.gate === null) {
    // Switched off by hand: a planner may switch it on, without a judge of its own choice.
    if (proposed.gate === null || proposed.gate.judge === null) return { recipe: proposed, undone };
    undone.push({ path: 'gate.judge', found: 'a judge', kept: 'off' });
    return { recipe: { ...proposed, gate: { ...proposed.gate, judge: null } }, undone };
  }
  if (proposed.gate === null) {
    undone.push({ path: 'gate', found: 'off', kept: base.gate.profile });
    return { recipe: { ...proposed, gate: base.gate }, undone };
  }
  return { recipe: { ...proposed, gate: guarded(base.gate, proposed.gate, undone) }, undone };
}

function guarded(base: GateRecipe, proposed: GateRecipe, undone: Undone[]): GateRecipe {
  const keep = <T>(path: string, looser: boolean, found: T, kept: T): T => {
    if (!looser) return found;
    undone.push({ path: `gate.${path}`, found: word(found), kept: word(kept) });
    return kept;
  };
  const actions: Record<string, GateAction> = {};
  for (const [name, kept] of Object.entries(base.actions)) {
    const found = Object.hasOwn(proposed.actions, name) ? proposed.actions[name]! : 'off';
    actions[name] = keep(`checks.${name}`, ACTIONS.indexOf(found) < ACTIONS.indexOf(kept), found, kept);
  }
  for (const [name, found] of Object.entries(proposed.actions))
    if (!Object.hasOwn(base.actions, name)) actions[name] = found;
  const sameJudge = JSON.stringify(base.judge) === JSON.stringify(proposed.judge);
  return {
    profile: keep(
      'profile',
      PROFILES.indexOf(proposed.profile) < PROFILES.indexOf(base.profile),
      proposed.profile,
      base.profile,
    ),
    actions,
    rewardRange: keep(
      'rewardRange',
      isWider(base.rewardRange, proposed.rewardRange),
      proposed.rewardRange,
      base.rewardRange,
    ),
    unchecked: keep(
      'unchecked',
      base.unchecked === 'drop' && proposed.unchecked === 'keep',
      proposed.unchecked,
      base.unchecked,
    ),
    judge: keep('judge', !sameJudge, proposed.judge, base.judge),
  };
}

function isWider(base: GateRecipe['rewardRange'], proposed: GateRecipe['rewardRange']): boolean {
  if (base === null) return false;
  return proposed === null || proposed[0] < base[0] || proposed[1] > base[1];
}

function word(value: unknown): string {
  if (value === null) return 'off';
  if (Array.isArray(value)) return `[${value.join(', ')}]`;
  return typeof value === 'object' ? 'another one' : String(value);
}
