import { describe, expect, it } from 'vitest';
import { world } from './desk-plays.ts';
import { adaptive, careful, demonstrator, hasty, quick, successOnPeople } from './scripted-agents.ts';

const PLAYS = 100;
const of = (...ids: string[]) => world.types.filter(({ id }) => ids.includes(id));

describe('success on people', () => {
  it('is between a quarter and a half for the demonstrator', () => {
    const success = successOnPeople(demonstrator('demo'), PLAYS);
    console.log(
      'demo',
      success,
      [10, 50].map((h) => successOnPeople(demonstrator('demo'), PLAYS, world.types, h)),
      'hasty',
      successOnPeople(hasty, 300),
      'quick',
      successOnPeople(quick, 300),
      'careful',
      successOnPeople(careful, 300),
      'adaptive',
      successOnPeople(adaptive, 300),
      'h10',
      successOnPeople(adaptive, 300, world.types, 10),
      'd',
      successOnPeople(demonstrator('demo'), 400),
    );
    expect(success).toBeGreaterThan(0.25);
    expect(success).toBeLessThan(0.5);
  });
  it('is well above that for an agent that adapts, and not for one that does not', () => {
    const adapted = successOnPeople(adaptive, PLAYS);
    expect(adapted).toBeGreaterThan(0.65);
    for (const script of [hasty, quick, careful])
      expect(successOnPeople(script, PLAYS)).toBeLessThan(adapted - 0.04);
  });
  it('asks for reading back with some people and against it with others', () => {
    const scattered = of('scattered', 'unsure');
    expect(successOnPeople(careful, 200, scattered)).toBeGreaterThan(
      successOnPeople(quick, 200, scattered) + 0.1,
    );
    const hurried = of('brisk', 'irate');
    expect(successOnPeople(careful, 200, hurried)).toBeLessThan(successOnPeople(quick, 200, hurried) - 0.1);
  });
});
