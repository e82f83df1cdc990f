import { shown } from '../curation/recipe-fault.ts';
import { CollapseAwareError, type Place } from '../errors.ts';
import { normaliseScenario } from '../trajectory/identity.ts';
import { type Member, memberFingerprint, memberParts } from './member.ts';
import { PANEL_NAMES, type PanelName, type PanelNote, type Panels } from './panels.ts';

type Lists = Readonly<Record<PanelName, readonly Member[]>>;

/**
 * Throws CA_PANEL_OVERLAP where one simulator stands in two panels: by id, by fingerprint, or inside the recipe of a
 * member of another panel. With `families`, also where one family does; people are told apart one by one and excepted.
 * Returns the families that panels share all the same.
 */
export function checkPanelOverlap(panels: Lists, disjoint: Panels['disjoint'], place: Place): PanelNote[] {
  const ids = new Map<string, Standing>();
  const prints = new Map<string, Standing>();
  const families = new Map<string, { readonly human: boolean; readonly family: string; in: PanelName[] }>();
  for (const panel of PANEL_NAMES)
    for (const owner of panels[panel])
      for (const member of [owner, ...memberParts(owner)]) {
        const here: Standing = { panel, member, owner };
        meet(ids, member.id, here, 'id', place);
        meet(prints, memberFingerprint(member), here, 'fingerprint', place);
        const human = member.recipe.kind === 'human';
        // A capital or a space does not make another family.
        const key = JSON.stringify([human, normaliseScenario(member.family)]);
        const known = families.get(key) ?? { human, family: member.family, in: [] };
        families.set(key, known);
        if (!known.in.includes(panel)) known.in.push(panel);
      }
  const shared = [...families.values()].filter((one) => one.in.length > 1);
  const wrong = shared.filter(({ human }) => !human);
  if (disjoint === 'families' && wrong.length > 0)
    throw new CollapseAwareError(
      'CA_PANEL_OVERLAP',
      wrong
        .map(({ family, in: both }) => `family ${shown(family)} stands in ${both.join(' and ')}`)
        .join('; '),
      {
        place,
        todo: "members of one family are likely to answer alike: keep it in one panel, or write disjoint: 'members'",
      },
    );
  return shared
    .sort((a, b) => (a.family < b.family ? -1 : a.family > b.family ? 1 : 0))
    .map(({ family, human, in: both }) => ({
      kind: human ? 'people' : 'shared-family',
      panels: both,
      family,
      text: human
        ? `people of ${shown(family)} stand in ${both.join(' and ')}, split by person`
        : `family ${shown(family)} stands in ${both.join(' and ')}: held-out members are not strangers`,
    }));
}

interface Standing {
  readonly panel: PanelName;
  readonly member: Member;
  /** The member itself, or the one whose recipe holds it. */
  readonly owner: Member;
}

function meet(
  known: Map<string, Standing>,
  key: string,
  here: Standing,
  by: 'id' | 'fingerprint',
  place: Place,
): void {
  const there = known.get(key);
  if (there === undefined) known.set(key, here);
  else if (there.panel !== here.panel)
    throw new CollapseAwareError(
      'CA_PANEL_OVERLAP',
      `${told(there)} and ${told(here)} are one simulator (the same ${by})`,
      { place, todo: 'a simulator is seen, or selects, or tests: take it out of all panels but one' },
    );
}

function told({ panel, member, owner }: Standing): string {
  const inside = member === owner ? '' : ` (inside ${shown(owner.id)})`;
  return `${shown(member.id)}${inside} of ${panel}`;
}
