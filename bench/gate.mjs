// Errors planted into real dialogues: what the quality gate catches of them, and what it drops that is sound.
// Usage: npm run bench:gate -- [--json] [--check] [--list CHECK] [--count 50] [--seed 1] [--plants FILE | --unseen]
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readSets } from './plants/corpora.mjs';
import { hostOf, KINDS as OWN_KINDS } from './plants/index.mjs';
import { clopperPearson } from './plants/interval.mjs';
import { INTENDED, judged, trial } from './plants/trial.mjs';

const root = resolve(import.meta.dirname, '..');
const { values: given } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    /** Name of a check or of a kind: prints its misses and what it dropped wrongly. */
    list: { type: 'string' },
    /** A module that exports KINDS of its own, for wordings that no rule was written with in sight. */
    plants: { type: 'string' },
    /** Short for the set that no rule was written with in sight. */
    unseen: { type: 'boolean', default: false },
    count: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    dist: { type: 'string', default: process.env.CA_DIST ?? join(root, 'dist') },
  },
});
const wordings = given.plants ?? (given.unseen ? join(import.meta.dirname, 'plants/unseen.mjs') : undefined);
const { KINDS } = wordings === undefined ? { KINDS: OWN_KINDS } : await import(resolve(wordings));
const count = Number(given.count);
if (!Number.isInteger(count) || count < 1) {
  console.error(`--count: found ${given.count}; give a whole number of at least 1`);
  process.exit(2);
}
const data = process.env.CA_DATA ?? resolve(root, '../shared/data');
if (!existsSync(join(data, 'p4g'))) {
  console.error(
    'the public data sets are missing: put them beside the project as shared/data, or name them with CA_DATA',
  );
  process.exit(3);
}
const part = (name) => import(join(resolve(given.dist), name));
const [formats, math, trajectory, gates] = await Promise.all(
  ['formats/index.js', 'math/index.js', 'trajectory/index.js', 'curation/gate/index.js'].map(part),
);

/**
 * Least share caught under the standard profile, what `--check` holds. They follow the gate: raise one when a rule
 * learns something, and never lower one to let a rule forget.
 */
const FLOORS = {
  'infrastructure failure': 0.66,
  'role reversal': 0.54,
  'leaked instructions': 0.52,
  'leaked scenario, verbatim': 0.96,
  'leaked scenario, edited': 0.84,
  'raw JSON as a user turn': 0.8,
  'candidate list as a user turn': 0.54,
  'premature stop': 0.6,
  'repeats itself': 0.7,
  'contradicts its task, by an id': 0.48,
  'degenerate text of the user': 0.38,
  'invalid reward': 1,
  'missing reward among rewarded rows': 1,
  'duplicate, outside groups': 1,
};
/** Most controls that may be dropped of a kind. */
const CONTROL_CEILING = 0.02;
/** Upper bound of the share of human dialogues that standard may drop. */
const PEOPLE_CEILING = 0.02;

const drawing = {
  hash: (episode) => trajectory.contentHash(episode.turns, episode.scenario),
  seeded: math.seeded,
  seed: given.seed,
};
const sets = await readSets({ data, formats, maps: join(root, 'docs/examples/maps') });
const CODE = sets.findIndex((set) => set.name === 'cooperbench');
const PEOPLE = new Set(['P4G people', 'persuasiontrace people']);
/** Rewards of the tau benches are shares; P4G's are dollars. */
const gateOf = (profile) => (set) =>
  gates.planGate({
    ...gates.defaultGate(profile),
    rewardRange: sets[set].name.startsWith('tau') ? [0, 1] : null,
  });

const unplanted = {};
for (const profile of gates.GATE_PROFILES)
  unplanted[profile] = sets.map((set, at) => judged(gateOf(profile)(at), set.episodes));

/** A file whose task list belongs to another version: 48 of its 49 users tell the id of another task. */
const FOREIGN_TASKS = /user-gpt-4\.1-2025-04-14__agent/;

/** Hosts are what standard neither drops nor notes anything of. */
const hosts = sets.map((set, at) =>
  set.episodes
    .filter((episode, row) => {
      const verdict = unplanted.standard[at][row];
      if (FOREIGN_TASKS.test(episode.source.file)) return false;
      return verdict.kept && verdict.findings.length === 0 && verdict.flags.length === 0;
    })
    .map(hostOf),
);

const trials = {};
for (const profile of gates.GATE_PROFILES)
  trials[profile] = KINDS.map((kind) => {
    // Talk about code is planted into talk about code, everything else into the other data sets.
    const code = kind.kind.includes('code');
    const corpora = hosts.map((list, at) => ((at === CODE) === code ? list : []));
    return { kind, rows: trial(kind, corpora, count, drawing, gateOf(profile)) };
  });

const share = (k, n) => ({ k, n, share: n === 0 ? null : k / n, interval: clopperPearson(k, n) });
const tally = (verdicts) => {
  const by = {};
  for (const verdict of verdicts)
    for (const check of new Set(verdict.findings.map((finding) => finding.check)))
      by[check] = (by[check] ?? 0) + 1;
  return by;
};

const kinds = trials.standard.map(({ kind, rows }, at) => {
  const intended = INTENDED[kind.kind] ?? [];
  const caught = rows.filter((row) => row.dropped);
  const own = caught.filter((row) => row.by.some((check) => intended.includes(check)));
  return {
    kind: kind.kind,
    expect: kind.expect,
    forms: new Set(rows.map((row) => row.form)).size,
    dropped: share(caught.length, rows.length),
    byIntended: own.length,
    byOthers: caught.length - own.length,
    others: tally(caught.filter((row) => !own.includes(row)).map((row) => row.verdict)),
    noted: rows.filter((row) => !row.dropped && row.verdict.flags.length > 0).length,
    lenient: share(trials.lenient[at].rows.filter((row) => row.dropped).length, rows.length),
    strict: share(trials.strict[at].rows.filter((row) => row.dropped).length, rows.length),
  };
});

const people = {};
for (const profile of gates.GATE_PROFILES)
  people[profile] = sets.map((set, at) => {
    const verdicts = unplanted[profile][at];
    return {
      set: set.name,
      people: PEOPLE.has(set.name),
      dropped: share(verdicts.filter((verdict) => !verdict.kept).length, verdicts.length),
      by: tally(verdicts.filter((verdict) => !verdict.kept)),
    };
  });

const plants = trials.standard.filter(({ kind }) => kind.expect === 'drop').flatMap(({ rows }) => rows);
const controls = trials.standard.filter(({ kind }) => kind.expect === 'keep').flatMap(({ rows }) => rows);
const human = sets.flatMap((set, at) => (PEOPLE.has(set.name) ? unplanted.standard[at] : []));
/** A drop is right where an error was planted, wrong on a control and on real people. */
const checks = [...gates.CHECKS.map(({ name }) => name), null].map((name) => {
  const of = (by) => (name === null ? by.length > 0 : by.includes(name));
  const ofVerdict = (verdict) => of(verdict.findings.map((finding) => finding.check));
  const right = plants.filter((row) => row.dropped && of(row.by)).length;
  const wrongControls = controls.filter((row) => row.dropped && of(row.by)).length;
  const wrongPeople = human.filter((verdict) => !verdict.kept && ofVerdict(verdict)).length;
  const wrong = wrongControls + wrongPeople;
  const p4g = unplanted.standard[0].filter((verdict) => !verdict.kept && ofVerdict(verdict)).length;
  return {
    check: name ?? 'all',
    right,
    wrongControls,
    wrongPeople,
    precision: share(right, right + wrong),
    p4g: share(p4g, unplanted.standard[0].length),
  };
});

const faults = [];
const p4g = people.standard[0];
if (!(p4g.dropped.interval[1] < PEOPLE_CEILING))
  faults.push(
    `standard drops ${p4g.dropped.k} of ${p4g.dropped.n} P4G dialogues: upper bound ${percent(p4g.dropped.interval[1])}, not below ${percent(PEOPLE_CEILING)}`,
  );
// A rule that throws leaves rows unchecked: under standard it would only look like a low recall.
const unchecked = {};
for (const verdict of [
  ...unplanted.standard.flat(),
  ...trials.standard.flatMap(({ rows }) => rows.map((row) => row.verdict)),
])
  for (const check of verdict.unchecked) unchecked[check] = (unchecked[check] ?? 0) + 1;
for (const [check, n] of Object.entries(unchecked)) faults.push(`${check} could not look at ${n} rows`);
for (const row of kinds) {
  if (row.expect === 'drop') {
    const floor = FLOORS[row.kind] ?? 1;
    if (!(row.dropped.share >= floor))
      faults.push(`${row.kind}: ${row.dropped.k} of ${row.dropped.n} caught, floor ${percent(floor)}`);
  }
  if (row.expect === 'keep' && !(row.dropped.share <= CONTROL_CEILING))
    faults.push(
      `${row.kind}: ${row.dropped.k} of ${row.dropped.n} dropped, ceiling ${percent(CONTROL_CEILING)}`,
    );
}

function percent(value) {
  return value === null ? '-' : `${(100 * value).toFixed(1)} %`;
}
const between = ({ interval }) => `${(100 * interval[0]).toFixed(1)} - ${(100 * interval[1]).toFixed(1)} %`;
const list = (by) =>
  Object.entries(by)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .map(([check, n]) => `${check} ${n}`)
    .join(', ');

function table() {
  const of = (expect) => kinds.filter((row) => row.expect === expect);
  const lines = [
    `${count} planted rows of each kind, seed ${given.seed}, standard profile (lenient and strict beside it); intervals: Clopper-Pearson, 95 %, two-sided.`,
    '',
    '| planted error | wordings | caught | recall | 95 % interval | by its check | by others only | lenient | strict |',
    '|---|---|---|---|---|---|---|---|---|',
    ...of('drop').map(
      (row) =>
        `| ${row.kind} | ${row.forms} | ${row.dropped.k} of ${row.dropped.n} | ${percent(row.dropped.share)} | ${between(row.dropped)} | ${row.byIntended} | ${row.byOthers}${row.byOthers > 0 ? ` (${list(row.others)})` : ''} | ${row.lenient.k} | ${row.strict.k} |`,
    ),
    '',
    'For a model, or told only:',
    '',
    '| planted | wordings | dropped | lenient | strict |',
    '|---|---|---|---|---|',
    ...[...of('judge'), ...of('told')].map(
      (row) =>
        `| ${row.kind} | ${row.forms} | ${row.dropped.k} of ${row.dropped.n} | ${row.lenient.k} | ${row.strict.k} |`,
    ),
    '',
    'Controls, which must stay:',
    '',
    '| control | wordings | dropped | upper bound | by | noted only | lenient | strict |',
    '|---|---|---|---|---|---|---|---|',
    ...of('keep').map(
      (row) =>
        `| ${row.kind.replace('control: ', '')} | ${row.forms} | ${row.dropped.k} of ${row.dropped.n} | ${percent(row.dropped.interval[1])} | ${list(row.others)} | ${row.noted} | ${row.lenient.k} | ${row.strict.k} |`,
    ),
    '',
    `Precision at this mix: ${plants.length} planted errors, ${controls.length} controls and ${human.length} dialogues of real people; a drop of either of the last two is wrong.`,
    '',
    '| check | right | wrong: controls | wrong: people | precision | 95 % interval | dropped of P4G | upper bound |',
    '|---|---|---|---|---|---|---|---|',
    ...checks.map(
      (row) =>
        `| ${row.check} | ${row.right} | ${row.wrongControls} | ${row.wrongPeople} | ${percent(row.precision.share)} | ${row.precision.n === 0 ? '-' : between(row.precision)} | ${row.p4g.k} of ${row.p4g.n} | ${percent(row.p4g.interval[1])} |`,
    ),
    '',
    'Unplanted data. Drops of people are wrong; what LLM simulators did is not known to be sound.',
    '',
    '| data set | rows | lenient | standard | upper bound | strict | standard, by |',
    '|---|---|---|---|---|---|---|',
    ...sets.map((set, at) => {
      const [lenient, standard, strict] = gates.GATE_PROFILES.map((profile) => people[profile][at]);
      return `| ${set.name} | ${standard.dropped.n} | ${lenient.dropped.k} | ${standard.dropped.k} | ${percent(standard.dropped.interval[1])} | ${strict.dropped.k} | ${list(standard.by)} |`;
    }),
  ];
  return lines.join('\n');
}

/** Planted rows that went the wrong way, and unplanted ones that a check dropped, with what it saw. */
function reading(name) {
  const changed = (row) =>
    row.episode.turns
      .map((turn, at) =>
        turn === row.host.episode.turns[at]
          ? null
          : `    [${at}] ${turn.role}: ${JSON.stringify(turn.text)?.slice(0, 400)}`,
      )
      .filter((line) => line !== null)
      .slice(0, 6)
      .join('\n');
  const seen = (verdict) =>
    verdict.findings
      .map(
        (finding) =>
          `    ${finding.check}: ${finding.reason} - ${JSON.stringify(finding.evidence).slice(0, 300)}`,
      )
      .join('\n');
  const out = [];
  for (const { kind, rows } of trials.standard) {
    const meant = kind.kind === name || (INTENDED[kind.kind] ?? []).includes(name);
    for (const row of rows) {
      if (kind.expect !== 'keep' && meant && !row.dropped)
        out.push(`missed (${kind.kind}: ${row.form}) in ${row.host.episode.id}\n${changed(row)}`);
      if (kind.expect === 'keep' && row.dropped && (meant || row.by.includes(name)))
        out.push(
          `wrongly dropped (${kind.kind}: ${row.form}) in ${row.host.episode.id}\n${changed(row)}\n${seen(row.verdict)}`,
        );
    }
  }
  sets.forEach((set, at) => {
    set.episodes.forEach((episode, row) => {
      const verdict = unplanted.standard[at][row];
      if (!verdict.kept && verdict.findings.some((finding) => finding.check === name))
        out.push(`dropped, unplanted (${set.name}) ${episode.id}\n${seen(verdict)}`);
    });
  });
  return out.length === 0 ? `nothing to read about "${name}"` : out.join('\n\n');
}

if (given.list !== undefined) {
  const known = [...gates.CHECKS.map(({ name }) => name), ...KINDS.map(({ kind }) => kind)];
  if (!known.includes(given.list)) {
    console.error(`--list: found ${given.list}; use one of ${known.join(', ')}`);
    process.exit(2);
  }
  console.log(reading(given.list));
} else if (given.json)
  console.log(
    JSON.stringify({ seed: given.seed, count, kinds, checks, unplanted: people, unchecked, faults }, null, 2),
  );
else console.log(table());
if (given.check) {
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
