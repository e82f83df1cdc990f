import type { Member } from './member.ts';

/** How a simulator is made to answer, as plain data, every default filled in. */
export type SimulatorRecipe = PlainRecipe | InterpolateRecipe | EnsembleRecipe;

/** A recipe without other members in it. */
export type PlainRecipe =
  | DirectRecipe
  | PersonaRecipe
  | VerbalizedRecipe
  | PoolRecipe
  | ScriptedRecipe
  | HumanRecipe;

/** The client's messages as they are. */
export interface DirectRecipe {
  readonly kind: 'direct';
}

/** A description of somebody goes before the client's messages. Exactly one of the two is not null. */
export interface PersonaRecipe {
  readonly kind: 'persona';
  /** The same one in every session. */
  readonly text: string | null;
  /** One drawn a session. In the order of their code units: a bank is a set. */
  readonly bank: readonly string[] | null;
}

/** Verbalized Sampling (Zhang et al., arXiv 2510.01171): candidates with stated probabilities, one of them drawn. */
export interface VerbalizedRecipe {
  readonly kind: 'verbalized';
  /** All at once, after one shared reasoning, or over several turns. */
  readonly mode: 'standard' | 'cot' | 'multi';
  /** By the stated probabilities, or each alike. */
  readonly draw: 'prob' | 'random';
  /** Candidates asked for, 2 .. 20. */
  readonly candidates: number;
  /** Every stated probability is asked to be below this, in (0, 1); null = nothing is asked of them. */
  readonly tail: number | null;
  /** A description of somebody, put in front as the persona recipe does; null = nobody in particular. */
  readonly persona: string | null;
  /** Turns or dialogues of such a person, described and never quoted, behind the persona; in their order. */
  readonly exemplars: readonly string[];
}

/** Checkpoints of a simulator that is trained beside the policy: the newest `size`, one every `every` training steps. */
export interface PoolRecipe {
  readonly kind: 'pool';
  readonly size: number;
  readonly every: number;
  /** The oldest leaves first. */
  readonly order: 'fifo';
}

/** Rules, no model: one of the lab's families. */
export interface ScriptedRecipe {
  readonly kind: 'scripted';
  readonly family: string;
}

/** A person answers. */
export interface HumanRecipe {
  readonly kind: 'human';
}

/** Between two members: `a` at lambda 0, `b` at 1. */
export interface InterpolateRecipe {
  readonly kind: 'interpolate';
  readonly a: Member<PlainRecipe>;
  readonly b: Member<PlainRecipe>;
  readonly lambda: number;
  /** One blended prompt; temperature and top-p on the line between; or, every turn, `b` with probability lambda. */
  readonly how: 'prompt' | 'sampling' | 'mixture';
}

/** Several members, each alike; in the order of their ids. */
export interface EnsembleRecipe {
  readonly kind: 'ensemble';
  readonly members: readonly Member<PlainRecipe>[];
}
