import { seeded } from '../../math/random.ts';
import type { Member, PersonaRecipe } from '../../population/index.ts';
import { hashText } from '../../trajectory/identity.ts';
import { askedOf, kindOf } from './direct.ts';
import { modelReply } from './model-reply.ts';
import { identityOf, type SpeakerServices } from './services.ts';
import type { Speaker } from './speaker.ts';
import { withSystem } from './system-prompt.ts';

/** A description of somebody stands in the system prompt, before the client's own. */
export function personaSpeaker(
  member: Member<PersonaRecipe>,
  services: SpeakerServices,
  who = identityOf(member),
): Speaker {
  const asked = askedOf(member, services, who);
  const { bank } = member.recipe;
  return {
    member,
    kind: kindOf(member),
    fingerprint: who.fingerprint,
    recipe: bank === null ? 'persona' : `persona, one of ${bank.length} a session`,
    open(seed) {
      const text = drawnPersona(member.recipe, seed);
      return {
        person: personId(text),
        reply: (turn) => modelReply(asked, turn, withSystem(turn.request.messages, text, 'before')),
      };
    },
  };
}

/** The persona of one session. */
export function drawnPersona({ text, bank }: PersonaRecipe, seed: string): string {
  if (bank === null) return text ?? '';
  return bank[seeded(seed).fork('persona').integer(bank.length)]!;
}

/** The same for the same words. */
export const personId = (text: string): string => `persona-${hashText(text).slice(0, 12)}`;
