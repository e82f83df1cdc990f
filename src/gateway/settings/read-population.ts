import { nearestName, shown } from '../../curation/recipe-fault.ts';
import { CollapseAwareError } from '../../errors.ts';
import { type PopulationFault, populationError, schemaFaults } from '../../population/fault.ts';
import {
  type Member,
  memberParts,
  PANELS_SCHEMA,
  type PanelName,
  type Panels,
  readPanels,
} from '../../population/index.ts';
import { seatMembers } from '../../population/read-panels.ts';
import { type MendedPopulation, mendedPopulation } from './mend-population.ts';
import type { PopulationSettings } from './settings.ts';
import { populationSchema, type WrittenPopulation } from './settings-schema.ts';

/** Recipes that widen what a model says. */
const WIDENING = new Set(['verbalized', 'interpolate', 'ensemble']);
/** What clients may ask for; nothing else may be called so. */
const ROUTE = /^(population|panel)(\/|$)/;

export interface ReadPopulationOptions {
  /** Names that `upstream` may have. */
  readonly upstreams: readonly string[];
  readonly file?: string;
}

/**
 * A written population, checked: panels as `readPanels` checks them, and an upstream for whoever a model answers for.
 * @throws CA_CONFIG_INVALID with every fault at once; CA_PANEL_OVERLAP.
 */
export function readPopulation(value: unknown, options: ReadPopulationOptions): PopulationSettings {
  const faults = populationFaults(value, options.upstreams);
  if (faults.length > 0)
    throw populationError(
      faults,
      'the population',
      options.file,
      'docs/gateway-settings.md lists every key with its range',
    );
  const written = populationSchema.parse(value);
  const panels = panelsOf(written, options);
  const { seen, selection, test } = panels;
  const by = new Map(written.members.map((member) => [member.id, member]));
  return {
    panels: { seen, selection, test },
    upstreamOf: Object.fromEntries(
      written.members.flatMap(({ id, upstream }) => (upstream === undefined ? [] : [[id, upstream]])),
    ),
    world: written.world,
    draw: written.draw,
    weights: Object.fromEntries(seen.map(({ id }) => [id, by.get(id)!.weight])),
    antiCollapse: seen
      .filter((member) => by.get(member.id)!.antiCollapse ?? widens(member))
      .map(({ id }) => id),
    aliases: written.aliases,
  };
}

/**
 * All that is wrong with a written population, by places of its own (`members[1].recipe`), each once. Where it is no
 * population at all, what its sound parts say of one another is checked all the same.
 */
export function populationFaults(value: unknown, upstreams: readonly string[]): PopulationFault[] {
  const read = populationSchema.safeParse(value);
  const faults = read.success ? [] : schemaFaults(read.error, value, populationSchema);
  const written = read.success ? read.data : mendedPopulation(value);
  if (written === null) return faults;
  const further: PopulationFault[] = [];
  const seats = seatMembers({ ...written, members: panelMembers(written) }, further);
  further.push(
    ...upstreamFaults(written, Object.values(seats).flat(), upstreams),
    ...aliasFaults(written),
    ...weightFaults(written, seats.seen),
  );
  const told = new Set(faults.map(({ path }) => path));
  return [
    ...faults,
    ...further
      .filter(({ path }) => !told.has(path) && (path !== '' || told.size === 0))
      .map((one) => (TWINS.test(one.found) ? { ...one, allowed: `${one.allowed} (${ONE_SIMULATOR})` } : one)),
  ];
}

/** Without what only a gateway knows. */
const panelMembers = ({ members }: Pick<WrittenPopulation, 'members'>) =>
  members.map(({ upstream: _u, weight: _w, antiCollapse: _a, ...member }) => member);

/** @throws what `readPanels` does; where two are one simulator, with a word on what might have made them look like two. */
function panelsOf(written: WrittenPopulation, { file }: ReadPopulationOptions): Panels {
  try {
    return readPanels(
      {
        schema: PANELS_SCHEMA,
        disjoint: written.disjoint,
        members: panelMembers(written),
        seen: written.seen,
        selection: written.selection,
        test: written.test,
      },
      file === undefined ? {} : { file },
    );
  } catch (cause) {
    if (!(cause instanceof CollapseAwareError) || !TWINS.test(cause.message)) throw cause;
    const todo = `${cause.todo === undefined ? '' : `${cause.todo}; `}${ONE_SIMULATOR}`;
    throw new CollapseAwareError(cause.code, cause.message, { place: cause.place, todo, cause });
  }
}

const TWINS = /one simulator|the same simulator/;
const ONE_SIMULATOR =
  'simulators are told apart by model, checkpoint, recipe and sampling: upstream and weight do not count';

/** The file that `readPopulation` reads these from. */
export function writtenPopulation(population: PopulationSettings): Record<string, unknown> {
  const { panels, upstreamOf, weights, antiCollapse, world, draw, aliases } = population;
  const members = new Map<string, Member>();
  for (const member of [...panels.seen, ...panels.selection, ...panels.test])
    for (const one of [...memberParts(member), member]) members.set(one.id, one);
  const ids = (list: readonly Member[]) => list.map(({ id }) => id);
  return {
    members: [...members.values()].map((member) => ({
      ...member,
      recipe: writtenRecipe(member),
      ...(upstreamOf[member.id] === undefined ? {} : { upstream: upstreamOf[member.id] }),
      weight: weights[member.id] ?? 1,
      antiCollapse: antiCollapse.includes(member.id),
    })),
    seen: ids(panels.seen),
    selection: ids(panels.selection),
    test: ids(panels.test),
    // Families were held apart where that was asked; what is served already is not asked again.
    disjoint: 'members',
    world,
    draw,
    aliases,
  };
}

function writtenRecipe({ recipe }: Member): Record<string, unknown> {
  switch (recipe.kind) {
    case 'interpolate':
      return { ...recipe, a: recipe.a.id, b: recipe.b.id };
    case 'ensemble':
      return { ...recipe, members: recipe.members.map(({ id }) => id) };
    case 'persona':
      return recipe.text === null
        ? { kind: 'persona', bank: recipe.bank }
        : { kind: 'persona', text: recipe.text };
    default:
      return { ...recipe };
  }
}

function widens({ recipe }: Member): boolean {
  return WIDENING.has(recipe.kind) || (recipe.kind === 'persona' && recipe.bank !== null);
}

/** Whether a model answers for it: then it needs an upstream. */
const isAsked = ({ recipe }: Member) => recipe.kind !== 'scripted' && recipe.kind !== 'human';

function upstreamFaults(
  written: MendedPopulation,
  all: readonly Member[],
  upstreams: readonly string[],
): PopulationFault[] {
  const faults: PopulationFault[] = [];
  const place = new Map(written.members.map(({ id }, i) => [id, `members[${i}]`]));
  for (const [i, { upstream }] of written.members.entries()) {
    if (upstream === undefined || upstreams.includes(upstream)) continue;
    const near = nearestName(upstream, upstreams);
    faults.push({
      path: `members[${i}].upstream`,
      found: shown(upstream),
      allowed:
        near === null ? `one of the upstreams: ${upstreams.join(', ') || 'there is none'}` : `'${near}'?`,
    });
  }
  const named = new Map(written.members.map(({ id, upstream }) => [id, upstream]));
  const asked = new Map<string, Member>();
  for (const member of all) {
    const parts = memberParts(member);
    for (const one of parts.length > 0 ? parts : [member]) if (isAsked(one)) asked.set(one.id, one);
  }
  for (const member of asked.values()) {
    const path = place.get(member.id) ?? shown(member.id);
    if (named.get(member.id) === undefined)
      faults.push({ path: `${path}.upstream`, found: 'nothing', allowed: 'the name of an upstream' });
    if (member.model === null && member.recipe.kind !== 'pool')
      faults.push({
        path: `${path}.model`,
        found: 'nothing',
        allowed: 'the name of a model at its upstream',
      });
  }
  return faults;
}

const SEATED: readonly PanelName[] = ['seen', 'selection', 'test'];

function aliasFaults({ aliases, ...panels }: MendedPopulation): PopulationFault[] {
  const faults: PopulationFault[] = [];
  const ids = new Set(SEATED.flatMap((panel) => panels[panel]));
  for (const [name, target] of Object.entries(aliases)) {
    const path = `aliases.${name}`;
    const [, pinned] = /^population\/(.+)$/s.exec(target) ?? [];
    if (ROUTE.test(name)) faults.push({ path, found: shown(name), allowed: 'a name of another kind' });
    else if (!['population', 'panel/selection', 'panel/test'].includes(target) && !ids.has(pinned ?? ''))
      faults.push({
        path,
        found: shown(target),
        allowed: 'population, population/ID of a member, panel/selection or panel/test',
      });
  }
  return faults;
}

function weightFaults({ members }: MendedPopulation, seen: readonly Member[]): PopulationFault[] {
  const weight = new Map(members.map((member) => [member.id, member.weight]));
  // Nobody has a seat where there are faults of another kind.
  return seen.length === 0 || seen.some(({ id }) => (weight.get(id) ?? 1) > 0)
    ? []
    : [{ path: 'seen', found: 'weights that are all 0', allowed: 'one above 0: nobody can be drawn' }];
}
