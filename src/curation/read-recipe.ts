import type { z } from 'zod';
import type { GateAction, GateRecipe } from './gate/gate-recipe.ts';
import {
  type AdvantageRecipe,
  type AllocationRecipe,
  type BatchesRecipe,
  type ConsistencyRecipe,
  type GradientRecipe,
  RECIPE_SCHEMA,
  type Recipe,
  type SelectionRecipe,
  type WeightsRecipe,
} from './recipe.ts';
import {
  CONSISTENCY_DEFAULTS,
  defaultRecipe,
  defaultsFor,
  JUDGE_VOTES,
  type KnownChecks,
  knownChecks,
  profileGate,
  STAGE_DEFAULTS,
} from './recipe-defaults.ts';
import { type RecipeFault, recipeError, shown } from './recipe-fault.ts';
import { correctionPlace, isOn, judgeChecks, ruleFaults, unknownName } from './recipe-rules.ts';
import { EXPORTS, RECIPE_KEYS, type RecipeInput, recipeSchema } from './recipe-schema.ts';

export interface ReadRecipeOptions {
  /** Default: the built-in checks; `knownChecks(names)` adds own ones. */
  readonly known?: KnownChecks;
  /** Where faults say the recipe was read from. */
  readonly file?: string;
}

/**
 * A written recipe, checked, with every default filled in; nothing (an empty file) is the default recipe.
 * Throws CA_CONFIG_INVALID naming every fault at once: key, value found, allowed range.
 */
export function readRecipe(value: unknown, options: ReadRecipeOptions = {}): Recipe {
  const known = options.known ?? knownChecks();
  const faults = recipeFaults(value, known);
  if (faults.length > 0) throw recipeError(faults, options.file);
  if (value === null || value === undefined) return defaultRecipe(known);
  return filled(recipeSchema.parse(value), known);
}

/** Everything wrong with a written recipe; empty = `readRecipe` takes it. */
export function recipeFaults(value: unknown, known: KnownChecks = knownChecks()): RecipeFault[] {
  if (value === null || value === undefined) return [];
  const result = recipeSchema.safeParse(value);
  const lost = lostFaults(value, known);
  if (result.success) return [...lost, ...ruleFaults(result.data, known)];
  const faults: RecipeFault[] = [...lost];
  for (const fault of result.error.issues.flatMap((issue) => told(issue, [], value)))
    if (!faults.some(({ path }) => path === fault.path)) faults.push(fault);
  // Rules between keys hold for what is sound, so that one misspelt key does not hide two corrections at once.
  const sound = soundPart(value, faults);
  if (sound !== null) faults.push(...ruleFaults(sound, known));
  return faults;
}

/** zod leaves this one key of a free mapping out, and says nothing. */
function lostFaults(value: unknown, known: KnownChecks): RecipeFault[] {
  const checks = valueAt(value, ['gate', 'checks']);
  const names = Object.keys(known.profile('standard').actions);
  return typeof checks === 'object' && checks !== null && Object.hasOwn(checks, '__proto__')
    ? [unknownName('gate.checks', 'check', '__proto__', names)]
    : [];
}

type Issue = z.core.$ZodIssue;

function told(issue: Issue, above: readonly PropertyKey[], input: unknown): RecipeFault[] {
  const keys = [...above, ...issue.path];
  // Two numbers are one value.
  if (PAIRS.includes(keys.slice(0, -1).join('.'))) keys.pop();
  const path = keys.map(String).join('.');
  const at = valueAt(input, keys);
  if (issue.code === 'unrecognized_keys') {
    const known = RECIPE_KEYS.get(path) ?? [];
    return issue.keys.map((key) => {
      const name = path === 'gate.judge' && !isPlainName(key) ? '(name not shown)' : key;
      return unknownName(path, 'key', name, known, hintOf(path, key));
    });
  }
  if (issue.code === 'invalid_union' && typeof at === 'object' && at !== null && !Array.isArray(at)) {
    const inner = issue.errors.find((list) => list.some(isDeep));
    if (inner !== undefined) return inner.flatMap((one) => told(one, keys, input));
  }
  return [{ path, found: SECRET.test(path) ? hidden(at) : shown(at), allowed: issue.message }];
}

const PAIRS = ['weights.bounds', 'gate.rewardRange'];
const isDeep = (issue: Issue) => issue.path.length > 0 || issue.code === 'unrecognized_keys';

/** A key or a URL with a password may have been pasted here: never repeated. */
const SECRET = /^gate(\.judge(\.(keyEnv|url|model))?)?$/;
function hidden(value: unknown): string {
  if (typeof value === 'string') return `text of ${value.length} characters (not shown)`;
  return Array.isArray(value) ? `a list of ${value.length}` : shown(value);
}

/** What may be a key of an API in place of the name of a setting. */
const isPlainName = (name: string) => /^[a-z]+([_-]?[a-z]+)*$/i.test(name) && name.length <= 24;

/** Names that people try which are spelt unlike ours, and keys that belong into another mapping. */
function hintOf(path: string, key: string): string | undefined {
  if (path === 'gate.judge' && /key|token|secret/i.test(key)) return 'keyEnv';
  if (path === 'gate.judge' && /^(base_?url|endpoint|api_?base)$/i.test(key)) return 'url';
  if (RECIPE_KEYS.get(path)?.some((own) => own.toLowerCase() === key.toLowerCase())) return undefined;
  for (const [other, keys] of RECIPE_KEYS)
    if (other !== path && keys.includes(key)) return other === '' ? `${key} at the top` : `${other}.${key}`;
  return undefined;
}

function valueAt(value: unknown, keys: readonly PropertyKey[]): unknown {
  let at: unknown = value;
  for (const key of keys) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<PropertyKey, unknown>)[key];
  }
  return at;
}

/** The recipe without its faulty keys; null where what is left is no recipe. */
function soundPart(value: unknown, faults: readonly RecipeFault[]): RecipeInput | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const rest: Record<string, unknown> = {};
  for (const [key, own] of Object.entries(value)) {
    const wrong = faults.filter(({ path }) => path === key || path.startsWith(`${key}.`));
    if (wrong.length === 0) rest[key] = own;
    else if (
      typeof own === 'object' &&
      own !== null &&
      !Array.isArray(own) &&
      wrong.every((f) => f.path !== key)
    )
      rest[key] = Object.fromEntries(
        Object.entries(own).filter(
          ([inner]) => !wrong.some(({ path }) => `${path}.`.startsWith(`${key}.${inner}.`)),
        ),
      );
  }
  const result = recipeSchema.safeParse(rest);
  return result.success ? result.data : null;
}

function filled(input: RecipeInput, known: KnownChecks): Recipe {
  const defaults = defaultsFor(correctionPlace(input));
  return {
    schema: RECIPE_SCHEMA,
    seed: input.seed ?? defaultRecipe(known).seed,
    gate: gateFilled(input.gate, known),
    weights: stage<WeightsRecipe>(input.weights, defaults.weights, true),
    batches: stage<BatchesRecipe>(input.batches, defaults.batches, true),
    gradient: stage<GradientRecipe>(input.gradient, STAGE_DEFAULTS.gradient, false),
    advantage: advantageFilled(input.advantage, isOn(input.selection)),
    selection: stage<SelectionRecipe>(input.selection, STAGE_DEFAULTS.selection, false),
    allocation: stage<AllocationRecipe>(input.allocation, STAGE_DEFAULTS.allocation, false),
    export: EXPORTS.filter((name) => (input.export ?? ['native']).includes(name)),
  };
}

type Written<T> = boolean | Partial<{ [K in keyof T]: T[K] | undefined }> | undefined;

/** `on` = the stage runs where the recipe does not name it. */
function stage<T extends object>(written: Written<T>, defaults: T, on: boolean): T | null {
  if (written === false || (written === undefined && !on)) return null;
  return typeof written === 'object' ? { ...defaults, ...present(written) } : defaults;
}

/** Keys in the order of the defaults, without those that stand for nothing: equal recipes are equal bytes. */
function present<T extends object>(written: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(written).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

function gateFilled(written: RecipeInput['gate'], known: KnownChecks): GateRecipe | null {
  if (written === false) return null;
  const { profile, checks, rewardRange, unchecked, judge } = typeof written === 'object' ? written : {};
  const gate = profileGate(profile ?? 'standard', known);
  return {
    ...gate,
    actions: actionsFilled(gate.actions, checks ?? {}, known),
    rewardRange: rewardRange === undefined ? gate.rewardRange : rewardRange,
    unchecked: unchecked ?? gate.unchecked,
    judge: typeof judge === 'object' ? judgeFilled(judge, known) : null,
  };
}

/** In one order, whatever that of the keys; a judge's finding drops where nothing else is said. */
function actionsFilled(
  usual: GateRecipe['actions'],
  written: Readonly<Record<string, GateAction>>,
  known: KnownChecks,
): GateRecipe['actions'] {
  const actions: Record<string, GateAction> = {};
  for (const [name, action] of Object.entries(usual)) actions[name] = written[name] ?? action;
  for (const name of judgeChecks(known.questions)) {
    const action = written[name];
    if (action !== undefined && action !== 'drop') actions[name] = action;
  }
  return actions;
}

function judgeFilled(
  judge: Exclude<Exclude<RecipeInput['gate'], boolean | undefined>['judge'], false | undefined>,
  known: KnownChecks,
): GateRecipe['judge'] {
  const votes = judge.votes ?? JUDGE_VOTES;
  const { questions } = judge;
  return {
    url: judge.url,
    model: judge.model,
    keyEnv: judge.keyEnv ?? null,
    questions: known.questions.filter((name) => questions === undefined || questions.includes(name)),
    votes,
    agree: judge.agree ?? Math.floor(votes / 2) + 1,
  };
}

function advantageFilled(written: RecipeInput['advantage'], selects: boolean): AdvantageRecipe | null {
  // Advantages of what a selection keeps hold its pair weights: a trainer cannot be left to find them.
  if (written === false || (written === undefined && !selects)) return null;
  const { consistency, ...rest } = typeof written === 'object' ? written : {};
  return {
    ...STAGE_DEFAULTS.advantage,
    ...(selects ? { normalise: false } : {}),
    ...present(rest),
    consistency: consistencyFilled(consistency),
  };
}

function consistencyFilled(
  written:
    | boolean
    | Partial<{ [K in keyof ConsistencyRecipe]: ConsistencyRecipe[K] | undefined }>
    | undefined,
): ConsistencyRecipe | null {
  if (written === undefined || written === false) return null;
  const own = typeof written === 'object' ? written : {};
  return { ...CONSISTENCY_DEFAULTS[own.rule ?? 'v-rex'], ...present(own) };
}
