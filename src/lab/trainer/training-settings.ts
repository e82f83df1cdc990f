import { CollapseAwareError } from '../../errors.ts';
import { VERBALIZED, type VerbalizedSettings } from '../simulators/index.ts';

/** One training run. What the study that this lab answers states is taken from it; the rest is the lab's own. */
export interface TrainingSettings {
  readonly steps: number;
  /** GRPO groups a step, each of one setting and one simulator. */
  readonly groups: number;
  readonly groupSize: number;
  readonly hidden: readonly number[];
  readonly learningRate: number;
  readonly simulatorRate: number;
  /** Settings that are trained on, over and over. */
  readonly trainingSettings: number;
  /** Steps from one look at the selection panel to the next. */
  readonly evaluateEvery: number;
  /** Dialogues with each simulator of the selection panel at a look. */
  readonly selectionDialogues: number;
  readonly referencePeople: number;
  readonly verbalized: VerbalizedSettings;
  readonly personaStrength: number;
}

/**
 * Rates of learning were chosen before any table: the policy's by training on people alone (.003, .005, .01, .02), the
 * simulators' by what co-training and population co-training reach on the selection panel in the three worlds (.0003,
 * .001, .003, .01; seeds 101 to 103).
 */
export const TRAINING: TrainingSettings = {
  steps: 250,
  groups: 16,
  groupSize: 8,
  hidden: [32],
  learningRate: 0.01,
  simulatorRate: 0.003,
  trainingSettings: 64,
  evaluateEvery: 25,
  selectionDialogues: 32,
  referencePeople: 200,
  verbalized: VERBALIZED,
  personaStrength: 0.3,
};

/** The defaults with `given` over them. Throws CA_CONFIG_INVALID for a value out of range, all faults at once. */
export function trainingSettings(given: Partial<TrainingSettings> = {}): TrainingSettings {
  const settings = { ...TRAINING, ...given };
  const counts = [
    'steps',
    'groups',
    'groupSize',
    'trainingSettings',
    'evaluateEvery',
    'selectionDialogues',
    'referencePeople',
  ] as const;
  const faults: string[] = [];
  for (const key of counts)
    if (!Number.isSafeInteger(settings[key]) || settings[key] < 1)
      faults.push(`${key} is ${settings[key]}, not a whole number above 0`);
  for (const key of ['learningRate', 'simulatorRate'] as const)
    if (!(settings[key] > 0 && Number.isFinite(settings[key])))
      faults.push(`${key} is ${settings[key]}, not above 0`);
  const share = (key: string, value: number) => {
    if (!(value >= 0 && value <= 1)) faults.push(`${key} is ${value}, not in 0..1`);
  };
  share('personaStrength', settings.personaStrength);
  share('verbalized.error', settings.verbalized.error);
  if (settings.groupSize === 1) faults.push('groupSize is 1: a lone rollout has nothing to be compared with');
  if (faults.length > 0)
    throw new CollapseAwareError('CA_CONFIG_INVALID', `settings of the lab: ${faults.join('; ')}`);
  return settings;
}
