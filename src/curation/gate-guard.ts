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
    undone.push({ path: 'gate.judge', found: 'a judge', kept: 'false' });
    return { recipe: { ...proposed, gate: { ...proposed.gate, judge: null } }, undone };
  }
  if (proposed.gate === null) {
    undone.push({ path: 'gate', found: 'false', kept: base.gate.profile });
    return { recipe: { ...proposed, gate: base.gate }, undone };
  }
  return { recipe: { ...proposed, gate: guarded(base.gate, proposed.gate, undone) }, undone };
}

function guarded(base: GateRecipe, proposed: GateRecipe, undone: Undone[]): GateRecipe {
  const keep = <T>(path: string, looser: boolean, found: T, kept: T): T => {
    if (!looser) return found;
    undone.push({ path: `gate.${path}`, found: word(path, found), kept: word(path, kept) });
    return kept;
  };
  const actions: Record<string, GateAction> = {};
  for (const name of new Set([...Object.keys(base.actions), ...Object.keys(proposed.actions)])) {
    const kept = actionOf(base, name);
    const found = actionOf(proposed, name);
    const looser = ACTIONS.indexOf(found) < ACTIONS.indexOf(kept);
    // An action that is not written stays so: what is not there is not a change.
    if (looser ? Object.hasOwn(base.actions, name) : Object.hasOwn(proposed.actions, name))
      actions[name] = looser ? kept : found;
    if (looser) undone.push({ path: `gate.checks.${name}`, found, kept });
  }
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

/** What a check does where a recipe does not name it: nothing; a judge's finding drops. */
function actionOf({ actions }: GateRecipe, name: string): GateAction {
  if (Object.hasOwn(actions, name)) return actions[name]!;
  return name.startsWith('judge:') ? 'drop' : 'off';
}

function isWider(base: GateRecipe['rewardRange'], proposed: GateRecipe['rewardRange']): boolean {
  if (base === null) return false;
  return proposed === null || proposed[0] < base[0] || proposed[1] > base[1];
}

/** As a file says it. */
function word(path: string, value: unknown): string {
  if (value === null) return path === 'judge' ? 'false' : 'null';
  if (Array.isArray(value)) return `[${value.join(', ')}]`;
  return typeof value === 'object' ? 'another one' : String(value);
}
