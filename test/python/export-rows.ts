import { simulatorFacts } from '../../src/trajectory/identity.ts';
import type { TrainingSignals } from '../../src/trajectory/training-signals.ts';
import { TRAJECTORY_SCHEMA, type Trajectory } from '../../src/trajectory/trajectory.ts';

/** Two invented episodes that hold what exports differ in, and signals for them. */
export const retail: Trajectory = {
  schema: TRAJECTORY_SCHEMA,
  id: 'r1',
  context: 'retail/-/1',
  contextFrom: 'scenario',
  contextLabel: 'task 1',
  benchmark: 'retail',
  domain: 'support',
  scenario: 'You ordered a lamp.',
  group: 'g1',
  epoch: 2,
  run: null,
  simulator: simulatorFacts({ id: 'user-a', model: 'model-a' }),
  policy: { id: 'p', checkpoint: '2' },
  turns: [
    { role: 'system', text: 'Be helpful.' },
    { role: 'user', text: 'Where is my lamp? 💡' },
    { role: 'agent', text: null, toolCalls: [{ name: 'find_order', arguments: { item: 'lamp' } }] },
    { role: 'tool', text: 'shipped', requestor: 'agent' },
    { role: 'agent', text: 'It has shipped.' },
    { role: 'user', text: 'Thanks' },
  ],
  reward: 1,
  outcome: 'solved',
  split: null,
  termination: 'user_stop',
  source: { file: 'rows.jsonl', line: 1 },
};

/** The policy opens, the user calls a tool of its own, and there is no reward. */
export const telecom: Trajectory = {
  ...retail,
  id: 't1',
  context: 'telecom/-/2',
  contextLabel: null,
  benchmark: 'telecom',
  domain: null,
  scenario: null,
  group: null,
  turns: [
    { role: 'agent', text: 'Hi!' },
    { role: 'user', text: 'No signal.' },
    { role: 'agent', text: 'Toggle it.' },
    { role: 'user', text: null, toolCalls: [{ name: 'toggle_airplane_mode', arguments: {} }] },
    { role: 'tool', text: 'toggle_airplane_mode: on', requestor: 'user' },
    { role: 'user', text: 'Done.' },
    {
      role: 'agent',
      text: 'Checking.',
      toolCalls: [{ id: 'x', name: 'check_line', arguments: { line: 7, deep: true } }],
    },
    { role: 'tool', text: 'ok', requestor: 'agent' },
    { role: 'agent', text: 'All good.' },
  ],
  reward: null,
  outcome: null,
};

export const exportSignals: TrainingSignals = {
  weight: 1.5,
  hash: '00112233445566778899aabbccddeeff',
  gradientScale: 0.25,
  inclusionProbability: 0.5,
  mode: 3,
  advantage: -0.75,
  batch: 0,
};
