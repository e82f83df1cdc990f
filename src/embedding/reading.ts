import type { Trajectory } from '../trajectory/trajectory.ts';
import { type HeardTurn, hearTurn, type ReadTurn, readTurn } from './cues.ts';
import { spoken } from './speech.ts';
import { failed, userTools } from './tool-use.ts';
import { WordScan } from './word-scan.ts';

/** Everything a feature is computed from. */
export interface Reading {
  /** At least one. */
  readonly user: readonly ReadTurn[];
  /** The agent's last turn before each user turn, null where there was none. */
  readonly heard: readonly (HeardTurn | null)[];
  /** A user-side tool failed between the user's last turn and this one. */
  readonly toolFailed: readonly boolean[];
  readonly tools: readonly string[] | null;
}

/** Below this share of common English words a text of 20 words or more is in another language. */
const ENGLISH_SHARE = 0.12;

/** Whether the English rules may be read: by function words, from the agent's words too where the user says little. */
export function isEnglish({ user, heard }: Reading): boolean {
  let letters = 0;
  let latin = 0;
  let words = 0;
  let markers = 0;
  for (const turn of user) {
    letters += turn.letters;
    latin += turn.latin;
    words += turn.words.length;
    markers += turn.markers;
  }
  if (letters > 0 && latin / letters < 0.5) return false;
  if (words < 20)
    for (const turn of heard)
      if (turn) {
        words += turn.words;
        markers += turn.markers;
      }
  return words < 20 || markers / words >= ENGLISH_SHARE;
}

const SCAN = new WordScan();

/**
 * Valid until WORDS settles: words are numbers there. `each` is told every spoken turn as it was scanned; without it
 * only those that some rule needs are.
 */
export function readEpisode(
  trajectory: Trajectory,
  each?: (role: 'user' | 'agent', scan: WordScan) => void,
): Reading {
  const user: ReadTurn[] = [];
  const heard: (HeardTurn | null)[] = [];
  const toolFailed: boolean[] = [];
  let last: string | HeardTurn | null = null;
  let broke = false;
  for (const turn of trajectory.turns) {
    if (turn.role === 'tool') {
      if (turn.requestor === 'user' && failed(turn.text)) broke = true;
      continue;
    }
    if (turn.role === 'system') continue;
    const said = spoken(turn);
    if (said === null) continue;
    if (turn.role === 'agent') {
      last = said;
      if (each !== undefined) {
        SCAN.read(said);
        each('agent', SCAN);
        last = hearTurn(SCAN);
      }
      continue;
    }
    if (typeof last === 'string') {
      SCAN.read(last);
      last = hearTurn(SCAN);
    }
    heard.push(last);
    SCAN.read(said);
    each?.('user', SCAN);
    user.push(readTurn(said, SCAN));
    toolFailed.push(broke);
    last = null;
    broke = false;
  }
  return { user, heard, toolFailed, tools: userTools(trajectory) };
}
