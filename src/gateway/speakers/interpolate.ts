import { CollapseAwareError } from '../../errors.ts';
import type {
  DirectRecipe,
  InterpolateRecipe,
  Member,
  MemberSampling,
  PersonaRecipe,
  PlainRecipe,
  VerbalizedRecipe,
} from '../../population/index.ts';
import { between, blendedPersona } from './blend.ts';
import { askedOf } from './direct.ts';
import { commonKind } from './ensemble.ts';
import { modelReply } from './model-reply.ts';
import { asPersona, describedPersona, drawnPersona, personId } from './persona.ts';
import { type Identity, identityOf, printOfParts, type SpeakerServices } from './services.ts';
import type { Speaker } from './speaker.ts';
import { verbalizedReply } from './verbalized.ts';

type Part = Member<PlainRecipe>;
type PartOf = (part: Part, who?: Identity) => Speaker;

/** Between two members: `a` at lambda 0, `b` at 1. */
export function interpolateSpeaker(
  member: Member<InterpolateRecipe>,
  services: SpeakerServices,
  partOf: PartOf,
): Speaker {
  const { a, b, lambda, how } = member.recipe;
  const recipe = `interpolate ${how}, ${lambda} from ${a.id} to ${b.id}`;
  const made =
    how === 'prompt' ? prompt(member, services) : how === 'mixture' ? mixture(member, partOf) : null;
  const speaker = made ?? partOf({ ...a, sampling: samplingBetween(a, b, lambda) }, identityOf(member));
  return { ...speaker, member, recipe };
}

/**
 * One description out of both, asked of the model they share. Whether candidates are asked for has nothing between: it
 * is drawn every turn, b's way with probability lambda.
 */
function prompt(member: Member<InterpolateRecipe>, services: SpeakerServices): Speaker {
  const { a, b, lambda } = member.recipe;
  const asked = askedOf({ ...a, sampling: samplingBetween(a, b, lambda) }, services, identityOf(member));
  const parts = [blendable(a, member.id), blendable(b, member.id)] as const;
  return {
    member,
    kind: a.checkpoint === null ? 'llm' : 'trained',
    fingerprint: asked.answeredBy.fingerprint,
    recipe: '',
    open(seed) {
      const [first, second] = parts.map(({ id, recipe }) => promptOf(recipe, `${seed}/${id}`));
      const text = blendedPersona(first!, second!, lambda);
      return {
        person: text === null ? null : personId(text),
        reply: (turn) => {
          const told = asPersona(turn, text);
          const { recipe } = parts[told.random.fork('way').next() < lambda ? 1 : 0];
          return recipe.kind === 'verbalized'
            ? verbalizedReply(asked, recipe, told)
            : modelReply(asked, told, told.request.messages);
        },
      };
    },
  };
}

type Blendable = DirectRecipe | PersonaRecipe | VerbalizedRecipe;

/** @throws CA_CONFIG_INVALID */
function blendable({ id, recipe }: Part, whole: string): { readonly id: string; readonly recipe: Blendable } {
  if (recipe.kind === 'direct' || recipe.kind === 'persona' || recipe.kind === 'verbalized')
    return { id, recipe };
  throw new CollapseAwareError(
    'CA_CONFIG_INVALID',
    `member '${whole}' blends the prompt of '${id}', whose recipe is ${recipe.kind}`,
    { todo: 'blend prompts of direct, persona or verbalized members, or mix them by turns (how: mixture)' },
  );
}

/** Whom a part asks the model to be in one session; null = nobody in particular. */
function promptOf(recipe: Blendable, seed: string): string | null {
  if (recipe.kind === 'direct') return null;
  return recipe.kind === 'persona' ? drawnPersona(recipe, seed) : describedPersona(recipe);
}

/** Every turn `b` with probability lambda; each answers under its own name. */
function mixture(member: Member<InterpolateRecipe>, partOf: PartOf): Speaker {
  const { a, b, lambda } = member.recipe;
  const parts = [partOf(a), partOf(b)] as const;
  return {
    member,
    kind: commonKind(parts),
    fingerprint: printOfParts(member, parts),
    recipe: '',
    open(seed) {
      const voices = [parts[0].open(`${seed}/${a.id}`), parts[1].open(`${seed}/${b.id}`)] as const;
      const persons = voices.map(({ person }) => person).filter((person) => person !== null);
      return {
        person: persons.length === 0 ? null : persons.join(' | '),
        reply: (turn) => voices[turn.random.fork('part').next() < lambda ? 1 : 0].reply(turn),
      };
    },
  };
}

function samplingBetween(a: Part, b: Part, lambda: number): MemberSampling | null {
  if (lambda === 0) return a.sampling;
  if (lambda === 1) return b.sampling;
  const temperature = between(a.sampling?.temperature ?? null, b.sampling?.temperature ?? null, lambda);
  const topP = between(a.sampling?.topP ?? null, b.sampling?.topP ?? null, lambda);
  return temperature === null && topP === null ? null : { temperature, topP };
}
