import type { Random } from '../../math/index.ts';
import type { SimulatorKind, Split } from '../../trajectory/trajectory.ts';
import type { UserMakeup } from './scripted-user.ts';
import { ARCHETYPES, around, between, drawPerson, type Traits } from './traits.ts';

/** A named kind of simulator with known truth. */
export interface Family {
  readonly id: string;
  readonly kind: SimulatorKind;
  readonly split: Split | null;
  /** What it is, for the reader of a demo. */
  readonly truth: string;
  /** A user of it, fresh for an episode; `progress` runs from 0 (first epoch) to 1 (last). */
  draw(random: Random, progress: number): UserMakeup;
}

const plain = (traits: Traits, breadth = 1, habit = 1): UserMakeup => ({
  traits,
  voice: 'plain',
  breadth,
  habit,
});
/** Where simulators end up that were tuned to be helpful. */
const HELPFUL = { ...ARCHETYPES.friendly!, casual: 0, expressiveness: 0.35 };
const AGREEABLE_KINDS = { friendly: 1, chatty: 1, curious: 1, formal: 1, anxious: 1, brisk: 1 };

export const FAMILIES: readonly Family[] = [
  {
    id: 'one-note',
    kind: 'llm',
    split: 'seen',
    truth: 'narrow: one helpful manner in a few wordings',
    draw: (random) => plain(around({ ...HELPFUL, trust: 0.7 }, 0.01, random), 0.2, 20),
  },
  {
    id: 'agreeable',
    kind: 'llm',
    split: 'seen',
    truth: 'varied manners, but trusting and without push-back',
    draw: (random) => {
      const traits = drawPerson(random, 0.1, AGREEABLE_KINDS);
      return plain({ ...traits, trust: 0.85 + 0.15 * traits.trust, pushback: 0.1 * traits.pushback });
    },
  },
  {
    id: 'drifting',
    kind: 'trained',
    split: 'seen',
    truth: 'broad at first, collapses onto one manner while training',
    draw: (random, progress) => {
      const collapsed = random.next() < progress;
      const traits = between(drawPerson(random), HELPFUL, collapsed ? 0.95 : 0.3 * progress);
      return collapsed ? plain(traits, 0.2, 20) : plain(traits);
    },
  },
  {
    id: 'panel',
    kind: 'llm',
    split: 'test',
    truth: 'broad: as varied as people',
    draw: (random) => plain(drawPerson(random)),
  },
  {
    id: 'forum',
    kind: 'llm',
    split: 'test',
    truth: 'one odd hand, but varied behaviour',
    draw: (random) => ({ traits: drawPerson(random), voice: 'forum', breadth: 1, habit: 1 }),
  },
];
