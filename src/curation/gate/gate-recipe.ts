export type GateProfile = 'lenient' | 'standard' | 'strict';
export type GateAction = 'drop' | 'flag' | 'off';

/** How the quality gate is set, every default filled in. */
export interface GateRecipe {
  readonly profile: GateProfile;
  /** What a finding of each check does: the profile's choice with the recipe's changes. */
  readonly actions: Readonly<Record<string, GateAction>>;
  /** Lowest and highest reward that can be true; null = any finite number. */
  readonly rewardRange: readonly [number, number] | null;
  /** Rows that a configured check could not look at. */
  readonly unchecked: 'drop' | 'keep';
  /** Null = no model is asked. */
  readonly judge: JudgeRecipe | null;
}

/** A model that is asked what rules cannot see. */
export interface JudgeRecipe {
  /** Base URL of an OpenAI-compatible API. */
  readonly url: string;
  readonly model: string;
  /** Name of the environment variable that holds its key; null = none is sent. */
  readonly keyEnv: string | null;
  /** Questions asked of every row that the rules let pass (names of JUDGE_QUESTIONS). */
  readonly questions: readonly string[];
  /** Answers asked for each question. */
  readonly votes: number;
  /** Answers "yes, this is wrong" that make a finding. */
  readonly agree: number;
}
