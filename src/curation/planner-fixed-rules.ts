import { CHECKS } from './gate/checks.ts';
import { done, gateAtLeast, type PlanRule, refused } from './planner-rule.ts';
import type { ExportName } from './recipe.ts';
import type { KnownChecks } from './recipe-defaults.ts';
import { EXPORTS } from './recipe-schema.ts';

const NEVER_LOOSER = 'a plan never loosens the gate: write it into the recipe yourself';

/** What words about the gate mean. None of them can loosen it. */
export function gateRules(known: KnownChecks): readonly PlanRule[] {
  return [
    {
      examples: ['keep all rows', 'do not drop anything'],
      pattern:
        /\b(?:(?:keep|retain|use) (?:all|every|everything)(?: (?:the |of the )*(?:rows?|data|rollouts?|episodes?|dialogues?))?|(?:do not|don't|never|not|without) (?:drop(?:ping)?|discard(?:ing)?|los(?:e|ing)|delet(?:e|ing)|remov(?:e|ing)) ?(?:any(?:thing)?|a single)? ?(?:rows?|data|rollouts?|episodes?)?(?=\s*$))/g,
      change: ({ recipe }) =>
        refused(
          { ...recipe, selection: null },
          'gate',
          `no selection thins the groups, but rows that the gate finds broken still go, each with its reason; ${NEVER_LOOSER}`,
        ),
    },
    {
      examples: ['gate only', 'only the gate', 'nothing but the gate'],
      pattern:
        /\b(?:(?:quality )?gate only|(?:only|just|nothing (?:but|except)) (?:the )?(?:quality )?gate|(?:the )?(?:quality )?gate alone)\b/g,
      change: ({ recipe, known, corrected }) =>
        corrected !== null
          ? refused(recipe, 'gate', `"${corrected}" asks for more than the gate`)
          : done(
              {
                ...(recipe.gate === null ? gateAtLeast(recipe, 'standard', known) : recipe),
                weights: null,
                batches: null,
                gradient: null,
                advantage: null,
                selection: null,
                allocation: null,
              },
              'gate',
              'rows are checked, and nothing else is done: no weights, no batches',
            ),
    },
    ...checkRules(known),
    {
      examples: ['keep quality strict', 'high quality', 'strict gate', 'clean data'],
      pattern:
        /\b(?:(?:quality|gate|checks?|filter(?:s|ing)?)(?: (?:profile|to|at|stays?|is|be|must|should|as|very))* strict|(?:very )?strict(?:ly|er)?(?: (?:about )?(?:the )?(?:quality|gate|data|filter(?:s|ing)?|checks?))*|high(?:est)?[- ]quality|clean(?:est)? (?:data|rows|dialogues))\b/g,
      change: ({ recipe }) =>
        done(gateAtLeast(recipe, 'strict', known), 'gate.profile', 'quality was asked to be strict'),
    },
    {
      examples: ['lenient', 'tolerant gate'],
      pattern:
        /\b(?:(?:quality|gate|checks?|filter(?:s|ing)?)(?: (?:profile|to|at|is|be|as))* )?(?:lenient(?:ly)?|loose(?:r|ly)?|relax(?:ed)?|tolerant|permissive)(?: (?:the )?(?:quality|gate|filter(?:s|ing)?|checks?))*\b/g,
      change: ({ recipe }) => refused(recipe, 'gate.profile', NEVER_LOOSER),
      negated: ({ recipe }) =>
        done(gateAtLeast(recipe, 'standard', known), 'gate.profile', 'the gate was asked not to be lenient'),
    },
    {
      examples: ['standard quality'],
      pattern: /\bstandard(?: (?:quality|gate|profile|checks?))?\b/g,
      change: ({ recipe }) =>
        recipe.gate?.profile === 'strict'
          ? refused(recipe, 'gate.profile', NEVER_LOOSER)
          : done(
              gateAtLeast(recipe, 'standard', known),
              'gate.profile',
              'the standard profile was asked for',
            ),
    },
    {
      examples: ['an LLM judge'],
      pattern: /\b(?:(?:an? )?(?:llm|model)(?:[- ]as[- ]a)?[- ])?judges?\b/g,
      change: ({ recipe }) =>
        refused(
          recipe,
          'gate.judge',
          'whom rows are sent to is for you to say: write gate.judge with url and model',
        ),
      negated: ({ recipe }) =>
        recipe.gate?.judge
          ? refused(recipe, 'gate.judge', NEVER_LOOSER)
          : done(recipe, 'gate.judge', 'no model is asked'),
    },
    {
      examples: ['quality', 'the gate'],
      pattern:
        /\b(?:(?:the )?quality(?: (?:gate|checks?|filter(?:s|ing)?))?|(?:the )?gate|(?:the )?checks|checking|(?:the )?filter(?:s|ing)?)\b/g,
      change: ({ recipe }) =>
        done(
          recipe.gate === null ? gateAtLeast(recipe, 'standard', known) : recipe,
          'gate',
          'the gate stands before everything else',
        ),
      negated: ({ recipe }) => refused(recipe, 'gate', NEVER_LOOSER),
    },
  ];
}

/** "drop <check>" by the words of its name; a check that blames the policy drops nothing. */
function checkRules(known: KnownChecks): PlanRule[] {
  const policy = new Set(CHECKS.filter(({ blame }) => blame === 'policy').map(({ name }) => name));
  const names = [...new Set([...Object.keys(known.profile('strict').actions), ...known.checks])];
  return names.map((name) => {
    const words = name.replace(/[^\p{L}\p{N}]+/gu, '[- ]').toLowerCase();
    return {
      examples: [`drop ${name.replaceAll('-', ' ')}`],
      pattern: new RegExp(
        String.raw`\b(drop|no|reject|remove|without|filter out|exclude|allow|accept|tolerate|keep|ignore|permit)(?:ing)? (?:all |any |the )*${words}(?:s|es)?\b`,
        'g',
      ),
      change: ({ recipe, match }) => {
        if (/allow|accept|tolerate|keep|ignore|permit/.test(match[1]!))
          return refused(recipe, `gate.checks.${name}`, NEVER_LOOSER);
        if (policy.has(name))
          return refused(
            recipe,
            `gate.checks.${name}`,
            'failures of the policy stay: they are what training learns from',
          );
        const gate = (recipe.gate === null ? gateAtLeast(recipe, 'standard', known) : recipe).gate!;
        return done(
          { ...recipe, gate: { ...gate, actions: { ...gate.actions, [name]: 'drop' } } },
          `gate.checks.${name}`,
          'such rows were asked to go',
        );
      },
      negated: ({ recipe }) => refused(recipe, `gate.checks.${name}`, NEVER_LOOSER),
    } satisfies PlanRule;
  });
}

/** Names of exports as they are, and "JSONL" for the native rows. */
export function exportRules(): readonly PlanRule[] {
  return EXPORTS.map((name: ExportName) => ({
    examples: name === 'native' ? ['native', 'JSONL'] : [name],
    pattern: new RegExp(name === 'native' ? String.raw`\b(?:native|jsonl)\b` : String.raw`\b${name}\b`, 'g'),
    change: ({ recipe }) =>
      done(
        { ...recipe, export: EXPORTS.filter((own) => own === name || recipe.export.includes(own)) },
        'export',
        `${name} was named`,
      ),
    negated: ({ recipe }) =>
      done(
        { ...recipe, export: recipe.export.filter((own) => own !== name) },
        'export',
        `${name} was asked to be left out`,
      ),
  }));
}
