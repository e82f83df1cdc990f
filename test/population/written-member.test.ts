import { describe, expect, it } from 'vitest';
import { readMember, writtenMember } from '../../src/population/index.ts';

const part = (id: string, more: object = {}) => ({ id, family: 'f', model: `m-${id}`, ...more });

describe('a member written down', () => {
  it.each([
    part('a'),
    part('a', { checkpoint: '4', sampling: { topP: 0.5 } }),
    part('a', { recipe: { kind: 'persona', text: 'You are shy.' } }),
    part('a', { recipe: { kind: 'persona', bank: ['one', 'two'] } }),
    part('a', { recipe: { kind: 'verbalized', tail: 0.1 } }),
    part('a', { recipe: { kind: 'verbalized', persona: 'You are shy.', exemplars: ['says little'] } }),
    part('a', { recipe: { kind: 'pool' } }),
    { id: 'a', family: 'f', recipe: { kind: 'scripted' } },
    { id: 'a', family: 'f', recipe: { kind: 'human' } },
    {
      id: 'a',
      family: 'f',
      recipe: { kind: 'interpolate', a: part('x'), b: part('y'), lambda: 0.5, how: 'mixture' },
    },
    { id: 'a', family: 'f', recipe: { kind: 'ensemble', members: [part('y'), part('x')] } },
  ])('is read back as it was: %j', (written) => {
    const member = readMember(written);
    expect(readMember(JSON.parse(JSON.stringify(writtenMember(member))))).toEqual(member);
  });

  it('says nothing that is a default', () => {
    expect(writtenMember(readMember({ id: 'a', family: 'f' }))).toEqual({ id: 'a', family: 'f' });
  });
});
