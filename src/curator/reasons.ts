import type { Finding } from '../curation/gate/check.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import type { Curated } from './curate.ts';
import { type DroppedLine, droppedLine } from './dropped.ts';

/** What the gate noted of a row that it let pass: findings that are only flagged, and checks that could not run. */
export function noteLines({ gate, sifted }: Curated, episode: Trajectory, hash: string): DroppedLine[] {
  const verdict = gate?.inspect(episode, sifted.votes.get(hash) ?? null);
  return [
    ...(verdict?.flags ?? []).map((found) => findingLine(episode, hash, found)),
    ...(verdict?.unchecked ?? []).map((check) =>
      droppedLine(episode, hash, {
        stage: 'gate',
        check,
        blame: 'none',
        reason: 'could not be checked',
        evidence: '',
        turn: null,
      }),
    ),
  ];
}

/** Every finding that dropped the row; what could not be checked, where that did. */
export function gateLines({ gate, sifted }: Curated, episode: Trajectory, hash: string): DroppedLine[] {
  const verdict = gate?.inspect(episode, sifted.votes.get(hash) ?? null);
  const findings = verdict?.findings ?? [];
  if (findings.length > 0) return findings.map((found) => findingLine(episode, hash, found));
  const unchecked = verdict?.unchecked ?? [];
  return [
    droppedLine(episode, hash, {
      stage: 'gate',
      check: unchecked[0] ?? 'duplicate',
      blame: unchecked.length > 0 ? 'infrastructure' : 'data',
      reason:
        unchecked.length > 0 ? `could not be checked: ${unchecked.join(', ')}` : 'another row is the same',
      evidence: '',
      turn: null,
    }),
  ];
}

/** Which stage left a sound row out. */
export function stageLine({ plan }: Curated, episode: Trajectory, hash: string, row: number): DroppedLine {
  const selected = plan.selection === null || plan.selection.kept[row] === 1;
  return droppedLine(episode, hash, {
    stage: selected ? 'batches' : 'selection',
    check: selected ? 'balance' : 'not-drawn',
    blame: 'none',
    reason: selected
      ? 'its mode has more rows than an equal share'
      : `not drawn of its group (inclusion probability ${plan.selection!.inclusion[row]!.toPrecision(6)})`,
    evidence: '',
    turn: null,
  });
}

function findingLine(episode: Trajectory, hash: string, found: Finding): DroppedLine {
  const { check, blame, reason, evidence, turn } = found;
  return droppedLine(episode, hash, { stage: 'gate', check, blame, reason, evidence, turn });
}
