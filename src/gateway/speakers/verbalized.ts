import { type Upstream, UpstreamError } from '../../endpoint/index.ts';
import type { Member, VerbalizedRecipe } from '../../population/index.ts';
import { ApiError } from '../wire/api-error.ts';
import type { ChatRequest, WireMessage } from '../wire/chat-request.ts';
import { withUsage } from '../wire/completion.ts';
import { askedOf, kindOf } from './direct.ts';
import { type Asked, bodyFor, countTokens, modelReply, sendWhole } from './model-reply.ts';
import { asPersona, describedPersona, personId } from './persona.ts';
import { identityOf, type SpeakerServices } from './services.ts';
import type { Reply, Said, Speaker, SpeechUsage, Turn } from './speaker.ts';
import { usageSum, wordsOf } from './spoken.ts';
import { withSystem } from './system-prompt.ts';
import { apiErrorOf } from './upstream-fault.ts';
import { candidateSchema, instructions, moreOf, type Round, roundsOf, tokensFor } from './verbalized-ask.ts';
import { candidateOf, drawCandidate } from './verbalized-draw.ts';
import { isRawJson, parseCandidates, type Stated } from './verbalized-parse.ts';
import { type Choices, choicesOf } from './verbalized-tools.ts';
import { isWrapped } from './wrapped-reply.ts';

/**
 * Verbalized Sampling (Zhang et al., arXiv 2510.01171): the model writes down candidates with probabilities, and one of
 * them is said. What cannot be read is asked for once more, then the turn is asked for directly, and the record says so.
 */
export function verbalizedSpeaker(
  member: Member<VerbalizedRecipe>,
  services: SpeakerServices,
  who = identityOf(member),
): Speaker {
  const { recipe } = member;
  const asked = askedOf(member, services, who);
  const tail = recipe.tail === null ? '' : `, below ${recipe.tail}`;
  const text = describedPersona(recipe);
  const someone = text === null ? '' : ', as a persona';
  return {
    member,
    kind: kindOf(member),
    fingerprint: who.fingerprint,
    recipe: `verbalized ${recipe.mode}, ${recipe.candidates} drawn by ${recipe.draw}${tail}${someone}`,
    open: () => ({
      person: text === null ? null : personId(text),
      reply: (turn) => verbalizedReply(asked, recipe, asPersona(turn, text)),
    }),
  };
}

/** What was spent on a turn so far. */
interface Spent {
  attempts: number;
  upstreamMs: number;
  readonly usages: SpeechUsage[];
}

/** One turn by the recipe, of whoever the turn's messages describe. */
export async function verbalizedReply(asked: Asked, recipe: VerbalizedRecipe, turn: Turn): Promise<Reply> {
  const { request } = turn;
  // The client wants JSON of its own: there is no room for ours.
  if (ownFormat(request))
    return modelReply(asked, turn, request.messages, {
      fallback: 'asked directly: the request sets a response format',
    });
  const choices = choicesOf(request);
  const spent: Spent = { attempts: 0, upstreamMs: 0, usages: [] };
  const stated = await candidatesFor(asked, recipe, turn, choices, spent);
  if (stated.length < 2) return askedAgain(asked, turn, spent, stated.length);
  const drawn = drawCandidate(stated, recipe.draw, turn.random.fork('draw'));
  const { text, call } = stated[drawn.index]!;
  const notes = [
    stated.length === recipe.candidates
      ? null
      : `${stated.length} candidates instead of ${recipe.candidates}`,
    drawn.note,
  ].filter((note) => note !== null);
  const said: Said = {
    text,
    toolCalls: call === null ? [] : [{ id: callId(turn), type: 'function', function: call }],
    finishReason: call === null ? 'stop' : 'tool_calls',
    probability: drawn.probability,
    candidates: stated.map(candidateOf),
    drawn: drawn.index,
    answeredBy: asked.answeredBy,
    fallback: notes.length === 0 ? null : notes.join('; '),
    attempts: spent.attempts,
    upstreamMs: spent.upstreamMs,
    usage: usageSum(spent.usages),
  };
  return { kind: 'whole', said, completion: null };
}

/** Candidates of all rounds; one round is asked for again where it cannot be read. */
async function candidatesFor(
  asked: Asked,
  recipe: VerbalizedRecipe,
  turn: Turn,
  choices: Choices,
  spent: Spent,
): Promise<readonly Stated[]> {
  const rounds = roundsOf(recipe);
  const found: Stated[] = [];
  let messages = withSystem(turn.request.messages, instructions(rounds[0]!, recipe, choices), 'after');
  let again = 1;
  for (let at = 0; at < rounds.length; at++) {
    const round = rounds[at]!;
    const text = await askRound(asked, turn, messages, round, choices, spent);
    const stated = cutAtStops(parseCandidates(text, choices), turn.request);
    if (stated.length < Math.min(2, round.count)) {
      if (again-- === 0) break;
      at--;
      continue;
    }
    found.push(...stated);
    const next = rounds[at + 1];
    if (next !== undefined)
      messages = [...messages, { role: 'assistant', content: text }, { role: 'user', content: moreOf(next) }];
  }
  return found;
}

/** How a server is held to JSON, the strictest first. */
const LEVELS = ['schema', 'object', 'none'] as const;
type Level = (typeof LEVELS)[number];
/** Found out once for each model of an upstream. */
const TAKEN = new WeakMap<Upstream, Map<string, Level>>();

/** What the model says. Rejects with ApiError, or the signal's reason. */
async function askRound(
  asked: Asked,
  turn: Turn,
  messages: readonly WireMessage[],
  round: Round,
  choices: Choices,
  spent: Spent,
): Promise<string> {
  const taken = TAKEN.get(asked.upstream) ?? new Map<string, Level>();
  TAKEN.set(asked.upstream, taken);
  const first = LEVELS.indexOf(taken.get(asked.model) ?? 'schema');
  for (const level of LEVELS.slice(first)) {
    const body = roundBody(asked, turn, messages, round, choices, level, spent.attempts);
    try {
      const { json, attempts, upstreamMs } = await sendWhole(asked, turn, body);
      taken.set(asked.model, level);
      spent.attempts += attempts;
      spent.upstreamMs += upstreamMs;
      countTokens(asked, turn, json);
      const { text, usage } = wordsOf(json);
      spent.usages.push(usage);
      return text ?? '';
    } catch (cause) {
      if (level === 'none' || !refusesFormat(cause)) throw apiErrorOf(cause);
      spent.attempts += cause.attempts;
      spent.upstreamMs += cause.upstreamMs;
    }
  }
  throw new Error('the last level always answers or throws');
}

function refusesFormat(cause: unknown): cause is UpstreamError {
  return (
    cause instanceof UpstreamError &&
    (cause.status === 400 || cause.status === 422) &&
    cause.said?.code !== 'context_length_exceeded'
  );
}

function roundBody(
  asked: Asked,
  turn: Turn,
  messages: readonly WireMessage[],
  round: Round,
  choices: Choices,
  level: Level,
  asks: number,
): Record<string, unknown> {
  const {
    // They would cut, weigh or replace the JSON; what they mean for a message is seen to afterwards.
    stop: _stop,
    logprobs: _logprobs,
    top_logprobs: _top,
    response_format: _format,
    tools: _tools,
    tool_choice: _choice,
    parallel_tool_calls: _parallel,
    n: _n,
    ...body
  } = bodyFor(asked, turn, messages, false);
  for (const key of ['max_tokens', 'max_completion_tokens'])
    if (typeof body[key] === 'number') body[key] = tokensFor(body[key], round);
  // Under the same seed a reply that could not be read would come again.
  if (typeof body.seed === 'number') body.seed += asks;
  if (level === 'schema')
    body.response_format = {
      type: 'json_schema',
      json_schema: { name: 'candidates', strict: true, schema: candidateSchema(round, choices) },
    };
  else if (level === 'object') body.response_format = { type: 'json_object' };
  return body;
}

/** The turn without the recipe, marked so. JSON is no turn of a user even then: 502. */
async function askedAgain(asked: Asked, turn: Turn, spent: Spent, found: number): Promise<Reply> {
  const fallback = `re-asked directly: ${found === 0 ? 'no candidate' : 'one candidate'} could be read`;
  const reply = await modelReply(asked, turn, turn.request.messages, { fallback, whole: true });
  if (reply.kind !== 'whole') throw new Error('a whole reply was asked for');
  const { said } = reply;
  if (said.text !== null && (isRawJson(said.text) || isWrapped(said.text)))
    throw new ApiError(502, 'the upstream answers in JSON where a user is to speak', {
      code: 'upstream_reply',
    });
  const whole: Said = {
    ...said,
    attempts: said.attempts + spent.attempts,
    upstreamMs: said.upstreamMs + spent.upstreamMs,
    usage: usageSum([...spent.usages, said.usage]),
  };
  const { completion } = reply;
  return {
    kind: 'whole',
    said: whole,
    completion: completion === null ? null : withUsage(completion, whole),
  };
}

function ownFormat({ body }: ChatRequest): boolean {
  const { response_format: format } = body as { response_format?: { type?: unknown } | null };
  return format != null && format.type !== 'text';
}

/** As a server does by itself for a plain reply: nothing from a stop sequence on. */
function cutAtStops(all: readonly Stated[], { body }: ChatRequest): readonly Stated[] {
  const stops = [body.stop ?? []]
    .flat()
    .filter((stop): stop is string => typeof stop === 'string' && stop !== '');
  if (stops.length === 0) return all;
  return all
    .map((one) => {
      const ends = stops.map((stop) => one.text?.indexOf(stop) ?? -1).filter((at) => at >= 0);
      return one.text === null || ends.length === 0
        ? one
        : { ...one, text: one.text.slice(0, Math.min(...ends)) };
    })
    .filter(({ text }) => text === null || text !== '');
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

function callId(turn: Turn): string {
  const random = turn.random.fork('call');
  return `call_${Array.from({ length: 24 }, () => LETTERS[random.integer(LETTERS.length)]).join('')}`;
}
