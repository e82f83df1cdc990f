import { pause } from '../client/transport.ts';
import { CollapseAwareError } from '../errors.ts';
import type { GateView } from '../gateway/api/control.ts';
import type { TrainAnswer } from '../loop/index.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import type { OutsideLimits } from './gateway-stage.ts';
import { Lost, type NamedEpisode, turnsOf } from './outside-space.ts';
import type { PatientGateway } from './patient-gateway.ts';

const LONGEST_WAIT_S = 30;
const PAUSE_MS = 500;

/**
 * Waits until the trainer has begun this epoch: everything before it was trained on then.
 * @throws CA_ENDPOINT_FAILED where no epoch begins within the limit: the run can be resumed once the trainer is back.
 */
export async function untilEpoch(
  gateway: PatientGateway,
  epoch: number,
  { epoch: limit }: OutsideLimits,
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<GateView> {
  let view = await gateOf(gateway, {}, signal);
  let seen = view.epoch;
  let since = Date.now();
  while (view.epoch < epoch) {
    const left = limit - (Date.now() - since) / 1000;
    if (left <= 0)
      throw new CollapseAwareError(
        'CA_ENDPOINT_FAILED',
        `the trainer has begun no epoch for ${limit} s: it stands at ${view.epoch}, epoch ${epoch} is waited for` +
          (view.training === 'hold' ? `, and the gate holds it: ${whyHeld(view)}` : ''),
        {
          todo: 'start the trainer again, or let it go at the gateway; then resume the run: it goes on from here',
        },
      );
    view = await gateOf(gateway, { after: view.revision, wait: Math.min(LONGEST_WAIT_S, left) }, signal);
    if (view.epoch === seen) {
      await pause(Math.min(PAUSE_MS, 1000 * left), signal);
      continue;
    }
    seen = view.epoch;
    since = Date.now();
    if (seen < epoch) say(`the trainer has begun epoch ${seen}; epoch ${epoch} is waited for`);
  }
  return view;
}

const whyHeld = ({ override, reasons, level }: GateView): string =>
  override === null ? (reasons[0] ?? level) : `${override.by} set ${override.level}: ${override.reason}`;

async function gateOf(
  gateway: PatientGateway,
  wait: { readonly after?: number; readonly wait?: number },
  signal: AbortSignal,
): Promise<GateView> {
  const { view } = await gateway.ask((client) => client.gate({ ...wait, signal }), signal);
  return view!;
}

/** What was trained on from an epoch on, up to and without another. */
export interface TrainedEpochs {
  readonly episodes: readonly NamedEpisode[];
  readonly lost: TrainAnswer['lost'];
  readonly curve: TrainAnswer['curve'];
  readonly turns: number;
  /** All sessions, lost ones among them. */
  readonly sessions: number;
}

/** Rewards are joined by the session's id. Late ones are waited for; what has none then is lost, and not worth 0. */
export async function trainedEpochs(
  gateway: PatientGateway,
  first: number,
  end: number,
  { reward: limit }: OutsideLimits,
  signal: AbortSignal,
): Promise<TrainedEpochs> {
  const until = Date.now() + 1000 * limit;
  let sessions = await trainingSessions(gateway, first, end, signal);
  // Of a session that is over without a reward nothing more is to come.
  while (sessions.some(({ reward, termination }) => reward === null && termination === null)) {
    if (Date.now() >= until) break;
    await pause(PAUSE_MS, signal);
    sessions = await trainingSessions(gateway, first, end, signal);
  }
  const lost = new Lost();
  for (const { simulator, reward, termination } of sessions)
    if (reward === null)
      lost.add(
        simulator.id,
        termination === null
          ? `no reward came within ${limit} s of its epoch`
          : `it ended without a reward: ${termination}`,
      );
  return {
    episodes: sessions
      .filter(({ reward }) => reward !== null)
      .map((trajectory) => ({ id: trajectory.id, member: trajectory.simulator.id, trajectory })),
    lost: lost.list(),
    curve: Array.from({ length: end - first }, (_, at) =>
      pointOf(
        first + at,
        sessions.filter(({ epoch }) => epoch === first + at),
      ),
    ),
    turns: sessions.reduce((sum, one) => sum + turnsOf(one), 0),
    sessions: sessions.length,
  };
}

async function trainingSessions(
  gateway: PatientGateway,
  first: number,
  end: number,
  signal: AbortSignal,
): Promise<Trajectory[]> {
  const found: Trajectory[] = [];
  for (let epoch = first; epoch < end; epoch++) found.push(...(await sessionsOf(gateway, epoch, signal)));
  return found.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Training sessions of an epoch, those under way among them. */
export function sessionsOf(
  gateway: PatientGateway,
  epoch: number,
  signal: AbortSignal,
): Promise<Trajectory[]> {
  return gateway.ask(async (client) => {
    const found: Trajectory[] = [];
    const query = { of: 'all', epoch, purpose: ['training'] } as const;
    for await (const one of client.trajectories(query, { signal })) found.push(one);
    return found;
  }, signal);
}

function pointOf(step: number, sessions: readonly Trajectory[]): TrainAnswer['curve'][number] {
  const rewards = sessions.flatMap(({ reward }) => (reward === null ? [] : [reward]));
  const groups = new Map<string, number[]>();
  for (const { group, reward } of sessions)
    if (group !== null && reward !== null) groups.set(group, [...(groups.get(group) ?? []), reward]);
  const compared = [...groups.values()].filter((list) => list.length > 1);
  const alike = compared.filter((list) => list.every((reward) => reward === list[0]));
  return {
    step,
    reward: rewards.length === 0 ? null : rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length,
    zeroVariance: compared.length === 0 ? null : alike.length / compared.length,
    entropy: null,
  };
}
