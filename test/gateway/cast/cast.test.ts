import { describe, expect, it } from 'vitest';
import { Cast } from '../../../src/gateway/cast/index.ts';
import { readPopulation } from '../../../src/gateway/settings/read-population.ts';
import type { Speaker } from '../../../src/gateway/speakers/speaker.ts';
import type { Member } from '../../../src/population/index.ts';

const populationOf = (...ids: string[]) =>
  readPopulation(
    { members: ids.map((id) => ({ id, family: id, recipe: { kind: 'scripted' } })), seen: ids },
    { upstreams: [] },
  );

describe('another population', () => {
  it('that holds somebody who cannot answer changes nothing', () => {
    const cast = new Cast(populationOf('a'), (member) => {
      if (member.id === 'mute') throw new Error('cannot answer');
      return speakerFor(member, '');
    });
    expect(() => cast.replace(populationOf('b', 'mute'))).toThrow('cannot answer');
    expect(cast.members.map(({ member }) => member.id)).toEqual(['a']);
    expect(cast.panelOf('b')).toBeNull();
    expect(cast.population).toEqual(populationOf('a'));
  });

  it('has its members answer from where they are now, be they called and made as before', () => {
    let upstream = 'former';
    const cast = new Cast(populationOf('a'), (member) => speakerFor(member, upstream));
    const { member } = cast.members[0]!;
    expect(cast.speaker(member).recipe).toBe('former');
    upstream = 'present';
    cast.replace(populationOf('a'));
    expect(cast.speaker(member).recipe).toBe('present');
  });
});

describe('a session under way', () => {
  it('keeps its user when the same member comes to answer as another simulator, and after a restart', () => {
    let world = 'first';
    const cast = new Cast(populationOf('a'), (member) => speakerFor(member, world, world));
    const { member } = cast.members[0]!;
    const facts = { ...FACTS, fingerprint: cast.speaker(member).fingerprint };
    world = 'second';
    cast.replace(populationOf('a'));
    expect(cast.voiceOf(facts, 's')).toMatchObject({ person: 'first' });
    expect(cast.voiceOf({ ...facts, fingerprint: 'second' }, 's')).toMatchObject({ person: 'second' });

    const again = new Cast(populationOf('a'), (one) => speakerFor(one, world, world));
    expect(again.voiceOf(facts, 's')).toBeNull();
    world = 'first';
    again.recall(member);
    expect(again.voiceOf(facts, 's')).toMatchObject({ person: 'first' });
    expect(again.speaker(member).recipe).toBe('second');
  });
});

const FACTS = { id: 'a', kind: 'scripted', person: null, model: null, recipe: null } as const;

function speakerFor(member: Member, recipe: string, fingerprint = 'f'): Speaker {
  return {
    member,
    kind: 'scripted',
    recipe,
    fingerprint,
    open: () => ({ person: recipe, reply: () => Promise.reject(new Error('nobody asks')) }),
  };
}
