import { CollapseAwareError } from '../../errors.ts';
import type { Trajectory } from '../../trajectory/trajectory.ts';
import type { Check, Finding, GateVerdict, Inspection, JudgeVote } from './check.ts';
import { builtInChecks, type CheckFacts } from './checks.ts';
import type { GateAction, GateRecipe } from './gate-recipe.ts';
import { judgeFindings } from './judge-findings.ts';

/** A quality gate for one data set: it remembers rows, to know duplicates and whether rewards are to be expected. */
export interface QualityGate {
  /** Checks that are on, in the order of findings. */
  readonly checks: readonly (CheckFacts & { readonly action: GateAction })[];
  /**
   * First pass, optional: every row of the data, in any order. Without it `missing-reward` cannot judge rows without
   * a reward (they are `unchecked`), and of equal rows the first one inspected stays.
   */
  observe(episode: Trajectory): void;
  /**
   * Second pass: what is wrong with a row and whether it stays. The same row can be inspected again, for example when
   * a model has voted on it. `votes`: answers by question; `unchecked` where the configured model could not be asked;
   * null or left out where it was not.
   */
  inspect(episode: Trajectory, votes?: readonly JudgeVote[] | 'unchecked' | null): GateVerdict;
}

/**
 * Makes the gate that a recipe describes. `own`: checks beside the built-in ones; an own check drops what it finds
 * unless `actions` says otherwise. Throws CA_CONFIG_INVALID on an action for a check that does not exist, on two
 * checks of one name and on a reward range whose ends cross.
 */
export function planGate(recipe: GateRecipe, own: readonly Check[] = []): QualityGate {
  const all = [...builtInChecks(recipe.rewardRange), ...own];
  validate(recipe, all);
  const actionOf = (check: string): GateAction => recipe.actions[check] ?? 'drop';
  const active = all.filter(({ name }) => actionOf(name) !== 'off');
  // A check that failed while it observed knows only part of the data.
  const failed = new Set<Check>();

  return {
    checks: active.map(({ name, blame, title }) => ({ name, blame, title, action: actionOf(name) })),
    observe(episode) {
      for (const check of active)
        try {
          check.observe?.(episode);
        } catch {
          failed.add(check);
        }
    },
    inspect(episode, votes = null) {
      const findings: Finding[] = [];
      const flags: Finding[] = [];
      const unchecked: string[] = [];
      const note = (found: Finding, action: GateAction) =>
        (action === 'drop' && found.blame !== 'policy' ? findings : flags).push(found);
      for (const check of active) {
        const found = failed.has(check) ? 'unchecked' : safely(check, episode);
        if (found === 'unchecked') unchecked.push(check.name);
        else if (found !== null) note(found, actionOf(check.name));
      }
      if (recipe.judge !== null && votes !== null) {
        const judged = judgeFindings(recipe.judge, votes);
        for (const found of judged.findings) {
          const action = actionOf(found.check);
          if (action !== 'off') note(found, action);
        }
        unchecked.push(...judged.unchecked.filter((name) => actionOf(name) !== 'off'));
      }
      const kept = findings.length === 0 && !(recipe.unchecked === 'drop' && unchecked.length > 0);
      return { kept, findings, flags, unchecked };
    },
  };
}

/** An own check may fail on a row that its author did not think of; the row then counts as not looked at. */
function safely(check: Check, episode: Trajectory): Inspection {
  try {
    return check.inspect(episode) ?? null;
  } catch {
    return 'unchecked';
  }
}

function validate(recipe: GateRecipe, checks: readonly Check[]): void {
  const names = new Set<string>();
  for (const { name } of checks) {
    if (names.has(name))
      throw invalid(`gate: two checks are named "${name}"`, 'give each check a name of its own');
    if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name))
      throw invalid(
        `gate: the check name "${name}" is not kebab-case`,
        'use small letters, digits and hyphens',
      );
    names.add(name);
  }
  for (const [name, action] of Object.entries(recipe.actions)) {
    if (!names.has(name) && !name.startsWith('judge:'))
      throw invalid(`gate.actions.${name}: there is no such check`, `use one of ${[...names].join(', ')}`);
    if (!['drop', 'flag', 'off'].includes(action))
      throw invalid(`gate.actions.${name}: found "${action}"`, 'use one of drop, flag, off');
  }
  if (recipe.rewardRange !== null) {
    const [low, high] = recipe.rewardRange;
    if (!(low <= high))
      throw invalid(`gate.rewardRange: found ${low} .. ${high}`, 'give the lower end first');
  }
}

function invalid(found: string, todo: string): CollapseAwareError {
  return new CollapseAwareError('CA_CONFIG_INVALID', found, { todo });
}
