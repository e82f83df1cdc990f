import type { WorldId } from '../world/index.ts';

const PAPER = 'Yu et al. 2026, arXiv 2608.12253';
const PROPOSAL = 'the goals of the COLLAPSE-AWARE proposal';

/** What is looked at. A difference of two methods is paired over seeds; a change is within each run. */
export type SignTest =
  | {
      readonly kind: 'difference';
      /** A figure of cell-figures.ts. */
      readonly figure: string;
      readonly of: string;
      readonly less: string;
    }
  | {
      readonly kind: 'change';
      readonly method: string;
      /** Last steps less first steps of a column of the training history. */
      readonly column: 'reward' | 'zeroVariance' | 'entropy';
    }
  | { readonly kind: 'figure'; readonly method: string; readonly figure: string };

/** A phenomenon as published, with the side of 0 on which it is expected. */
export interface Sign {
  /** As docs/lab.md names it. */
  readonly id: string;
  readonly statement: string;
  readonly source: string;
  /** `not above`: the published study found no gain. */
  readonly expected: 'up' | 'down' | 'not above';
  /** Only in this world; null = in all. */
  readonly world: WorldId | null;
  readonly test: SignTest;
}

/** An absence counts as seen where the interval rules out more than this. */
export const LEAST_GAIN = 0.05;

function sign(
  id: string,
  statement: string,
  expected: Sign['expected'],
  test: SignTest,
  world: WorldId | null = null,
): Sign {
  return { id, statement, source: PAPER, expected, world, test };
}

/** What this project set out to do, against measured population co-training. */
function goal(id: string, statement: string, expected: Sign['expected'], figure: string, of: string): Sign {
  const test: SignTest = { kind: 'difference', figure, of, less: 'population-co-training-5' };
  return { id, statement, source: PROPOSAL, expected, world: null, test };
}

const heldOut = (of: string, less: string): SignTest => ({ kind: 'difference', figure: 'heldOut', of, less });
const people = (of: string): SignTest => ({ kind: 'difference', figure: 'people', of, less: 'base' });
const entropy = (of: string): SignTest => ({ kind: 'difference', figure: 'entropy', of, less: 'single' });
const change = (column: 'reward' | 'zeroVariance' | 'entropy'): SignTest => ({
  kind: 'change',
  method: 'single',
  column,
});

/** In the order of docs/lab.md, which was there before the first table. */
export const SIGNS: readonly Sign[] = [
  sign(
    'collapse-zero-variance',
    'with one simulator zero-variance groups become more',
    'up',
    change('zeroVariance'),
  ),
  sign('collapse-entropy', 'with one simulator the policy loses entropy', 'down', change('entropy')),
  sign('collapse-train-reward', 'with one simulator the training reward rises', 'up', change('reward')),
  sign('collapse-psod', 'with one simulator the policy overfits to it', 'up', {
    kind: 'figure',
    method: 'single',
    figure: 'psodRiseLast',
  }),
  sign('single-over-base', 'one simulator is better than none', 'up', heldOut('single', 'base')),
  sign('persona-over-single', 'personas are better than none', 'up', heldOut('persona', 'single')),
  sign('ensemble-over-single', 'three simulators are better than one', 'up', heldOut('ensemble-3', 'single')),
  sign('vs-over-single', 'Verbalized Sampling is better than plain', 'up', heldOut('vs-prob', 'single')),
  sign(
    'co-training-over-single',
    'a co-trained simulator is better than a frozen one',
    'up',
    heldOut('co-training', 'single'),
  ),
  sign(
    'population-over-co-training',
    'a pool of checkpoints is better than the live simulator',
    'up',
    heldOut('population-co-training-5', 'co-training'),
  ),
  sign(
    'pool-5-over-10',
    'a pool of 5 is better than one of 10',
    'up',
    heldOut('population-co-training-5', 'population-co-training-10'),
  ),
  sign(
    'pool-10-over-3',
    'a pool of 10 is better than one of 3',
    'up',
    heldOut('population-co-training-10', 'population-co-training-3'),
  ),
  sign(
    'pool-3-over-1',
    'a pool of 3 is better than one of 1',
    'up',
    heldOut('population-co-training-3', 'population-co-training-1'),
  ),
  sign(
    'ensemble-over-vs-in-service',
    'in service an ensemble is better than Verbalized Sampling',
    'up',
    heldOut('ensemble-3', 'vs-prob'),
    'service',
  ),
  sign(
    'adversarial-below-curriculum',
    'an adversarial simulator is worse than one with the curriculum reward',
    'down',
    heldOut('co-training-adversarial', 'co-training'),
  ),
  sign(
    'cooperative-below-curriculum',
    'a cooperative simulator is worse than one with the curriculum reward',
    'down',
    heldOut('co-training-cooperative', 'co-training'),
  ),
  sign('vs-entropy-above-single', 'Verbalized Sampling keeps more entropy', 'up', entropy('vs-prob')),
  sign('co-training-entropy-above-single', 'co-training keeps more entropy', 'up', entropy('co-training')),
  sign('people-single-over-base', 'people gain nothing by one simulator', 'not above', people('single')),
  sign('people-vs-over-base', 'people gain by Verbalized Sampling', 'up', people('vs-prob')),
  sign('people-co-training-over-base', 'people gain by co-training', 'up', people('co-training')),
  goal(
    'loop-held-out',
    'the closed loop does better with held-out simulators',
    'up',
    'heldOut',
    'collapse-aware',
  ),
  goal('loop-people', 'the closed loop does better with people', 'up', 'people', 'collapse-aware'),
  goal('loop-scd2', 'users of the closed loop are less collapsed', 'down', 'scdActs2', 'collapse-aware'),
  goal('loop-bdi', 'users of the closed loop cover more of people', 'up', 'bdi', 'collapse-aware'),
  goal('loop-realism', 'users of the closed loop are more realistic', 'up', 'realism', 'collapse-aware'),
  goal('loop-psod-rise', 'the closed loop overfits its users less', 'down', 'psodRise', 'collapse-aware'),
  goal(
    'blind-loop-held-out',
    'without people on record the loop does better with held-out simulators',
    'up',
    'heldOut',
    'collapse-aware-no-people',
  ),
  goal(
    'blind-loop-people',
    'without people on record the loop does better with people',
    'up',
    'people',
    'collapse-aware-no-people',
  ),
  goal(
    'blind-loop-scd2',
    'without people on record its users are less collapsed',
    'down',
    'scdActs2',
    'collapse-aware-no-people',
  ),
  goal(
    'blind-loop-bdi',
    'without people on record its users cover more of people',
    'up',
    'bdi',
    'collapse-aware-no-people',
  ),
  goal(
    'blind-loop-psod-rise',
    'without people on record it overfits its users less',
    'down',
    'psodRise',
    'collapse-aware-no-people',
  ),
];
