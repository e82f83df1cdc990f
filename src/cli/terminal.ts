/**
 * What may steer a terminal or reorder its text: C0 and C1 controls, DEL, marks of text direction, and the halves
 * of surrogate pairs. Names, reasons and replies of servers come from files and networks of others.
 */
const STEERING = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb]|\p{Cs}/gu;

/** One line: line breaks and tabs become spaces, anything else that steers a terminal a `?`. */
export function printable(text: string): string {
  return text.replace(/[\t\n\v\f\r]+/g, ' ').replace(STEERING, '?');
}

/** A line on standard error. */
export function tell(line: string): void {
  process.stderr.write(`${printable(line)}\n`);
}

/** Text for people on standard output; its own line breaks stay. */
export function show(text: string): void {
  process.stdout.write(`${text.split('\n').map(printable).join('\n')}\n`);
}
