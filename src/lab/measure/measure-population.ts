import { embedderOf, measure, place } from '../../audit/index.ts';
import type { AuditReport } from '../../audit/report-data.ts';
import type { Figure } from '../../metrics/index.ts';
import { mergeProfiles, type Profile } from '../../space/index.ts';
import type { Trajectory } from '../../trajectory/trajectory.ts';
import { asOne } from './as-one.ts';
import type { Measure, Measures } from './measures.ts';
import type { ProbeEpisodes } from './probe-episodes.ts';
import type { WorldSpace } from './world-space.ts';

/**
 * Measures of a population's episodes beside those of people who met the same policy. Every figure but the exact ones
 * is one that `audit` prints of the cell's export (stage-zero/export.ts says which file has which).
 */
export async function measurePopulation(
  population: ProbeEpisodes,
  people: ProbeEpisodes,
  { space, people: recorded }: WorldSpace,
): Promise<Measures> {
  const embedder = embedderOf(space);
  const rows = await place(recordsOf(population.trajectories), [], space, embedder, { workers: 1 });
  const reference = await place(null, people.trajectories, space, embedder);
  const report = (rows: Profile, people: Profile, classes: 'mode' | 'act' = 'mode') =>
    measure(mergeProfiles([rows, people]), space, NO_ACCOUNT, { classes, rewardRange: [0, 1] }).report;
  const members = report(rows, reference);
  const whole = report(asOne(rows), reference);
  const own = report(asOne(reference), recorded);
  // Which acts count as classes depends on who is there: the same people throughout keep their number steady.
  const acts = report(rows, recorded, 'act');
  const ownActs = report(asOne(reference), recorded, 'act');
  const exact = population.exact;
  return {
    n: rows.size,
    members: population.members,
    control: `${members.space.control}: ${members.space.controlReason}`,
    scdPooled: of(members.scd.pooled),
    scdPooled2: of(members.scd.pooled2),
    scdActs: of(acts.scd.pooled),
    scdActs2: of(acts.scd.pooled2),
    scdConditional: of(members.scd.conditional),
    scdConditionalActs: of(acts.scd.conditional),
    bdi: of(whole.bdi.headline),
    bdiMass: of(whole.bdi.mass),
    bdiRecorded: of(report(asOne(rows), recorded).bdi.headline),
    realism: of(members.bdi.realism),
    mci: largest(members.simulators.map(({ mci }) => mci)),
    epsilonMember: of(acts.epsilon.member),
    epsilonPopulation: of(acts.epsilon.population),
    epsilonMemberExact: exact === null ? OPEN : { value: exact.epsilon },
    disagreementExact: exact === null ? OPEN : { value: exact.disagreement },
    consistency: of(members.health.consistency),
    people: {
      n: own.simulators[0]!.n,
      scdPooled: of(own.scd.pooled),
      scdPooled2: of(own.scd.pooled2),
      scdActs2: of(ownActs.scd.pooled2),
      realism: of(own.bdi.realism),
      bdiMass: of(whole.reference!.ceiling.mass),
      bdiRecorded: of(own.bdi.headline),
      epsilonExact: people.exact === null ? OPEN : { value: people.exact.epsilon },
    },
  };
}

const OPEN: Measure = { value: null, reason: 'a law that was met has no closed form' };

const NO_ACCOUNT: AuditReport['input'] = {
  files: [],
  rows: 0,
  kept: 0,
  duplicates: 0,
  dropped: [],
  reference: null,
};

export function of({ value, reason }: Figure): Measure {
  return value === null ? { value, reason: reason ?? 'not known' } : { value };
}

function largest(figures: readonly Figure[]): Measure {
  const lacking = figures.find(({ value }) => value === null);
  if (lacking !== undefined) return of(lacking);
  return { value: Math.max(...figures.map(({ value }) => value!)) };
}

function recordsOf(trajectories: readonly Trajectory[]) {
  return async function* () {
    yield* trajectories;
  };
}
