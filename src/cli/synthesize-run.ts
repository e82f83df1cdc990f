import { CollapseAwareError } from '../errors.ts';
import type { Member } from '../population/index.ts';
import type { PlacedRow } from '../synthesis/index.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import { interruptSignal } from './interrupt.ts';
import { followStages, type Progress } from './progress.ts';
import { estimateOf, estimateText } from './synthesize-estimate.ts';
import { type Placement, placedOn } from './synthesize-ground.ts';
import { type PlayedJobs, PlayedJournal, planHash, playJobs } from './synthesize-journal.ts';
import type { SynthesisFlags } from './synthesize-options.ts';
import { type SynthesisOutputs, writeOutputs } from './synthesize-outputs.ts';
import {
  type RefusedEpisode,
  reportText,
  SYNTHESIS_SCHEMA,
  type SynthesisReport,
} from './synthesize-report.ts';
import { jobsOf } from './synthesize-stage.ts';
import { openWorkshop, SYNTHESIS_STAGES, type SynthesisStage, type Workshop } from './synthesize-workshop.ts';
import { show, tell } from './terminal.ts';

export const PLAN_SCHEMA = 'collapse-aware/synthesis-plan@1';

/** One kind of synthesis, over a workshop. */
export interface Kind<F extends SynthesisFlags> {
  readonly name: SynthesisReport['kind'];
  /** What is to be made, as plain data; written into the folder. @throws CA_USAGE */
  plan(workshop: Workshop, flags: F): KindPlan;
  /** Plays, verifies, and says what is taken. */
  carryOut(plan: KindPlan, players: Players, workshop: Workshop, flags: F): Promise<Carried>;
}

export interface KindPlan {
  readonly data: object;
  /** Members whose dialogues a dry run counts. */
  readonly members: readonly Member[];
  /** What a dry run says of them. */
  readonly lines: readonly string[];
}

export interface Carried {
  readonly found: Pick<SynthesisReport, 'gaps' | 'skipped' | 'path' | 'adversary'>;
  readonly members: SynthesisOutputs['members'];
  /** Ids of episodes that are taken; why each other one is not, by id (else: its member is refused). */
  readonly accepted: ReadonlySet<string>;
  readonly reasons: ReadonlyMap<string, string>;
}

/** Plays members and places what they said; whatever was played before is taken from the folder. */
export interface Players {
  /** Rows of these members; `anew`: of other dialogues than those before. */
  play(members: readonly Member[], anew?: 'anew'): Promise<readonly PlacedRow[]>;
  tokensOf(episode: string): number | null;
}

/** The whole of a synthesis, from files to a folder. */
export async function runSynthesis<F extends SynthesisFlags>(
  kind: Kind<F>,
  paths: readonly string[],
  flags: F,
): Promise<void> {
  const signal = interruptSignal();
  const text = await followStages(
    SYNTHESIS_STAGES,
    async (progress) => {
      const workshop = await openWorkshop(paths, flags, signal, progress);
      const plan = kind.plan(workshop, flags);
      if (flags.dryRun !== true) return carriedOut(kind, plan, workshop, flags, signal, progress);
      const each = episodesOf(workshop, flags);
      const estimate = estimateOf(plan.members, each.contexts * each.each, workshop, flags);
      const cost =
        workshop.settings === null
          ? `${estimate.dialogues} dialogues would be played, by rules: no token`
          : estimateText(estimate);
      return [...plan.lines, cost].join('\n');
    },
    flags.quiet === true || flags.dryRun === true,
  );
  show(text);
  if (flags.dryRun !== true)
    tell(`written: ${flags.out}/report.json, members.yaml, accepted.jsonl, refused.jsonl`);
}

async function carriedOut<F extends SynthesisFlags>(
  kind: Kind<F>,
  plan: KindPlan,
  workshop: Workshop,
  flags: F,
  signal: AbortSignal,
  progress: Progress<SynthesisStage>,
): Promise<string> {
  const { ground } = workshop;
  const stage = workshop.openStage();
  try {
    for (const member of plan.members) stage.check(member);
    const { contexts, each } = episodesOf(workshop, flags);
    const written = {
      schema: PLAN_SCHEMA,
      kind: kind.name,
      plan: plan.data,
      contexts,
      each,
      seed: flags.seed,
      realismFloor: flags.floor,
      space: ground.space.id,
      stage: stage.mark,
    };
    const journal = await PlayedJournal.open(flags.out, written);
    if (journal.found > 0) tell(`${journal.found} episodes were played before and are kept`);
    const run = `synthetic/${kind.name}/${planHash(written)}`;
    const all = new Map<string, Trajectory>();
    const tokens = new Map<string, number | null>();
    const failed: PlayedJobs['failed'][number][] = [];
    const lost: Placement['lost'][number][] = [];
    let placed = 0;
    const players: Players = {
      async play(members, anew) {
        const luck = anew === undefined ? flags.seed : `${flags.seed} ${anew}`;
        const jobs = jobsOf(members, { contexts, each, luck });
        const played = await playJobs(jobs, {
          stage,
          journal,
          run,
          signal,
          onPlayed: (done, total) => progress('play', done, total),
        });
        for (const one of played.episodes) all.set(one.id, one);
        for (const [id, own] of played.tokens) tokens.set(id, own);
        failed.push(...played.failed);
        const { rows, lost: more } = await placedOn(ground, played.episodes, signal);
        lost.push(...more);
        placed += rows.length;
        return rows;
      },
      tokensOf: (id) => tokens.get(id) ?? null,
    };
    const { found, members, accepted, reasons } = await kind.carryOut(plan, players, workshop, flags);
    progress('place', all.size, all.size);
    const lostReasons = new Map(lost.map(({ id, reason }) => [id, reason]));
    const episodes = [...all.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    const refused = episodes.flatMap(({ id, simulator }): RefusedEpisode[] =>
      accepted.has(id)
        ? []
        : [{ id, member: simulator.id, reason: lostReasons.get(id) ?? reasons.get(id) ?? 'member refused' }],
    );
    const report: SynthesisReport = {
      schema: SYNTHESIS_SCHEMA,
      kind: kind.name,
      space: {
        id: ground.space.id,
        k: ground.k,
        control: ground.control,
        controlReason: ground.controlReason,
      },
      realismFloor: flags.floor,
      peopleRealism: ground.peopleRealism,
      episodes: {
        played: episodes.length,
        placed,
        accepted: accepted.size,
        refused: refused.length,
        tokens: sumKnown([...tokens.values()]),
      },
      failed,
      lost,
      ...found,
      members: members.map(({ member, origin }) => ({ id: member.id, origin })),
    };
    progress('write', 0, null);
    await writeOutputs(
      flags.out,
      {
        report,
        accepted: episodes.filter(({ id }) => accepted.has(id)),
        refused,
        members,
        upstreamOf: upstreamsOf(workshop, members),
      },
      signal,
    );
    return reportText(report);
  } finally {
    await stage.close();
  }
}

/** As many dialogues of each member as were asked for, spread evenly over the contexts. */
function episodesOf({ contexts }: Workshop, flags: SynthesisFlags): { contexts: number; each: number } {
  const count = Math.min(contexts, flags.contexts, flags.episodes);
  if (count === 0) throw new CollapseAwareError('CA_INPUT_EMPTY', 'no context to play in');
  return { contexts: count, each: Math.ceil(flags.episodes / count) };
}

function sumKnown(tokens: readonly (number | null)[]): number | null {
  return tokens.reduce<number | null>((sum, own) => (sum === null || own === null ? null : sum + own), 0);
}

function upstreamsOf(
  { settings, upstreamAs }: Workshop,
  members: SynthesisOutputs['members'],
): ReadonlyMap<string, string> {
  return new Map(
    members.flatMap(({ member: { id, model } }) => {
      const name = settings?.population.upstreamOf[upstreamAs.get(id) ?? id];
      return model === null || name === undefined ? [] : [[id, name] as const];
    }),
  );
}
