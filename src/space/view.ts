import { CollapseAwareError } from '../errors.ts';
import { hashText } from '../trajectory/identity.ts';
import { type Control, chooseControl, type SimulatorShares } from './control.ts';
import type { Profile, ProfileRow } from './profile.ts';
import { mergeProfiles } from './profile-builder.ts';
import type { BehaviourSpace } from './space.ts';
import { chooseUnit, type Unit } from './unit.ts';

/** Columns over rows in hash order; numbers index the view's lists of names. */
export interface ViewRows {
  readonly size: number;
  /** Index in the profile, for what is not here (turn cells, acts, splits). */
  readonly profileRow: Int32Array;
  readonly simulator: Int32Array;
  readonly policy: Int32Array;
  /** -1 = unknown. */
  readonly checkpoint: Int32Array;
  readonly context: Int32Array;
  readonly unit: Int32Array;
  readonly cell: Uint8Array;
  /** 1 = farther from its centroid than the radius; such a row visits no mode. */
  readonly outside: Uint8Array;
  /** NaN = missing. */
  readonly reward: Float64Array;
  readonly epoch: Float64Array;
}

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
  if (profile.space !== space.id)
    throw new CollapseAwareError(
      'CA_SPACE_MISMATCH',
      `the profile belongs to the behaviour space ${profile.space}, not to ${space.id}`,
      { todo: 'place the rows in this space' },
    );
  const wanted = options.simulators === undefined ? null : new Set(options.simulators);
  const audited: Placed[] = [];
  const people: Placed[] = [];
  let fit = 0;
  for (let index = 0; index < profile.size; index++) {
    const row = profile.row(index);
    if (row.part === 'fit') fit++;
    else if (row.part !== null) people.push({ index, row });
    else if (wanted === null || wanted.has(row.simulator)) audited.push({ index, row });
  }
  if (audited.length === 0)
    throw new CollapseAwareError('CA_INPUT_EMPTY', 'the profile holds no row of a simulator to compare');
  const groups = bySimulator(audited);
  const simulatorShares = [...groups].map(([simulator, rows]) => sharesOf(simulator, rows));
  const peopleShares = people.length === 0 ? null : sharesOf('people', people);
  const byAct = options.classes === 'act';
  const { control, reason } = byAct
    ? { control: 'none' as const, reason: 'annotated acts are the classes' }
    : options.control !== undefined
      ? { control: options.control, reason: 'as given' }
      : chooseControl(space, simulatorShares, peopleShares, contextsOf([...audited, ...people]));
  const classes = byAct
    ? [...new Set([...audited, ...people].flatMap(({ row }) => row.actClass ?? []))].sort().slice(0, 256)
    : null;
  const cellOf = (row: ProfileRow): number | null =>
    classes !== null
      ? row.actClass === null
        ? null
        : indexOrNull(classes, row.actClass)
      : control === 'interaction'
        ? row.interactionCell
        : row.cell;
  const isUsed = ({ row }: Placed) => cellOf(row) !== null;
  const used = audited.filter(isUsed);
  const usedPeople = people.filter(isUsed);
  if (used.length === 0)
    throw new CollapseAwareError('CA_INPUT_EMPTY', 'no row can be compared', {
      todo: byAct ? 'the files carry no acts: leave --classes out' : 'compare in the interaction block',
    });
  const { unit, reason: unitReason } = chooseUnit(
    used.map(({ row }) => row),
    usedPeople.map(({ row }) => row),
    options.unit,
  );
  const all = [...used, ...usedPeople];
  const names: Names = {
    simulators: [...groups.keys()].sort(),
    policies: [...new Set(all.map(({ row }) => row.policy))].sort(),
    checkpoints: [...new Set(all.flatMap(({ row }) => row.checkpoint ?? []))].sort(),
    contexts: contentOrder(all, (row) => row.context),
    units: contentOrder(all, (row) => unitOf(row, unit)),
  };
  const isOutside = (row: ProfileRow) =>
    !byAct && (control === 'interaction' ? row.interactionOutside : row.outside === true);
  const columns = (rows: readonly Placed[]) => columnsOf(rows, names, unit, cellOf, isOutside);
  const rows = columns(used);
  return {
    profile,
    space: space.id,
    control,
    reason,
    codebook: byAct ? 'acts' : control === 'interaction' ? 'interactionEpisode' : 'episode',
    k: classes?.length ?? space.k,
    classes,
    unit,
    unitReason,
    ...names,
    simulatorOrder: nameFreeOrder(groups, names.simulators),
    rows,
    people:
      fit + people.length === 0
        ? null
        : {
            fit,
            mass: columns(usedPeople.filter(({ row }) => row.part === 'mass')),
            ceiling: columns(usedPeople.filter(({ row }) => row.part === 'ceiling')),
          },
    shares: {
      eligible: share(audited, ({ row }) => row.cell !== null),
      used: used.length / audited.length,
      outside: share(used, ({ row }) => isOutside(row)),
      simulators: names.simulators.map((name) => {
        const shares = simulatorShares.find(({ simulator }) => simulator === name)!;
        return { ...shares, used: share(groups.get(name)!, isUsed) };
      }),
      people: peopleShares === null ? null : { ...peopleShares, used: share(people, isUsed) },
    },
  };
}

interface Placed {
  readonly index: number;
  readonly row: ProfileRow;
}

interface Names {
  readonly simulators: readonly string[];
  readonly policies: readonly string[];
  readonly checkpoints: readonly string[];
  readonly contexts: readonly string[];
  readonly units: readonly string[];
}

function sharesOf(simulator: string, rows: readonly Placed[]): SimulatorShares {
  const eligible = rows.filter(({ row }) => row.cell !== null);
  return {
    simulator,
    rows: rows.length,
    eligible: eligible.length / rows.length,
    used: 1,
    outside: {
      full: eligible.length === 0 ? null : share(eligible, ({ row }) => row.outside === true),
      interaction: share(rows, ({ row }) => row.interactionOutside),
      semantic: share(rows, ({ row }) => row.semanticOutside),
    },
  };
}

function contextsOf(rows: readonly Placed[]): number {
  return new Set(rows.map(({ row }) => row.context)).size;
}

function share<T>(rows: readonly T[], is: (row: T) => boolean): number {
  let count = 0;
  for (const row of rows) if (is(row)) count++;
  return count / rows.length;
}

function bySimulator(rows: readonly Placed[]): Map<string, Placed[]> {
  const groups = new Map<string, Placed[]>();
  for (const placed of rows) {
    const group = groups.get(placed.row.simulator);
    if (group === undefined) groups.set(placed.row.simulator, [placed]);
    else group.push(placed);
  }
  return groups;
}

function unitOf(row: ProfileRow, unit: Unit): string {
  if (unit === 'context') return row.context;
  // Two episodes of equal content are told apart: each is an observation of its own.
  if (unit === 'episode' || row.person === null)
    return JSON.stringify([row.hash, row.simulator, row.policy, row.checkpoint, row.epoch, row.reward]);
  return row.person;
}

/** Distinct keys by the smallest content hash among their rows (rows come in hash order), ties by name. */
function contentOrder(rows: readonly Placed[], key: (row: ProfileRow) => string): string[] {
  const smallest = new Map<string, string>();
  for (const { row } of rows) {
    const name = key(row);
    const held = smallest.get(name);
    if (held === undefined || row.hash < held) smallest.set(name, row.hash);
  }
  return [...smallest]
    .sort(([a, first], [b, second]) => (first === second ? (a < b ? -1 : 1) : first < second ? -1 : 1))
    .map(([name]) => name);
}

/** Indexes into `simulators` in an order that the contents of their rows decide. */
function nameFreeOrder(groups: ReadonlyMap<string, Placed[]>, simulators: readonly string[]): number[] {
  const keys = simulators.map((name) =>
    hashText(
      groups
        .get(name)!
        .map(({ row }) => row.hash)
        .join(),
    ),
  );
  return simulators
    .map((_, i) => i)
    .sort((a, b) => (keys[a]! < keys[b]! ? -1 : keys[a]! > keys[b]! ? 1 : a - b));
}

function columnsOf(
  rows: readonly Placed[],
  names: Names,
  unit: Unit,
  cellOf: (row: ProfileRow) => number | null,
  isOutside: (row: ProfileRow) => boolean,
): ViewRows {
  const simulator = numbers(names.simulators);
  const policy = numbers(names.policies);
  const checkpoint = numbers(names.checkpoints);
  const context = numbers(names.contexts);
  const units = numbers(names.units);
  const integers = (of: (row: ProfileRow) => number | undefined) =>
    Int32Array.from(rows, ({ row }) => of(row) ?? -1);
  return {
    size: rows.length,
    profileRow: Int32Array.from(rows, ({ index }) => index),
    simulator: integers((row) => simulator.get(row.simulator)),
    policy: integers((row) => policy.get(row.policy)),
    checkpoint: integers((row) => (row.checkpoint === null ? -1 : checkpoint.get(row.checkpoint))),
    context: integers((row) => context.get(row.context)),
    unit: integers((row) => units.get(unitOf(row, unit))),
    cell: Uint8Array.from(rows, ({ row }) => cellOf(row)!),
    outside: Uint8Array.from(rows, ({ row }) => (isOutside(row) ? 1 : 0)),
    reward: Float64Array.from(rows, ({ row }) => row.reward ?? Number.NaN),
    epoch: Float64Array.from(rows, ({ row }) => row.epoch ?? Number.NaN),
  };
}

function numbers(names: readonly string[]): Map<string, number> {
  return new Map(names.map((name, i) => [name, i]));
}

function indexOrNull(names: readonly string[], name: string): number | null {
  const at = names.indexOf(name);
  return at < 0 ? null : at;
}
