import type { Check } from './check.ts';
import { contradictsTask } from './checks/contradicts-task.ts';
import { degenerateText } from './checks/degenerate-text.ts';
import { duplicate } from './checks/duplicate.ts';
import { infrastructureFailure } from './checks/infrastructure-failure.ts';
import { invalidReward } from './checks/invalid-reward.ts';
import { leakedInstructions } from './checks/leaked-instructions.ts';
import { leakedScenario } from './checks/leaked-scenario.ts';
import { missingReward } from './checks/missing-reward.ts';
import { policyFailure } from './checks/policy-failure.ts';
import { prematureStop } from './checks/premature-stop.ts';
import { rawJson } from './checks/raw-json.ts';
import { repeatsItself } from './checks/repeats-itself.ts';
import { roleReversal } from './checks/role-reversal.ts';

/** What is told of a check. */
export type CheckFacts = Pick<Check, 'name' | 'blame' | 'title'>;

/** The built-in checks in the order in which findings stand. Each call starts afresh: some remember rows. */
export function builtInChecks(rewardRange: readonly [number, number] | null = null): readonly Check[] {
  return [
    infrastructureFailure,
    roleReversal,
    leakedInstructions,
    leakedScenario,
    rawJson,
    prematureStop,
    repeatsItself,
    contradictsTask,
    degenerateText,
    policyFailure,
    invalidReward(rewardRange),
    missingReward(),
    duplicate(),
  ];
}

/** All built-in checks by name. */
export const CHECKS: readonly CheckFacts[] = builtInChecks().map(({ name, blame, title }) => ({
  name,
  blame,
  title,
}));
