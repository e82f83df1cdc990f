import { open } from 'node:fs/promises';

/** What a write-ahead log holds (SQLite's file format, section 4). */
export interface LogState {
  /** Frames that SQLite reads: whole, and up to the last commit among them. */
  readonly frames: number;
  /** Bytes up to there. */
  readonly soundBytes: number;
  /**
   * Whole transactions behind a broken place, which SQLite passes over without a word. One is what a power cut leaves of
   * the transaction under way; a process that dies leaves none.
   */
  readonly lostCommits: number;
  /** The header itself is broken, and with it everything. */
  readonly headerBroken: boolean;
}

const EMPTY: LogState = { frames: 0, soundBytes: 0, lostCommits: 0, headerBroken: false };
const HEADER = 32;
const FRAME_HEADER = 24;

/** Looks through a log that nobody writes to. Null where there is no such file. */
export async function readLogState(path: string): Promise<LogState | null> {
  const file = await open(path, 'r').catch(() => null);
  if (file === null) return null;
  try {
    const size = (await file.stat()).size;
    if (size === 0) return EMPTY;
    const header = Buffer.alloc(HEADER);
    const got = (await file.read(header, 0, HEADER, 0)).bytesRead;
    if (got < HEADER) return size > 0 && got === size ? EMPTY : { ...EMPTY, headerBroken: true };
    const magic = header.readUInt32BE(0);
    const little = magic === 0x377f0682;
    const pageSize = header.readUInt32BE(8);
    let sum: Sum = checksum(header.subarray(0, 24), little, [0, 0]);
    const sound =
      (little || magic === 0x377f0683) &&
      pageSize >= 512 &&
      pageSize <= 65_536 &&
      (pageSize & (pageSize - 1)) === 0 &&
      sum[0] === header.readUInt32BE(24) &&
      sum[1] === header.readUInt32BE(28);
    if (!sound) return { ...EMPTY, headerBroken: true };
    const salts = header.subarray(16, 24);
    const frame = Buffer.alloc(FRAME_HEADER + pageSize);
    let frames = 0;
    let broken = false;
    let lostCommits = 0;
    let at = HEADER;
    for (let number = 1; at + frame.length <= size; number++, at += frame.length) {
      await file.read(frame, 0, frame.length, at);
      const ours = frame.subarray(8, 16).equals(salts) && frame.readUInt32BE(0) !== 0;
      // Frames of the log's former round follow its present end.
      if (!ours && !broken) broken = true;
      const commits = frame.readUInt32BE(4) !== 0;
      if (!broken) {
        sum = checksum(frame.subarray(0, 8), little, sum);
        sum = checksum(frame.subarray(FRAME_HEADER), little, sum);
        broken = sum[0] !== frame.readUInt32BE(16) || sum[1] !== frame.readUInt32BE(20);
      }
      if (broken) {
        if (ours && commits) lostCommits++;
      } else if (commits) frames = number;
    }
    return { frames, soundBytes: HEADER + frames * frame.length, lostCommits, headerBroken: false };
  } finally {
    await file.close();
  }
}

type Sum = readonly [number, number];

function checksum(bytes: Buffer, little: boolean, start: Sum): Sum {
  let [a, b] = start;
  for (let at = 0; at < bytes.length; at += 8) {
    const x = little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
    const y = little ? bytes.readUInt32LE(at + 4) : bytes.readUInt32BE(at + 4);
    a = (a + x + b) >>> 0;
    b = (b + y + a) >>> 0;
  }
  return [a, b];
}
