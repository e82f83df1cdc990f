import { expect, it } from 'vitest';
import { PeopleDesk, type SpeakerServices, speakerOf } from '../../../src/gateway/speakers/index.ts';
import { scriptedSpeaker } from '../../../src/gateway/speakers/scripted.ts';
import { worldOf } from '../../../src/lab/worlds/index.ts';
import { type Member, memberFingerprint, readMember } from '../../../src/population/index.ts';

const member = (id: string, recipe: Record<string, unknown>) => readMember({ id, family: id, recipe });
const alder = member('alder', { kind: 'scripted', family: 'alder' });
const birch = member('birch', { kind: 'scripted', family: 'birch' });
const person = member('anna', { kind: 'human' });

const inWorld = (world: string): SpeakerServices => ({
  upstreamOf: () => {
    throw new Error('nobody is asked');
  },
  checkpointsOf: () => [],
  people: new PeopleDesk({ timeoutMs: 1, most: 1, now: () => 0, newId: () => '' }),
  scripted: (one) => scriptedSpeaker(one, worldOf(world), {}),
});
const printOf = (one: Member, world: string) => speakerOf(one, inWorld(world)).fingerprint;

it('of a scripted member is another one in another world, and the same in the same', () => {
  expect(printOf(alder, 'service')).not.toBe(printOf(alder, 'persuasion'));
  expect(printOf(alder, 'service')).toBe(printOf(alder, 'service'));
  expect(printOf(alder, 'service')).not.toBe(printOf(birch, 'service'));
});

it('of a member with scripted parts has their world in it, in whatever order they are named', () => {
  const both = (...parts: Member[]) =>
    ({ ...member('both', { kind: 'human' }), recipe: { kind: 'ensemble', members: parts } }) as Member;
  expect(printOf(both(alder, birch), 'service')).not.toBe(printOf(both(alder, birch), 'persuasion'));
  expect(printOf(both(alder, birch), 'service')).toBe(printOf(both(birch, alder), 'service'));
});

it('of whoever knows no world is the member’s own', () => {
  expect(printOf(person, 'service')).toBe(memberFingerprint(person));
});
