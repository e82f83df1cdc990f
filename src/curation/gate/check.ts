import type { Trajectory } from '../../trajectory/trajectory.ts';

/** Whose fault a finding is. A policy must not be punished for a broken user: only `policy` findings stay in training. */
export type Blame = 'simulator' | 'policy' | 'infrastructure' | 'data';

export interface Finding {
  readonly check: string;
  readonly blame: Blame;
  /** One plain clause: "the user speaks as the agent". */
  readonly reason: string;
  /** What was seen, quoted, at most 300 characters. */
  readonly evidence: string;
  /** Index into `turns`; null where no single turn is it. */
  readonly turn: number | null;
}

/** `unchecked`: the check is configured but could not run on this row. `null`: nothing found, or nothing to look at. */
export type Inspection = Finding | 'unchecked' | null;

/** One check of the quality gate: pure and deterministic. Own ones are given to the gate beside the built-in ones. */
export interface Check {
  /** kebab-case, unique; the name in recipes and in dropped.jsonl. */
  readonly name: string;
  readonly blame: Blame;
  /** One line for documentation and the page. */
  readonly title: string;
  /** Given every row before any is inspected, in any order, where the check has to know the whole data. */
  observe?(episode: Trajectory): void;
  inspect(episode: Trajectory): Inspection;
}

export interface GateVerdict {
  readonly kept: boolean;
  /** Findings that drop the row, in the order of the checks; empty for kept rows. */
  readonly findings: readonly Finding[];
  /** Findings that are only noted. */
  readonly flags: readonly Finding[];
  /** Configured checks that could not run. */
  readonly unchecked: readonly string[];
}

/** Votes of a model on one row: an input table of the gate, whoever asked. */
export interface JudgeVote {
  /** Name of the question. */
  readonly question: string;
  /** Answers: the fault is there, it is not, or the answer could not be read. */
  readonly yes: number;
  readonly no: number;
  readonly invalid: number;
  /** What the first "yes" said. */
  readonly reason: string | null;
}
