import { shown } from '../../curation/recipe-fault.ts';
import { CollapseAwareError } from '../../errors.ts';
import { type PopulationFault, populationError, schemaFaults } from '../../population/fault.ts';
import { PANEL_NAMES, PANELS_SCHEMA, type PanelName, readPanels } from '../../population/index.ts';
import { byId, unknownMember } from '../../population/resolve-member.ts';
import { hashText } from '../../trajectory/identity.ts';
import type { SimulatorFamily } from './family.ts';
import {
  LAB_PANELS_SCHEMA,
  LIST_OF_FAMILIES,
  LIST_OF_IDS,
  labPanelsSchema,
  MOST_FAMILIES,
} from './lab-panels-schema.ts';

export type LabPanelFamilies = Readonly<Record<PanelName, readonly SimulatorFamily[]>>;

/** Families that are trained against (in the order in which methods take them), choose checkpoints, and measure. */
export interface LabPanels extends LabPanelFamilies {
  /** What a reader of results should know. */
  readonly notes: readonly LabPanelNote[];
}

export interface LabPanelNote {
  readonly kind: 'few-seen' | 'few-tested' | 'unused';
  /** The note in words. */
  readonly text: string;
}

export interface ReadLabPanelsOptions {
  /** Where faults say the panels were read from. */
  readonly file?: string;
}

/** What the lab calls others than families, in records and tables. */
const TAKEN: readonly string[] = ['people', 'human-fitted', 'anyone', 'domain-randomisation'];
/** Families of an ensemble, and so of curation. */
const ENSEMBLE = 3;
/** Fewer members say nothing about simulators that are not among them. */
const LEAST_TESTED = 6;

/**
 * A written file of the lab's panels, checked as `readPanels` checks a population's: any ids, no family in two panels.
 * `selection` and `test` come in the order of ids; that of `seen` is the file's, since `single` takes the first.
 *
 * @throws CA_CONFIG_INVALID with every fault at once (key, value found, allowed range); CA_PANEL_OVERLAP where one
 * family stands in two panels, under one id or two.
 */
export function readLabPanels(value: unknown, options: ReadLabPanelsOptions = {}): LabPanels {
  const refuse = (faults: readonly PopulationFault[]) =>
    populationError(
      faults,
      'the panels of the lab',
      options.file,
      'docs/lab-panels.md lists every key with its range',
    );
  const long = tooLong(value);
  if (long.length > 0) throw refuse(long);
  const read = labPanelsSchema.safeParse(value);
  if (!read.success) throw refuse(schemaFaults(read.error, value, labPanelsSchema));
  const { families, ...written } = read.data;
  const byName = new Map<string, SimulatorFamily>();
  const faults: PopulationFault[] = [];
  for (const [i, family] of families.entries()) {
    const path = `families[${i}].id`;
    if (byName.has(family.id)) faults.push({ path, found: shown(family.id), allowed: 'an id of its own' });
    if (TAKEN.includes(family.id.trim().toLowerCase()))
      faults.push({ path, found: shown(family.id), allowed: `an id other than ${TAKEN.join(', ')}` });
    byName.set(family.id, content(family));
  }
  const known = [...byName.keys()];
  for (const panel of PANEL_NAMES)
    for (const [i, id] of written[panel].entries()) {
      const path = `${panel}[${i}]`;
      if (!byName.has(id)) faults.push(unknownMember(id, path, known));
      else if (written[panel].indexOf(id) < i)
        faults.push({ path, found: `${shown(id)} once more`, allowed: 'every family once' });
    }
  if (faults.length > 0) throw refuse(faults);
  const seats = (panel: PanelName) => written[panel].map((id) => byName.get(id)!);
  checkStrangers({ seen: seats('seen'), selection: seats('selection'), test: seats('test') }, options);
  return {
    seen: seats('seen'),
    selection: seats('selection').sort(byId),
    test: seats('test').sort(byId),
    notes: notesOf(written, known),
  };
}

/** Long lists are refused before they are looked into. */
function tooLong(value: unknown): PopulationFault[] {
  if (typeof value !== 'object' || value === null) return [];
  const lists = value as Record<string, unknown>;
  return ['families', ...PANEL_NAMES].flatMap((path) => {
    const list = lists[path];
    if (!Array.isArray(list) || list.length <= MOST_FAMILIES) return [];
    const allowed = path === 'families' ? LIST_OF_FAMILIES : LIST_OF_IDS;
    return [{ path, found: `a list of ${list.length}`, allowed }];
  });
}

/** The panels as a population's, whose reader holds them apart. */
function checkStrangers(panels: LabPanelFamilies, options: ReadLabPanelsOptions): void {
  const members = (panel: PanelName) =>
    panels[panel].map((family) => ({ id: family.id, family: lawName(family), recipe: { kind: 'scripted' } }));
  try {
    readPanels(
      {
        schema: PANELS_SCHEMA,
        seen: members('seen'),
        selection: members('selection'),
        test: members('test'),
      },
      options,
    );
  } catch (error) {
    if (!(error instanceof CollapseAwareError) || error.code !== 'CA_PANEL_OVERLAP') throw error;
    throw new CollapseAwareError(error.code, error.message, {
      place: error.place,
      todo: 'a family is seen, or selects, or tests: take it out of all panels but one',
      cause: error,
    });
  }
}

/** What decides its law: with nothing taken from people, or no taste of its own, the id does not. */
function lawName({ id, kappa, gamma, kindGamma = gamma, lean }: SimulatorFamily): string {
  const collapse = `gamma ${gamma} and ${kindGamma}`;
  if (kappa === 0) return `all people, ${collapse}`;
  return lean === 1 ? `the agreeable, kappa ${kappa}, ${collapse}` : id;
}

function notesOf(
  written: Readonly<Record<PanelName, readonly string[]>>,
  known: readonly string[],
): LabPanelNote[] {
  const notes: LabPanelNote[] = [];
  const { seen, test } = written;
  if (seen.length < ENSEMBLE)
    notes.push({
      kind: 'few-seen',
      text: `${counted(seen.length)} seen: ensemble-${ENSEMBLE} and curation, which take ${ENSEMBLE}, have no more`,
    });
  if (test.length < LEAST_TESTED)
    notes.push({
      kind: 'few-tested',
      text: `${counted(test.length)} in the test panel: with fewer than ${LEAST_TESTED} nothing is claimed about other simulators`,
    });
  const taken = new Set(PANEL_NAMES.flatMap((panel) => written[panel]));
  for (const id of known.filter((name) => !taken.has(name)))
    notes.push({ kind: 'unused', text: `family ${shown(id)} stands in no panel` });
  return notes;
}

const counted = (count: number) => (count === 1 ? '1 family is' : `${count} families are`);

/** The file that `readLabPanels` reads these from. */
export function writtenLabPanels(panels: LabPanelFamilies): Record<string, unknown> {
  const ids = (panel: PanelName) => panels[panel].map(({ id }) => id);
  return {
    schema: LAB_PANELS_SCHEMA,
    families: PANEL_NAMES.flatMap((panel) => panels[panel]).map(content),
    seen: ids('seen'),
    selection: ids('selection'),
    test: ids('test'),
  };
}

/** 32 hex digits of who stands in which panel, the order of `seen` included: part of a study's identity. */
export function labPanelsHash(panels: LabPanelFamilies): string {
  const { seen, selection, test } = panels;
  const sorted = [[...selection].sort(byId), [...test].sort(byId)];
  return hashText(JSON.stringify([seen, ...sorted].map((panel) => panel.map(content))));
}

/** One form for one law: a kindGamma that says what its absence says is left out. */
const content = ({ id, kappa, gamma, kindGamma = gamma, lean }: SimulatorFamily): SimulatorFamily =>
  kindGamma === gamma ? { id, kappa, gamma, lean } : { id, kappa, gamma, kindGamma, lean };
