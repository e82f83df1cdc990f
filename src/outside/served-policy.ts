import type { AgentSettings } from './gateway-stage.ts';
import type { OutsideCheckpoint } from './outside-checkpoint.ts';
import type { PatientGateway } from './patient-gateway.ts';
import { sessionsOf } from './trained-epochs.ts';

/** How the policy of a checkpoint is asked for; null = it cannot be had any more. */
export async function servedModel(
  gateway: PatientGateway,
  { model, earlier }: Pick<AgentSettings, 'model' | 'earlier'>,
  at: OutsideCheckpoint,
  signal: AbortSignal,
): Promise<string | null> {
  const { view } = await gateway.ask((client) => client.gate({ signal }), signal);
  if (view!.epoch <= at.epoch) return model;
  const { checkpoint } = at.policy;
  return earlier === null || checkpoint === null ? null : earlier.replaceAll('{checkpoint}', checkpoint);
}

/** As the trainer calls the policy that an epoch is played with. */
export async function policyAt(
  gateway: PatientGateway,
  epoch: number,
  signal: AbortSignal,
): Promise<OutsideCheckpoint['policy']> {
  for (const one of [epoch, epoch - 1]) {
    if (one < 0) break;
    const [session] = await sessionsOf(gateway, one, signal);
    // What the epoch before was played with is the policy before its last step: its name is not the present one's.
    if (session !== undefined)
      return one === epoch ? session.policy : { id: session.policy.id, checkpoint: null };
  }
  return { id: 'policy', checkpoint: null };
}
