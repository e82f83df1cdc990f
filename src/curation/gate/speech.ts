import type { Role, Trajectory } from '../../trajectory/trajectory.ts';

/** Characters of a turn that rules read. Faults show at once; a turn of megabytes must not stop a run. */
const READ = 20_000;

/** What one side said in one turn. */
export interface Speech {
  readonly text: string;
  /** Index into `turns`. */
  readonly turn: number;
}

/** Turns of one side that have words, in order, each cut to its first 20,000 characters. */
export function speechOf(episode: Trajectory, role: Role): Speech[] {
  const said: Speech[] = [];
  const { turns } = episode;
  for (let turn = 0; turn < turns.length; turn++) {
    const { role: who, text } = turns[turn]!;
    if (who === role && text !== null && text !== '')
      said.push({ text: text.length > READ ? text.slice(0, READ) : text, turn });
  }
  return said;
}

const END = '(?:conversation|dialog(?:ue)?|chat|call|session|interaction|simulation|task|episode|turn)';
/** What a token of the end says, in any case. */
const ENDS = `(?:stop(?:ped)?|terminated?|hang[ _-]?up|eos|eoc|goal[ _-](?:reached|completed?|achieved)|(?:end|stop|close|terminate|finish|exit)[ _-](?:of[ _-])?(?:the[ _-])?${END}|${END}[ _-](?:is[ _-]|has[ _-])?(?:end(?:ed)?|over|completed?|finished|closed|terminated|stop))`;
/** Words that people put in brackets too, if not in capitals. */
const CAPITALS = '(?:END(?:ED)?|DONE|EXIT|QUIT|FINISH(?:ED)?|COMPLETED?|BYE|GOODBYE)';
const framed = (inner: string) =>
  `#{2,4}\\s{0,2}${inner}\\s{0,2}#{2,4}|[[<{]{1,2}[|/]?\\s?${inner}\\s?[|/]?[\\]>}]{1,2}|\\*{2}\\s?${inner}\\s?\\*{2}`;
/** Tokens by which a simulator tells its harness that it is done: `###STOP###` and the like. */
const STOP = new RegExp(
  `${framed(ENDS)}|###\\s{0,2}STOP(?=\\s*$)|<\\|?(?:endoftext|end_of_text|eot_id|im_end)\\|?>(?=\\s*$)|^\\s*/(?:exit|quit|stop|end|bye|done)\\s*$`,
  'gi',
);
const CASED = new RegExp(
  `###\\s{0,2}([A-Z][A-Z _-]{2,30})\\s{0,2}###|${framed(CAPITALS)}|\\b(?:TERMINATE|END_OF_CONVERSATION|END_CONVERSATION|END_CHAT|STOP_CONVERSATION|END OF CONVERSATION)\\b(?=[\\s.]*$)`,
  'g',
);
const MAY_STOP =
  /##|[[<{][|/]?\s?(?:stop|end|done|term|exit|quit|finish|goal|hang|eo[sct]|im_|close|conv|dial|chat|call|sess|inter|simu|task|epis|turn)|TERMINATE|(?:END|STOP)_|END OF|\*\*(?:END|STOP|DONE)|^\s*\/[a-z]{3,4}\s*$/i;

export function withoutStopTokens(text: string): string {
  return MAY_STOP.test(text) ? text.replace(CASED, ' ').replace(STOP, ' ') : text;
}

/** Stop tokens of a text, by name: `STOP`, `TRANSFER`, `OUT-OF-SCOPE`; `[END]`, `/exit` and the like are `STOP`. */
export function stopTokens(text: string): string[] {
  if (!MAY_STOP.test(text)) return [];
  const names: string[] = [];
  const rest = text.replace(CASED, (_token, name?: string) => {
    names.push(name === undefined || STOPS.test(name) ? 'STOP' : name.trim());
    return ' ';
  });
  for (const _token of rest.matchAll(STOP)) names.push('STOP');
  return names;
}

const STOPS = new RegExp(`^\\s*(?:${ENDS}|${CAPITALS})\\s*$`, 'i');

/** Lower-case words: letters and digits with inner apostrophes, hyphens and underscores. */
export function wordsOf(text: string): string[] {
  const plain = text.toLowerCase().replaceAll('’', "'");
  return plain.match(BEYOND_ASCII.test(plain) ? WORD : ASCII_WORD) ?? [];
}

const BEYOND_ASCII = /[\u0080-\uffff]/;
/** The same for plain text, several times faster. */
const ASCII_WORD = /[a-z0-9]+(?:['_-][a-z0-9]+)*/g;
const WORD = /[\p{L}\p{M}\p{N}]+(?:['_-][\p{L}\p{M}\p{N}]+)*/gu;

const QUOTES =
  /"[^"]{0,600}"|“[^”]{0,600}”|(?<=[\s(])['‘][^'’\n]{1,600}(?:['’][a-z]{1,2}\b[^'’\n]{0,600}){0,9}['’](?=[\s.,;:!?)]|$)/g;

/** Lines quoted as in mail, blocks and pieces of code. */
const CODE = /^[ \t]{0,4}>[^\n]{0,2000}|```[^`]{0,20000}```|`[^`\n]{1,300}`/gm;
const blank = (part: string) => ' '.repeat(part.length);

/** The text with its quotes and code blanked out, places kept: a user may tell what somebody said, or show code. */
export function unquoted(text: string): string {
  const spoken = /[`>]/.test(text) ? text.replace(CODE, blank) : text;
  return /["“'‘]/.test(spoken) ? spoken.replace(QUOTES, blank) : spoken;
}

/** Place and text of the first match of any pattern outside quotes; null where there is none. */
export function firstMatch(text: string, patterns: readonly RegExp[]): { at: number; text: string } | null {
  let bare: string | null = null;
  for (const pattern of patterns) {
    if (!pattern.test(text)) continue;
    bare ??= unquoted(text);
    const match = pattern.exec(bare);
    if (match !== null) return { at: match.index, text: match[0] };
  }
  return null;
}
