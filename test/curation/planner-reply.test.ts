import { describe, expect, it } from 'vitest';
import { plannerPrompt } from '../../src/curation/planner-prompt.ts';
import { readProposal } from '../../src/curation/planner-reply.ts';
import { readRecipe } from '../../src/curation/read-recipe.ts';
import { DEFAULT_RECIPE } from '../../src/curation/recipe-defaults.ts';
import { CollapseAwareError } from '../../src/errors.ts';
import { expectWhole, SELECTING } from './plan-expectations.ts';

describe('a plan by a model', () => {
  const answer = (value: unknown) => JSON.stringify(value);

  it.each([
    answer({ recipe: { weights: { alpha: 2 } } }),
    answer({ weights: { alpha: 2 } }),
    `Here it is:\n\n\`\`\`json\n${answer({ recipe: { weights: { alpha: 2 } } })}\n\`\`\`\nDone.`,
    `Sure! ${answer({ recipe: { weights: { alpha: 2 } }, notUnderstood: [] })} Anything else?`,
  ])('is read from %j', (text) => {
    const made = readProposal(text, DEFAULT_RECIPE);
    expect(made.recipe).toEqual({ weights: { alpha: 2 } });
    expectWhole(DEFAULT_RECIPE, made);
  });

  it('moves the correction of concentration away from the base', () => {
    const made = readProposal(
      answer({ recipe: { gradient: { beta: 2 } } }),
      readRecipe({ batches: { balance: 'mode' } }),
    );
    expect(made.proposed.batches?.balance).toBe('none');
    expect(made.proposed.gradient).toEqual({ beta: 2 });
    expect(made.proposed.weights?.concentration).toBe(false);
  });

  it('gets what a selection needs, unless it writes otherwise', () => {
    const made = readProposal(answer({ recipe: { selection: { keep: 4 } } }), DEFAULT_RECIPE);
    expect(made.recipe).toEqual(SELECTING);
    const own = { selection: { keep: 4 }, advantage: false, batches: { balance: 'mode' } };
    const kept = readProposal(answer({ recipe: own }), DEFAULT_RECIPE).proposed;
    expect([kept.advantage, kept.batches?.balance]).toEqual([null, 'mode']);
  });

  it('lays the same recipe over any base as it asks for', () => {
    const asked = { weights: { coverage: true } };
    for (const input of [{}, { gradient: true }, { batches: false }, { weights: { concentration: true } }]) {
      const made = readProposal(answer({ recipe: asked }), readRecipe(input));
      expect(made.proposed.weights).toMatchObject({ concentration: true, coverage: true });
      expect(made.proposed.batches?.balance ?? 'none').toBe('none');
      expect(made.proposed.gradient).toBeNull();
      expectWhole(readRecipe(input), made);
    }
    const taken = readProposal(answer({ recipe: { batches: { balance: 'none' } } }), DEFAULT_RECIPE).proposed;
    expect(taken.weights).toMatchObject({ concentration: false, coverage: false });
  });

  it('cannot loosen the gate, and says that it tried', () => {
    for (const recipe of [
      { gate: false },
      { gate: { profile: 'lenient' } },
      { gate: { checks: { duplicate: 'off' } } },
      { gate: { judge: { url: 'http://elsewhere/v1', model: 'm' } } },
    ]) {
      const made = readProposal(answer({ recipe }), DEFAULT_RECIPE);
      expect(made.proposed.gate).toEqual(DEFAULT_RECIPE.gate);
      expect(made.recipe).toEqual({});
      expect(made.refused.length).toBeGreaterThan(0);
    }
  });

  it.each([
    ['', 'no text'],
    ['I cannot help with that.', 'no JSON object'],
    ['[1, 2]', 'no JSON object'],
    [
      answer({ recipe: { weights: { alpha: -1 } } }),
      'weights.alpha: found -1, expected a number of at least 0',
    ],
    [answer({ recipe: { weigths: {} } }), "did you mean 'weights'"],
    [answer({ recipe: { gradient: true, batches: { balance: 'mode' } } }), 'corrected twice'],
    [answer({ recipe: 'strict' }), 'recipe'],
    [answer({ plan: {} }), 'recipe'],
    ['{"recipe": {"__proto__": {"gate": false}}}', 'unknown key'],
  ])('that is none (%j) throws CA_ENDPOINT_REPLY', (text, part) => {
    try {
      readProposal(text, DEFAULT_RECIPE);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(CollapseAwareError);
      expect((error as CollapseAwareError).code).toBe('CA_ENDPOINT_REPLY');
      expect((error as CollapseAwareError).message).toContain(part);
    }
  });

  it('is asked for with the schema, the base and the need, and without the address of the judge', () => {
    const base = readRecipe({
      gate: { judge: { url: 'http://private.example/v1', model: 'm', keyEnv: 'JUDGE_KEY' } },
    });
    const [system, user] = plannerPrompt('Robust, please.\n"]}', base);
    expect(system!.content).toContain('collapse-aware/recipe@1');
    expect(system!.content).toContain('role-reversal');
    expect(user!.content).toContain(JSON.stringify('Robust, please.\n"]}'));
    expect(JSON.stringify([system, user])).not.toMatch(/private\.example|JUDGE_KEY/);
  });
});
