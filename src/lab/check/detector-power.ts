import type { Random } from '../../math/random.ts';
import { planRules, type Rules } from './breaker-rules.ts';
import { bounds, CHECK_LEVEL, type Check, checkOf, shareFigure } from './check-result.ts';
import {
  type Alarm,
  alarmOf,
  BASELINE,
  collapseFigures,
  EPOCHS,
  overfittingFigures,
  type RunFigures,
} from './simulated-run.ts';

/** SCD2 of a population that is nothing to worry about, and of the proposal's yellow bar. */
const USUAL = 0.35;
const BAR = 0.7;
export const RISES = [0.025, 0.05, 0.1, 0.2, 0.4, 0.6] as const;
/** Populations that had collapsed before the run; of the last it is claimed that its first look is red. */
const COLLAPSED = [0.9, 0.95, 0.99] as const;
const FIRST_LOOKS = 5;
const PSOD_BAR = 0.15;
const STATED = 0.05;

const constant = (value: number) => Array.from({ length: EPOCHS }, () => value);
const rising = (from: number, by: number) =>
  Array.from({ length: EPOCHS }, (_, i) => (i < BASELINE ? from : from + by));

export interface DetectorOptions {
  readonly runs: number;
  readonly seed: number | string;
  readonly random: Random;
  /** Another breaker than the project's: the test of the check itself. */
  readonly rules?: Rules;
}

/** Runs in which nothing happens: each rule alarms falsely in at most 5 % of them, whatever the level is. */
export function falseAlarms({
  runs,
  seed,
  random,
  rules = planRules(['scd'], seed),
}: DetectorOptions): Check[] {
  return [
    { id: 'usual', what: `SCD2 stays at ${USUAL}`, truth: USUAL },
    { id: 'at-bar', what: `SCD2 stays at the yellow bar ${BAR}`, truth: BAR },
  ].flatMap(({ id, what, truth }) => {
    const figures = runsOf(runs, (run) => ({
      scd: collapseFigures(constant(truth), random.fork(`${id}/${run}`)),
    }));
    return (['level', 'change'] as const).map((rule) =>
      falseAlarm(
        `breaker.false-alarm.${id}.${rule}`,
        `${what}: false alarms of the ${rule} rule`,
        figures,
        rules,
        rule,
      ),
    );
  });
}

/** The same of PSOD's rise, which shares the 5 % with SCD2. */
export function overfittingAlarms({ runs, seed, random }: DetectorOptions): Check[] {
  const rules = planRules(['scd', 'psod'], seed);
  const usual = runsOf(runs, (run) => ({
    scd: collapseFigures(constant(USUAL), random.fork(`scd/${run}`)),
  }));
  const figuresOf = (id: string, rises: readonly number[]) =>
    usual.map(({ scd }, run) => ({
      scd,
      psod: overfittingFigures(rises, random.fork(`${id}/psod/${run}`)),
    }));
  const still = figuresOf('none', constant(0));
  const bar = figuresOf('bar', [0, ...constant(PSOD_BAR).slice(1)]);
  const up = figuresOf('rise', rising(0, 0.3));
  return [
    ...(['level', 'change'] as const).map((rule) =>
      falseAlarm(
        `breaker.false-alarm.psod.${rule}`,
        `neither SCD2 nor PSOD rises: false alarms of the ${rule} rule`,
        still,
        rules,
        rule,
      ),
    ),
    falseAlarm(
      'breaker.false-alarm.psod-at-bar.level',
      `PSOD's rise stays at its yellow bar ${PSOD_BAR}: false alarms of the level rule`,
      bar,
      rules,
      'level',
    ),
    detection('breaker.detection.psod-0.3', `PSOD rises by 0.3 after epoch ${BASELINE}`, up, rules),
  ];
}

/** Populations that collapse by a known amount after the baseline, or had collapsed before the run began. */
export function detections({
  runs,
  seed,
  random,
  rules = planRules(['scd'], seed),
}: DetectorOptions): Check[] {
  const baseline = runsOf(runs, (run) => ({
    scd: collapseFigures(constant(USUAL).slice(0, BASELINE), random.fork(`baseline/${run}`)),
  }));
  const risen = RISES.map((by) => {
    const after = constant(USUAL + by).slice(BASELINE);
    const figures = baseline.map(({ scd }, run) => ({
      scd: [...scd, ...collapseFigures(after, random.fork(`rise ${by}/${run}`))],
    }));
    const words = `SCD2 rises from ${USUAL} by ${by} after epoch ${BASELINE}`;
    return detection(`breaker.detection.rise-${by}`, words, figures, rules);
  });
  return [...risen, ...COLLAPSED.map((collapse) => startsCollapsed(collapse, runs, random, rules))];
}

function startsCollapsed(collapse: number, runs: number, random: Random, rules: Rules): Check {
  const truth = Array.from({ length: FIRST_LOOKS }, () => collapse);
  const seen = runsOf(runs, (run) => ({
    scd: collapseFigures(truth, random.fork(`collapsed ${collapse}/${run}`)),
  })).map((figures) => alarmOf(rules.whole, figures).red);
  const share = (looks: number) => seen.filter((red) => red !== null && red <= looks).length;
  const claimed = collapse === COLLAPSED.at(-1);
  return checkOf({
    id: `breaker.detection.starts-at-${collapse}`,
    statement: `a run whose SCD2 is ${collapse} from the start is red at epoch 1${claimed ? ' in at least 95 %' : ''}`,
    claim: claimed ? 'at least' : 'none',
    exact: claimed ? 0.95 : null,
    estimate: shareFigure(share(1), runs, CHECK_LEVEL),
    note: `95 % interval ${bounds(shareFigure(share(1), runs, 0.05))}; red by epoch ${FIRST_LOOKS} ${share(FIRST_LOOKS) / runs}`,
  });
}

function runsOf(runs: number, one: (run: number) => RunFigures): RunFigures[] {
  return Array.from({ length: runs }, (_, run) => one(run));
}

function falseAlarm(
  id: string,
  statement: string,
  figures: readonly RunFigures[],
  rules: Rules,
  rule: 'level' | 'change',
): Check {
  const of = (which: keyof Rules) => figures.filter((one) => alarmOf(rules[which], one).any !== null).length;
  const count = of(rule);
  const n = figures.length;
  return checkOf({
    id,
    statement: `${statement}, per run of ${EPOCHS} epochs, are at most 5 %`,
    claim: 'at most',
    exact: STATED,
    estimate: shareFigure(count, n, CHECK_LEVEL),
    note: `95 % interval ${bounds(shareFigure(count, n, 0.05))}; both rules together ${shareFigure(of('whole'), n, 0.05).value}`,
  });
}

/** Rates are of alarms after the change; delays in epochs, the first epoch of the new law counting as 1. */
function detection(id: string, statement: string, figures: readonly RunFigures[], rules: Rules): Check {
  const n = figures.length;
  const seen = figures.map((one) => alarmOf(rules.whole, one));
  const delays = (of: (alarm: Alarm) => number | null) =>
    seen
      .map(of)
      .filter((epoch) => epoch !== null && epoch > BASELINE)
      .map((epoch) => epoch! - BASELINE)
      .sort((a, b) => a - b);
  const any = delays(({ any: epoch }) => epoch);
  const red = delays((alarm) => alarm.red);
  const early = seen.filter(({ any: epoch }) => epoch !== null && epoch <= BASELINE).length;
  const level = figures.filter((one) => (alarmOf(rules.level, one).any ?? 0) > BASELINE).length;
  const change = figures.filter((one) => (alarmOf(rules.change, one).any ?? 0) > BASELINE).length;
  const within = (epochs: number) => any.filter((delay) => delay <= epochs).length / n;
  return checkOf({
    id,
    statement: `${statement}: share of runs with an alarm in the ${EPOCHS - BASELINE} epochs after`,
    claim: 'none',
    exact: null,
    estimate: shareFigure(any.length, n, CHECK_LEVEL),
    note:
      `95 % interval ${bounds(shareFigure(any.length, n, 0.05))}; within 5 epochs ${within(5)}, within 10 ${within(10)}; ` +
      `median delay ${any.length === 0 ? 'none' : any[Math.floor(any.length / 2)]}; change rule ${change / n}, level rule ${level / n}, ` +
      `red ${red.length / n}; alarm before the change ${early / n}`,
  });
}
