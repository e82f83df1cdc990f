import type { Blame, Finding } from './check.ts';

/** Most characters that a finding quotes. */
const QUOTED = 300;
const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** What a check saw: `text` is quoted from a little before `at`. */
export function finding(
  check: string,
  blame: Blame,
  reason: string,
  text: string,
  turn: number | null,
  at = 0,
): Finding {
  return { check, blame, reason, evidence: excerpt(text, at), turn };
}

/** At most 300 characters around a place, on one line. Half a surrogate pair at a cut becomes U+FFFD. */
export function excerpt(text: string, at: number): string {
  const from = at > 80 ? at - 60 : 0;
  const room = QUOTED - (from > 0 ? 3 : 0);
  const whole = text.length - from <= room;
  const cut = text.slice(from, from + (whole ? room : room - 3));
  const line = cut
    .replace(LONE, '\ufffd')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return `${from > 0 ? '...' : ''}${line}${whole ? '' : '...'}`;
}
