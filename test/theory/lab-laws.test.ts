import { beforeAll, describe, expect, it } from 'vitest';
import {
  collapseOf,
  DEFAULT_FAMILIES,
  familyShares,
  familySimulator,
  openPerson,
} from '../../src/lab/simulators/index.ts';
import type { Encounter } from '../../src/lab/world/index.ts';
import { persuasion } from '../../src/lab/worlds/persuasion/index.ts';
import { seeded } from '../../src/math/index.ts';
import { type Dialogue, everyDialogue, expectedReward, lawOf, mixedLaw } from './dialogue-laws.ts';
import { jensenShannon, mixture, pushedPair, totalVariation } from './divergence.ts';
import { printFigure } from './printed-figure.ts';

/**
 * The lab's persuasion with 3 turns, its shortest, and a demonstrator that keeps to its likeliest acts, two at first and
 * then one: few enough dialogues to have all of them, with their chances under the 12 kinds of people and the 13 families
 * as served.
 */
const world = persuasion(3);
const families = Object.values(DEFAULT_FAMILIES).flat();
const kinds = world.types.length;
const ROUNDING = 1e-12;

function likeliest(encounter: Encounter): Float64Array {
  const law = new Float64Array(world.agentActs.length);
  world.demonstrate(encounter, law);
  const kept = [...law.keys()].sort((a, b) => law[b]! - law[a]!).slice(0, encounter.turn === 0 ? 2 : 1);
  const total = kept.reduce((sum, act) => sum + law[act]!, 0);
  return law.map((chance, act) => (kept.includes(act) ? chance / total : 0));
}

let dialogues: Dialogue[];
let people: Float64Array;
/** By family, laws over dialogues: before any collapse, and as served. */
let reference: Float64Array[];
let served: Float64Array[];

beforeAll(() => {
  const random = seeded('theory/lab');
  dialogues = everyDialogue(world, world.setting(0, 1), likeliest, () => [
    ...world.types.map(({ id, traits }, type) => openPerson(world, { id, type, traits })),
    ...families.map((family) => familySimulator(world, family).open(random)),
    familySimulator(world, families[0]!, { gamma: 1 }).open(random),
  ]);
  const ofKinds = (shares: ArrayLike<number>) =>
    mixedLaw(
      dialogues,
      Array.from(dialogues[0]!.users, (_, i) => (i < kinds ? shares[i]! : 0)),
    );
  people = ofKinds(world.types.map(({ share }) => share));
  reference = families.map((family) => ofKinds(familyShares(world, family)));
  served = families.map((_, i) => lawOf(dialogues, kinds + i));
});

/** Half over seen families, each alike, against the test panel: what PSOD compares. */
const panel = (part: 'seen' | 'test') => {
  const members = DEFAULT_FAMILIES[part].map((family) => served[families.indexOf(family)]!);
  return mixture(
    members,
    members.map(() => 1 / members.length),
  );
};

const range = (values: readonly number[]) =>
  `${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)}`;

describe('whole dialogues of the lab, enumerated', () => {
  it('have chances that sum to 1, and phi_ref is the mixture of kinds at every history as over all', () => {
    for (const law of [people, ...reference, ...served])
      expect(law.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 12);
    const byPosterior = lawOf(dialogues, kinds + families.length);
    expect(totalVariation(byPosterior, reference[0]!)).toBeLessThan(ROUNDING);
    printFigure('lab', `${dialogues.length} dialogues`);
  });

  it('bound PSOD between any two users, of panels and against people', () => {
    const laws = [people, panel('seen'), panel('test'), ...reference, ...served];
    for (const [i, p] of laws.entries())
      for (const q of laws.slice(0, i)) {
        const tv = totalVariation(p, q);
        const gap = Math.abs(expectedReward(dialogues, p) - expectedReward(dialogues, q));
        expect(gap).toBeLessThanOrEqual(tv + ROUNDING);
        expect(tv).toBeLessThanOrEqual(Math.sqrt(2 * jensenShannon([p, q], [0.5, 0.5])) + ROUNDING);
      }
    const [seen, test] = [panel('seen'), panel('test')];
    const jsd = Math.sqrt(2 * jensenShannon([seen, test], [0.5, 0.5]));
    printFigure(
      'PSOD of the default panels',
      `${(expectedReward(dialogues, seen) - expectedReward(dialogues, test)).toFixed(3)}, TV ${totalVariation(seen, test).toFixed(3)}, sqrt(2 JSD) ${jsd.toFixed(3)}`,
    );
  });

  it('of phi_ref are no further from people than kappa, of what is served they are', () => {
    const shown: number[] = [];
    const further: number[] = [];
    families.forEach(({ kappa }, i) => {
      const tv = totalVariation(reference[i]!, people);
      expect(tv).toBeLessThanOrEqual(kappa + ROUNDING);
      shown.push(tv / kappa);
      further.push(totalVariation(served[i]!, people) / kappa);
    });
    // Collapse is not a mixture of kinds by other shares: kappa says nothing of it.
    expect(Math.max(...further)).toBeGreaterThan(1);
    printFigure('TV / kappa', `phi_ref ${range(shown)}, served ${range(further)}`);
  });

  it('can have a PSOD above the distance of their modes, where a mode is the most frequent act', () => {
    const modes = dialogues.map(mostFrequentAct);
    const pairs = families.flatMap((one, i) =>
      families.slice(0, i).map((other, j) => {
        const [p, q] = [served[i]!, served[j]!];
        const [a, b] = pushedPair(p, q, (d) => modes[d]!);
        return {
          names: `${other.id} and ${one.id}`,
          gap: Math.abs(expectedReward(dialogues, p) - expectedReward(dialogues, q)),
          ofModes: totalVariation(a, b),
          jsdOfModes: Math.sqrt(2 * jensenShannon([a, b], [0.5, 0.5])),
          ofDialogues: totalVariation(p, q),
        };
      }),
    );
    for (const { gap, ofModes, ofDialogues } of pairs) {
      expect(ofModes).toBeLessThanOrEqual(ofDialogues + ROUNDING);
      expect(gap).toBeLessThanOrEqual(ofDialogues + ROUNDING);
    }
    const beyond = pairs.filter(({ gap, jsdOfModes }) => gap > jsdOfModes);
    expect(beyond.length).toBeGreaterThan(0);
    const [worst] = [...beyond].sort((x, y) => y.gap / y.ofModes - x.gap / x.ofModes) as [(typeof beyond)[0]];
    expect(worst.gap).toBeGreaterThan(2 * worst.ofModes);
    printFigure(
      `PSOD of ${worst.names}`,
      `${worst.gap.toFixed(3)}, TV of modes ${worst.ofModes.toFixed(3)}, sqrt(2 JSD) of modes ${worst.jsdOfModes.toFixed(3)}, TV of dialogues ${worst.ofDialogues.toFixed(3)}; above the TV of modes in ${pairs.filter(({ gap, ofModes }) => gap > ofModes).length} of ${pairs.length} pairs`,
    );
  });

  it('are bounded by the acts alone: the sequence of acts is all that policy and reward see', () => {
    const sequences = new Set(dialogues.map(({ steps }) => steps.map(({ act }) => act).join()));
    expect(sequences.size).toBe(dialogues.length);
  });

  it('differ at a history by more than epsilon where kinds are collapsed too, never where acts alone are', () => {
    const random = seeded('theory/lab/acts');
    let [beyond, histories, widest] = [0, 0, 0];
    // phi_ref and the same with its acts collapsed, its kinds not.
    const family = families[0]!;
    const twice = everyDialogue(world, world.setting(0, 1), likeliest, () => [
      familySimulator(world, family, { gamma: 1 }).open(random),
      familySimulator(world, { ...family, kindGamma: 1 }).open(random),
      familySimulator(world, family).open(random),
    ]);
    expect(collapseOf(family).kinds).toBeGreaterThan(1);
    for (const { laws } of twice)
      for (const [ref, acts, both] of laws as readonly (readonly [
        Float64Array,
        Float64Array,
        Float64Array,
      ])[]) {
        const epsilon = 1 - Math.max(...ref);
        expect(totalVariation(ref, acts)).toBeLessThanOrEqual(epsilon + ROUNDING);
        const distance = totalVariation(ref, both);
        histories += 1;
        if (distance > epsilon + ROUNDING) beyond += 1;
        widest = Math.max(widest, distance - epsilon);
      }
    expect(beyond).toBeGreaterThan(0);
    printFigure(
      'collapse over kinds',
      `${family.id}: TV above epsilon at ${((100 * beyond) / histories).toFixed(1)} % of user turns of all dialogues, by up to ${widest.toFixed(2)}`,
    );
  });

  it('make the bound by epsilon say nothing: its sum over the turns of a dialogue is above 1', () => {
    const errors = (law: Float64Array, user: number) =>
      dialogues.reduce(
        (sum, { laws }, d) =>
          sum + law[d]! * laws.reduce((all, here) => all + 1 - Math.max(...here[user]!), 0),
        0,
      );
    const uncollapsed = kinds + families.length;
    const sum = errors(reference[0]!, uncollapsed);
    expect(sum).toBeGreaterThan(1);
    printFigure('sum of epsilon', `phi_ref of ${families[0]!.id} with 3 turns: ${sum.toFixed(2)} a dialogue`);
  });
});

/** Of the user; of equals the first by name, as `--classes act` names an episode. */
function mostFrequentAct({ steps }: Dialogue): string {
  const counts = new Map<string, number>();
  for (const { side, act } of steps) {
    const name = world.userActs[act]!;
    if (side === 'user') counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const most = Math.max(...counts.values());
  return [...counts]
    .filter(([, count]) => count === most)
    .map(([name]) => name)
    .sort()[0]!;
}
