import { type BreakerLevel, PROPOSED_BARS } from '../../src/diagnosis/index.ts';
import type {
  AcceptancePower,
  AcceptanceVerdict,
  Comparison,
  MemberRecord,
  RoundFigures,
  RoundRecord,
  RunSettings,
  RunSummary,
} from '../../src/loop/index.ts';
import { type Random, seeded } from '../../src/math/random.ts';
import { type Figure, missing } from '../../src/metrics/figure.ts';
import type { Member } from '../../src/population/index.ts';
import type { EvolvePage } from '../../src/report/index.ts';
import type { Origin } from '../../src/synthesis/index.ts';
import { measured } from './page-fixture.ts';

export interface EvolveOptions {
  readonly rounds?: number;
  /** Given at the start. */
  readonly members?: number;
  readonly candidates?: number;
  readonly modes?: number;
  readonly people?: boolean;
  /** No population is accepted. */
  readonly refused?: boolean;
  /** Without final figures: a run so far. */
  readonly underWay?: boolean;
  /** Whether the record has paired gains. */
  readonly gains?: boolean;
  /** Nothing could be measured. */
  readonly hollow?: boolean;
  /** Ids, reasons and notes are these. */
  readonly texts?: readonly string[];
  /** Ids begin with this. */
  readonly longId?: string;
}

/** A course that has everything: it is passed through over and over in a long run. Every number here is made up. */
const LEVELS: readonly BreakerLevel[] = [
  'green',
  'green',
  'yellow',
  'red',
  'red',
  'half-open',
  'green',
  'green',
];
const NULLS = {
  psod: 'the policy before training was not examined with this panel',
  epsilon: 'fewer than 6 resamples of a turn',
  hollow: 'fewer than 2 contexts with episodes',
} as const;

/** Everything a page of a run is made from, with believable numbers. */
export function sampleEvolve(options: EvolveOptions = {}): EvolvePage {
  const { rounds = 8, people = true, underWay = false, refused = false } = options;
  const made = new RunMaker(options);
  for (let round = 1; round <= rounds; round++) made.round(round);
  const settings = settingsOf(options, made.given);
  const { records, members } = made;
  const so = {
    settings,
    space: { id: made.text('ae31f0c2b7', 90), k: options.modes ?? 12, people },
    rounds: records,
    members,
  };
  const summary: RunSummary = {
    schema: 'collapse-aware/evolve@1',
    ...so,
    selected: {
      round: refused || rounds === 0 ? 0 : Math.max(1, rounds - 1),
      checkpoint: made.text('policy-7', 91),
    },
    final: finalOf(options, made),
    guarantee: [
      made.text(
        'With probability 95 % at least, no accepted population has SCD2 more than 0.05 above the best so far, or BDI or realism more than 0.05 below.',
        92,
      ),
      made.text(
        'Not promised: anything about the policy, about users outside the probe set, or about a population between two probes.',
        93,
      ),
    ],
    cost: sumCosts(records),
  };
  return {
    title: made.text('Persuasion, seed 1', 94),
    command: made.text('collapse-aware evolve --world persuasion --seed 1 --rounds 8 -o run/', 95),
    run: underWay ? so : summary,
    bars: null,
  };
}

/** With gains or, like records of the first runs, without. */
function finalOf({ people = true, gains = true }: EvolveOptions, made: RunMaker): RunSummary['final'] {
  const none = missing('no people were given');
  const paired = {
    gain: made.figure(0.21, 0.03, 800),
    peopleGain: people ? made.figure(0.08, 0.04, 400) : none,
  };
  const figures = {
    test: made.figure(0.52, 0.035, 800),
    people: people ? made.figure(0.44, 0.05, 400) : none,
    baseTest: made.figure(0.31, 0.03, 800),
    basePeople: people ? made.figure(0.36, 0.05, 400) : none,
    psod: made.figure(0.11, 0.03, 800),
    psodRise: made.figure(0.04, 0.03, 800),
  };
  return (gains ? { ...figures, ...paired } : figures) as RunSummary['final'];
}

function settingsOf({ rounds = 8, people = true }: EvolveOptions, members: readonly Member[]): RunSettings {
  const exam = { contexts: 100, population: 2, selection: 200, test: 800, people: 400 };
  return {
    seed: 1,
    rounds: Math.max(rounds, 8),
    members,
    mostMembers: 12,
    steps: 40,
    probe: { contexts: 100, rollouts: 4, audition: 32, replies: 8 },
    acceptance: { delta: 0.05, alpha: 0.05, powerTrials: 40 },
    synthesis: { gaps: 2, paths: 2, adversaries: 1, share: 0.3, raisedShare: 0.6, realismFloor: 0.7 },
    parts: {
      people,
      gate: true,
      weights: true,
      gaps: true,
      paths: true,
      adversary: true,
      breaker: true,
      consistency: false,
    },
    exam,
    bars: 'proposed',
  };
}

function sumCosts(records: readonly RoundRecord[]): RunSummary['cost'] {
  const sum = (of: (cost: RunSummary['cost']) => number) =>
    records.reduce((total, { cost }) => total + of(cost), 0);
  return {
    probeEpisodes: sum(({ probeEpisodes }) => probeEpisodes) + 2400,
    trainEpisodes: sum(({ trainEpisodes }) => trainEpisodes),
    turns: sum(({ turns }) => turns) + 24_000,
  };
}

/** Plays a run round by round, as the loop does: members come, populations are judged, levels move. */
class RunMaker {
  readonly records: RoundRecord[] = [];
  readonly members: MemberRecord[] = [];
  readonly given: readonly Member[];
  readonly #options: EvolveOptions;
  readonly #random: Random;
  #population: { readonly member: string; readonly share: number }[];
  #covered: number;
  #level: BreakerLevel = 'green';

  constructor(options: EvolveOptions) {
    this.#options = options;
    this.#random = seeded(`evolve-fixture/${options.rounds}/${options.members}`);
    this.#covered = Math.ceil((options.modes ?? 12) * 0.4);
    this.given = Array.from({ length: options.members ?? 3 }, (_, at) => this.#member(`given-${at + 1}`, at));
    for (const member of this.given)
      this.members.push({
        member,
        origin: { kind: 'given' },
        round: 0,
        audition: null,
        kept: true,
        reason: 'given at the start',
      });
    this.#population = this.given.map(({ id }) => ({ member: id, share: 1 / this.given.length }));
  }

  text(plain: string, at: number): string {
    const { texts } = this.#options;
    return texts === undefined ? plain : texts[at % texts.length]!;
  }

  figure(value: number, half: number, n: number): Figure {
    if (this.#options.hollow === true) return missing(this.text(NULLS.hollow, 80), 0);
    return measured(value + 0.004 * this.#random.normal(), half, n, { se: half / 2, df: 49 });
  }

  round(round: number): void {
    const at = this.records.length;
    const before = this.#level;
    const after = LEVELS[at % LEVELS.length]!;
    this.#level = after;
    const paused = after === 'red' || after === 'half-open';
    const candidates = this.#candidates(round);
    const acceptance = this.#acceptance(round, candidates);
    if (acceptance?.accepted === true) this.#renew(candidates);
    const progress = Math.min(1, round / 8);
    const weights = { alpha: after === 'green' ? 0.5 : 1 };
    this.records.push({
      round,
      look: this.#look(at, after, progress),
      power: round === 1 && this.#options.hollow !== true ? POWER : null,
      breaker: {
        before,
        after,
        training: paused ? 'paused' : 'run',
        notes: this.#notes(round, before, after),
        bars: PROPOSED_BARS,
      },
      diagnosis:
        after === 'green'
          ? []
          : [this.text(`mode collapse: SCD2 0.81 [0.74, 0.88] is above 0.7; all members are alike`, round)],
      modes: this.#modes(acceptance),
      synthesisShare: after === 'green' ? 0.3 : 0.6,
      candidates,
      acceptance,
      population: this.#population,
      data: {
        gate: true,
        weights,
        consistency: round > 2 ? { lambda: 0.1 } : null,
      },
      dataNotes:
        before === after
          ? []
          : [this.text(`SCD2 above 0.7 in its lower bound: alpha 0.5 -> 1 (rule "crowded")`, round + 3)],
      training: paused
        ? null
        : {
            checkpoint: this.text(`policy-${round}`, round + 4),
            steps: 40,
            reward: this.figure(0.35 + 0.35 * progress, 0.02, 5120),
            zeroVariance: 0.1 + 0.2 * progress,
            entropy: at % 5 === 4 ? null : 1.6 - 0.9 * progress,
            stopped:
              round % 7 === 0
                ? this.text('the loss was not finite at step 31: back to the checkpoint before', round)
                : null,
          },
      exam: paused
        ? null
        : {
            selection: this.figure(0.3 + 0.2 * progress, 0.05, 200),
            population: this.figure(0.36 + 0.3 * progress, 0.05, 200),
          },
      cost: { probeEpisodes: 1200, trainEpisodes: paused ? 0 : 5120, turns: paused ? 12_000 : 63_200 },
    });
  }

  #member(name: string, at: number): Member {
    const { texts, longId = '' } = this.#options;
    // Ids are unique, whatever stands before.
    const id = texts === undefined ? `${longId}${name}` : `${texts[at % texts.length]}/${name}`;
    return {
      id,
      family: this.text('alder', at),
      model: null,
      recipe: {
        kind: 'persona',
        text: this.text('You are short of time and doubt what you are told.', at + 1),
        bank: null,
      },
      checkpoint: null,
      sampling: null,
    } as Member;
  }

  #candidates(round: number): MemberRecord[] {
    const bases = this.#population.map(({ member }) => member);
    const { candidates = 5, refused = false } = this.#options;
    const made = Array.from({ length: candidates }, (_, at): MemberRecord => {
      const base = bases[(round + at) % bases.length]!;
      const origins: readonly Origin[] = [
        { kind: 'gap', mode: this.#covered + at, mass: 0.08, base },
        { kind: 'path', a: base, b: bases[(round + at + 1) % bases.length]!, lambda: 0.5, how: 'prompt' },
        { kind: 'gap', mode: this.#covered + at + 1, mass: 0.03, base },
        { kind: 'adversary', base, generation: 4 },
      ];
      const origin = origins[at % origins.length]!;
      const kept = !refused && (round + at) % 3 !== 0;
      return {
        member: this.#member(`${origin.kind}-${round}-${at + 1}`, round * 7 + at),
        origin,
        round,
        audition: {
          n: 32,
          yield: origin.kind === 'gap' ? this.figure(kept ? 0.62 : 0.09, 0.12, 32) : null,
          realism: this.figure(kept ? 0.91 : 0.55, 0.08, 32),
          learnability: this.figure(0.5, 0.1, 32),
          turns: 320,
        },
        kept,
        reason: this.text(
          kept
            ? `kept: 62 % of its episodes are in the mode it was made for, realism 0.91`
            : `refused: realism may be 0.47, below the floor 0.7`,
          round + at,
        ),
      };
    });
    this.members.push(...made);
    return made;
  }

  #acceptance(round: number, candidates: readonly MemberRecord[]): AcceptanceVerdict | null {
    const { refused = false, hollow = false } = this.#options;
    // Nothing was made that could be proposed, in every sixth round too.
    if ((!refused && candidates.every(({ kept }) => !kept)) || round % 6 === 0) return null;
    const accepted = !refused && !hollow && round % 3 !== 2;
    const compare = (
      value: number,
      other: number,
      change: number,
      side: 1 | -1,
      holds: boolean,
    ): Comparison => ({
      against: this.text('given', 70),
      proposed: this.figure(value + change, 0.03, 400),
      other: this.figure(other, 0.03, 400),
      difference: this.figure(change, 0.025, 400),
      bound: hollow ? null : change + side * 0.036,
      holds: holds && !hollow,
    });
    const scd2 = compare(0.6, 0.6, accepted ? -0.06 : 0.04, 1, accepted);
    return {
      accepted,
      rule: { delta: 0.05, level: 0.05 / 24 },
      scd2,
      bdi: compare(0.55, 0.55, 0.05, -1, true),
      realism: compare(0.9, 0.9, -0.005, -1, true),
      better: accepted ? 'both' : 'bdi',
      reason: this.text(
        accepted
          ? 'accepted: SCD2 and BDI are better, nothing is worse by 0.05'
          : 'rolled back: SCD2 may be up by 0.076, which is not below 0.05',
        round,
      ),
    };
  }

  /** Those kept come in; at most as many as the run may have stay. */
  #renew(candidates: readonly MemberRecord[]): void {
    const most = Math.max(8, this.#options.members ?? 3);
    const ids = [
      ...this.#population.map(({ member }) => member),
      ...candidates.filter(({ kept }) => kept).map(({ member }) => member.id),
    ].slice(-most);
    const weights = ids.map(() => 0.4 + this.#random.next());
    const sum = weights.reduce((total, weight) => total + weight, 0);
    this.#population = ids.map((member, at) => ({ member, share: weights[at]! / sum }));
  }

  #look(at: number, level: BreakerLevel, progress: number): RoundFigures {
    const collapse =
      level === 'red' ? 0.9 : level === 'yellow' ? 0.76 : level === 'half-open' ? 0.7 : 0.62 - 0.2 * progress;
    const { people = true } = this.#options;
    return {
      scd2: this.figure(collapse, 0.05, 400),
      bdi: people
        ? this.figure(0.4 + 0.35 * progress, 0.06, 400)
        : { ...this.figure(0.4 + 0.35 * progress, 0.06, 400), method: 'relative' },
      realism: this.figure(0.92 - 0.02 * progress, 0.02, 400),
      psod: this.figure(0.08 + 0.06 * progress, 0.04, 200),
      psodRise:
        at === 0 ? missing(this.text(NULLS.psod, 60)) : this.figure(0.02 + 0.06 * progress, 0.04, 200),
      epsilon:
        at % 4 === 3 ? missing(this.text(NULLS.epsilon, 61)) : this.figure(0.2 + 0.1 * progress, 0.04, 120),
    };
  }

  #notes(round: number, before: BreakerLevel, after: BreakerLevel): string[] {
    if (before === after)
      return after === 'green' ? [] : [this.text(`SCD2 0.88 [0.83, 0.93]: still red, no clean look`, round)];
    const words: Readonly<Record<BreakerLevel, string>> = {
      green: 'two clean looks on disjoint data: SCD2 below 0.65 in its upper bound; green',
      yellow: 'SCD2 0.76 [0.71, 0.81] is above 0.70 in its lower bound at 0.0063: yellow',
      red: 'SCD2 0.90 [0.86, 0.94] is above 0.85 in its lower bound at 0.0063: red, training paused',
      'half-open': 'population re-diversified: half-open, a probe is asked for',
    };
    return [this.text(words[after], round), this.text('PSOD rise is not measured: no look', round + 1)];
  }

  #modes(acceptance: AcceptanceVerdict | null): RoundRecord['modes'] {
    const { modes: k = 12, people = true } = this.#options;
    const masses = Array.from({ length: k }, (_, mode) => 1 / (1.5 + mode));
    const sum = masses.reduce((total, mass) => total + mass, 0);
    const shares = (covered: number) => {
      const raw = masses.map((mass, mode) =>
        mode < covered ? mass * (mode % 3 === 0 ? 1.6 : 0.7) : mode === covered ? 0.002 : 0,
      );
      const total = raw.reduce((all, one) => all + one, 0);
      return raw.map((one) => one / total);
    };
    const before = shares(this.#covered);
    const covered = this.#covered;
    if (acceptance?.accepted === true) this.#covered = Math.min(k, this.#covered + 1);
    const after = shares(this.#covered);
    return masses.map((mass, mode) => ({
      mode,
      mass: people ? mass / sum : null,
      before: before[mode]!,
      after: acceptance === null ? null : after[mode]!,
      missing: people && mode >= covered,
    }));
  }
}

const share = (value: number): Figure => ({
  value,
  low: Math.max(0, value - 0.09),
  high: Math.min(1, value + 0.09),
  n: 40,
  method: 'clopper-pearson-trial(n=40, simulated, seed=1)',
});

const POWER: AcceptancePower = {
  rule: { delta: 0.05, level: 0.05 / 30 },
  contexts: 100,
  rollouts: 4,
  gain: 0.05,
  equal: {
    own: { bounds: share(0.3), accepted: share(0.2) },
    shared: { bounds: share(0.98), accepted: share(0) },
  },
  better: {
    own: { bounds: share(0.4), accepted: share(0.4) },
    shared: { bounds: share(1), accepted: share(1) },
  },
};
