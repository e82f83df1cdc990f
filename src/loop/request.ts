import type { BreakerLevel } from '../diagnosis/index.ts';
import type { DataPlan } from './data-plan.ts';
import type { LoopPopulation } from './population.ts';

/**
 * What the loop asks of the world outside, as plain data: whoever performs it needs nothing else but the checkpoint
 * that a request names. `id` is unique in a run and the same in every replay.
 */
export type LoopRequest = OpenRequest | ProbeRequest | TrainRequest | ExamRequest | GateRequest;

/** Once, first: the space that everything is placed in, and the policy before training. */
export interface OpenRequest {
  readonly kind: 'open';
  readonly id: 'open';
}

/**
 * Fresh episodes of the policy at `checkpoint`, which are measured and not trained on. Equal `contexts`, `rollouts` and
 * `seed` mean the same contexts for whoever is probed: comparisons are paired.
 */
export interface ProbeRequest {
  readonly kind: 'probe';
  readonly id: string;
  readonly checkpoint: string;
  readonly population: LoopPopulation;
  /** `each`: every member in every context; `mixture`: a member drawn by share for every episode. */
  readonly draw: 'each' | 'mixture';
  /** Of the probe set: the first so many. */
  readonly contexts: number;
  readonly rollouts: number;
  /** Names the luck of the episodes: another one gives fresh episodes in the same contexts. */
  readonly seed: string;
  /** In every episode of a mixture, how often its first user turn is answered again, each time by somebody drawn by share. */
  readonly replies?: number;
}

/** Policy training against a population, from `checkpoint` on. */
export interface TrainRequest {
  readonly kind: 'train';
  readonly id: string;
  readonly round: number;
  readonly checkpoint: string;
  readonly population: LoopPopulation;
  readonly data: DataPlan;
  readonly steps: number;
}

/** Rewards of a checkpoint with a panel, in settings that nothing else uses. Nobody asks for `test` before the end. */
export interface ExamRequest {
  readonly kind: 'exam';
  readonly id: string;
  readonly checkpoint: string;
  readonly panel: 'selection' | 'test' | 'people' | 'population';
  /** Of the panel `population` alone, whose members are drawn by share; else empty. */
  readonly population: LoopPopulation;
  /** Contexts; the same ones, with the same luck unless another is named, for all checkpoints and panels but people. */
  readonly contexts: number;
  /** Dialogues in each context: with every simulator of a panel, with as many drawn members of a population, or people. */
  readonly dialogues: number;
  /** Names another luck than that of all other exams: dialogues that nobody has looked at yet. */
  readonly luck?: string;
}

/** The level changed: outside trainers are held or let go. */
export interface GateRequest {
  readonly kind: 'gate';
  readonly id: string;
  readonly level: BreakerLevel;
  readonly training: 'run' | 'paused';
  readonly reasons: readonly string[];
}
