import { inWords } from './bound.ts';
import type { PoolEvidence, SimulatorEvidence } from './evidence.ts';
import { type DiagnosisThresholds, THRESHOLDS } from './thresholds.ts';
import type { SimulatorVerdict } from './verdict.ts';

export interface SimulatorReading {
  readonly verdict: SimulatorVerdict;
  /** The numbers behind it, one sentence. */
  readonly reason: string;
}

type Concentration = 'high' | 'not high' | 'unclear';

/**
 * Narrow, or only of one style? (metrics.md, "Style".) A simulator with one odd style fills a cell of its own and
 * looks collapsed by MCI although its replies vary, so a high MCI counts only with a small spread beside it.
 */
export function readSimulator(
  simulator: SimulatorEvidence,
  pool: PoolEvidence,
  thresholds: DiagnosisThresholds = THRESHOLDS,
): SimulatorReading {
  const { outside, spread } = simulator;
  if (outside.value !== null && outside.value > thresholds.outside)
    return {
      verdict: 'off support',
      reason: `${inWords(outside)} of its rows lie outside the support of the space, so its modes say nothing`,
    };
  const [concentration, words] = concentrationOf(simulator, pool, thresholds);
  const spreadWords = `spread ${inWords(spread)}`;
  const say = (verdict: SimulatorVerdict, why: string): SimulatorReading => ({
    verdict,
    reason: `${words}; ${spreadWords}${why}`,
  });
  if (concentration === 'not high') return say('not narrow', '');
  // Its spread is then over its own pool, 1 whatever it does.
  if (isAlone(simulator, pool)) return say('undecided', ' of itself');
  if (spread.value === null) return say('undecided', '');
  const surelyWide = spread.low !== null && spread.low >= thresholds.spreadNarrow;
  if (concentration === 'unclear')
    return surelyWide ? say('not narrow', ', surely not narrow') : say('undecided', '');
  if (spread.high !== null && spread.high < thresholds.spreadNarrow)
    return say('narrow', `, upper bound below ${thresholds.spreadNarrow}`);
  if (spread.value >= thresholds.spreadVaried)
    return say('one style, varied', `, at least ${thresholds.spreadVaried}`);
  if (surelyWide) return say('not narrow', `, lower bound at least ${thresholds.spreadNarrow}`);
  return say('undecided', ', neither surely small nor large');
}

export function simulatorVerdict(
  simulator: SimulatorEvidence,
  pool: PoolEvidence,
  thresholds: DiagnosisThresholds = THRESHOLDS,
): SimulatorVerdict {
  return readSimulator(simulator, pool, thresholds).verdict;
}

/** Neither people nor another simulator to hold it against. */
function isAlone({ versusReference }: Pick<SimulatorEvidence, 'versusReference'>, pool: PoolEvidence) {
  return versusReference === null && pool.simulators < 2;
}

function concentrationOf(
  { mci, versusReference }: SimulatorEvidence,
  pool: PoolEvidence,
  thresholds: DiagnosisThresholds,
): [Concentration, string] {
  if (versusReference !== null) {
    const { mci: difference, mciHolm } = versusReference;
    const words = `MCI ${inWords(mci)}, minus people's ${inWords(difference)}`;
    if (difference.value === null) return ['unclear', words];
    if (difference.low !== null && difference.low > 0)
      return mciHolm !== null && mciHolm >= thresholds.alpha
        ? ['unclear', `${words}, which does not survive Holm's adjustment (p = ${mciHolm.toFixed(3)})`]
        : ['high', words];
    const small = difference.high !== null && difference.high < thresholds.mciMargin;
    return [small || difference.value <= 0 ? 'not high' : 'unclear', words];
  }
  const words = `MCI ${inWords(mci)}`;
  if (mci.value === null) return ['unclear', words];
  if (isAlone({ versusReference }, pool) || pool.mci === null)
    return ['unclear', `${words}, with neither people nor a pool of simulators to hold it against`];
  const bar = thresholds.poolFactor * pool.mci;
  const against = `${words} against ${thresholds.poolFactor} times the pool's ${pool.mci.toFixed(2)}`;
  const holm = pool.holm ?? null;
  if (mci.low !== null && mci.low > bar)
    return holm !== null && holm >= thresholds.alpha
      ? ['unclear', `${against}, which does not survive Holm's adjustment (p = ${holm.toFixed(3)})`]
      : ['high', against];
  const small = mci.high !== null && mci.high < bar + thresholds.mciMargin;
  return [small || mci.value <= bar ? 'not high' : 'unclear', against];
}
