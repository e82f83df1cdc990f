import { describe, expect, it } from 'vitest';
import { defaultGate, planGate } from '../../../src/curation/gate/index.ts';
import type { Role } from '../../../src/trajectory/trajectory.ts';
import { episode } from './episode.ts';

const plea = 'I want my money back for order #W1234567, the lamp arrived in pieces.';
const drops = (...answers: readonly string[]) => {
  const turns = answers.flatMap((answer): (readonly [Role, string])[] => [
    ['user', plea],
    ['agent', answer],
  ]);
  return planGate(defaultGate('standard'))
    .inspect(episode([['agent', 'Good morning.'], ...turns, ['user', plea], ['agent', 'Bye.']]))
    .findings.map(({ check }) => check);
};

describe('a request that is sent three times', () => {
  it.each([
    ['You can send it back within a month.', 'The refund goes to your card.'],
    ['Where do you live?', 'Was it a gift?'],
    ['Could you repeat that?', 'Where do you live?', 'Was it a gift?'],
  ])('is the fault of a user that was answered: %s', (...answers) => {
    expect(drops(...answers)).toEqual(['repeats-itself']);
  });

  it.each([
    ['Our shops open at nine on weekdays.', 'On weekdays our shops open at nine.'],
    ['', 'Where do you live?'],
    ['What is your order number?', 'Could you give me the order id first?'],
    ['Something went wrong, please try again.', 'Where do you live?'],
    ['Internal Server Error', 'openai.APIConnectionError: Connection error.'],
    ['I did not catch that.', 'How can I help you today?'],
    ['One moment please.', 'Which lamp arrived in pieces?'],
  ])('is the doing of an agent that did not listen: %s', (...answers) => {
    // An agent's error is another check's.
    expect(drops(...answers)).not.toContain('repeats-itself');
  });
});
