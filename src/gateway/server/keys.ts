import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { CollapseAwareError } from '../../errors.ts';
import { type Environment, secretOf } from '../settings/environment.ts';
import type { GatewaySettings } from '../settings/settings.ts';
import { ApiError } from '../wire/api-error.ts';

type Digest = Buffer;
const digestOf = (key: string): Digest => createHash('sha256').update(key).digest();
/** Begins keys of single sessions, so that a log or a person can tell them from others. */
const SESSION_KEY = 'ca-session-';

/** Who may do what. Keys are held as digests and compared in constant time; none is ever given out again. */
export class KeyRing {
  readonly #client: Digest | null;
  readonly #admin: Digest;
  /** Made at this start because no variable was named; to be shown once. */
  readonly madeAdminKey: string | null;
  /** By digest, in hex: looking one up compares no secret byte by byte. */
  readonly #sessions = new Map<string, string>();

  /** @throws CA_USAGE where a named variable is not set, or both keys are one. */
  constructor(keys: GatewaySettings['keys'], environment: Environment) {
    const client = keys.clientEnv === null ? null : secretOf(keys.clientEnv, environment);
    this.madeAdminKey = keys.adminEnv === null ? `ca-admin-${randomBytes(24).toString('base64url')}` : null;
    const admin = keys.adminEnv === null ? this.madeAdminKey! : secretOf(keys.adminEnv, environment);
    this.#client = client === null ? null : digestOf(client);
    this.#admin = digestOf(admin);
    if (this.#client !== null && timingSafeEqual(this.#client, this.#admin))
      throw new CollapseAwareError('CA_USAGE', `${keys.clientEnv} and ${keys.adminEnv} hold the same key`, {
        todo: 'give clients a key of their own: with the admin key they could change who is served',
      });
  }

  /** A key that stands for one session; only its digest is kept. */
  issue(session: string): string {
    const key = `${SESSION_KEY}${randomBytes(24).toString('base64url')}`;
    this.#sessions.set(digestOf(key).toString('hex'), session);
    return key;
  }

  forget(session: string): void {
    for (const [digest, of] of this.#sessions) if (of === session) this.#sessions.delete(digest);
  }

  /** The session that a client's key was issued for, null where it is the general one. @throws ApiError 401. */
  client(authorization: string | undefined): string | null {
    const key = bearer(authorization);
    if (key?.startsWith(SESSION_KEY)) {
      const session = this.#sessions.get(digestOf(key).toString('hex'));
      if (session === undefined) throw unauthorised('this session key is unknown or its session is over');
      return session;
    }
    if (this.#client === null) return null;
    if (key === null) throw unauthorised('no API key was sent: Authorization: Bearer KEY');
    if (!timingSafeEqual(digestOf(key), this.#client)) throw unauthorised('the API key is not the right one');
    return null;
  }

  /** @throws ApiError 401. */
  admin(authorization: string | undefined): void {
    const key = bearer(authorization);
    if (key === null) throw unauthorised('the control API needs the admin key: Authorization: Bearer KEY');
    if (!timingSafeEqual(digestOf(key), this.#admin))
      throw unauthorised('the admin key is not the right one');
  }

  /** The general key of clients, or the admin's. @throws ApiError 401. */
  either(authorization: string | undefined): void {
    const key = bearer(authorization);
    if (key === null) throw unauthorised('this needs the key of clients or the admin key');
    const digest = digestOf(key);
    const client = this.#client !== null && timingSafeEqual(digest, this.#client);
    if (!timingSafeEqual(digest, this.#admin) && !client) throw unauthorised('the key is not the right one');
  }
}

function bearer(authorization: string | undefined): string | null {
  const [, key] = /^Bearer\s+(\S+)\s*$/i.exec(authorization ?? '') ?? [];
  return key ?? null;
}

function unauthorised(message: string): ApiError {
  return new ApiError(401, message, { code: 'invalid_api_key' });
}
