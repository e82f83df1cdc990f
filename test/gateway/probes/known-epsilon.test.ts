import { describe, expect, it } from 'vitest';
import { openProber, type ProbeRecord, type StandIn } from '../../../src/gateway/probes/index.ts';
import type { SessionFacts } from '../../../src/gateway/recorder/records.ts';
import { lawErrors, turnCollapse } from '../../../src/metrics/index.ts';
import { factsOf, SETTINGS, saidOf, services, visited, voiceThat } from './histories.ts';

const CLASSES = ['a', 'b', 'c', 'd'];
const SESSIONS = 300;

/** Four deterministic users that have nothing in common, each for a quarter of the sessions. */
const STAND_INS: readonly StandIn[] = CLASSES.map((id) => ({
  id,
  weight: 1,
  open: () => voiceThat(() => saidOf(id)),
}));

function errorsOf(records: readonly ProbeRecord[], law: 'member' | 'population') {
  const histories = records.flatMap(({ session, turn, resamples, probability }) => {
    const classes = resamples
      .filter((resample) => resample.law === law)
      .map(({ text }) => CLASSES.indexOf(text));
    return classes.length === 0 ? [] : [{ unit: Number(session), turn, classes, probability }];
  });
  return { histories, collapse: turnCollapse(histories, law) };
}

describe('epsilon of a sticky population of disjoint deterministic users', () => {
  it('is 1 - 1/K at the first turn by the population law, asked nowhere else, and 0 by the member law', async () => {
    const own = services(
      voiceThat(() => saidOf('never')),
      {
        settings: { ...SETTINGS, resamples: 8, share: 0.5, queue: 10_000 },
        voiceOf: ({ simulator }: SessionFacts) => voiceThat(() => saidOf(simulator.id)),
        population: () => STAND_INS,
      },
    );
    const prober = openProber(own);
    for (let session = 0; session < SESSIONS; session++)
      for (const turn of [0, 1, 2]) {
        const facts = factsOf(`${session}`);
        const simulator = { ...facts.simulator, id: CLASSES[session % CLASSES.length]! };
        prober.offer({ ...visited(`${session}`, turn), facts: { ...facts, simulator } });
      }
    await prober.idle();
    const member = errorsOf(own.records, 'member');
    const population = errorsOf(own.records, 'population');
    expect(new Set(population.histories.map(({ turn }) => turn))).toEqual(new Set([0]));
    expect(member.collapse.disagreement.value).toBe(0);
    expect(member.collapse.epsilon.value).toBe(0);
    const truth = lawErrors(CLASSES.map(() => 1 / CLASSES.length));
    const { low, high } = population.collapse.disagreement;
    expect(low!).toBeLessThan(truth.disagreement);
    expect(high!).toBeGreaterThan(truth.disagreement);
    // Where all classes are alike, leaving one out errs to neither side.
    const { plugIn, leaveOneOut } = population.collapse.bracket;
    expect(plugIn.value!).toBeLessThan(truth.epsilon);
    expect(leaveOneOut.low!).toBeLessThan(truth.epsilon);
    expect(leaveOneOut.high!).toBeGreaterThan(truth.epsilon);
  });
});
