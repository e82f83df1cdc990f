import { describe, expect, test } from 'vitest';
import type { MemberRecord, RoundRecord, RunSummary } from '../../src/loop/index.ts';
import { type Figure, missing } from '../../src/metrics/figure.ts';
import { flatLineage, lineageOf, parentsOf, sharesByOrigin } from '../../src/report/evolve-lineage.ts';
import type { EvolveMember } from '../../src/report/evolve-payload.ts';
import {
  breakerSentence,
  evolveHeadline,
  promiseOf,
  proposalsOf,
  reachedOf,
  stretchesOf,
} from '../../src/report/evolve-standing.ts';
import {
  type EvolvePage,
  type EvolveView,
  evolveSummary,
  evolveView,
  renderEvolvePage,
} from '../../src/report/index.ts';
import { HOSTILE } from './dialogues.ts';
import { type EvolveOptions, sampleEvolve } from './evolve-fixture.ts';
import { measured } from './page-fixture.ts';

const TEMPLATE = [
  '<title>__COLLAPSE_AWARE_TITLE__</title>',
  '<noscript><pre>__COLLAPSE_AWARE_PLAIN__</pre></noscript>',
  '<script type="application/json" id="data">"__COLLAPSE_AWARE_DATA__"</script>',
].join('\n');
const VARIANTS: readonly (readonly [string, EvolveOptions])[] = [
  ['eight rounds', {}],
  ['under way', { rounds: 3, underWay: true }],
  ['no round', { rounds: 0, underWay: true }],
  ['one round', { rounds: 1 }],
  ['all refused', { refused: true }],
  ['no people', { people: false }],
  ['nothing measured', { hollow: true }],
  ['hostile text', { texts: HOSTILE }],
  ['long ids', { longId: 'x'.repeat(500) }],
];

function carried(page: EvolvePage): EvolveView {
  const [, json] =
    /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(renderEvolvePage(page, TEMPLATE)) ??
    [];
  const { kind, page: view } = JSON.parse(json ?? 'null') as { kind: string; page: EvolveView };
  expect(kind).toBe('evolve');
  return view;
}

/** What the page may leave out of a figure, and how it rounds. */
function shortFigure({ se: _, df: __, scale: ___, ...figure }: Figure): Figure {
  const short = (x: number | null) => (x === null ? null : Number(x.toPrecision(6)));
  return { ...figure, value: short(figure.value), low: short(figure.low), high: short(figure.high) };
}

describe.each(VARIANTS)('the page of a run, %s', (_, options) => {
  test('carries the figures of the records, inert, and equal records give equal bytes', () => {
    const page = sampleEvolve(options);
    const html = renderEvolvePage(page, TEMPLATE);
    const view = carried(page);
    expect(view.rounds.map(({ round }) => round)).toEqual(page.run.rounds.map(({ round }) => round));
    page.run.rounds.forEach((record, at) => {
      const round = view.rounds[at]!;
      for (const [name, figure] of Object.entries(record.look))
        expect(round.look[name as keyof typeof round.look]).toEqual(shortFigure(figure));
      expect(round.breaker).toEqual(JSON.parse(JSON.stringify(record.breaker)));
      expect(round.cost).toEqual(record.cost);
      expect(round.dataNotes).toEqual(record.dataNotes);
      expect(round.acceptance?.reason ?? null).toBe(record.acceptance?.reason ?? null);
      for (const { member, share } of record.population)
        expect(
          view.members.find(({ id, shares }) => id === member && shares[at + 1] !== null)!.shares[at + 1],
        ).toBeCloseTo(share, 5);
    });
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).not.toMatch(/<!--|<img|<style|<base|[\u2028\u2029]/);
    expect(renderEvolvePage(sampleEvolve(options), TEMPLATE)).toBe(html);
  });

  test('carries every member once for each time that it was proposed, and shares that sum to 1', () => {
    const page = sampleEvolve(options);
    const { members } = carried(page);
    expect(members).toHaveLength(page.run.members.length);
    for (let at = 0; at <= page.run.rounds.length; at++)
      expect(members.reduce((sum, { shares }) => sum + (shares[at] ?? 0), 0)).toBeCloseTo(1, 4);
  });

  test('says it in printable ASCII of at most 100 columns for readers without scripts', () => {
    for (const line of evolveSummary(evolveView(sampleEvolve(options))).split('\n'))
      expect(line).toMatch(/^[\x20-\x7e]{0,100}$/);
  });
});

test('a null of a record stays null with its reason, and is 0 nowhere', () => {
  const view = carried(sampleEvolve({ hollow: true }));
  const figures: Figure[] = [];
  const collect = (value: unknown) => {
    if (value === null || typeof value !== 'object') return;
    if ('method' in value && 'low' in value) figures.push(value as Figure);
    for (const one of Object.values(value)) collect(one);
  };
  collect(view);
  expect(figures.length).toBeGreaterThan(100);
  for (const { value, reason } of figures) {
    expect(value).toBeNull();
    expect(reason).toMatch(/\S/);
  }
});

test('rows of a page need no order: rounds and members in any give the same bytes', () => {
  const page = sampleEvolve();
  const run = page.run as RunSummary;
  const turned: EvolvePage = {
    ...page,
    run: { ...run, rounds: [...run.rounds].reverse(), members: [...run.members].reverse() },
  };
  expect(renderEvolvePage(turned, TEMPLATE)).toBe(renderEvolvePage(page, TEMPLATE));
});

test('members that only a round or the settings name are there too', () => {
  const page = sampleEvolve({ underWay: true });
  const bare: EvolvePage = { ...page, run: { ...page.run, members: [] } };
  expect(carried(bare).members.map(({ id }) => id)).toEqual(carried(page).members.map(({ id }) => id));
});

test('a member in service without a record is shown as such, and one proposed twice has its shares once', () => {
  const page = sampleEvolve({ rounds: 1, underWay: true });
  const record = page.run.rounds[0]!;
  const again: MemberRecord = { ...record.candidates[0]!, round: 2, kept: true };
  const population = [
    { member: again.member.id, share: 0.25 },
    { member: 'nobody-knows', share: 0.75 },
  ];
  const rounds: RoundRecord[] = [
    { ...record, candidates: [{ ...record.candidates[0]!, kept: false }], population },
    { ...record, round: 2, candidates: [again], population },
  ];
  const { members } = carried({ ...page, run: { ...page.run, rounds, members: [] } });
  const twice = members.filter(({ id }) => id === again.member.id);
  expect(twice.map(({ kept, shares }) => [kept, shares])).toEqual([
    [false, []],
    [true, [null, 0.25, 0.25]],
  ]);
  expect(members.find(({ id }) => id === 'nobody-knows')).toMatchObject({
    origin: null,
    shares: [null, 0.75, 0.75],
  });
});

test('long texts of personas are cut between characters, counts keep every digit', () => {
  const page = sampleEvolve({ rounds: 1, texts: ['😀'.repeat(200)] });
  const view = carried(page);
  expect(view.members[0]!.recipe).toMatch(/^persona: (😀)+ …$/u);
  expect(view.members[0]!.recipe.length).toBeLessThan(180);
  const run = page.run as RunSummary;
  const cost = { probeEpisodes: 12_345_678, trainEpisodes: 1, turns: 987_654_321 };
  expect(carried({ ...page, run: { ...run, cost } }).cost).toEqual(cost);
});

describe('the sentence of a run', () => {
  const view = (options: EvolveOptions = {}) => evolveView(sampleEvolve(options));

  test('names the selected round and says better only where the intervals do not meet', () => {
    expect(evolveHeadline(view({ gains: false }))).toMatch(
      /^The policy of round 7 of 8 was selected: better with the test panel, 0\.5\d \[.*\] against 0\.3\d \[.*\] before training; not told apart with people, 0\.4\d \[.*\] against 0\.3\d \[.*\] before training\.$/,
    );
    expect(evolveHeadline(view())).toMatch(
      /^The policy of round 7 of 8 was selected: better with the test panel by 0\.2\d \[.*\], 0\.5\d .*; better with people by 0\.0\d \[.*\], 0\.4\d /,
    );
    expect(evolveHeadline(view({ refused: true }))).toMatch(
      /^No round did better on the selection panel than the policy before training: /,
    );
    expect(evolveHeadline(view({ people: false }))).toContain(
      'with people nothing was measured (no people were given)',
    );
    expect(evolveHeadline(view({ rounds: 3 }))).toMatch(/3 of 8 rounds were run\.$/);
  });

  test('says how far a run is that has not ended', () => {
    expect(evolveHeadline(view({ rounds: 0, underWay: true }))).toBe('Under way: no round of 8 is over yet.');
    expect(evolveHeadline(view({ rounds: 4, underWay: true }))).toMatch(
      /^Under way: 4 of 8 rounds are over, the breaker is red; round 3 leads on the selection panel with 0\.3\d \[/,
    );
    expect(evolveHeadline(view({ rounds: 2, underWay: true, hollow: true }))).toMatch(
      /no policy has been examined yet\.$/,
    );
  });

  test.each([
    [0.5, 0.1, 0.35, 0.04, 'better'],
    [0.5, 0.1, 0.35, 0.06, 'not told apart'],
    [0.2, 0.05, 0.35, 0.05, 'worse'],
  ] as const)('%d +- %d beside %d +- %d is %s', (after, half, before, other, word) => {
    expect(reachedOf(measured(after, half, 50), measured(before, other, 50))).toBe(word);
  });

  test('the paired difference is believed before two intervals that meet', () => {
    const [after, before] = [measured(0.4, 0.1, 50), measured(0.35, 0.1, 50)];
    expect(reachedOf(after, before, measured(0.05, 0.04, 50))).toBe('better');
    expect(reachedOf(after, before, measured(0.05, 0.06, 50))).toBe('not told apart');
    expect(reachedOf(before, after, measured(-0.05, 0.04, 50))).toBe('worse');
    expect(reachedOf(measured(0.9, 0.01, 50), before, missing('no shared context'))).toBe('better');
  });

  test('without an interval nothing is told apart, without a value nothing is measured', () => {
    const point = { value: 0.9, low: null, high: null, n: 5, method: 'point' };
    expect(reachedOf(point, measured(0.1, 0.01, 50))).toBe('not told apart');
    expect(reachedOf({ ...point, value: null, reason: 'x' }, point)).toBe('not measured');
  });

  test('tells the course of the breaker by stretches, and counts them where they are many', () => {
    expect(breakerSentence(view().rounds)).toBe(
      'The breaker was green in rounds 1 to 2, yellow in round 3, red in rounds 4 to 5, half-open in round 6, green in rounds 7 to 8; training was paused in 3 rounds.',
    );
    expect(breakerSentence(view({ rounds: 2 }).rounds)).toBe(
      'The breaker was green throughout; training was never paused.',
    );
    expect(breakerSentence(view({ rounds: 0 }).rounds)).toBe('The breaker has not looked yet.');
    expect(breakerSentence(view({ rounds: 40 }).rounds)).toMatch(
      /^The breaker changed its level 20 times: green in 20, yellow in 5, red in 10, half-open in 5 of 40 rounds; /,
    );
    expect(stretchesOf(view().rounds).map(({ level }) => level)).toEqual([
      'green',
      'yellow',
      'red',
      'half-open',
      'green',
    ]);
  });

  test('says where steps were taken though training was paused', () => {
    const { rounds } = view({ rounds: 4 });
    const wrong = rounds.map((round) =>
      round.round === 4 ? { ...round, training: rounds[0]!.training } : round,
    );
    expect(breakerSentence(wrong)).toContain(
      'training was paused in 1 round, and yet steps were taken in round 4',
    );
    const idle = rounds.map((round) => (round.round === 1 ? { ...round, training: null } : round));
    expect(breakerSentence(idle)).toContain('1 round did not train for other reasons');
  });

  test('counts proposals, and gives the rule in force where no guarantee is written yet', () => {
    expect(proposalsOf(view().rounds)).toEqual({ accepted: 4, rolledBack: 3, none: 1 });
    expect(proposalsOf(view({ refused: true }).rounds)).toEqual({ accepted: 0, rolledBack: 7, none: 1 });
    expect(promiseOf(view({ underWay: true }))[0]).toContain('are not down by 0.05');
    expect(promiseOf(view())).toHaveLength(3);
    expect(promiseOf(view())[2]).toContain('40 simulated trials a figure');
  });
});

describe('the population tree', () => {
  const member = (
    id: string,
    round: number,
    origin: EvolveMember['origin'],
    shares: EvolveMember['shares'] = [],
  ): EvolveMember => ({
    id,
    family: 'f',
    model: null,
    recipe: '',
    origin,
    round,
    audition: null,
    kept: true,
    reason: '',
    shares,
  });
  const given = member('g', 0, { kind: 'given' }, [1, 0.5]);
  const gap = member('x', 1, { kind: 'gap', mode: 3, mass: 0.1, base: 'g' }, [null, 0.5]);

  test('stands members below what they were made from, a path below the first of its two', () => {
    const path = member('p', 2, { kind: 'path', a: 'x', b: 'g', lambda: 0.5, how: 'prompt' });
    const [root] = lineageOf([given, gap, path]);
    expect(root!.member.id).toBe('g');
    expect(root!.children[0]!.member.id).toBe('x');
    expect(root!.children[0]!.children[0]).toMatchObject({ member: { id: 'p' }, depth: 2 });
    expect(parentsOf(path)).toEqual(['x', 'g']);
  });

  test('loses nobody: a parent that is unknown, later or the member itself makes a root', () => {
    const odd = [
      member('a', 1, { kind: 'adversary', base: 'a', generation: 1 }),
      member('b', 1, { kind: 'gap', mode: 1, mass: 0.1, base: 'c' }),
      member('c', 2, { kind: 'gap', mode: 1, mass: 0.1, base: 'gone' }),
      member('d', 0, null),
    ];
    expect(lineageOf(odd).map(({ member: { id }, children }) => [id, children.length])).toEqual([
      ['a', 0],
      ['b', 0],
      ['c', 0],
      ['d', 0],
    ]);
  });

  test('follows a line of any length, and a crowd of any size', () => {
    const line = Array.from({ length: 30_000 }, (_, at) =>
      member(
        `m${at}`,
        at,
        at === 0 ? { kind: 'given' } : { kind: 'adversary', base: `m${at - 1}`, generation: at },
      ),
    );
    const flat = flatLineage(lineageOf([...line].reverse()));
    expect(flat.map(({ depth }) => depth)).toEqual(line.map((_, at) => at));
    const crowd = Array.from({ length: 30_000 }, (_, at) => member('g', at, { kind: 'given' }));
    expect(flatLineage(lineageOf(crowd)).map(({ member: one }) => one)).toEqual(crowd);
  });

  test('sums shares by origin', () => {
    expect(sharesByOrigin([given, gap])).toEqual([
      { given: 1, path: 0, gap: 0, adversary: 0, unknown: 0 },
      { given: 0.5, path: 0, gap: 0.5, adversary: 0, unknown: 0 },
    ]);
  });
});

test('bars follow people only where somebody says where they lie', () => {
  const page = sampleEvolve();
  const people = { ...page.run, settings: { ...page.run.settings, bars: 'people' as const } };
  expect(carried(page).bars).toEqual({ scd: { yellow: 0.7, red: 0.85 }, psod: { yellow: 0.15, red: 0.3 } });
  // Records of earlier versions have none.
  const rounds = page.run.rounds.map(({ breaker: { bars: _, ...breaker }, ...round }) => ({
    ...round,
    breaker,
  }));
  const old = { ...people, rounds } as unknown as EvolvePage['run'];
  expect(carried({ ...page, run: old }).bars.scd).toBeNull();
  const bars = { scd: { yellow: 0.5, red: 0.65 }, psod: { yellow: 0.15, red: 0.3 } };
  expect(carried({ ...page, run: old, bars }).bars).toEqual(bars);
  const told = page.run.rounds.map((round) => ({ ...round, breaker: { ...round.breaker, bars } }));
  expect(carried({ ...page, run: { ...people, rounds: told } }).bars).toEqual(bars);
});
