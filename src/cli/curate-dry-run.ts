import { planGate } from '../curation/gate/index.ts';
import type { Recipe } from '../curation/recipe.ts';
import { judgedAgain, judgePlan, sift } from '../curator/index.ts';
import { checkInput, type InputFiles } from './input.ts';
import { printable, show } from './terminal.ts';

/** Passes the rows through the gate's rules and says what a judge would be asked; nothing is asked or written. */
export async function dryCurate(
  input: InputFiles,
  people: InputFiles | null,
  recipe: Recipe,
  strict: boolean,
): Promise<void> {
  const gate = recipe.gate === null ? null : planGate(recipe.gate);
  const sifted = await sift(input.records, gate, {
    seed: recipe.seed,
    recipe: recipe.gate,
    hasReference: people !== null,
    judge: null,
  });
  checkInput(input.files(), strict);
  const lines = [
    `${count(sifted.rows)} episodes of ${sifted.simulators.size} simulators, ${count(sifted.kept)} pass the gate's rules`,
    ...sifted.reasons.map(({ reason, blame, count: n }) => `  dropped: ${count(n)} ${reason} (${blame})`),
  ];
  const judge = recipe.gate?.judge ?? null;
  if (judge === null) lines.push('no judge is asked: nothing is sent anywhere');
  else {
    const passed = async function* () {
      for await (const { episode, kept } of judgedAgain(
        input.records,
        sifted.verdicts,
        sifted.people.length > 0,
      ))
        if (kept) yield episode;
    };
    const plan = await judgePlan(judge, passed());
    lines.push(
      `${judge.model} would be asked ${count(plan.calls)} times about ${count(plan.rows)} episodes: about ${count(plan.promptTokens)} tokens to send and ${count(plan.completionTokens)} back (estimate), before the cache`,
    );
  }
  show(lines.map(printable).join('\n'));
}

function count(n: number): string {
  return n.toLocaleString('en');
}
