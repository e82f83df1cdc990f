import type { Cast } from '../cast/index.ts';
import { addExchange, type ExchangeLog, loseExchange, standing } from '../recorder/exchange-log.ts';
import type { Recorder } from '../recorder/recorder.ts';
import type { SessionFacts } from '../recorder/records.ts';
import type { PastTurn, Said } from '../speakers/speaker.ts';
import { ApiError } from '../wire/api-error.ts';
import type { Conversation } from './conversation.ts';

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
  const log: ExchangeLog<Said> = new Map();
  for await (const record of recorder.recordsOf(id)) {
    if (record.kind === 'open') facts = record.facts;
    else if (record.kind === 'exchange') addExchange(log, record.turn, record.asked, record.said);
    else if (record.kind === 'undelivered') loseExchange(log, record.turn);
  }
  if (facts === null) return null;
  const voice = cast.voiceOf(facts.simulator, facts.seed);
  if (voice === null)
    throw new ApiError(410, `the member '${facts.simulator.id}' of session ${id} is no longer in service`, {
      code: 'simulator_gone',
    });
  const past = new Map(
    standing(log).map(({ turn, reply: { text, acts } }): [number, PastTurn] => [
      turn,
      { text: text ?? '', ...(acts === undefined ? {} : { acts }) },
    ]),
  );
  return { facts, voice, past, running: null };
}
