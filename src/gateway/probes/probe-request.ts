import type { Random } from '../../math/random.ts';
import type { ChatRequest } from '../wire/chat-request.ts';

/** Seeds that every upstream takes: 31 bits, from the stream alone. */
export function upstreamSeed(random: Random): number {
  return random.integer(0x7fff_ffff);
}

/**
 * The same request, asked for once more and whole. A client that fixes `seed` gets one and the same reply each time, so
 * that a probe under that seed would measure nothing: every resample has a seed of its own, and epsilon speaks of the
 * simulator's law over seeds. Where the client gave none, none is added: the upstream draws. A member at temperature 0
 * still repeats itself, and that is its law.
 */
export function probeRequest(request: ChatRequest, random: Random): ChatRequest {
  const { stream: _, stream_options: __, ...body } = request.body;
  if (request.seed === null) return { ...request, stream: false, includeUsage: false, body };
  const seed = upstreamSeed(random);
  return { ...request, stream: false, includeUsage: false, seed, body: { ...body, seed } };
}
