import type { Blame } from '../../src/curation/gate/check.ts';
import type { GateAction } from '../../src/curation/gate/gate-recipe.ts';
import type { CheckCount, DroppedExample } from '../../src/curation/manifest.ts';
import type { Naming } from './curation-fixture.ts';

interface PlannedCheck {
  readonly check: string;
  readonly blame: Blame;
  readonly action: GateAction;
  readonly found: number;
  readonly dropped: number;
  readonly unchecked?: number;
  readonly reason: string;
  readonly evidence: string;
}

export const CHECKS: readonly PlannedCheck[] = [
  {
    check: 'out-of-role',
    blame: 'simulator',
    action: 'drop',
    found: 84,
    dropped: 84,
    reason: 'the user speaks as the agent',
    evidence:
      'user: As an AI assistant, I can help you make a donation today. How much would you like to give?',
  },
  {
    check: 'leaked-scenario',
    blame: 'simulator',
    action: 'drop',
    found: 47,
    dropped: 47,
    unchecked: 210,
    reason: 'the user repeats 14 words of its own instructions',
    evidence:
      'user: My goal is to resist at first and to give in only when the agent names a concrete amount.',
  },
  {
    check: 'raw-json',
    blame: 'simulator',
    action: 'drop',
    found: 31,
    dropped: 31,
    reason: 'a user turn is JSON',
    evidence:
      'user: {"candidates": [{"text": "Sure!", "probability": 0.4}, {"text": "Not today.", "probability": 0.2}]}',
  },
  {
    check: 'repeats-itself',
    blame: 'simulator',
    action: 'drop',
    found: 29,
    dropped: 29,
    reason: 'the user says one sentence 6 times',
    evidence: 'user: I understand. Could you tell me more about the charity?',
  },
  {
    check: 'invalid-tool-call',
    blame: 'policy',
    action: 'flag',
    found: 163,
    dropped: 0,
    reason: 'the agent calls a tool that does not exist',
    evidence: 'agent: donate_now({"amount": "one"})',
  },
  {
    check: 'agent-repeats',
    blame: 'policy',
    action: 'flag',
    found: 58,
    dropped: 0,
    reason: 'the agent says one sentence 5 times',
    evidence: 'agent: Every little helps!',
  },
  {
    check: 'infrastructure',
    blame: 'infrastructure',
    action: 'drop',
    found: 38,
    dropped: 38,
    reason: 'the episode ended by a time-out',
    evidence: 'termination: timeout',
  },
  {
    check: 'duplicate',
    blame: 'data',
    action: 'drop',
    found: 52,
    dropped: 52,
    reason: 'the same dialogue as an earlier row',
    evidence: 'user: ok',
  },
  {
    check: 'reward',
    blame: 'data',
    action: 'drop',
    found: 15,
    dropped: 15,
    reason: 'the reward is above 1',
    evidence: 'reward: 14',
  },
];

export function checkCounts(name: Naming): CheckCount[] {
  return CHECKS.map(({ check, blame, action, found, dropped, unchecked = 0 }) => ({
    check: name(check, found),
    blame,
    action,
    found,
    dropped,
    unchecked,
  }));
}

/** Five of every check that dropped rows. */
export function droppedExamples(name: Naming): DroppedExample[] {
  return CHECKS.filter(({ dropped }) => dropped > 0).flatMap(({ check, blame, found, reason, evidence }) =>
    Array.from({ length: 5 }, (_, at) => ({
      id: name(`ep-${found}-${at}`, at),
      simulator: name(at % 2 === 0 ? 'gpt-4.1-mini / direct' : 'gpt-4.1 / persona', at + 1),
      stage: 'gate',
      check: name(check, found),
      blame,
      reason: name(reason, at + 2),
      evidence: name(evidence, at + 3),
      source: name(`epoch-12/rollouts-${at % 2}.jsonl:${found + at}`, at + 4),
    })),
  );
}
