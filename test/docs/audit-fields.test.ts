import { expect, it } from 'vitest';
import { type AuditReport, audit } from '../../src/audit/index.ts';
import { evaluateFailOn, parseFailOn } from '../../src/cli/fail-on.ts';
import { demoStudy } from '../../src/lab/index.ts';
import type { Figure } from '../../src/metrics/index.ts';
import { recordsOf } from '../data.ts';
import { pages, tableUnder } from './pages.ts';

/**
 * Every path of a type, as --fail-on writes it: `*` for an element of a list. A figure is a leaf, but for what stands
 * beside its own keys.
 */
type Fields<T, Path extends string> = T extends Figure
  ? Path | Beside<T, Path>
  : T extends readonly [number, number]
    ? Path
    : T extends readonly (infer Item)[]
      ? Fields<Item, `${Path}.*`>
      : T extends object
        ? { [Key in keyof T & string]: Fields<T[Key], Path extends '' ? Key : `${Path}.${Key}`> }[keyof T &
            string]
        : Path;

type Beside<T, Path extends string> = {
  [Key in Exclude<keyof T & string, keyof Figure>]: Fields<T[Key], `${Path}.${Key}`>;
}[Exclude<keyof T & string, keyof Figure>];

type Kind<T, Path extends string> = Path extends `${infer Head}.${infer Rest}`
  ? Head extends '*'
    ? T extends readonly (infer Item)[]
      ? Kind<NonNullable<Item>, Rest>
      : never
    : Head extends keyof T
      ? Kind<NonNullable<T[Head]>, Rest>
      : never
  : Path extends '*'
    ? 'other'
    : Path extends keyof T
      ? NonNullable<T[Path]> extends Figure
        ? 'figure'
        : 'other'
      : never;

/** The type checker holds this list equal to the report's type, the tests below hold the table equal to the list. */
const FIELDS: { readonly [Path in Fields<AuditReport, ''>]: Kind<AuditReport, Path> } = {
  schema: 'other',
  version: 'other',
  headline: 'other',
  'space.id': 'other',
  'space.k': 'other',
  'space.kRule': 'other',
  'space.seed': 'other',
  'space.embedder': 'other',
  'space.fittedOn': 'other',
  'space.nFit': 'other',
  'space.control': 'other',
  'space.controlReason': 'other',
  'space.unit': 'other',
  'space.unitReason': 'other',
  'space.contexts': 'other',
  'space.modeInformation.before.context': 'other',
  'space.modeInformation.before.simulator': 'other',
  'space.modeInformation.before.policy': 'other',
  'space.modeInformation.after.context': 'other',
  'space.modeInformation.after.simulator': 'other',
  'space.modeInformation.after.policy': 'other',
  'space.modeInformation.n': 'other',
  'space.shares.eligible': 'other',
  'space.shares.used': 'other',
  'space.shares.outside': 'other',
  'space.stability.episode': 'other',
  'space.stability.interaction': 'other',
  'space.stability.turn': 'other',
  'simulators.*.id': 'other',
  'simulators.*.kind': 'other',
  'simulators.*.n': 'other',
  'simulators.*.contexts': 'other',
  'simulators.*.policies.*': 'other',
  'simulators.*.mci': 'figure',
  'simulators.*.effectiveModes': 'figure',
  'simulators.*.spread': 'figure',
  'simulators.*.effectiveRank': 'figure',
  'simulators.*.withinContext': 'figure',
  'simulators.*.vendi': 'figure',
  'simulators.*.outside': 'figure',
  'simulators.*.style': 'figure',
  'simulators.*.bdi.mass': 'figure',
  'simulators.*.bdi.knn': 'figure',
  'simulators.*.bdi.knnExpected': 'other',
  'simulators.*.bdi.realism': 'figure',
  'simulators.*.versusReference': 'other',
  'simulators.*.versusReference.mci': 'figure',
  'simulators.*.versusReference.bdiMass': 'figure',
  'simulators.*.versusReference.mciHolm': 'other',
  'simulators.*.versusReference.bdiMassHolm': 'other',
  'simulators.*.drivers.*.feature': 'other',
  'simulators.*.drivers.*.difference': 'figure',
  'simulators.*.shares.*': 'other',
  'simulators.*.verdict': 'other',
  'simulators.*.reward.n': 'other',
  'simulators.*.reward.mean': 'other',
  'simulators.*.reward.quantiles.*': 'other',
  'simulators.*.reward.missing': 'other',
  'simulators.*.exemplars.*.mode': 'other',
  'simulators.*.exemplars.*.text': 'other',
  reference: 'other',
  'reference.id': 'other',
  'reference.n': 'other',
  'reference.parts.fit': 'other',
  'reference.parts.mass': 'other',
  'reference.parts.ceiling': 'other',
  'reference.mci': 'figure',
  'reference.scd': 'figure',
  'reference.scd2': 'figure',
  'reference.ceiling.mass': 'figure',
  'reference.ceiling.knn': 'figure',
  'reference.ceiling.knnExpected': 'other',
  'reference.ceiling.realism': 'figure',
  'reference.shares.*': 'other',
  'scd.pooled': 'figure',
  'scd.within': 'figure',
  'scd.between': 'figure',
  'scd.pooled2': 'figure',
  'scd.pooled2Within': 'figure',
  'scd.pooled2Alike': 'figure',
  'scd.joint': 'figure',
  'scd.kernel': 'figure',
  'scd.conditional': 'figure',
  'bdi.headline': 'figure',
  'bdi.mass': 'figure',
  'bdi.support': 'figure',
  'bdi.knn': 'figure',
  'bdi.knnExpected': 'other',
  'bdi.realism': 'figure',
  'bdi.relative': 'figure',
  'bdi.g0': 'other',
  psod: 'figure',
  'psod.rise': 'figure',
  'psod.trend': 'figure',
  'psod.range': 'other',
  'matrix.*.checkpoint': 'other',
  'matrix.*.simulator': 'other',
  'matrix.*.split': 'other',
  'matrix.*.reward': 'figure',
  'matrix.*.passHatK.*.k': 'other',
  'matrix.*.passHatK.*.value': 'other',
  'matrix.*.passHatK.*.contexts': 'other',
  'matrix.*.n': 'other',
  'epsilon.member': 'figure',
  'epsilon.member.disagreement': 'figure',
  'epsilon.member.bracket.plugIn': 'figure',
  'epsilon.member.bracket.leaveOneOut': 'figure',
  'epsilon.member.bounds.low': 'figure',
  'epsilon.member.bounds.high': 'figure',
  'epsilon.population': 'figure',
  'epsilon.population.disagreement': 'figure',
  'epsilon.population.bracket.plugIn': 'figure',
  'epsilon.population.bracket.leaveOneOut': 'figure',
  'epsilon.population.bounds.low': 'figure',
  'epsilon.population.bounds.high': 'figure',
  'varianceSplit.simulator': 'figure',
  'varianceSplit.agent': 'figure',
  'epochs.*.epoch': 'other',
  'epochs.*.n': 'other',
  'epochs.*.scd': 'figure',
  'epochs.*.scd2': 'figure',
  'epochs.*.bdi': 'figure',
  'epochs.*.psod': 'figure',
  'epochs.*.mci': 'figure',
  'trend.*.metric': 'other',
  'trend.*.slope': 'figure',
  'depth.*.depth': 'other',
  'depth.*.n': 'other',
  'depth.*.scd2': 'figure',
  'depth.*.mci': 'figure',
  'health.groups': 'other',
  'health.zeroVariance.share': 'figure',
  'health.zeroVariance.allFail': 'other',
  'health.zeroVariance.allPass': 'other',
  'health.zeroVariance.sameBehaviour': 'other',
  'health.zeroVariance.other': 'other',
  'health.policyEntropy': 'figure',
  'health.contextInformation': 'figure',
  'health.consistency': 'figure',
  'confounds.*.kind': 'other',
  'confounds.*.simulator': 'other',
  'confounds.*.text': 'other',
  'missing.*.mode': 'other',
  'missing.*.mass': 'figure',
  'missing.*.p': 'other',
  'missing.*.exemplars.*': 'other',
  'diagnosis.*.mode': 'other',
  'diagnosis.*.level': 'other',
  'diagnosis.*.evidence.*': 'other',
  'diagnosis.*.confidence': 'other',
  'diagnosis.*.advice.*': 'other',
  'input.files.*.path': 'other',
  'input.files.*.format': 'other',
  'input.files.*.rows': 'other',
  'input.files.*.kept': 'other',
  'input.rows': 'other',
  'input.kept': 'other',
  'input.duplicates': 'other',
  'input.dropped.*.code': 'other',
  'input.dropped.*.reason': 'other',
  'input.dropped.*.count': 'other',
  'input.dropped.*.first': 'other',
  'input.reference': 'other',
  'input.reference.rows': 'other',
  'input.reference.kept': 'other',
};

const page = pages().find(({ path }) => path === 'docs/audit.md')!;
const table = tableUnder(page, 'Every field').map(([field, figure, meaning]) => ({
  field: field!.replaceAll('`', ''),
  kind: figure === 'f' ? 'figure' : 'other',
  meaning: meaning!,
}));

it('docs/audit.md lists every field of a report, once, and says which are figures', () => {
  const listed = table.map(({ field }) => field);
  expect([...listed].sort()).toEqual(Object.keys(FIELDS).sort());
  for (const { field, kind, meaning } of table) {
    expect(`${field}: ${kind}`).toBe(`${field}: ${FIELDS[field as keyof typeof FIELDS]}`);
    expect(meaning, field).not.toBe('');
  }
});

it('a real report holds nothing else, and --fail-on knows its paths', async () => {
  const study = demoStudy(3);
  const { report } = await audit({
    records: recordsOf(study.rollouts.filter((_, at) => at % 5 === 0)),
    people: recordsOf(study.people.slice(0, 120)),
  });
  const found = new Set<string>();
  walk(report, '', found);
  for (const path of found) expect(Object.keys(FIELDS), path).toContain(path);
  for (const { field, kind } of table)
    if (kind === 'figure' && found.has(field)) evaluateFailOn(parseFailOn(`${field}.low>0`), report);
});

const FIGURE_KEYS = new Set(
  'value low high n method unit reason approximate detectable se df scale'.split(' '),
);

function walk(value: unknown, path: string, found: Set<string>): void {
  if (value === null || typeof value !== 'object' || path === 'psod.range') {
    found.add(path);
    return;
  }
  if ('value' in value && 'method' in value) {
    found.add(path);
    // Some figures have more beside them: PSOD its rise, epsilon its bounds.
    for (const [key, item] of Object.entries(value))
      if (!FIGURE_KEYS.has(key)) walk(item, `${path}.${key}`, found);
    return;
  }
  if (Array.isArray(value)) {
    for (const item of value) walk(item, `${path}.*`, found);
    return;
  }
  for (const [key, item] of Object.entries(value)) walk(item, path === '' ? key : `${path}.${key}`, found);
}
