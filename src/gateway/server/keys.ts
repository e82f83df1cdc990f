import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { CollapseAwareError } from '../../errors.ts';
import { type Environment, secretOf } from '../settings/environment.ts';
import type { GatewaySettings } from '../settings/settings.ts';
import { ApiError } from '../wire/api-error.ts';

type Digest = Buffer;
const digestOf = (key: string): Digest => createHash('sha256').update(key).digest();
/** Begins keys of single sessions, so that a log or a person can tell them from others. */
const SESSION_KEY = 'ca-session-';

/** What keys of sessions are made and checked with. */
export interface SessionKeys {
  readonly secret: Buffer;
  /** Whether a session is over, so that its key opens nothing any more. */
  readonly isOver: (session: string) => boolean;
}

/** Who may do what. Keys are held as digests and compared in constant time; none is ever given out again. */
export class KeyRing {
  readonly #client: Digest | null;
  readonly #admin: Digest;
  /** Made at this start because no variable was named; to be shown once. */
  readonly madeAdminKey: string | null;
  readonly #sessions: SessionKeys;

  /** @throws CA_USAGE where a named variable is not set, or both keys are one. */
  constructor(keys: GatewaySettings['keys'], environment: Environment, sessions: SessionKeys) {
    this.#sessions = sessions;
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

  /** A key that opens one session: its id, signed. Nothing of it is kept. */
  issue(session: string): string {
    return `${SESSION_KEY}${Buffer.from(session).toString('base64url')}.${this.#sign(session).toString('base64url')}`;
  }

  #sign(session: string): Buffer {
    return createHmac('sha256', this.#sessions.secret).update(session).digest();
  }

  /** The session that a key opens; null for one that was not issued here. */
  #opened(key: string): string | null {
    const [id = '', signature = ''] = key.slice(SESSION_KEY.length).split('.');
    const session = Buffer.from(id, 'base64url').toString();
    const given = Buffer.from(signature, 'base64url');
    const own = this.#sign(session);
    return given.length === own.length && timingSafeEqual(given, own) ? session : null;
  }

  /** The session that a client's key was issued for, null where it is the general one. @throws ApiError 401. */
  client(authorization: string | undefined): string | null {
    const key = bearer(authorization);
    if (key?.startsWith(SESSION_KEY)) {
      const session = this.#opened(key);
      if (session === null || this.#sessions.isOver(session))
        throw unauthorised('this session key is unknown or its session is over');
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
