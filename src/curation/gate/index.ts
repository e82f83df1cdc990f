export type { Blame, Check, Finding, GateVerdict, Inspection, JudgeVote } from './check.ts';
export { builtInChecks, CHECKS, type CheckFacts } from './checks.ts';
export { planGate, type QualityGate } from './gate.ts';
export type { GateAction, GateProfile, GateRecipe, JudgeRecipe } from './gate-recipe.ts';
export { judgeFindings } from './judge-findings.ts';
export { defaultGate, GATE_PROFILES } from './profiles.ts';
