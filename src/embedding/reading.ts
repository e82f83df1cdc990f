import type { Trajectory } from '../trajectory/trajectory.ts';
import { type HeardTurn, hearTurn, type ReadTurn, readTurn } from './cues.ts';
import { spoken } from './speech.ts';
import { failed, userTools } from './tool-use.ts';
import { WORDS } from './words.ts';

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

/** Valid until the next episode is read: words are numbers of WORDS. */
export function readEpisode(trajectory: Trajectory): Reading {
  WORDS.settle();
  const user: ReadTurn[] = [];
  const heard: (HeardTurn | null)[] = [];
  const toolFailed: boolean[] = [];
  let last: string | null = null;
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
      continue;
    }
    user.push(readTurn(said));
    heard.push(last === null ? null : hearTurn(last));
    toolFailed.push(broke);
    last = null;
    broke = false;
  }
  return { user, heard, toolFailed, tools: userTools(trajectory) };
}
