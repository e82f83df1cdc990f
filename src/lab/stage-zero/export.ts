import type { TrajectoryFile } from '../../formats/index.ts';
import { encodeSpace } from '../../space/index.ts';
import type { Split, Trajectory } from '../../trajectory/trajectory.ts';
import type { PolicyNetwork } from '../learning/index.ts';
import {
  MeasuringWitness,
  MIXTURE,
  PROBE,
  type ProbeSettings,
  peopleEpisodes,
  populationEpisodes,
  type ReferenceOptions,
  referenceDialogues,
  type WorldSpace,
} from '../measure/index.ts';
import { recordEpisode } from '../record/index.ts';
import type { Simulator } from '../simulators/index.ts';
import type { TrainingRun } from '../trainer/index.ts';
import type { World } from '../world/index.ts';
import { BASE, measuredRun, selectedName } from './cell-of.ts';
import { examOf, examPlans } from './final-exam.ts';
import type { Panels } from './panels.ts';

/** One file of an export. */
export interface ExportFile {
  /** With its ending. */
  readonly name: string;
  readonly about: string;
  /** Made as they are asked for. */
  trajectories(): Iterable<Trajectory>;
}

/** How `audit` is asked for the figures of a cell: all with `--space space.json`. */
export interface ExportAudit {
  readonly file: string;
  readonly reference: string | null;
  readonly options: readonly string[];
  /** Which of the cell's figures it prints, as paths in a cell. */
  readonly figures: readonly string[];
}

export const SPACE_FILE = 'space.json';
const RECORDED = 'people.jsonl';
const MET = 'people-with-policy.jsonl';
const MEMBERS = 'rollouts.jsonl';
const WHOLE = 'rollouts-as-one.jsonl';
const PANELS = 'panels.jsonl';

export const EXPORT_AUDITS: readonly ExportAudit[] = [
  {
    file: MEMBERS,
    reference: MET,
    options: [],
    figures: ['scdPooled', 'scdPooled2', 'scdConditional', 'realism', 'mci', 'consistency'],
  },
  {
    file: MEMBERS,
    reference: RECORDED,
    options: ['--classes', 'act'],
    figures: ['scdActs', 'scdActs2', 'scdConditionalActs', 'epsilonMember', 'epsilonPopulation'],
  },
  { file: MET, reference: RECORDED, options: ['--classes', 'act'], figures: ['people.scdActs2'] },
  { file: WHOLE, reference: MET, options: [], figures: ['bdi', 'bdiMass', 'people.bdiMass'] },
  { file: WHOLE, reference: RECORDED, options: [], figures: ['bdiRecorded'] },
  {
    file: MET,
    reference: RECORDED,
    options: [],
    figures: ['people.scdPooled', 'people.scdPooled2', 'people.realism', 'people.bdiRecorded'],
  },
  { file: PANELS, reference: null, options: ['--reward-range', '0,1'], figures: ['psod', 'psodRise'] },
];

/** What all cells of a world share: people as they were recorded. The space is `encodeSpace` of theirs. */
export function worldExport(world: World, options: ReferenceOptions = {}): ExportFile[] {
  return [
    {
      name: RECORDED,
      about: "people met by the world's demonstrator: the space was fitted on half of them",
      trajectories: () => referenceDialogues(world, options),
    },
  ];
}

/** The episodes that a cell's figures are of. */
export function cellExport(
  run: TrainingRun,
  panels: Pick<Panels, 'test'>,
  probe: ProbeSettings = PROBE,
): ExportFile[] {
  const measured = measuredRun(run);
  const rollouts = () => populationEpisodes(measured, probe).trajectories;
  return [
    {
      name: MEMBERS,
      about: 'the population with the selected checkpoint, some replies drawn again',
      trajectories: rollouts,
    },
    {
      name: WHOLE,
      about: 'the same episodes, their simulators not told apart',
      trajectories: () => rollouts().map(unnamed),
    },
    {
      name: MET,
      about: 'test people with the selected checkpoint',
      trajectories: () => peopleEpisodes(measured, probe).trajectories,
    },
    {
      name: PANELS,
      about:
        'population (seen) and test panel with the base and the selected checkpoint, in the same settings',
      trajectories: () => panelEpisodes(run, panels),
    },
  ];
}

/** Writes an export: `open` gives the file of a name, `write` puts a text in place. */
export async function writeExport(
  files: readonly ExportFile[],
  space: WorldSpace,
  open: (name: string) => Promise<TrajectoryFile>,
  write: (name: string, text: string) => Promise<void>,
): Promise<void> {
  for (const { name, trajectories } of files) {
    const file = await open(name);
    try {
      for (const trajectory of trajectories()) await file.write(trajectory);
      await file.close();
    } catch (error) {
      await file.abort();
      throw error;
    }
  }
  await write(SPACE_FILE, encodeSpace(space.space));
}

function unnamed(trajectory: Trajectory): Trajectory {
  return { ...trajectory, simulator: { ...trajectory.simulator, id: MIXTURE, fingerprint: null } };
}

function* panelEpisodes(run: TrainingRun, panels: Pick<Panels, 'test'>): Generator<Trajectory> {
  const exam = examOf(run, panels);
  for (const [checkpoint, policy] of [
    [BASE, run.base],
    [selectedName(run), run.selected.policy],
  ] as const) {
    yield* examEpisodes(run, exam.population, checkpoint, policy, 'seen');
    yield* examEpisodes(run, exam.test, checkpoint, policy, 'test');
  }
}

function* examEpisodes(
  run: TrainingRun,
  simulators: readonly Simulator[],
  checkpoint: string,
  policy: PolicyNetwork,
  split: Split,
): Generator<Trajectory> {
  const { world, method, seed } = run.plan;
  const plans = examPlans(run, simulators);
  const witness = new MeasuringWitness(world, plans, simulators, null);
  const { episodes } = run.stage.play(policy, plans, witness.see);
  const dialogues = plans.length / simulators.length;
  for (const [at, { encounter, reward, setting, simulator, session }] of episodes.entries()) {
    const place = `${world.id}-${world.horizon}/${seed}/exam/${simulator.id}/${at % dialogues}`;
    yield recordEpisode({
      world,
      setting,
      steps: encounter.steps,
      reward: Number.isNaN(reward) ? null : reward,
      outcome: encounter.outcome,
      termination: encounter.termination,
      simulator,
      session,
      policy: { id: method.id, checkpoint },
      seed: place,
      id: `${place}/${method.id}/${checkpoint}`,
      run: `${method.id}/${seed}`,
      split,
      replies: witness.replies(at),
    });
  }
}
