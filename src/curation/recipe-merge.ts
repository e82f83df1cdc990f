import type { GateAction } from './gate/gate-recipe.ts';
import type { Recipe } from './recipe.ts';
import type { KnownChecks } from './recipe-defaults.ts';
import { correctionPlace, isOn, writtenCorrections } from './recipe-rules.ts';
import type { RecipeInput } from './recipe-schema.ts';
import { writtenRecipe } from './written-recipe.ts';

/**
 * The base with a partial recipe written over it. Where the partial one says where concentration is corrected, what
 * the base says of it gives way; where it only takes a correction away, the base's word on the other places stands.
 * A selection that it switches on takes the base's normalisation away, and brings the defaults of a selection where
 * the base has no advantage and where its batches are balanced. Both must be sound by themselves.
 */
export function mergedRecipe(base: Recipe, partial: RecipeInput, known: KnownChecks): RecipeInput {
  const below = writtenRecipe(base, known);
  const selects = isOn(partial.selection) && base.selection === null;
  if (writtenCorrections(partial).length > 0 || (selects && isBalanced(base))) {
    if (typeof below.weights === 'object') {
      delete below.weights.concentration;
      delete below.weights.coverage;
    }
    if (typeof below.batches === 'object') delete below.batches.balance;
    delete below.gradient;
  }
  if (selects && base.advantage === null) delete below.advantage;
  if (isOn(partial.selection) && typeof below.advantage === 'object') delete below.advantage.normalise;
  return merged(below, partial) as RecipeInput;
}

/** What must be written over the base to get `proposed`: the keys that differ. */
export function partialRecipe(base: Recipe, proposed: Recipe, known: KnownChecks): RecipeInput {
  const below = writtenRecipe(base, known);
  const above = writtenRecipe(proposed, known);
  const partial = (difference(below, above) ?? {}) as RecipeInput;
  const selects = proposed.selection !== null && base.selection === null;
  if (selects && proposed.advantage === null) partial.advantage = false;
  if (selects && isBalanced(base) && isBalanced(proposed))
    partial.batches = { ...(typeof partial.batches === 'object' ? partial.batches : {}), balance: 'mode' };
  if (writtenCorrections(partial).length > 0 || (selects && isBalanced(base))) settleGivenWay(partial, above);
  // The base's own word on a check would outlive a plan that goes back to what the profile says.
  const held = typeof below.gate === 'object' ? (below.gate.checks ?? {}) : {};
  const { gate } = proposed;
  const changed = Object.keys(held).filter((name) => gate !== null && held[name] !== gate.actions[name]);
  if (changed.length > 0 && gate !== null) {
    const own = typeof partial.gate === 'object' ? partial.gate : {};
    const checks: Record<string, GateAction> = { ...own.checks };
    for (const name of changed) checks[name] = gate.actions[name]!;
    partial.gate = { ...own, checks };
  }
  return partial;
}

/** What the base then says no more (`mergedRecipe`) is written where it is not what its default would be. */
function settleGivenWay(partial: RecipeInput, { weights }: RecipeInput): void {
  if (typeof weights !== 'object') return;
  const usual = correctionPlace(partial) === 'weights';
  const odd = (['concentration', 'coverage'] as const).filter((key) => weights[key] !== usual);
  if (odd.length === 0) return;
  const own = typeof partial.weights === 'object' ? partial.weights : {};
  partial.weights = { ...own, ...Object.fromEntries(odd.map((key) => [key, weights[key]])) };
}

const isBalanced = ({ batches }: Recipe) => batches?.balance === 'mode';

function merged(below: unknown, above: unknown): unknown {
  if (above === undefined) return below;
  // `true` switches a stage on; it does not undo how the base sets it.
  if (above === true && isMapping(below)) return below;
  if (!isMapping(below) || !isMapping(above)) return above;
  const keys = [...new Set([...Object.keys(below), ...Object.keys(above)])];
  return Object.fromEntries(keys.map((key) => [key, merged(below[key], above[key])]));
}

/** Undefined where both are the same. */
function difference(below: unknown, above: unknown): unknown {
  if (!isMapping(below) || !isMapping(above))
    return JSON.stringify(below) === JSON.stringify(above) ? undefined : above;
  const entries = Object.keys(above)
    .map((key) => [key, difference(below[key], above[key])] as const)
    .filter(([, value]) => value !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
