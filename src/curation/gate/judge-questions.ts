import { CollapseAwareError } from '../../errors.ts';
import type { Trajectory } from '../../trajectory/trajectory.ts';

/** What a model is asked about the simulated user of one dialogue; "yes" always means that something is wrong. */
export interface JudgeQuestion {
  /** kebab-case, unique; the name in recipes, votes and findings. */
  readonly name: string;
  readonly text: string;
  /** When the answer is "yes"; what is close to it and is none. */
  readonly yes: string;
  /** What the row must hold for the question to make sense; null = nothing. */
  readonly needs: 'scenario' | null;
  /** A clause for the finding: "the user contradicts its task". */
  readonly finding: string;
}

/** All blame the simulator: of the agent nothing is asked, since its failures are what training learns from. */
export const JUDGE_QUESTIONS: readonly JudgeQuestion[] = [
  {
    name: 'contradicts-task',
    text: 'Does the simulated user contradict its instructions?',
    yes: 'it states a fact, wants a thing or takes a decision that the instructions rule out. Leaving something out, or saying it later or in other words, is no contradiction.',
    needs: 'scenario',
    finding: 'the user contradicts its task',
  },
  {
    name: 'out-of-role',
    text: 'Does the simulated user leave its role?',
    yes: 'it speaks as the agent (offers the help that it came for, answers its own request), as a language model or assistant, or as a narrator of the dialogue. Politeness, knowledge or asking about the agent is no such thing.',
    needs: null,
    finding: 'the user leaves its role',
  },
  {
    name: 'leaked',
    text: 'Does the simulated user give away its instructions as instructions?',
    yes: 'it recites or paraphrases the instructions as a script ("my goal is to ...", "I was told to pretend ..."), or shows that it acts a part. Telling facts of its case, as any customer would, is no leak.',
    needs: 'scenario',
    finding: 'the user gives its instructions away',
  },
  {
    name: 'unfinished',
    text: 'Does the simulated user break the dialogue off without cause?',
    yes: 'it ends while its request is open and nothing said explains that: no refusal, no transfer, no impatience or change of mind that the dialogue shows. If the dialogue ends with a turn of the agent, or the user was turned down, the answer is "no".',
    needs: null,
    finding: 'the user stops before its request is settled',
  },
  {
    name: 'incoherent',
    text: 'Is the simulated user incoherent?',
    yes: 'its turns cannot be understood, do not react to what was just said, contradict each other, or go round in a loop. Terse, rude, misspelt or changeable is still coherent.',
    needs: null,
    finding: 'the user makes no sense in its dialogue',
  },
  {
    name: 'implausible-user',
    text: 'Is this behaviour that no real person in this situation would show?',
    yes: 'a reader would be sure that no person wrote this, because of what it does: boundless agreement, praise without cause, knowledge it cannot have. Unusual, unfriendly or uncooperative people exist.',
    needs: null,
    finding: 'no person would behave like this user',
  },
];

const byName = new Map(JUDGE_QUESTIONS.map((question) => [question.name, question]));

/**
 * Questions by name, in the order of JUDGE_QUESTIONS and each once, so that the order in a recipe changes nothing.
 * @throws CA_CONFIG_INVALID for an unknown name, or none at all.
 */
export function judgeQuestions(names: readonly string[]): readonly JudgeQuestion[] {
  const unknown = names.find((name) => !byName.has(name));
  if (unknown !== undefined || names.length === 0)
    throw new CollapseAwareError(
      'CA_CONFIG_INVALID',
      unknown === undefined
        ? 'gate.judge.questions is empty'
        : `gate.judge.questions has no question "${unknown}"`,
      { todo: `name some of ${[...byName.keys()].join(', ')}` },
    );
  return JUDGE_QUESTIONS.filter(({ name }) => names.includes(name));
}

/** Those of `questions` that can be asked of this row. */
export function questionsFor(
  episode: Pick<Trajectory, 'scenario'>,
  questions: readonly JudgeQuestion[],
): readonly JudgeQuestion[] {
  const hasScenario = episode.scenario !== null && episode.scenario.trim() !== '';
  return questions.filter(({ needs }) => needs === null || hasScenario);
}
