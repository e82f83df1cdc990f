import type { Member } from '../population/index.ts';

/** Everything a run hangs on, every default filled in: equal settings and answers give equal summaries. */
export interface RunSettings {
  readonly seed: number;
  readonly rounds: number;
  /** Members given at the start, each alike. */
  readonly members: readonly Member[];
  /** Most members in service. */
  readonly mostMembers: number;
  /** Steps of policy training in a round. */
  readonly steps: number;
  readonly probe: ProbeSettings;
  readonly acceptance: {
    /** How much worse than the best so far an accepted population may be. */
    readonly delta: number;
    /** False acceptances in a whole run, at most. */
    readonly alpha: number;
    /** Simulated trials of the rule's power, told before the first proposal; 0 = it is not simulated. */
    readonly powerTrials: number;
  };
  readonly synthesis: {
    /** Candidates a round for gaps, paths and adversaries. */
    readonly gaps: number;
    readonly paths: number;
    readonly adversaries: number;
    /** Share of the population that members made by synthesis may have at green, and from yellow on. */
    readonly share: number;
    readonly raisedShare: number;
    /** A candidate less realistic than this, by its lower bound, is refused. */
    readonly realismFloor: number;
  };
  /** Parts of the method, each of which may be left out. */
  readonly parts: PartSettings;
  readonly exam: ExamSettings;
  /** Bars of the breaker: the proposal's constants, or over people's own SCD2. */
  readonly bars: 'proposed' | 'people';
}

export interface ProbeSettings {
  /** Contexts of the probe set, and rollouts of each, for the acceptance of a population. */
  readonly contexts: number;
  readonly rollouts: number;
  /** Contexts of an audition, two rollouts of each candidate in each. */
  readonly audition: number;
  /** How often each first user turn of a round's look is answered again, for epsilon; 0 = never. */
  readonly replies: number;
}

/** Contexts of exams. */
export interface ExamSettings {
  /** After every round, with the selection panel and the population. */
  readonly contexts: number;
  /** Dialogues with drawn members of the population in each. */
  readonly population: number;
  /** At the end. */
  readonly test: number;
  readonly people: number;
}

export interface PartSettings {
  readonly people: boolean;
  readonly gate: boolean;
  readonly weights: boolean;
  readonly gaps: boolean;
  readonly paths: boolean;
  readonly adversary: boolean;
  readonly breaker: boolean;
  readonly consistency: boolean;
}
