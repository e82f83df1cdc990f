import { RECIPE_SCHEMA, type Recipe } from '../../src/curation/recipe.ts';
import type { CurationOptions } from './curation-fixture.ts';
import { CHECKS } from './curation-gate-fixture.ts';

export const BATCH_SIZE = 128;

export function sampleRecipe({
  weights = true,
  batches = true,
  judge = false,
  selection = false,
}: CurationOptions): Recipe {
  return {
    schema: RECIPE_SCHEMA,
    seed: 7,
    gate: {
      profile: 'standard',
      actions: Object.fromEntries(CHECKS.map(({ check, action }) => [check, action])),
      rewardRange: [0, 1],
      unchecked: 'keep',
      judge: judge
        ? {
            url: 'http://localhost:8000/v1',
            model: 'qwen3-32b-instruct',
            keyEnv: 'JUDGE_KEY',
            questions: ['contradicts-task', 'out-of-role'],
            votes: 3,
            agree: 2,
          }
        : null,
    },
    weights: weights
      ? {
          alpha: 1,
          neighbours: 5,
          coverage: false,
          concentration: !batches,
          bounds: [0.25, 4],
          ess: 0.5,
        }
      : null,
    batches: batches ? { size: BATCH_SIZE, balance: 'mode' } : null,
    gradient: null,
    advantage: selection ? { baseline: 'simulator', normalise: true, consistency: null } : null,
    selection: selection ? { keep: 6, design: 'conditional-poisson' } : null,
    allocation: null,
    export: ['native', 'parquet'],
  };
}
