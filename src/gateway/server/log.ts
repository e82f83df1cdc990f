import { pino } from 'pino';

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug';
/** Structured lines: what happened, to which session, never what was said and never a key. */
export type Log = ReturnType<typeof newLog>;

export function newLog(level: LogLevel, sink?: { write(line: string): void }) {
  const options = {
    level,
    base: null,
    messageKey: 'event',
    timestamp: () => `,"at":${Date.now()}`,
    redact: {
      paths: ['authorization', '*.authorization', 'key', '*.key', 'apiKey', '*.apiKey'],
      remove: true,
    },
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return sink === undefined ? pino(options, pino.destination({ dest: 2, sync: false })) : pino(options, sink);
}
