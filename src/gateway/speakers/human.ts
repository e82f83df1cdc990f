import type { HumanRecipe, Member } from '../../population/index.ts';
import { ApiError } from '../wire/api-error.ts';
import { identityOf, type SpeakerServices } from './services.ts';
import type { Speaker } from './speaker.ts';
import { NO_USAGE } from './spoken.ts';

/** A person answers, at a desk that shows them the conversation alone. */
export function humanSpeaker(
  member: Member<HumanRecipe>,
  { people }: Pick<SpeakerServices, 'people'>,
): Speaker {
  const answeredBy = { ...identityOf(member), model: null };
  return {
    member,
    kind: 'human',
    fingerprint: answeredBy.fingerprint,
    recipe: 'human',
    open: () => ({
      person: member.id,
      async reply({ request, signal, probe }) {
        if (probe)
          throw new ApiError(503, 'a person is not asked for the same turn again', { code: 'not_probed' });
        const text = await people.ask(request.messages, signal);
        return {
          kind: 'whole',
          completion: null,
          said: {
            text,
            toolCalls: [],
            finishReason: 'stop',
            answeredBy,
            fallback: null,
            attempts: 1,
            upstreamMs: 0,
            usage: NO_USAGE,
          },
        };
      },
    }),
  };
}
