import { describe, expect, it } from 'vitest';
import { CollapseAwareError } from '../../../src/errors.ts';
import { TRAINING, type TrainingSettings, trainingSettings } from '../../../src/lab/trainer/index.ts';

function fault(given: Partial<TrainingSettings>): string {
  try {
    trainingSettings(given);
  } catch (error) {
    if (!(error instanceof CollapseAwareError)) throw error;
    expect(error.code).toBe('CA_CONFIG_INVALID');
    return error.message;
  }
  throw new Error(`${JSON.stringify(given)} was taken`);
}

describe('settings of a training run', () => {
  it('are the defaults where nothing is given, with what is given over them', () => {
    expect(trainingSettings()).toEqual(TRAINING);
    expect(trainingSettings({ steps: 3 })).toEqual({ ...TRAINING, steps: 3 });
  });

  it.each([
    'steps',
    'groups',
    'trainingSettings',
    'evaluateEvery',
    'selectionDialogues',
    'referencePeople',
  ] as const)('take a whole number above 0 for %s and nothing else', (key) => {
    expect(trainingSettings({ [key]: 1 })[key]).toBe(1);
    for (const value of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
      expect(fault({ [key]: value })).toContain(`${key} is ${value}, not a whole number above 0`);
  });

  it('take learning rates above 0', () => {
    for (const key of ['learningRate', 'simulatorRate'] as const)
      for (const value of [0, -0.1, Number.NaN, Number.POSITIVE_INFINITY])
        expect(fault({ [key]: value })).toContain(`${key} is ${value}, not above 0`);
  });

  it('take shares in 0..1, both ends included', () => {
    for (const value of [0, 1])
      expect(trainingSettings({ personaStrength: value }).personaStrength).toBe(value);
    expect(fault({ personaStrength: 1.1 })).toContain('personaStrength is 1.1, not in 0..1');
    expect(fault({ verbalized: { ...TRAINING.verbalized, error: Number.NaN } })).toContain(
      'verbalized.error is NaN',
    );
  });

  it('refuse a group of one: it has nothing to be compared with', () => {
    expect(fault({ groupSize: 1 })).toContain(
      'groupSize is 1: a lone rollout has nothing to be compared with',
    );
  });

  it('tell all faults at once', () => {
    const message = fault({ steps: 0, learningRate: -1, personaStrength: 2 });
    for (const key of ['steps', 'learningRate', 'personaStrength']) expect(message).toContain(key);
  });
});
