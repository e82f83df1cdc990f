import { CollapseAwareError } from '../../errors.ts';
import type { Member } from '../../population/index.ts';
import { type Asked, modelReply } from './model-reply.ts';
import { type Identity, identityOf, type SpeakerServices } from './services.ts';
import type { Speaker } from './speaker.ts';

/** The client's messages as they are. */
export function directSpeaker(member: Member, services: SpeakerServices, who = identityOf(member)): Speaker {
  const asked = askedOf(member, services, who);
  return {
    member,
    kind: kindOf(member),
    fingerprint: who.fingerprint,
    recipe: 'direct',
    open: () => ({ person: null, reply: (turn) => modelReply(asked, turn, turn.request.messages) }),
  };
}

export const kindOf = (member: Member) => (member.checkpoint === null ? 'llm' : 'trained');

/**
 * Whom a member's requests go to: its checkpoint, else its model. Throws CA_CONFIG_INVALID where it has neither, and
 * what `upstreamOf` throws.
 */
export function askedOf(member: Member, services: SpeakerServices, who: Identity): Asked {
  const model = member.checkpoint ?? member.model;
  if (model === null)
    throw new CollapseAwareError('CA_CONFIG_INVALID', `member '${member.id}' names no model`, {
      todo: 'give it a model, as its upstream calls it',
    });
  const { id, fingerprint } = who;
  return {
    upstream: services.upstreamOf(member.id),
    model,
    sampling: member.sampling,
    answeredBy: { id, fingerprint, model },
  };
}
