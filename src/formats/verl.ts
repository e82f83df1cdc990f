import { simulatorFacts } from '../trajectory/identity.ts';
import { chatTurns } from './chat-message.ts';
import { splitTemplate } from './chat-template.ts';
import { rowError } from './drop.ts';
import { firstObject } from './head.ts';
import type { Reader } from './reader.ts';
import {
  EpisodeIds,
  firstName,
  firstNumber,
  jsonRows,
  nameOf,
  promptLabel,
  SIMULATOR_FIELDS,
  unknownSimulator,
  wholeOf,
} from './trainer-rows.ts';

/**
 * verl's rollout dump (`trainer.rollout_data_dir/<step>.jsonl`): `input`, `output`, `gts`, `score`, `step`, `uid`
 * (0.9 on) and whatever the reward function returned beside the score. The texts are flat, decoded
 * without special tokens; `uid` names the prompt's rollouts, so it is the group.
 */
export const verl: Reader = {
  name: 'verl',
  title: 'verl rollout dump (JSON lines)',
  checkedOn: 'real files',

  detect(head) {
    const first = firstObject(head);
    if (first === null || typeof first.input !== 'string' || typeof first.output !== 'string') return 0;
    return 'score' in first || 'gts' in first ? 0.95 : 'step' in first ? 0.7 : 0;
  },

  async *read(source, options) {
    const ids = new EpisodeIds();
    const stepInName = /^(\d+)\.jsonl$/.exec(source.name)?.[1];
    yield* jsonRows(source, options, (raw, line) => {
      const { input, output } = raw;
      if (typeof input !== 'string') throw rowError('input: expected a string');
      if (typeof output !== 'string') throw rowError('output: expected a string');
      const turns = chatTurns(splitTemplate(input, output), options);
      const step = wholeOf(raw.step) ?? (stepInName === undefined ? null : Number(stepInName));
      const { label, group } = promptGroup(input, options.simulatorRole, step, nameOf(raw.uid));
      return {
        id: nameOf(raw.request_id) ?? nameOf(raw.trajectory_id) ?? ids.of(turns, group, step),
        turns,
        contextLabel: label,
        benchmark: nameOf(raw.data_source),
        group,
        epoch: step,
        simulator: simulatorFacts({
          id: firstName([raw], SIMULATOR_FIELDS) ?? unknownSimulator(source, options),
        }),
        reward: firstNumber([raw], ['score', 'reward']),
        source: { file: source.path, line },
      };
    });
  },
};

/**
 * Context and group of a flat prompt. Dumps older than `uid`: the rollouts of one prompt at one step were
 * compared with one another.
 */
export function promptGroup(
  prompt: string,
  simulatorRole: string | undefined,
  step: number | null,
  uid: string | null,
): { label: string | null; group: string | null } {
  const label = promptLabel(chatTurns(splitTemplate(prompt, ''), { simulatorRole }));
  return { label, group: uid ?? (step === null || label === null ? null : `${step}/${label}`) };
}
