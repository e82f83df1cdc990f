import { afterEach, describe, expect, it } from 'vitest';
import { audit } from '../../../src/audit/index.ts';
import { readPopulation } from '../../../src/gateway/settings/read-population.ts';
import { scriptedSpeaker } from '../../../src/gateway/speakers/scripted.ts';
import type { PastTurn } from '../../../src/gateway/speakers/speaker.ts';
import type { WireMessage } from '../../../src/gateway/wire/chat-request.ts';
import { historyErrors, lawErrors } from '../../../src/metrics/index.ts';
import type { Resample, Trajectory } from '../../../src/trajectory/trajectory.ts';
import { recordsOf } from '../../data.ts';
import { batchOf, persuasion, train } from './rollouts.ts';
import { type Stand, stand, until } from './stand.ts';

const SEED = 'epsilon';
const WEIGHTS: Readonly<Record<string, number>> = { alder: 1, birch: 3, cedar: 2 };
const POPULATION = {
  members: Object.entries(WEIGHTS).map(([id, weight]) => ({
    id,
    family: id,
    recipe: { kind: 'scripted', family: id },
    weight,
  })),
  seen: Object.keys(WEIGHTS),
  draw: 'weighted',
};
const MEMBERS = new Map(
  readPopulation(POPULATION, { upstreams: [] }).panels.seen.map((member) => [member.id, member]),
);

let gateway: Stand | null = null;
afterEach(async () => {
  await gateway?.close();
  gateway = null;
});

/** A user turn that was probed: what its member, and the population, say there by their exact laws. */
interface Visited {
  readonly depth: number;
  readonly resamples: readonly Resample[];
  lawOf(member: string): Float64Array;
}

function visited({ id, scenario, turns, simulator }: Trajectory): (Visited & { readonly member: string })[] {
  const found: (Visited & { readonly member: string })[] = [];
  const messages: WireMessage[] = [{ role: 'system', content: scenario ?? '' }];
  const past: PastTurn[] = [];
  for (const { role, text, acts, resamples } of turns) {
    if (role === 'user') {
      if (resamples !== undefined) {
        const [asked, before] = [[...messages], [...past]];
        found.push({
          member: simulator.id,
          depth: past.length,
          resamples,
          lawOf: (member) =>
            scriptedSpeaker(MEMBERS.get(member)!, persuasion)
              .open(`${SEED}/session/${id}`)
              .lawAt(asked, before)!,
        });
      }
      past.push({ text: text ?? '', ...(acts === undefined ? {} : { acts }) });
    }
    messages.push({ role: role === 'user' ? 'assistant' : 'user', content: text });
  }
  return found;
}

const classesOf = (resamples: readonly Resample[], law: Resample['law']): number[] =>
  resamples.filter((one) => one.law === law).map(({ acts }) => persuasion.userActs.indexOf(acts![0]!));

/** Mean of the differences, in standard errors of it. */
function errorsIn(differences: readonly number[]): number {
  const n = differences.length;
  const mean = differences.reduce((sum, one) => sum + one, 0) / n;
  const variance = differences.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (n - 1);
  return mean / Math.sqrt(variance / n);
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, one) => sum + one, 0) / values.length;

describe('epsilon of scripted users behind the gateway, by their acts', () => {
  it('is that of their exact laws, member and population', async () => {
    gateway = await stand({
      settings: {
        seed: SEED,
        population: POPULATION,
        probes: { share: 1, resamples: 8, concurrency: 8, queue: 100_000, yieldAbove: 100_000 },
        live: { warmUp: 100, epochs: { by: 'sessions', every: 1000 } },
      },
    });
    await train(gateway, batchOf('eps', 60, 2));
    await until(async () => {
      const { probes } = (await gateway!.api('GET', '/api/status')).body;
      expect(probes).toMatchObject({ dropped: {}, failedReplies: 0 });
      return probes.done === probes.asked;
    }, 'probes that are all done');
    const rows = await gateway.trajectories();
    const all = rows.flatMap(visited);
    // Every turn was probed, and the population at first turns alone.
    expect(all.length).toBe(
      rows.reduce((sum, { turns }) => sum + turns.filter((t) => t.role === 'user').length, 0),
    );
    for (const { depth, resamples } of all) {
      expect(classesOf(resamples, 'member')).toHaveLength(8);
      expect(classesOf(resamples, 'population')).toHaveLength(depth === 0 ? 8 : 0);
    }

    const member = all.map(({ member, resamples, lawOf }) => ({
      found: historyErrors(classesOf(resamples, 'member')),
      exact: lawErrors(lawOf(member)),
    }));
    const total = Object.values(WEIGHTS).reduce((sum, one) => sum + one, 0);
    const population = all
      .filter(({ depth }) => depth === 0)
      .map(({ resamples, lawOf }) => {
        const mixture = new Float64Array(persuasion.userActs.length);
        for (const [id, weight] of Object.entries(WEIGHTS))
          lawOf(id).forEach((p, act) => {
            mixture[act]! += (weight * p) / total;
          });
        return {
          found: historyErrors(classesOf(resamples, 'population')),
          exact: lawErrors(mixture),
          mixture,
          classes: classesOf(resamples, 'population'),
        };
      });
    for (const [law, histories] of Object.entries({ member, population })) {
      const of = (pick: (one: (typeof member)[number]) => number) => meanOf(histories.map(pick));
      const exact = of((one) => one.exact.disagreement);
      expect(exact, law).toBeGreaterThan(0.05);
      expect(
        Math.abs(errorsIn(histories.map((one) => one.found.disagreement - one.exact.disagreement))),
        law,
      ).toBeLessThan(4);
      const { epsilon } = { epsilon: of((one) => one.exact.epsilon) };
      // The bracket holds the truth up to chance.
      expect(errorsIn(histories.map((one) => one.found.plugIn - one.exact.epsilon)), law).toBeLessThan(4);
      expect(
        errorsIn(histories.map((one) => one.found.leaveOneOut - one.exact.epsilon)),
        law,
      ).toBeGreaterThan(-4);
      expect(epsilon).toBeLessThanOrEqual(exact);
    }
    // Act by act, the population's replies are as often what the mixture says.
    for (const act of persuasion.userActs.keys()) {
      const differences = population.map(
        ({ classes, mixture }) => classes.filter((one) => one === act).length / 8 - mixture[act]!,
      );
      if (differences.some((one) => one !== 0))
        expect(Math.abs(errorsIn(differences)), persuasion.userActs[act]!).toBeLessThan(4.5);
    }

    const { report } = await audit({ records: recordsOf(rows) }, { classes: 'act' });
    for (const [figure, truth] of [
      [report.epsilon.member.disagreement, meanOf(member.map(({ exact }) => exact.disagreement))],
      [report.epsilon.population.disagreement, meanOf(population.map(({ exact }) => exact.disagreement))],
    ] as const) {
      expect(figure.low!).toBeLessThan(truth);
      expect(figure.high!).toBeGreaterThan(truth);
    }
    const { report: live } = (await gateway.api('GET', '/api/metrics')).body;
    expect(live.epsilon.member.disagreement.value).not.toBeNull();
  });
});
