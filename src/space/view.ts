import { CollapseAwareError } from '../errors.ts';
import { type Control, chooseControl, type SimulatorShares } from './control.ts';
import type { Profile, ProfileRow } from './profile.ts';
import { mergeProfiles, sharingPeople } from './profile-builder.ts';
import { checkSpace } from './profile-check.ts';
import type { BehaviourSpace } from './space.ts';
import { chooseUnit, type Unit } from './unit.ts';
import {
  bySimulator,
  columnsOf,
  contentOrder,
  contextsOf,
  indexOrNull,
  type Names,
  nameFreeOrder,
  namesOf,
  type Placed,
  share,
  sharesOf,
  unitOf,
  type ViewRows,
} from './view-rows.ts';

export type { ViewRows } from './view-rows.ts';

/** The rows as they are compared with one another: one codebook, one kind of unit. */
export interface View {
  readonly profile: Profile;
  readonly space: string;
  readonly control: Control;
  readonly reason: string;
  /** The codebook that the cells belong to; `acts` = annotated classes. */
  readonly codebook: 'episode' | 'interactionEpisode' | 'acts';
  readonly k: number;
  /** Names of the cells with `classes: 'act'`, else null. */
  readonly classes: readonly string[] | null;
  readonly unit: Unit;
  readonly unitReason: string;
  /** Sorted by id; sums over simulators run in the order of `simulatorOrder`, which names do not decide. */
  readonly simulators: readonly string[];
  readonly simulatorOrder: readonly number[];
  readonly policies: readonly string[];
  readonly checkpoints: readonly string[];
  /** Contexts and units in the order of the smallest content hash among their rows. */
  readonly contexts: readonly string[];
  readonly units: readonly string[];
  readonly rows: ViewRows;
  /** People by part. No figure is computed on the fit part, so only its size is here. */
  readonly people: { readonly fit: number; readonly mass: ViewRows; readonly ceiling: ViewRows } | null;
  readonly shares: {
    /** Of all rows under audit. */
    readonly eligible: number;
    readonly used: number;
    /** Of the rows used. */
    readonly outside: number;
    readonly simulators: readonly SimulatorShares[];
    /** The people's own (mass and ceiling), null without people. */
    readonly people: SimulatorShares | null;
  };
}

export interface ViewOptions {
  /** Compare these simulators only (default: all). */
  readonly simulators?: readonly string[];
  readonly control?: Control;
  readonly unit?: Unit;
  /** `act`: the annotated class of an episode is its cell; rows without one are left out. */
  readonly classes?: 'mode' | 'act';
}

/**
 * Chooses how rows are compared (metrics.md, "Three confounds"): in the interaction-only codebook where people
 * are the reference and the semantic block alone puts more than half of some simulator outside, or where some
 * simulator has fewer than half its rows eligible for context control; else in the full one, ineligible rows
 * left out.
 * @throws CA_SPACE_MISMATCH, CA_INPUT_EMPTY where no row is left to compare.
 */
export function compareView(
  profiles: Profile | readonly Profile[],
  space: BehaviourSpace,
  options: ViewOptions = {},
): View {
  const profile = 'schema' in profiles ? profiles : mergeProfiles(profiles);
  return compareRuns([profile], space, options)[0]!;
}

/**
 * One view for each run, compared with one another: control, unit, classes and the numbers of contexts, units,
 * policies and checkpoints are shared, and so are the people, whichever profile holds them. Equal rows of two
 * runs stay two, and a simulator of two runs has its own rows in each; either alone can decide the control.
 * @throws CA_SPACE_MISMATCH, CA_INPUT_EMPTY where some run has no row left to compare.
 */
export function compareRuns(
  profiles: readonly Profile[],
  space: BehaviourSpace,
  options: ViewOptions = {},
): View[] {
  for (const profile of profiles) checkSpace(profile, space);
  const runs = sharingPeople(profiles).map((profile) => gathered(profile, options.simulators));
  if (runs.some(({ audited }) => audited.length === 0))
    throw new CollapseAwareError('CA_INPUT_EMPTY', 'the profile holds no row of a simulator to compare');
  const people = runs[0]!.people;
  const audited = runs.flatMap((run) => run.audited);
  const peopleShares = people.length === 0 ? null : sharesOf('people', people);
  const byAct = options.classes === 'act';
  const { control, reason } = byAct
    ? { control: 'none' as const, reason: 'annotated acts are the classes' }
    : options.control !== undefined
      ? { control: options.control, reason: 'as given' }
      : chooseControl(
          space,
          runs.flatMap((run) => run.shares),
          peopleShares,
          contextsOf([...audited, ...people]),
        );
  const classes = byAct ? namesOf([...audited, ...people], (row) => row.actClass).slice(0, 256) : null;
  const cellOf = (row: ProfileRow): number | null =>
    classes !== null
      ? row.actClass === null
        ? null
        : indexOrNull(classes, row.actClass)
      : control === 'interaction'
        ? row.interactionCell
        : row.cell;
  const isUsed = ({ row }: Placed) => cellOf(row) !== null;
  const isOutside = (row: ProfileRow) =>
    !byAct && (control === 'interaction' ? row.interactionOutside : row.outside === true);
  const used = runs.map((run) => run.audited.filter(isUsed));
  if (used.some((rows) => rows.length === 0))
    throw new CollapseAwareError('CA_INPUT_EMPTY', 'no row can be compared', {
      todo: byAct ? 'the files carry no acts: leave --classes out' : 'compare in the interaction block',
    });
  const usedPeople = people.filter(isUsed);
  const { unit, reason: unitReason } = chooseUnit(
    used.map((rows) => rows.map(({ row }) => row)),
    usedPeople.map(({ row }) => row),
    options.unit,
  );
  const all = [...used.flat(), ...usedPeople];
  const lists = [...used, usedPeople];
  const contexts = contentOrder(lists, (row) => row.context);
  const shared = {
    policies: namesOf(all, (row) => row.policy),
    checkpoints: namesOf(all, (row) => row.checkpoint),
    contexts,
    units: unit === 'context' ? contexts : contentOrder(lists, (row) => unitOf(row, unit)),
  };
  return runs.map((run, at): View => {
    const rows = used[at]!;
    const names: Names = { simulators: [...run.groups.keys()].sort(), ...shared };
    const columns = (placed: readonly Placed[]) => columnsOf(placed, names, unit, cellOf, isOutside);
    const part = (name: 'mass' | 'ceiling') =>
      columns(run.people.filter((placed) => isUsed(placed) && placed.row.part === name));
    return {
      profile: run.profile,
      space: space.id,
      control,
      reason,
      codebook: byAct ? 'acts' : control === 'interaction' ? 'interactionEpisode' : 'episode',
      k: classes?.length ?? space.k,
      classes,
      unit,
      unitReason,
      ...names,
      // Hashes all rows' hashes: only for those who ask, and then from the profile, for the groups are not kept.
      get simulatorOrder() {
        return nameFreeOrder(gathered(run.profile, options.simulators).groups, names.simulators);
      },
      rows: columns(rows),
      people:
        run.fit + people.length === 0 ? null : { fit: run.fit, mass: part('mass'), ceiling: part('ceiling') },
      shares: {
        eligible: share(run.audited, ({ row }) => row.cell !== null),
        used: rows.length / run.audited.length,
        outside: share(rows, ({ row }) => isOutside(row)),
        simulators: names.simulators.map((name) => {
          const shares = run.shares.find(({ simulator }) => simulator === name)!;
          return { ...shares, used: share(run.groups.get(name)!, isUsed) };
        }),
        people: peopleShares === null ? null : { ...peopleShares, used: share(people, isUsed) },
      },
    };
  });
}

interface Run {
  readonly profile: Profile;
  readonly audited: readonly Placed[];
  /** Of the mass and the ceiling part. */
  readonly people: readonly Placed[];
  readonly fit: number;
  readonly groups: ReadonlyMap<string, Placed[]>;
  readonly shares: readonly SimulatorShares[];
}

function gathered(profile: Profile, simulators: readonly string[] | undefined): Run {
  const wanted = simulators === undefined ? null : new Set(simulators);
  const audited: Placed[] = [];
  const people: Placed[] = [];
  let fit = 0;
  for (let index = 0; index < profile.size; index++) {
    const row = profile.peek(index);
    if (row.part === 'fit') fit++;
    else if (row.part !== null) people.push({ index, row });
    else if (wanted === null || wanted.has(row.simulator)) audited.push({ index, row });
  }
  const groups = bySimulator(audited);
  const shares = [...groups].map(([simulator, rows]) => sharesOf(simulator, rows));
  return { profile, audited, people, fit, groups, shares };
}
