/**
 * The one record of an episode. Whatever file, gateway or lab an episode comes from, it becomes this.
 * Missing stays missing (`null`), never 0 or ''.
 */
export const TRAJECTORY_SCHEMA = 'collapse-aware/trajectory@1';

/** `user` is always the simulated (or real) user's side, `agent` the trained policy's. */
export type Role = 'user' | 'agent' | 'tool' | 'system';
export type SimulatorKind = 'llm' | 'scripted' | 'human' | 'trained';
export type Split = 'seen' | 'selection' | 'test';

export interface ToolCall {
  readonly id?: string;
  readonly name: string;
  /** Parsed JSON where it parses, else the raw string. */
  readonly arguments: unknown;
}

export interface Candidate {
  readonly text: string;
  readonly probability: number | null;
}

/** One extra reply drawn at the same visited history (see epsilon). */
export interface Resample {
  readonly law: 'member' | 'population';
  readonly member: string | null;
  readonly text: string;
  readonly toolCalls?: readonly ToolCall[];
  /** Annotated dialogue acts of the reply. */
  readonly acts?: readonly string[];
}

export interface Turn {
  readonly role: Role;
  /** `null` where the turn carries tool calls only. */
  readonly text: string | null;
  readonly toolCalls?: readonly ToolCall[];
  /** For `tool` turns: whose call this answers. */
  readonly requestor?: 'user' | 'agent';
  /** Annotated dialogue acts, where the file carries them. */
  readonly acts?: readonly string[];
  readonly probability?: number;
  readonly candidates?: readonly Candidate[];
  readonly resamples?: readonly Resample[];
  readonly probeProbability?: number;
}

export interface SimulatorFacts {
  readonly id: string;
  readonly kind: SimulatorKind;
  /** A person's or persona's id within the simulator, where known. */
  readonly person: string | null;
  readonly model: string | null;
  readonly recipe: string | null;
  /** Hash of model + prompt recipe + sampling, or null where none of them is known. */
  readonly fingerprint: string | null;
}

export interface Trajectory {
  readonly schema: typeof TRAJECTORY_SCHEMA;
  readonly id: string;
  /** Identity of what the episode starts from: benchmark/domain/hash of the scenario (see identity.ts). */
  readonly context: string;
  /** How that identity was found; `none` means contexts are unknown and do not repeat. */
  readonly contextFrom: 'scenario' | 'label' | 'none';
  readonly contextLabel: string | null;
  readonly benchmark: string | null;
  readonly domain: string | null;
  /** The simulator's private instructions. */
  readonly scenario: string | null;
  /** GRPO group: rollouts compared with one another. */
  readonly group: string | null;
  readonly epoch: number | null;
  readonly run: string | null;
  readonly simulator: SimulatorFacts;
  readonly policy: { readonly id: string; readonly checkpoint: string | null };
  readonly turns: readonly Turn[];
  readonly reward: number | null;
  readonly outcome: string | null;
  readonly split: Split | null;
  readonly termination: string | null;
  readonly source: { readonly file: string; readonly line: number | null };
}
