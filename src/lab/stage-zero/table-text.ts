import { differenceText, figureText, numberText, probabilityText } from './number-text.ts';
import { GUESSED, PUBLISHED } from './published.ts';
import type { SignVerdict } from './sign-verdict.ts';
import type { MethodRow, Table, WorldTable } from './table.ts';
import { alignedTable, markdownTable } from './text-table.ts';

/** Figures of one Markdown table each; together all of them. */
const GROUPS: readonly { readonly title: string; readonly figures: readonly string[] }[] = [
  { title: 'Outcome', figures: ['heldOut', 'people', 'heldOutLast', 'trainReward', 'selectedStep'] },
  { title: 'Overfitting to the simulators', figures: ['psod', 'psodRise', 'psodRiseLast'] },
  {
    title: 'Collapse of the population',
    figures: [
      'scdPooled',
      'scdPooled2',
      'scdActs',
      'scdActs2',
      'peopleScdActs2',
      'scdConditional',
      'scdConditionalActs',
      'mci',
    ],
  },
  { title: 'Coverage of people', figures: ['bdi', 'bdiRecorded', 'realism', 'peopleRealism'] },
  {
    title: 'Collapse by the turn',
    figures: ['epsilonMember', 'epsilonPopulation', 'epsilonMemberExact', 'peopleEpsilonExact'],
  },
  { title: 'Training', figures: ['zeroVariance', 'entropy', 'consistency'] },
  { title: 'Cost', figures: ['turns', 'simulatorUpdates'] },
];
const IN_TERMINAL = [
  'heldOut',
  'people',
  'trainReward',
  'psodRise',
  'scdPooled2',
  'bdi',
  'zeroVariance',
  'entropy',
];
const SHORT: Readonly<Record<string, string>> = {
  heldOut: 'held-out',
  people: 'people',
  trainReward: 'training',
  psodRise: 'PSOD rise',
  scdPooled2: 'SCD2',
  bdi: 'BDI',
  zeroVariance: 'zero-var.',
  entropy: 'entropy',
};

const doneText = ({ seeds }: MethodRow): string => {
  const { done, diverged, missing } = seeds;
  return (
    `${done.length}` +
    `${diverged.length === 0 ? '' : `, ${diverged.length} diverged`}` +
    `${missing.length === 0 ? '' : `, ${missing.length} missing`}`
  );
};

export function tableMarkdown(table: Table): string {
  const lines = [
    '# Lab table',
    '',
    `Version ${table.study.version}, study ${table.study.hash}; ${table.study.settings.steps} steps of ${table.study.settings.groups} groups of ${table.study.settings.groupSize}; seeds ${table.seeds.join(', ')}.`,
    '',
    "Mean over seeds with 95 % interval (Student's t over seeds; none below 3 seeds, approximate below 15). Differences are paired over seeds; p is Holm-adjusted over the methods of a world.",
    'Held-out: the test panel at the checkpoint that the selection panel chose. Diverged runs are counted and not averaged.',
  ];
  for (const world of table.worlds) lines.push('', ...worldMarkdown(table, world));
  lines.push(
    '',
    '## Published and guessed figures',
    '',
    `${PUBLISHED.source}. Levels are those of language models.`,
    '',
  );
  lines.push(
    markdownTable([
      ['method', ...PUBLISHED.columns],
      ...PUBLISHED.rows.map(({ method, scores }) => [
        method,
        ...scores.map((x) => (x === null ? '-' : String(x))),
      ]),
    ]),
  );
  lines.push('', `Thresholds of the ${GUESSED.source}:`, '');
  lines.push(
    markdownTable([
      ['figure', 'threshold', 'method', ...table.worlds.map(({ name }) => name)],
      ...GUESSED.thresholds.flatMap(({ figure, title, limit, better }) =>
        GUESSED.methods.map((name) => [
          title,
          `${better === 'less' ? 'below' : 'above'} ${limit}`,
          name,
          ...table.worlds.map(({ methods }) => {
            const found = methods.find(({ method }) => method === name)?.figures[figure];
            if (found === undefined) return '-';
            return found.value === null ? `- (${found.reason})` : figureText(found);
          }),
        ]),
      ),
    ]),
  );
  return `${lines.join('\n')}\n`;
}

function worldMarkdown(table: Table, world: WorldTable): string[] {
  const title = (id: string) => table.figures.find((figure) => figure.id === id)!.title;
  const lines = [`## ${world.name}`];
  for (const { title: group, figures } of GROUPS)
    lines.push(
      '',
      `### ${group}`,
      '',
      markdownTable([
        ['method', 'seeds', ...figures.map(title)],
        ...world.methods.map((row) => [
          row.method,
          doneText(row),
          ...figures.map((id) => figureText(row.figures[id]!)),
        ]),
      ]),
    );
  const compared = world.methods.filter(({ differences }) => Object.keys(differences).length > 0);
  if (compared.length > 0) {
    lines.push('', `### Against ${table.comparison}`, '');
    lines.push(
      markdownTable([
        ['method', 'held-out', 'p (Holm)', 'detectable', 'people', 'p (Holm)', 'detectable'],
        ...compared.map(({ method, differences }) => [
          method,
          ...['heldOut', 'people'].flatMap((id) => {
            const one = differences[id]!;
            return [differenceText(one), probabilityText(one.pHolm), numberText(one.detectable ?? null)];
          }),
        ]),
      ]),
    );
  }
  lines.push('', '### Expected and seen', '', markdownTable(signRows(world.signs)));
  const notes = notesOf(table, world);
  if (notes.length > 0) lines.push('', ...notes.map((note) => `- ${note}`));
  return lines;
}

function signRows(signs: readonly SignVerdict[]): string[][] {
  return [
    ['id', 'expected', 'found', 'verdict'],
    // What takes methods that the table has not says nothing of it.
    ...signs
      .filter(({ figure }) => figure.n > 0)
      .map(({ id, expected, figure, verdict }) => [
        id,
        expected,
        figure.value === null ? `- (${figure.reason})` : differenceText(figure),
        verdict ?? `no interval (${figure.reason ?? 'none'})`,
      ]),
  ];
}

/** Diverged runs and figures that some seeds have not, in words. */
function notesOf(table: Table, world: WorldTable): string[] {
  const notes: string[] = [];
  for (const { method, seeds, figures } of world.methods) {
    for (const { seed, step, side, reason } of seeds.diverged)
      notes.push(`${method}, seed ${seed}: diverged at step ${step} (${side}: ${reason}); not averaged`);
    for (const { id, title } of table.figures)
      for (const { reason, seeds: without } of figures[id]!.nulls)
        notes.push(
          `${method}: no ${title} for ${without.length === 1 ? 'seed' : 'seeds'} ${without.join(', ')}: ${reason}`,
        );
  }
  return notes;
}

/** For a terminal: the main figures, and what was seen of what was expected. */
export function tableSummary(table: Table): string {
  const parts: string[] = [];
  for (const world of table.worlds) {
    parts.push(
      `${world.name}  (mean over seeds; +- half of the 95 % interval, which needs 3 seeds)`,
      alignedTable([
        ['method', 'seeds', ...IN_TERMINAL.map((id) => SHORT[id]!)],
        ...world.methods.map((row) => [
          row.method,
          doneText(row),
          ...IN_TERMINAL.map((id) => {
            const { value, low, high, unit } = row.figures[id]!;
            const half = low === null || high === null ? '' : ` +-${numberText((high - low) / 2, unit)}`;
            return `${numberText(value, unit)}${half}`;
          }),
        ]),
      ]),
      '',
    );
    const judged = world.signs.filter(({ verdict }) => verdict !== null);
    if (judged.length > 0)
      parts.push(
        alignedTable(judged.map(({ id, verdict, figure }) => [id, differenceText(figure), verdict!])),
        '',
      );
    const diverged = world.methods.flatMap(({ method, seeds }) =>
      seeds.diverged.map(
        ({ seed, step, side }) => `${method}, seed ${seed}: diverged at step ${step} (${side})`,
      ),
    );
    if (diverged.length > 0) parts.push(...diverged, '');
  }
  if (parts.length > 0) parts.push(LEGEND);
  return parts.join('\n').trimEnd();
}

const LEGEND = [
  'held-out: reward with simulators that nobody trained against. people: with test people. PSOD rise: overfitting to',
  'the training simulators. SCD2: collapse of the population, 0 to 1. BDI: coverage of what people do, 1 = as people.',
  '-: some seed has no value (the reasons: --markdown). docs/lab.md says what each figure is.',
].join('\n');
