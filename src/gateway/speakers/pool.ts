import { groupDraw, type Member, type PoolRecipe } from '../../population/index.ts';
import { ApiError } from '../wire/api-error.ts';
import { askedOf } from './direct.ts';
import { modelReply } from './model-reply.ts';
import { identityOf, type SpeakerServices } from './services.ts';
import type { Speaker } from './speaker.ts';

/** Seconds until a pool may have its first checkpoint. */
const SOON = 10;

/**
 * One of the newest checkpoints of a simulator that is trained beside the policy, a session. Drawn by rendezvous, so that
 * a checkpoint that comes or goes moves no session but its own; one that was drawn already is kept. Before the first
 * checkpoint the model itself answers, where one is named.
 */
export function poolSpeaker(
  member: Member<PoolRecipe>,
  services: SpeakerServices,
  who = identityOf(member),
): Speaker {
  const upstream = services.upstreamOf(member.id);
  const base = member.checkpoint === null && member.model === null ? null : askedOf(member, services, who);
  return {
    member,
    kind: 'trained',
    fingerprint: who.fingerprint,
    recipe: `pool of ${member.recipe.size}`,
    open(seed, person = null) {
      const names = services.checkpointsOf(member.id);
      const drawn =
        person ??
        (names.length === 0
          ? null
          : groupDraw(
              names.map((id) => ({ id })),
              'checkpoint',
              seed,
            ).id);
      const asked =
        drawn === null
          ? base
          : { upstream, model: drawn, sampling: member.sampling, answeredBy: { ...who, model: drawn } };
      return {
        person: drawn,
        async reply(turn) {
          if (asked === null)
            throw new ApiError(503, `the pool of member '${member.id}' has no checkpoint yet`, {
              code: 'pool_empty',
              retryAfter: SOON,
            });
          return modelReply(asked, turn, turn.request.messages);
        },
      };
    },
  };
}
