import { describe, expect, it } from 'vitest';
import { type AuditReport, audit } from '../../../src/audit/index.ts';
import type { Measures } from '../../../src/lab/measure/index.ts';
import { worldSpace } from '../../../src/lab/measure/index.ts';
import { methodOf } from '../../../src/lab/methods/index.ts';
import { DEFAULT_FAMILIES } from '../../../src/lab/simulators/index.ts';
import type { Cell } from '../../../src/lab/stage-zero/cell.ts';
import { cellOf } from '../../../src/lab/stage-zero/cell-of.ts';
import {
  cellExport,
  EXPORT_AUDITS,
  type ExportFile,
  SPACE_FILE,
  worldExport,
  writeExport,
} from '../../../src/lab/stage-zero/export.ts';
import { panelMean, TrainingRun, trainingSettings } from '../../../src/lab/trainer/index.ts';
import { persuasion } from '../../../src/lab/worlds/persuasion/index.ts';
import { type BehaviourSpace, decodeSpace } from '../../../src/space/index.ts';
import type { Trajectory } from '../../../src/trajectory/trajectory.ts';

const PEOPLE = { people: 200 };
const PROBE = { settings: 32, perSetting: 4, share: 0.2, resamples: 8 };
const world = persuasion(10);
const space = worldSpace(world, PEOPLE);
const panels = { ...DEFAULT_FAMILIES, test: DEFAULT_FAMILIES.test.slice(0, 2) };

function trained(method: string, seed = 3): TrainingRun {
  const run = new TrainingRun({
    world,
    method: methodOf(method),
    seen: panels.seen,
    selection: panels.selection,
    seed,
    settings: trainingSettings({ steps: 6, evaluateEvery: 3, referencePeople: 60 }),
  });
  while (!run.done) run.advance();
  return run;
}

const cell = async (run: TrainingRun): Promise<Cell> =>
  cellOf(run, { hash: 'study', panels }, await space, PROBE);

/** Lines and texts as the files would hold them. */
async function written(run: TrainingRun): Promise<Map<string, string[]>> {
  const files = new Map<string, string[]>();
  await writeExport(
    [...worldExport(world, PEOPLE), ...cellExport(run, panels, PROBE)],
    await space,
    async (name) => {
      const lines: string[] = [];
      return {
        write: async (trajectory) => void lines.push(JSON.stringify(trajectory)),
        close: async () => void files.set(name, lines),
        abort: async () => {},
      };
    },
    async (name, text) => void files.set(name, [text]),
  );
  return files;
}

/** Where audit has each figure. */
const PLACES: Readonly<Record<string, (report: AuditReport) => { readonly value: number | null }>> = {
  scdPooled: ({ scd }) => scd.pooled,
  scdPooled2: ({ scd }) => scd.pooled2,
  scdActs: ({ scd }) => scd.pooled,
  scdActs2: ({ scd }) => scd.pooled2,
  scdConditional: ({ scd }) => scd.conditional,
  scdConditionalActs: ({ scd }) => scd.conditional,
  realism: ({ bdi }) => bdi.realism,
  mci: ({ simulators }) => {
    const values = simulators.map(({ mci }) => mci.value);
    return { value: values.includes(null) ? null : Math.max(...values.map((value) => value!)) };
  },
  consistency: ({ health }) => health.consistency,
  epsilonMember: ({ epsilon }) => epsilon.member,
  epsilonPopulation: ({ epsilon }) => epsilon.population,
  'people.scdActs2': ({ scd }) => scd.pooled2,
  bdi: ({ bdi }) => bdi.headline,
  bdiMass: ({ bdi }) => bdi.mass,
  'people.bdiMass': ({ reference }) => reference!.ceiling.mass,
  bdiRecorded: ({ bdi }) => bdi.headline,
  'people.scdPooled': ({ scd }) => scd.pooled,
  'people.scdPooled2': ({ scd }) => scd.pooled2,
  'people.realism': ({ bdi }) => bdi.realism,
  'people.bdiRecorded': ({ bdi }) => bdi.headline,
  psod: ({ psod }) => psod,
  psodRise: ({ psod }) => psod.rise,
};

const gap = ({ population, test }: Cell['base']) => panelMean(population)! - panelMean(test)!;

function figureOf(cell: Cell, path: string): number | null {
  if (path === 'psod') return gap(cell.selected);
  if (path === 'psodRise') return gap(cell.selected) - gap(cell.base);
  const [first, second] = path.split('.') as [keyof Measures, keyof Measures['people'] | undefined];
  const found = second === undefined ? cell.measures![first] : cell.measures!.people[second];
  return (found as { readonly value: number | null }).value;
}

async function audited(files: Map<string, string[]>, asked: (typeof EXPORT_AUDITS)[number]) {
  const records = (name: string) =>
    async function* () {
      for (const line of files.get(name)!) yield JSON.parse(line) as Trajectory;
    };
  const saved: BehaviourSpace = decodeSpace(files.get(SPACE_FILE)![0]!);
  const { report } = await audit(
    {
      records: records(asked.file),
      space: saved,
      ...(asked.reference === null ? {} : { people: records(asked.reference) }),
    },
    {
      workers: 1,
      ...(asked.options.includes('act') ? { classes: 'act' as const } : {}),
      ...(asked.options.includes('0,1') ? { rewardRange: [0, 1] as const } : {}),
    },
  );
  return report;
}

describe.each(['ensemble-3', 'vs-prob'])('a cell of %s', (method) => {
  it('has the figures that audit prints of its export', { timeout: 60_000 }, async () => {
    const run = trained(method);
    const measured = await cell(run);
    const files = await written(run);
    const seen: string[] = [];
    for (const asked of EXPORT_AUDITS) {
      const report = await audited(files, asked);
      for (const figure of asked.figures) {
        seen.push(figure);
        const own = figureOf(measured, figure);
        const printed = PLACES[figure]!(report).value;
        if (own === null || printed === null) expect(own, figure).toBe(printed);
        else expect(Math.abs(own - printed), `${figure} ${own} ${printed}`).toBeLessThanOrEqual(1e-12);
      }
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((figure) => figureOf(measured, figure) === null)).not.toContain('bdi');
  });
});

describe('a cell', () => {
  it('is the same for the same run', async () => {
    const [one, other] = [await cell(trained('single')), await cell(trained('single'))];
    expect(JSON.stringify(one)).toBe(JSON.stringify(other));
  });

  it('exports people as people, and the test panel as held out', async () => {
    const run = trained('single');
    const files: ExportFile[] = [...worldExport(world, PEOPLE), ...cellExport(run, panels, PROBE)];
    const of = (name: string) => [...files.find((file) => file.name === name)!.trajectories()];
    expect(new Set(of('people.jsonl').map(({ simulator }) => simulator.kind))).toEqual(new Set(['human']));
    expect(new Set(of('people-with-policy.jsonl').map(({ simulator }) => simulator.person)).size).toBe(
      PROBE.settings * PROBE.perSetting,
    );
    const splits = new Map(of('panels.jsonl').map(({ simulator, split }) => [simulator.id, split]));
    expect(Object.fromEntries(splits)).toEqual({ alder: 'seen', ivy: 'test', juniper: 'test' });
    expect(
      of('rollouts.jsonl').flatMap(({ turns }) => turns.filter((turn) => turn.resamples)).length,
    ).toBeGreaterThan(0);
  });
});
