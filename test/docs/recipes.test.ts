import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { planRules } from '../../src/curation/planner-rules.ts';
import { readRecipe, recipeFaults } from '../../src/curation/read-recipe.ts';
import { DEFAULT_RECIPE, knownChecks } from '../../src/curation/recipe-defaults.ts';
import { RECIPE_KEYS } from '../../src/curation/recipe-schema.ts';
import { pages, ROOT, tableUnder } from './pages.ts';

const FOLDER = join(ROOT, 'docs/examples/recipes');
const recipes = readdirSync(FOLDER).map(
  (name) => [name, parse(readFileSync(join(FOLDER, name), 'utf8'))] as const,
);
const page = (path: string) => pages().find((one) => one.path === path)!;
const valid = new Ajv2020({ strict: false }).compile(
  JSON.parse(readFileSync(join(ROOT, 'docs/schema/recipe.json'), 'utf8')),
);

describe('docs/examples/recipes', () => {
  it.each(recipes)('%s is a recipe, by the JSON schema, too', (_, value) => {
    expect(recipeFaults(value)).toEqual([]);
    expect(valid(value), JSON.stringify(valid.errors)).toBe(true);
  });

  it('default.yaml says what an empty file says', () => {
    expect(readRecipe(recipes.find(([name]) => name === 'default.yaml')![1])).toEqual(DEFAULT_RECIPE);
  });
});

describe('docs/schema/recipe.json', () => {
  it.each([
    { weigths: true },
    { weights: { alpha: -1 } },
    { gate: { profile: 'severe' } },
    { export: ['csv'] },
    [],
  ])('refuses %j', (value) => {
    expect(valid(value)).toBe(false);
    expect(recipeFaults(value)).toHaveLength(1);
  });
});

describe('docs/recipe.md', () => {
  it('names every key of a recipe', () => {
    const named = tableUnder(page('docs/recipe.md'), 'Keys').map(([name]) => name!.replaceAll('`', ''));
    const inner = [...RECIPE_KEYS].flatMap(([path, keys]) =>
      keys.map((key) => (path === '' ? key : `${path}.${key}`)),
    );
    expect(named).toEqual(
      inner
        .filter((key) => key === 'gate.judge' || key === 'advantage.consistency' || !RECIPE_KEYS.has(key))
        .sort(byTable(named)),
    );
  });
});

describe('docs/planner.md', () => {
  it('lists the words of every rule, in the order of the rules', () => {
    const told = tableUnder(page('docs/planner.md'), 'Words and what they do').map(([words]) =>
      [...words!.matchAll(/`([^`]+)`/g)].map(([, word]) => word),
    );
    const rules = planRules(knownChecks()).map(({ examples }) => [...examples]);
    // One row stands for all checks.
    const checks = rules.filter(([first]) => first!.startsWith('drop '));
    const rest = rules.filter(([first]) => !first!.startsWith('drop '));
    expect(checks.length).toBe(Object.keys(DEFAULT_RECIPE.gate!.actions).length);
    expect(told.filter(([first]) => first !== 'drop duplicate')).toEqual(rest);
  });
});

/** The table keeps mappings together; only which keys are there counts. */
function byTable(named: readonly string[]): (a: string, b: string) => number {
  return (a, b) => named.indexOf(a) - named.indexOf(b);
}
