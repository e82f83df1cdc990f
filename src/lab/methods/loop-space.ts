import type { OpenAnswer, PeopleCounts, ProbeRequest } from '../../loop/index.ts';
import type { Random } from '../../math/random.ts';
import type { Member } from '../../population/index.ts';
import { splitReference } from '../../space/index.ts';
import { hashText } from '../../trajectory/identity.ts';
import { type Person, traitsInWords, watchedDialogue } from '../simulators/index.ts';
import type { World } from '../world/index.ts';
import { type ActBehaviour, actBehaviour } from './act-behaviour.ts';
import { type ActModes, fitModes, placeBehaviours } from './act-modes.ts';

/** Dialogues of reference people, as many as `human-fitted` has. */
const DIALOGUES = 300;
/** Seed of the settings of people's dialogues: runs of other seeds train and look on others. */
const SETTINGS = 1_000_003;
/** Kinds that a description of a mode's people names, one a persona. */
const KINDS_A_MODE = 3;
/** Contexts of the sample that a space without people is fitted on. */
const SAMPLE = 40;

/** The space of a run in the lab, at the level of acts, and what is said of it when a run opens. */
export interface LoopSpace {
  readonly modes: ActModes;
  readonly open: Pick<OpenAnswer, 'k' | 'space' | 'people' | 'personas'>;
}

/**
 * Modes of reference people: half of them (by person) make the codebook, a quarter say how often each mode is, a quarter
 * are measured as if they were a simulator. A mode is described by the kinds that its dialogues of the first half speak
 * for: what a careful reader could say of them, as often right as Bayes' rule allows.
 */
export function spaceOfPeople(
  world: World,
  people: readonly Person[],
  seed: number,
  random: Random,
): LoopSpace {
  const rows = Array.from({ length: DIALOGUES }, (_, d) => {
    const person = people[d % people.length]!;
    const own = random.fork(`dialogue/${d}`);
    const setting = world.setting(d, SETTINGS);
    const { encounter, posterior } = watchedDialogue(
      world,
      person,
      setting,
      own.fork('agent'),
      own.fork('user'),
    );
    const behaviour = actBehaviour(setting, encounter, world.userActs.length, world.horizon);
    return { ...behaviour, person: person.id, posterior };
  });
  const parts = splitReference(
    rows.map(({ hash, person }) => ({ hash, person, simulator: 'people' })),
    seed,
  );
  const partOf = (part: string) => rows.filter(({ hash }) => parts.get(hash) === part);
  const fit = partOf('fit');
  const held = rows.filter(({ hash }) => parts.get(hash) !== 'fit');
  const fitted = fitModes(fit, held, seed);
  const counts = (part: string): PeopleCounts => {
    const own = partOf(part);
    const placed = placeBehaviours(fitted, own);
    return {
      units: own.map(({ person }) => person),
      cells: [...placed.mode],
      outside: [...placed.outside].map((is) => is === 1),
    };
  };
  // How often each mode is, the loop reads off the counts.
  const modes: ActModes = { ...fitted, reference: null };
  const placed = placeBehaviours(fitted, fit);
  const personas = Array.from({ length: modes.k }, (_, mode) => {
    const own = fit.filter((_, row) => placed.mode[row] === mode);
    const total = new Float64Array(world.types.length);
    for (const { posterior } of own)
      posterior.forEach((p, z) => {
        total[z]! += p;
      });
    return [...total.keys()]
      .sort((a, b) => total[b]! - total[a]! || a - b)
      .slice(0, own.length === 0 ? 0 : KINDS_A_MODE)
      .map((z) => ({ mode, text: traitsInWords(world, world.types[z]!.traits), exemplars: [] }));
  }).flat();
  return {
    modes,
    open: {
      k: modes.k,
      space: nameOf(world, modes),
      people: { mass: counts('mass'), ceiling: counts('ceiling') },
      personas,
    },
  };
}

/** The dialogues that a space without people is fitted on: every member given, in the same contexts. */
export function sampleRequest(members: readonly Member[]): ProbeRequest {
  return {
    kind: 'probe',
    id: 'open',
    checkpoint: 'base',
    population: members.map((member) => ({ member, share: 1 / members.length })),
    draw: 'each',
    contexts: SAMPLE,
    rollouts: 1,
    seed: 'open',
  };
}

/** Modes of whatever rows there are, half of which say how far out a row may be; descriptions are of nobody in particular. */
export function spaceOfRows(world: World, rows: readonly ActBehaviour[], seed: number): LoopSpace {
  const ordered = [...new Map(rows.map((row) => [row.hash, row])).values()].sort((a, b) =>
    a.hash < b.hash ? -1 : 1,
  );
  const fit = ordered.filter((_, at) => at % 2 === 0);
  const held = ordered.filter((_, at) => at % 2 === 1);
  const modes: ActModes = { ...fitModes(fit, held, seed), reference: null };
  return {
    modes,
    open: {
      k: modes.k,
      space: nameOf(world, modes),
      people: null,
      personas: world.types.map(({ traits }) => ({
        mode: null,
        text: traitsInWords(world, traits),
        exemplars: [],
      })),
    },
  };
}

const nameOf = (world: World, { codebook, whitening }: ActModes): string =>
  hashText(
    JSON.stringify([world.id, world.horizon, [...codebook.centroids.data], [...whitening.mean]]),
  ).slice(0, 16);
