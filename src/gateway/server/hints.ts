import type { IncomingHttpHeaders } from 'node:http';
import type { ChatRequest } from '../wire/chat-request.ts';

/** What a client may say of a session beside the dialogue: in headers, or in the body's `metadata`. */
export interface Hints {
  readonly group: string | null;
  readonly epoch: number | null;
  readonly run: string | null;
  readonly task: string | null;
  readonly policy: string | null;
  readonly checkpoint: string | null;
  /** Ids that the trainer has for it: rewards may come by them. */
  readonly names: readonly string[];
}

/** Keys of `metadata` whose values are such ids. */
const NAMES = ['trace_id', 'rollout_id', 'episode_id', 'uid', 'request_id'];

const LONGEST = 200;

/** Header `x-ca-group` or metadata `group`, and so on; what is too long or no number is as good as absent. */
export function hintsOf(headers: IncomingHttpHeaders, metadata: ChatRequest['metadata']): Hints {
  const said = (name: string): string | null => {
    const header = headers[`x-ca-${name}`];
    const value =
      (Array.isArray(header) ? header[0] : header) ?? metadata?.[name] ?? metadata?.[`${name}_id`];
    return value === undefined || value === '' || value.length > LONGEST ? null : value;
  };
  const epoch = said('epoch');
  return {
    group: said('group'),
    epoch: epoch !== null && /^\d{1,15}$/.test(epoch) ? Number(epoch) : null,
    run: said('run'),
    task: said('task'),
    policy: said('policy'),
    checkpoint: said('checkpoint'),
    names: [
      ...new Set(
        NAMES.flatMap((key) => {
          const name = metadata?.[key];
          return name === undefined || name === '' || name.length > LONGEST ? [] : [name];
        }),
      ),
    ],
  };
}
