import { beforeAll, describe, expect, it } from 'vitest';
import type { Check, JudgeVote } from '../../src/curation/gate/check.ts';
import { knownChecks, readRecipe } from '../../src/curation/index.ts';
import { curate } from '../../src/curator/index.ts';
import { scriptedPeople } from '../../src/lab/index.ts';
import type { BehaviourSpace } from '../../src/space/index.ts';
import { contentHash, type Trajectory } from '../../src/trajectory/index.ts';
import { recordsOf } from '../data.ts';
import { curated, labRollouts } from './curated-columns.ts';
import { written } from './written-curation.ts';

const ROWS = labRollouts(3, 1);
const ALL = { batches: { balance: 'none' } };
let space: BehaviourSpace;
beforeAll(async () => {
  ({ space } = await curated(ROWS, null));
});
const hashOf = ({ turns, scenario }: Trajectory) => contentHash(turns, scenario);

/** Finds rows of one simulator; throws on rows of another. */
const own = (finds: string, failsOn = ''): Check => ({
  name: 'own-rule',
  blame: 'data',
  title: 'a rule of ours',
  inspect({ simulator }) {
    if (simulator.id === failsOn) throw new Error('not thought of');
    return simulator.id === finds
      ? { check: 'own-rule', blame: 'data', reason: 'ours', evidence: 'seen', turn: 0 }
      : null;
  },
});
const [FIRST, SECOND] = [...new Set(ROWS.map(({ simulator }) => simulator.id))] as [string, string];
const count = (id: string) => ROWS.filter(({ simulator }) => simulator.id === id).length;

describe('a check of the user', () => {
  it('drops what it finds, with its own words, beside the built-in checks', async () => {
    const done = await curated(ROWS, ALL, { space, checks: [own(FIRST)] });
    const { lines, manifest } = await written(ROWS, done);
    const dropped = lines('dropped.jsonl').filter(({ check }) => check === 'own-rule');
    expect(dropped).toHaveLength(count(FIRST));
    expect(dropped[0]).toMatchObject({
      stage: 'gate',
      blame: 'data',
      reason: 'ours',
      evidence: 'seen',
      turn: 0,
      simulator: FIRST,
    });
    expect(lines('rows.jsonl').some(({ simulator }) => (simulator as { id: string }).id === FIRST)).toBe(
      false,
    );
    expect(manifest.gate!.find(({ check }) => check === 'own-rule')).toEqual({
      check: 'own-rule',
      blame: 'data',
      action: 'drop',
      found: count(FIRST),
      dropped: count(FIRST),
      unchecked: 0,
    });
    // A simulator that lost all its rows is still told of.
    expect(manifest.simulators.find(({ id }) => id === FIRST)).toMatchObject({ kept: 0, meanWeight: null });
  });

  it('only notes, where the recipe says so', async () => {
    const recipe = readRecipe(
      { ...ALL, gate: { checks: { 'own-rule': 'flag' } } },
      { known: knownChecks(['own-rule']) },
    );
    const done = await curate({ records: recordsOf(ROWS), space }, recipe, { checks: [own(FIRST)] });
    expect(done.sifted.checks.find(({ check }) => check === 'own-rule')).toMatchObject({
      found: count(FIRST),
      dropped: 0,
    });
    expect(done.simulators.find(({ id }) => id === FIRST)!.kept).toBeGreaterThan(0);
  });

  it('that throws leaves the row unchecked: kept and counted, and dropped under strict', async () => {
    const kept = await curated(ROWS, ALL, { space, checks: [own('nobody', SECOND)] });
    expect(kept.sifted.checks.find(({ check }) => check === 'own-rule')).toMatchObject({
      found: 0,
      unchecked: count(SECOND),
    });
    expect(kept.simulators.find(({ id }) => id === SECOND)!.kept).toBeGreaterThan(0);

    const strict = await curated(
      ROWS,
      { ...ALL, gate: { profile: 'strict' } },
      { space, checks: [own('nobody', SECOND)] },
    );
    const { lines, manifest } = await written(ROWS, strict);
    const dropped = lines('dropped.jsonl').filter(({ check }) => check === 'own-rule');
    expect(dropped.length).toBeGreaterThan(0);
    for (const line of dropped)
      expect(line).toMatchObject({
        simulator: SECOND,
        stage: 'gate',
        blame: 'infrastructure',
        reason: expect.stringContaining('own-rule'),
      });
    expect(strict.simulators.find(({ id }) => id === SECOND)!.kept).toBe(0);
    expect(manifest.funnel[1]!.reasons).toContainEqual(
      expect.objectContaining({ reason: 'unchecked', blame: 'infrastructure' }),
    );
  });

  it('that throws while it learns of the data looks at no row', async () => {
    const learning: Check = {
      ...own('nobody'),
      observe: () => {
        throw new Error('no');
      },
    };
    const done = await curated(ROWS, ALL, { space, checks: [learning] });
    expect(done.sifted.checks.find(({ check }) => check === 'own-rule')).toMatchObject({
      unchecked: ROWS.length,
    });
    await expect(
      curated(ROWS, { ...ALL, gate: { profile: 'strict' } }, { space, checks: [learning] }),
    ).rejects.toMatchObject({ code: 'CA_INPUT_EMPTY', todo: expect.stringContaining('unchecked') });
  });

  it('never drops a row for a fault of the policy', async () => {
    const policy: Check = {
      ...own('nobody'),
      blame: 'policy',
      inspect: () => ({ check: 'own-rule', blame: 'policy', reason: 'bad answer', evidence: '', turn: null }),
    };
    const done = await curated(ROWS, ALL, { space, checks: [policy] });
    expect(done.sifted.kept).toBe(ROWS.length);
    expect(done.sifted.checks.find(({ check }) => check === 'own-rule')).toMatchObject({
      found: ROWS.length,
      dropped: 0,
    });
  });

  it('cannot take the name of another', async () => {
    await expect(
      curated(ROWS, ALL, { space, checks: [{ ...own(FIRST), name: 'duplicate' }] }),
    ).rejects.toMatchObject({ code: 'CA_CONFIG_INVALID' });
  });
});

describe('a judge of the user', () => {
  const QUESTION = 'out-of-role';
  const judged = (profile = 'standard') => ({
    ...ALL,
    gate: {
      profile,
      judge: { url: 'http://localhost:1/v1', model: 'm', questions: [QUESTION], votes: 3, agree: 2 },
    },
  });
  /** Says yes of `finds`, cannot be asked of `silent`; remembers whom it was asked about. */
  const judge = (finds: string, silent = '') => {
    const asked: string[] = [];
    return {
      asked,
      async vote(rows: readonly { hash: string; trajectory: Trajectory }[]) {
        return rows.map(({ hash, trajectory }): readonly JudgeVote[] | 'unchecked' => {
          asked.push(hash);
          const { id } = trajectory.simulator;
          if (id === silent) return 'unchecked';
          const yes = id === finds ? 2 : 0;
          return [
            {
              question: QUESTION,
              yes,
              no: 3 - yes,
              invalid: 0,
              reason: yes > 0 ? 'speaks as the agent' : null,
            },
          ];
        });
      },
    };
  };

  it('is asked once of each content that the rules let pass, never of people, and decides', async () => {
    const broken = {
      ...ROWS[0]!,
      id: 'json',
      turns: [...ROWS[0]!.turns, { role: 'user' as const, text: '{"thought": "hm", "reply": "no"}' }],
    };
    const twin = { ...ROWS[5]!, id: 'twin', simulator: { ...ROWS[5]!.simulator, id: 'echo' } };
    const people = [...scriptedPeople({ seed: 3, contexts: 3, persons: 30, episodes: 60 })];
    const rows = [...ROWS, broken, twin, ...people];
    const by = judge(SECOND);
    const done = await curated(rows, judged(), { judge: by });
    expect(new Set(by.asked).size).toBe(by.asked.length);
    expect(new Set(by.asked)).toEqual(new Set(ROWS.map(hashOf)));
    expect(done.simulators.find(({ id }) => id === SECOND)!.kept).toBe(0);
    expect(done.sifted.checks.find(({ check }) => check === `judge:${QUESTION}`)).toMatchObject({
      found: count(SECOND),
      dropped: count(SECOND),
      unchecked: 0,
    });
    const { lines } = await written(rows, done);
    const dropped = lines('dropped.jsonl').filter(({ check }) => check === `judge:${QUESTION}`);
    expect(dropped).toHaveLength(count(SECOND));
    expect(dropped[0]).toMatchObject({
      blame: 'simulator',
      evidence: 'speaks as the agent',
      reason: 'a model says so (2 of 3)',
    });
  });

  it('that gives no answer leaves the row unchecked, and strict drops it', async () => {
    const kept = await curated(ROWS, judged(), { space, judge: judge('nobody', SECOND) });
    expect(kept.sifted.checks.find(({ check }) => check === `judge:${QUESTION}`)).toMatchObject({
      unchecked: count(SECOND),
      dropped: 0,
    });
    const strict = await curated(ROWS, judged('strict'), { space, judge: judge('nobody', SECOND) });
    expect(strict.simulators.find(({ id }) => id === SECOND)!.kept).toBe(0);
  });

  it('must be given where the recipe has one', async () => {
    await expect(curated(ROWS, judged(), { space })).rejects.toMatchObject({ code: 'CA_USAGE' });
  });
});
