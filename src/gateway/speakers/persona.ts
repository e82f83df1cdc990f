import { seeded } from '../../math/random.ts';
import type { Member, PersonaRecipe, VerbalizedRecipe } from '../../population/index.ts';
import { hashText } from '../../trajectory/identity.ts';
import { askedOf, kindOf } from './direct.ts';
import { modelReply } from './model-reply.ts';
import { identityOf, type SpeakerServices } from './services.ts';
import type { Speaker, Turn } from './speaker.ts';
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
        reply: (turn) => {
          const told = asPersona(turn, text);
          return modelReply(asked, told, told.request.messages);
        },
      };
    },
  };
}

/** The persona of one session. */
export function drawnPersona({ text, bank }: PersonaRecipe, seed: string): string {
  if (bank === null) return text ?? '';
  return bank[seeded(seed).fork('persona').integer(bank.length)]!;
}

/** Stands between a persona and what such a person does. */
const EXEMPLARS = 'How such a person goes through a dialogue, described (never repeat these words):';

/** Who a verbalized recipe asks the model to be; null = nobody in particular. */
export function describedPersona({ persona, exemplars }: VerbalizedRecipe): string | null {
  const parts = persona === null ? [] : [persona];
  if (exemplars.length > 0) parts.push([EXEMPLARS, ...exemplars.map((one) => `- ${one}`)].join('\n'));
  return parts.length === 0 ? null : parts.join('\n\n');
}

/** The turn with a description of somebody before the client's own instructions. */
export function asPersona(turn: Turn, text: string | null): Turn {
  if (text === null) return turn;
  const messages = withSystem(turn.request.messages, text, 'before');
  // A turn may make its luck when it is asked for it: such a field is not among those that are copied.
  return { ...turn, random: turn.random, request: { ...turn.request, messages } };
}

/** The same for the same words. */
export const personId = (text: string): string => `persona-${hashText(text).slice(0, 12)}`;
