import { shown } from '../curation/recipe-fault.ts';
import { eachOnce, type PopulationFault, populationError, schemaFaults } from './fault.ts';
import { type Member, memberFingerprint, memberParts } from './member.ts';
import type { WrittenMember } from './member-schema.ts';
import { checkPanelOverlap } from './panel-overlap.ts';
import { PANEL_NAMES, PANELS_SCHEMA, type PanelName, type PanelNote, type Panels } from './panels.ts';
import { panelsSchema } from './panels-schema.ts';
import { byId, type Named, resolveMember, unknownMember } from './resolve-member.ts';

export interface ReadPanelsOptions {
  /** Where faults say the panels were read from. */
  readonly file?: string;
}

/**
 * A written panels file, checked, with ids replaced by members and every default filled in; members in the order of
 * their ids, so that the order in the file says nothing.
 *
 * @throws CA_CONFIG_INVALID with every fault at once (key, value found, allowed range); CA_PANEL_OVERLAP where one
 * simulator, or with `disjoint: 'families'` one family, stands in two panels.
 */
export function readPanels(value: unknown, options: ReadPanelsOptions = {}): Panels {
  const read = panelsSchema.safeParse(value);
  if (!read.success)
    throw populationError(schemaFaults(read.error, value, panelsSchema), 'the panels', options.file);
  const written = read.data;
  const faults: PopulationFault[] = [];
  const seats = seatMembers(written, faults);
  if (faults.length > 0) throw populationError(faults, 'the panels', options.file);

  const place = options.file === undefined ? {} : { file: options.file };
  const shared = checkPanelOverlap(seats, written.disjoint, place);
  for (const panel of PANEL_NAMES) seats[panel].sort(byId);
  return {
    schema: PANELS_SCHEMA,
    disjoint: written.disjoint,
    ...seats,
    notes: [...PANEL_NAMES.filter((panel) => seats[panel].length === 0).map(emptyNote), ...shared],
  };
}

/** Members of each panel in the order of the file; faults go to `faults`, each at the place where it is to be mended. */
export function seatMembers(written: WrittenPanels, faults: PopulationFault[]): Record<PanelName, Member[]> {
  const found: PopulationFault[] = [];
  const named = catalogue(written, found);
  const known = [...named.keys()];
  const lookup = (id: string) => named.get(id);
  const seats: Record<PanelName, Member[]> = { seen: [], selection: [], test: [] };
  for (const panel of PANEL_NAMES)
    for (const [i, entry] of written[panel].entries()) {
      const path = `${panel}[${i}]`;
      const one = typeof entry === 'string' ? named.get(entry) : { written: entry, path };
      if (one === undefined) found.push(unknownMember(entry as string, path, known));
      else {
        const member = resolveMember(one.written, one.path, lookup, known, found);
        if (member !== null) seats[panel].push(member);
      }
    }
  // A member that no panel takes may still be misspelt.
  const taken = new Set(PANEL_NAMES.flatMap((panel) => written[panel].map(idOf)));
  for (const [i, member] of written.members.entries())
    if (!taken.has(member.id)) resolveMember(member, `members[${i}]`, lookup, known, found);
  for (const panel of PANEL_NAMES)
    found.push(...twins(panel, seats[panel]), ...namesakes(panel, seats[panel]));
  if (PANEL_NAMES.every((panel) => written[panel].length === 0))
    found.push({ path: '', found: 'three empty panels', allowed: 'a member in at least one' });
  faults.push(...eachOnce(found));
  return seats;
}

type WrittenPanels = Pick<ReturnType<typeof panelsSchema.parse>, 'members' | PanelName>;

const idOf = (entry: string | WrittenMember) => (typeof entry === 'string' ? entry : entry.id);

/** Every member that an id may stand for. One id has one meaning in the whole file. */
function catalogue(written: WrittenPanels, faults: PopulationFault[]): Map<string, Named> {
  const named = new Map<string, Named>();
  const inline = new Map<string, Named>();
  for (const [i, member] of written.members.entries())
    if (named.has(member.id))
      faults.push({ path: `members[${i}].id`, found: shown(member.id), allowed: 'an id of its own' });
    else named.set(member.id, { written: member, path: `members[${i}]` });
  for (const panel of PANEL_NAMES)
    for (const [i, entry] of written[panel].entries()) {
      if (typeof entry === 'string') continue;
      const path = `${panel}[${i}]`;
      // The same inline member in two panels is an overlap and told as one.
      if (named.has(entry.id))
        faults.push({
          path: `${path}.id`,
          found: shown(entry.id),
          allowed: 'an id that `members` does not have, or the id alone',
        });
      else inline.set(entry.id, { written: entry, path });
    }
  return new Map([...inline, ...named]);
}

/** Who stands twice in one panel: twice the weight, unsaid. */
function twins(panel: PanelName, members: readonly Member[]): PopulationFault[] {
  const faults: PopulationFault[] = [];
  const seen = new Map<string, Member>();
  for (const member of members)
    for (const key of [`id ${member.id}`, `print ${memberFingerprint(member)}`]) {
      const other = seen.get(key);
      if (other === undefined) seen.set(key, member);
      else {
        const same = other.id === member.id ? 'twice' : `and ${shown(other.id)}, one simulator`;
        faults.push({ path: panel, found: `${shown(member.id)} ${same}`, allowed: 'every simulator once' });
        break;
      }
    }
  return faults;
}

/** One id for two simulators, one of them inside a recipe: records could not tell them apart. */
function namesakes(panel: PanelName, members: readonly Member[]): PopulationFault[] {
  const faults: PopulationFault[] = [];
  const prints = new Map(members.map((member) => [member.id, memberFingerprint(member)]));
  for (const owner of members)
    for (const part of memberParts(owner)) {
      const print = memberFingerprint(part);
      const other = prints.get(part.id) ?? print;
      prints.set(part.id, other);
      if (other !== print)
        faults.push({
          path: panel,
          found: `${shown(part.id)} inside ${shown(owner.id)} and another simulator of that id`,
          allowed: 'one simulator an id',
        });
    }
  return faults;
}

const WITHOUT: Readonly<Record<PanelName, string>> = {
  seen: 'nothing is trained against',
  selection: 'checkpoints cannot be chosen without looking at the test',
  test: 'nothing is measured on strangers',
};

function emptyNote(panel: PanelName): PanelNote {
  return {
    kind: 'empty',
    panels: [panel],
    family: null,
    text: `the ${panel} panel is empty: ${WITHOUT[panel]}`,
  };
}
