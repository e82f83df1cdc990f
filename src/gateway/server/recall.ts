import type { Cast } from '../cast/index.ts';
import type { Recorder } from '../recorder/recorder.ts';
import type { SessionFacts } from '../recorder/records.ts';
import type { PastTurn } from '../speakers/speaker.ts';
import { ApiError } from '../wire/api-error.ts';
import type { Conversation } from './conversations.ts';

/**
 * A session out of its records, to be gone on with: after a restart, or when a retry opens it again. Null where none is
 * on record.
 * @throws ApiError 410 where its member is no longer to be had.
 */
export async function recallConversation(
  id: string,
  recorder: Recorder,
  cast: Cast,
): Promise<Conversation | null> {
  if (recorder.session(id) === undefined) return null;
  let facts: SessionFacts | null = null;
  const past = new Map<number, PastTurn>();
  for await (const record of recorder.recordsOf(id)) {
    if (record.kind === 'open') facts = record.facts;
    else if (record.kind === 'undelivered') past.delete(record.turn);
    else if (record.kind === 'exchange') {
      const { text, acts } = record.said;
      past.set(record.turn, { text: text ?? '', ...(acts === undefined ? {} : { acts }) });
    }
  }
  if (facts === null) return null;
  const voice = cast.voiceOf(facts.simulator, facts.seed);
  if (voice === null)
    throw new ApiError(410, `the member '${facts.simulator.id}' of session ${id} is no longer in service`, {
      code: 'simulator_gone',
    });
  return { facts, voice, past, running: null };
}
