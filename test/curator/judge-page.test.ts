import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { JUDGE_LIMITS } from '../../src/curation/gate/judge-prompt.ts';
import { JUDGE_QUESTIONS } from '../../src/curation/gate/judge-questions.ts';
import { readRecipe } from '../../src/curation/read-recipe.ts';
import { pages, tableUnder } from '../docs/pages.ts';

const page = pages().find(({ path }) => path === 'docs/judge.md')!;

it('docs/judge.md lists every question as it is asked', () => {
  expect(tableUnder(page, 'What is asked')).toEqual(
    JUDGE_QUESTIONS.map(({ name, text, needs }) => [`\`${name}\``, text, needs ?? '']),
  );
});

it('docs/judge.md gives the limits that hold', () => {
  const { dialogue, turn, tool, scenario } = JUDGE_LIMITS;
  const of = (n: number) => n.toLocaleString('en');
  expect(page.text).toContain(
    `about ${of(dialogue)} a dialogue, ${of(turn)} a turn, ${of(tool)} a tool's answer or call, ${of(scenario)} the scenario`,
  );
});

it('docs/judge.md shows a recipe that is read', () => {
  const { text } = page.blocks.find(({ language }) => language === 'yaml')!;
  expect(readRecipe(parse(text)).gate?.judge).toMatchObject({ model: 'qwen3-8b', votes: 3, agree: 2 });
});
