import type { Figure } from '../metrics/index.ts';
import type { Member } from '../population/index.ts';
import type {
  GapVerification,
  Generation,
  Learnability,
  Origin,
  PathVerification,
} from '../synthesis/index.ts';
import type { PlayedJobs } from './synthesize-journal.ts';

export const SYNTHESIS_SCHEMA = 'collapse-aware/synthesis@1';

/** A member that was made and accepted. */
export interface MadeMember {
  readonly member: Member;
  readonly origin: Origin;
}

/** An episode that is not taken. */
export interface RefusedEpisode {
  readonly id: string;
  readonly member: string;
  readonly reason: string;
}

/** What a synthesis came to, as JSON. */
export interface SynthesisReport {
  readonly schema: typeof SYNTHESIS_SCHEMA;
  readonly kind: 'gaps' | 'path' | 'adversary';
  readonly space: {
    readonly id: string;
    readonly k: number;
    readonly control: string;
    readonly controlReason: string;
  };
  readonly realismFloor: number;
  /** Fresh people's own realism. */
  readonly peopleRealism: Figure;
  readonly episodes: {
    readonly played: number;
    readonly placed: number;
    readonly accepted: number;
    readonly refused: number;
    /** Null where the tokens of some episode are not known. */
    readonly tokens: number | null;
  };
  readonly failed: PlayedJobs['failed'];
  readonly lost: readonly { readonly id: string; readonly reason: string }[];
  readonly gaps?: readonly GapVerification[];
  /** Gaps that nobody was made for, with the reason. */
  readonly skipped?: readonly { readonly mode: number; readonly mass: number; readonly reason: string }[];
  readonly path?: PathVerification;
  readonly adversary?: AdversaryReport;
  readonly members: readonly { readonly id: string; readonly origin: Origin }[];
}

export interface AdversaryReport {
  readonly score: 'learnability' | 'regret';
  readonly history: readonly Generation[];
  /** The best that was shown to be realistic, by dialogues played anew after it was chosen; null = nobody. */
  readonly best: Candidate | null;
  /** Whether it was shown to be realistic in those too. */
  readonly taken: boolean;
  /** Whom the policy loses most on, whatever its realism: shown beside, never taken. */
  readonly mostLost: Candidate | null;
}

export interface Candidate extends Learnability {
  readonly base: string;
  readonly numbers: Readonly<Record<string, number>>;
}

/** What stands on standard output. */
export function reportText(report: SynthesisReport): string {
  const { episodes, realismFloor, peopleRealism, space } = report;
  const lines = [
    `${episodes.played} episodes played, ${episodes.placed} placed (space ${space.id.slice(0, 8)}, ${space.k} modes, ${space.control}), ${episodes.accepted} accepted, ${episodes.refused} refused`,
    `realism must be shown to reach ${realismFloor}; fresh people's own ${inWords(peopleRealism)}`,
    '',
    ...body(report),
  ];
  if (report.failed.length > 0)
    lines.push(
      '',
      `${report.failed.length} dialogues could not be played; the first: ${report.failed[0]!.reason}`,
    );
  return lines.join('\n');
}

function body(report: SynthesisReport): string[] {
  if (report.gaps !== undefined) return gapLines(report.gaps, report.skipped ?? []);
  if (report.path !== undefined) return pathLines(report.path);
  return report.adversary === undefined ? [] : adversaryLines(report.adversary);
}

function gapLines(
  gaps: readonly GapVerification[],
  skipped: NonNullable<SynthesisReport['skipped']>,
): string[] {
  const rows = gaps.map((one) => [
    `mode ${one.mode} (${percent(one.mass)} of people)`,
    one.member,
    String(one.n),
    inWords(one.yield),
    inWords(one.realism),
    one.cost === null
      ? '-'
      : `${one.cost.episodes.toFixed(1)} episodes, ${one.cost.turns.toFixed(0)} turns${one.cost.tokens === null ? '' : `, ${Math.round(one.cost.tokens)} tokens`}`,
    one.verdict,
  ]);
  return [
    ...table(['gap', 'member', 'n', 'yield', 'realism', 'cost of one landed', 'verdict'], rows),
    ...gaps
      .filter(({ verdict }) => verdict === 'refused')
      .map(({ member, reason }) => `${member} is refused: ${reason}`),
    ...skipped.map(
      ({ mode, mass, reason }) => `mode ${mode} (${percent(mass)} of people): nobody was made, ${reason}`,
    ),
  ];
}

function pathLines(path: PathVerification): string[] {
  const rows = path.steps.map(({ lambda, member, n, position, rise, offLine, outside }) => [
    String(lambda),
    member,
    String(n),
    inWords(position),
    rise === null ? '-' : inWords(rise),
    offLine.value === null ? '-' : offLine.value.toFixed(2),
    inWords(outside),
  ]);
  return [
    ...table(['lambda', 'member', 'n', 'position', 'rise', 'off the line', 'outside'], rows),
    `slope ${inWords(path.slope)}: ${path.verdict}, ${path.reason}`,
  ];
}

function adversaryLines({ history, best, taken, mostLost, score }: AdversaryReport): string[] {
  const rows = history.map((one) => [
    String(one.generation),
    String(one.told),
    String(one.belowFloor),
    one.best === null ? '-' : one.best.toFixed(2),
    one.elite === null ? '-' : one.elite.toFixed(2),
  ]);
  const lines = table(
    ['generation', 'candidates', 'below the floor', `best ${score}`, 'mean of the elite'],
    rows,
  );
  const told = (what: string, one: Candidate) =>
    `${what}: ${one.simulator}, learnability ${inWords(one.learnability)}, regret ${one.regret === null ? '-' : inWords(one.regret)}, loss ${inWords(one.loss)}, realism ${inWords(one.realism)}`;
  lines.push(
    best === null
      ? 'nobody was shown to be realistic'
      : told(taken ? 'best, played anew' : 'best, played anew and not taken: below the floor', best),
  );
  if (mostLost !== null && mostLost.simulator !== best?.simulator)
    lines.push(told('most lost on, not taken for it', mostLost));
  return lines;
}

const percent = (share: number) => `${Math.round(100 * share)} %`;

/** `.54 [.48, .60]`; a dash and the reason where there is no value. */
export function inWords({ value, low, high, reason }: Figure): string {
  if (value === null) return `- (${reason ?? 'not known'})`;
  const range = low === null || high === null ? '' : ` [${low.toFixed(2)}, ${high.toFixed(2)}]`;
  return `${value.toFixed(2)}${range}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]!.length)));
  return [head, ...rows].map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at]!))
      .join('  ')
      .trimEnd(),
  );
}
