import { ApiError } from '../wire/api-error.ts';
import type { ChatRequest } from '../wire/chat-request.ts';
import { incarnation } from './names.ts';
import type { Named } from './session.ts';

export interface NameSources {
  /** `{sid}` of `/sessions/{sid}/v1/...` */
  readonly pathId: string | null;
  /** As Node gives them: names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The session that the client's key was issued for. */
  readonly keyId: string | null;
  /** Headers that name a session, in this order. */
  readonly headerNames: readonly string[];
}

/** In this order. */
const METADATA = ['session_id', 'sessionId', 'conversation_id', 'trace_id', 'rollout_id'];
const LONGEST = 200;

/**
 * Which session a request names: path, header, key, then `metadata`, then `user` of the body; null = none of them.
 *
 * `user` names a person to most clients, and one constant to many. It counts only if it looks like an id of its own:
 * at least 8 letters, digits and `._:/-`, a digit among them, and no e-mail address. Even then it is weak: content
 * tells sessions apart under it.
 *
 * @throws ApiError 400 `invalid_session_id` where path or header hold what cannot be an id (1 to 200 visible
 * characters). What a body holds is passed over then. 403 `session_key_mismatch` where they name another session than
 * the key's.
 */
export function namedBy(request: ChatRequest, sources: NameSources): Named | null {
  const { pathId, headers, keyId, headerNames } = sources;
  const own = (id: string, by: 'path' | 'header'): Named => {
    // It opens one session, and no other by a name beside it.
    if (keyId !== null && incarnation(id).name !== incarnation(keyId).name)
      throw new ApiError(403, `this key was issued for another session than '${id}'`, {
        code: 'session_key_mismatch',
      });
    return { id, by, weak: false };
  };
  if (pathId !== null) return own(checked(pathId, 'the path'), 'path');
  for (const name of headerNames) {
    const value = headers[name.toLowerCase()];
    const id = (typeof value === 'string' ? value : value?.[0])?.trim();
    if (id !== undefined && id !== '') return own(checked(id, name), 'header');
  }
  if (keyId !== null) return { id: keyId, by: 'key', weak: false };
  const { metadata, user } = request;
  for (const name of METADATA) {
    // An own field only: `metadata` is a client's object.
    const id = metadata !== null && Object.hasOwn(metadata, name) ? metadata[name]!.trim() : '';
    if (isId(id)) return { id, by: 'body', weak: false };
  }
  return user !== null && OWN_ID.test(user) && user.length <= LONGEST
    ? { id: user, by: 'body', weak: true }
    : null;
}

const OWN_ID = /^(?=.*\d)[\p{L}\p{N}._:/-]{8,}$/u;
const isId = (id: string) => id.length > 0 && id.length <= LONGEST && !/[\p{C}\p{Z}]/u.test(id);

function checked(id: string, where: string): string {
  if (isId(id)) return id;
  throw ApiError.invalid(
    `the session id in ${where} must be 1 to ${LONGEST} characters without spaces`,
    null,
    'invalid_session_id',
  );
}
