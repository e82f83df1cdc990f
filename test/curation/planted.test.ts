import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  CHECKS,
  defaultGate,
  type GateVerdict,
  planGate,
  type QualityGate,
} from '../../src/curation/gate/index.ts';
import { seeded } from '../../src/math/index.ts';
import { contentHash, type Trajectory } from '../../src/trajectory/index.ts';
import { episodes, hasData } from '../data.ts';

interface Kind {
  readonly kind: string;
  readonly expect: 'drop' | 'keep' | 'judge' | 'told';
  readonly forms: readonly { readonly name: string }[];
}
interface Host {
  readonly episode: Trajectory;
}
interface Trial {
  readonly form: string;
  readonly episode: Trajectory;
  readonly verdict: GateVerdict;
  readonly dropped: boolean;
}
interface Drawing {
  readonly hash: (episode: Trajectory) => string;
  readonly seeded: typeof seeded;
  readonly seed: string;
}
interface Plants {
  readonly KINDS: readonly Kind[];
  hostOf(episode: Trajectory): Host;
}
interface Trials {
  readonly INTENDED: Readonly<Record<string, readonly string[]>>;
  judged(gate: QualityGate, episodes: readonly Trajectory[]): GateVerdict[];
  trial(
    kind: Kind,
    corpora: readonly (readonly Host[])[],
    count: number,
    drawing: Drawing,
    gateOf: (corpus: number) => QualityGate,
  ): Trial[];
}

/** Plain JavaScript without declarations: the bench runs it on the built package, this test on the sources. */
const part = (name: string) => import(join(resolve(import.meta.dirname, '../../bench/plants'), name));
const { KINDS, hostOf } = (await part('index.mjs')) as Plants;
const { INTENDED, judged, trial } = (await part('trial.mjs')) as Trials;

const COUNT = 10;
/** Of ten plants, caught at least; the bench holds fifty of each. */
const FLOORS: Readonly<Record<string, number>> = {
  'infrastructure failure': 5,
  'role reversal': 4,
  'leaked instructions': 4,
  'leaked scenario, verbatim': 9,
  'leaked scenario, edited': 8,
  'raw JSON as a user turn': 7,
  'candidate list as a user turn': 4,
  'premature stop': 5,
  'repeats itself': 6,
  'contradicts its task, by an id': 3,
  'degenerate text of the user': 3,
};
const drawing: Drawing = {
  hash: (episode) => contentHash(episode.turns, episode.scenario),
  seeded,
  seed: '1',
};
const gateOf = (tau: boolean) =>
  planGate({ ...defaultGate('standard'), rewardRange: tau ? ([0, 1] as const) : null });

describe('the kinds of planted errors', () => {
  it('know a check for every error, and only checks that exist', () => {
    const names = CHECKS.map(({ name }) => name);
    for (const { kind, expect: wanted } of KINDS)
      expect(INTENDED[kind] ?? [], kind).toHaveLength(wanted === 'keep' ? 0 : 1);
    expect(Object.values(INTENDED).flat()).toEqual(
      expect.arrayContaining(names.filter((name) => name !== 'policy-failure' && !name.startsWith('judge'))),
    );
    for (const checks of Object.values(INTENDED)) expect(names).toEqual(expect.arrayContaining([...checks]));
  });

  it('have names of their own, and their forms too', () => {
    expect(new Set(KINDS.map(({ kind }) => kind)).size).toBe(KINDS.length);
    for (const { kind, forms } of KINDS)
      expect(new Set(forms.map(({ name }) => name)).size, kind).toBe(forms.length);
  });
});

describe.runIf(hasData('p4g') && hasData('tau1') && hasData('tau2_factorial') && hasData('cooperbench'))(
  'errors planted into real dialogues',
  async () => {
    const people = await episodes(['p4g/full_dialog.csv.gz']);
    const sets: Trajectory[][] = [
      people,
      await episodes(['tau1/*']),
      await episodes(['tau2_factorial/*']),
      await episodes(['cooperbench/coop_runs_200.jsonl.gz']),
    ];
    const isTau = (corpus: number) => corpus === 1 || corpus === 2;
    const verdicts = sets.map((rows, corpus) => judged(gateOf(isTau(corpus)), rows));
    const hosts = sets.map((rows, corpus) =>
      rows
        .filter((_row, at) => {
          const verdict = verdicts[corpus]![at]!;
          return verdict.kept && verdict.flags.length === 0;
        })
        .map(hostOf),
    );
    const trialOf = (kind: Kind, seed = '1') => {
      // Talk about code is planted into talk about code.
      const code = kind.kind.includes('code');
      const corpora = hosts.map((list, corpus) => ((corpus === 3) === code ? list : []));
      return trial(kind, corpora, COUNT, { ...drawing, seed }, (corpus) => gateOf(isTau(corpus)));
    };
    const described = (rows: readonly Trial[]) => rows.map(({ form }) => form);

    it.each(KINDS.filter((kind) => kind.expect === 'drop'))('are caught: $kind', (kind) => {
      const rows = trialOf(kind);
      expect(rows).toHaveLength(COUNT);
      const missed = described(rows.filter((row) => !row.dropped));
      expect(missed.length, `missed: ${missed.join('; ')}`).toBeLessThanOrEqual(
        COUNT - (FLOORS[kind.kind] ?? COUNT),
      );
    });

    it.each(KINDS.filter((kind) => kind.expect === 'keep'))('leave $kind alone', (kind) => {
      const rows = trialOf(kind);
      expect(rows).toHaveLength(COUNT);
      expect(described(rows.filter((row) => row.dropped))).toEqual([]);
    });

    it('are planted the same again from the same seed, and otherwise from another', () => {
      const [first] = KINDS;
      const ids = (seed: string) => trialOf(first!, seed).map(({ form, episode }) => [form, episode.id]);
      expect(ids('1')).toEqual(ids('1'));
      expect(ids('2')).not.toEqual(ids('1'));
    });

    it('blame no policy for what its user did', () => {
      for (const kind of KINDS.filter(({ expect: wanted }) => wanted === 'drop'))
        for (const { verdict } of trialOf(kind))
          expect(verdict.findings.filter((finding) => finding.blame === 'policy')).toEqual([]);
    });

    it('stand beside people of whom fewer than 2 in 100 are dropped, at the upper bound', () => {
      // 11 of 1,017 have an upper bound of 1.93 % (Clopper-Pearson, 95 %), 12 one of 2.05 %.
      expect(people).toHaveLength(1017);
      expect(verdicts[0]!.filter((verdict) => !verdict.kept).length).toBeLessThanOrEqual(11);
    });
  },
);
