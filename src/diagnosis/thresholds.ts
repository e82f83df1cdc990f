/** Where a diagnosis begins. Every number is by name, so that a report can say which one it used. */
export interface DiagnosisThresholds {
  /** SCD2 of the pool above this is mode collapse, where there are no people to compare with. A guess of the proposal. */
  readonly scd: number;
  /** With people: the pool's SCD2 above theirs by more than this. */
  readonly scdOverPeople: number;
  /** Spread (trace ratio) whose upper bound below this makes a concentrated simulator narrow. */
  readonly spreadNarrow: number;
  /** Spread from here on makes a concentrated simulator one style whose replies vary. */
  readonly spreadVaried: number;
  /** Without people: MCI's lower bound above this many times the pool's. */
  readonly poolFactor: number;
  /** Share outside above which a simulator's cells say nothing. */
  readonly outside: number;
  /** MCI above people's by surely less than this is not worth calling concentrated. */
  readonly mciMargin: number;
  /** BDI headline below this is a coverage gap. A guess until calibrated on people's own. */
  readonly bdi: number;
  /** A rise of PSOD surely below this is not worth calling co-adaptation. */
  readonly psodMargin: number;
  /** Level at which a Holm-adjusted p-value counts. */
  readonly alpha: number;
}

export const THRESHOLDS: DiagnosisThresholds = {
  scd: 0.7,
  scdOverPeople: 0.2,
  spreadNarrow: 0.5,
  spreadVaried: 0.8,
  poolFactor: 2,
  outside: 0.5,
  mciMargin: 0.05,
  bdi: 0.8,
  psodMargin: 0.05,
  alpha: 0.05,
};
