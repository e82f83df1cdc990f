import { plural, timeText } from '../format.ts';

/** `12 s`, `4 min`, `3 h`, `2 days`; of milliseconds. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : plural(Math.round(hours / 24), 'day');
}

export function ago(at: number, now: number): string {
  return `${duration(now - at)} ago`;
}

/** Milliseconds since 1970 as `2026-01-15 10:30 UTC`. */
export function moment(at: number): string {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? 'at an unknown time' : timeText(time.toISOString());
}

/** The largest unit that keeps at least one digit before the point. */
export function bytes(n: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let size = n;
  let at = 0;
  while (size >= 1000 && at < units.length - 1) {
    size /= 1000;
    at++;
  }
  return `${at === 0 ? size : size.toFixed(size < 10 ? 1 : 0)} ${units[at]}`;
}
