import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { StopSignal } from './halt.ts';

export interface ExchangeLimits {
  /** From the request to the first byte of the body, in ms. */
  readonly firstByteMs: number;
  /** Between two pieces of the body, in ms. */
  readonly idleMs: number;
}

export interface ExchangeRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How an exchange came to a bad end. `begun`: bytes of the body had come before. */
export class ExchangeFault extends Error {
  readonly kind: 'unreached' | 'timeout' | 'broken';
  readonly begun: boolean;
  /** The connection itself did not come about in time. */
  readonly connecting: boolean;

  constructor(kind: ExchangeFault['kind'], message: string, begun: boolean, connecting = false) {
    super(message);
    this.name = 'ExchangeFault';
    this.kind = kind;
    this.begun = begun;
    this.connecting = connecting;
  }
}

/** Bytes that are kept for a reader who is slower than the upstream; then the upstream has to wait. */
const HIGH = 256 * 1024;

/**
 * One POST, its body read piece by piece as it comes. Straight on undici's dispatch: no stream objects between socket
 * and reader, and a cancelled exchange closes its socket at once. The signal cancels, with its reason.
 */
export class Exchange {
  status = 0;
  headers: IncomingHttpHeaders = {};
  /** Milliseconds from the request to the first byte of the body; null before. */
  firstByte: number | null = null;
  readonly started = performance.now();
  readonly #limits: ExchangeLimits;
  readonly #signal: StopSignal;
  readonly #settled: () => void;
  #controller: Dispatcher.DispatchController | null = null;
  #timer: NodeJS.Timeout;
  readonly #pieces: Buffer[] = [];
  #held = 0;
  #over = false;
  #failure: unknown = null;
  #discarding = false;
  #told = false;
  #reader: { resolve(piece: Buffer | null): void; reject(cause: unknown): void } | null = null;

  /** `settled` is called once, when nothing more is wanted of the upstream. */
  constructor(
    dispatcher: Dispatcher,
    request: ExchangeRequest,
    limits: ExchangeLimits,
    signal: StopSignal,
    settled: () => void,
  ) {
    this.#limits = limits;
    this.#signal = signal;
    this.#settled = settled;
    const { firstByteMs } = limits;
    this.#timer = setTimeout(
      () => this.#fail(new ExchangeFault('timeout', `no first byte within ${firstByteMs} ms`, false)),
      firstByteMs,
    );
    signal.addEventListener('abort', this.#aborted, { once: true });
    dispatcher.dispatch(
      { method: 'POST', ...request, headersTimeout: 0, bodyTimeout: 0 },
      {
        onRequestStart: (controller) => {
          this.#controller = controller;
          if (this.#over) controller.abort(GONE);
        },
        onResponseStart: (_, status, headers) => {
          if (status < 200) return;
          this.status = status;
          this.headers = headers;
        },
        onResponseData: (controller, piece) => this.#data(controller, piece),
        onResponseEnd: () => this.#end(),
        onResponseError: (_, cause) => this.#fail(this.#broken(cause)),
      },
    );
  }

  /** The next piece; null at the end. Rejects with ExchangeFault or the signal's reason. One caller at a time. */
  next(): Promise<Buffer | null> {
    const piece = this.#pieces.shift();
    if (piece !== undefined) {
      this.#held -= piece.length;
      if (this.#held < HIGH && this.#controller?.paused === true) {
        this.#rest();
        this.#controller.resume();
      }
      return Promise.resolve(piece);
    }
    if (this.#failure !== null) return Promise.reject(this.#failure);
    if (this.#over) return Promise.resolve(null);
    return new Promise((resolve, reject) => {
      this.#reader = { resolve, reject };
    });
  }

  /** Closes the socket; a reader who waits gets the end. */
  cancel(): void {
    this.#pieces.length = 0;
    this.#close(null);
    this.#controller?.abort(GONE);
  }

  /** What still comes is of no interest, but the socket is, for the next request: given up after `milliseconds`. */
  discard(milliseconds: number): void {
    if (this.#over) return;
    this.#pieces.length = 0;
    this.#held = 0;
    this.#discarding = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.cancel(), milliseconds);
    if (this.#controller?.paused === true) this.#controller.resume();
    this.#settle();
  }

  #data(controller: Dispatcher.DispatchController, piece: Buffer): void {
    if (this.#over || this.#discarding) return;
    if (this.firstByte === null) {
      this.firstByte = performance.now() - this.started;
      this.#rest();
    } else this.#timer.refresh();
    if (this.#reader !== null) {
      const { resolve } = this.#reader;
      this.#reader = null;
      resolve(piece);
      return;
    }
    this.#pieces.push(piece);
    this.#held += piece.length;
    if (this.#held < HIGH) return;
    // It is we who are slow now.
    clearTimeout(this.#timer);
    controller.pause();
  }

  #rest(): void {
    clearTimeout(this.#timer);
    const { idleMs } = this.#limits;
    this.#timer = setTimeout(
      () => this.#fail(new ExchangeFault('timeout', `nothing came for ${idleMs} ms`, true)),
      idleMs,
    );
  }

  #end(): void {
    this.firstByte ??= performance.now() - this.started;
    this.#close(null);
  }

  #fail(cause: unknown): void {
    if (this.#over) return;
    this.#close(cause);
    this.#controller?.abort(GONE);
  }

  #close(failure: unknown): void {
    if (this.#over) return;
    this.#over = true;
    this.#failure = failure;
    clearTimeout(this.#timer);
    this.#signal.removeEventListener('abort', this.#aborted);
    const reader = this.#reader;
    this.#reader = null;
    if (failure === null) reader?.resolve(null);
    else reader?.reject(failure);
    this.#settle();
  }

  #settle(): void {
    if (this.#told) return;
    this.#told = true;
    this.#settled();
  }

  readonly #aborted = (): void => {
    this.#pieces.length = 0;
    this.#fail(this.#signal.reason);
  };

  #broken(cause: Error & { code?: string }): ExchangeFault {
    const begun = this.firstByte !== null;
    const connecting = cause.code === 'UND_ERR_CONNECT_TIMEOUT';
    const kind = connecting ? 'timeout' : begun || this.status !== 0 ? 'broken' : 'unreached';
    return new ExchangeFault(kind, cause.message || cause.code || 'no connection', begun, connecting);
  }
}

const GONE = new Error('nobody waits for it any more');
