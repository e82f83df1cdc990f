import type { DropBlame, DroppedExample } from '../curation/manifest.ts';
import type { DroppedRow } from '../errors.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';

/** One line of dropped.jsonl: a row that is not trained on, and why. */
export interface DroppedLine {
  readonly id: string | null;
  /** Null where the row could not be read. */
  readonly hash: string | null;
  readonly simulator: string | null;
  readonly stage: 'read' | 'gate' | 'selection' | 'batches';
  /** Name of the check, code of the reader, or what the stage does. */
  readonly check: string;
  readonly blame: DropBlame;
  readonly reason: string;
  readonly evidence: string;
  /** Index into the episode's turns; null where no single turn is it. */
  readonly turn: number | null;
  readonly source: { readonly file: string; readonly line: number | null };
}

/** A row that no reader could use. */
export function unreadLine({ file, line, id, code, reason }: DroppedRow): DroppedLine {
  return {
    id,
    hash: null,
    simulator: null,
    stage: 'read',
    check: code,
    blame: 'data',
    reason,
    evidence: '',
    turn: null,
    source: { file, line },
  };
}

export function droppedLine(
  episode: Trajectory,
  hash: string,
  why: Omit<DroppedLine, 'id' | 'hash' | 'simulator' | 'source'>,
): DroppedLine {
  return {
    id: episode.id,
    hash,
    simulator: episode.simulator.id,
    ...why,
    source: { file: episode.source.file, line: episode.source.line },
  };
}

const EACH = 5;

/** The first dropped rows of every check: enough to see what it drops. */
export class DroppedExamples {
  readonly #kept = new Map<string, DroppedExample[]>();

  add(line: DroppedLine): void {
    const key = `${line.stage} ${line.check}`;
    const kept = this.#kept.get(key) ?? [];
    this.#kept.set(key, kept);
    if (kept.length >= EACH) return;
    const { file, line: number } = line.source;
    kept.push({
      id: line.id ?? '',
      simulator: line.simulator ?? '',
      stage: line.stage,
      check: line.check,
      blame: line.blame,
      reason: line.reason,
      evidence: line.evidence,
      source: number === null ? file : `${file}:${number}`,
    });
  }

  list(): DroppedExample[] {
    return [...this.#kept.values()].flat();
  }
}
