import type { Member, SimulatorRecipe } from '../../population/index.ts';
import { directSpeaker } from './direct.ts';
import { ensembleSpeaker } from './ensemble.ts';
import { humanSpeaker } from './human.ts';
import { interpolateSpeaker } from './interpolate.ts';
import { personaSpeaker } from './persona.ts';
import { poolSpeaker } from './pool.ts';
import { type Identity, identityOf, type SpeakerServices } from './services.ts';
import type { Speaker } from './speaker.ts';
import { verbalizedSpeaker } from './verbalized.ts';

export { type OpenQuestion, PeopleDesk, type PeopleDeskOptions, type SeenMessage } from './people-desk.ts';
export type { SpeakerServices } from './services.ts';
export type * from './speaker.ts';

/**
 * A member as it answers. Throws CA_CONFIG_INVALID for a member that cannot (no model, prompts that cannot be blended),
 * and what the services throw.
 */
export function speakerOf(member: Member, services: SpeakerServices): Speaker {
  return identified(member, services, identityOf(member));
}

function identified(member: Member, services: SpeakerServices, who: Identity): Speaker {
  const partOf = (part: Member, as?: Identity): Speaker => identified(part, services, as ?? identityOf(part));
  if (is(member, 'direct')) return directSpeaker(member, services, who);
  if (is(member, 'persona')) return personaSpeaker(member, services, who);
  if (is(member, 'verbalized')) return verbalizedSpeaker(member, services, who);
  if (is(member, 'pool')) return poolSpeaker(member, services, who);
  if (is(member, 'interpolate')) return interpolateSpeaker(member, services, partOf);
  if (is(member, 'ensemble')) return ensembleSpeaker(member, partOf);
  if (is(member, 'human')) return humanSpeaker(member, services);
  return services.scripted(member);
}

function is<K extends SimulatorRecipe['kind']>(
  member: Member,
  kind: K,
): member is Member<Extract<SimulatorRecipe, { kind: K }>> {
  return member.recipe.kind === kind;
}
