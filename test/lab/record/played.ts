import { askMember, type PlayedEpisode, type Probe, planProbes } from '../../../src/lab/record/index.ts';
import type { Simulator } from '../../../src/lab/simulators/simulator.ts';
import { lawErrors } from '../../../src/metrics/index.ts';
import { agentAct, TINY, tinyRandom, tinySetting } from './tiny-world.ts';

type LawErrors = ReturnType<typeof lawErrors>;

/** Episode `number` of a simulator, 0.5 of its user turns probed, with the exact errors at each probed turn. */
export function played(
  simulator: Simulator,
  number: number,
  share = 0.5,
): { episode: PlayedEpisode; errors: LawErrors[] } {
  const random = tinyRandom(`${simulator.id}/${number}`);
  const session = simulator.open(random.fork('session'));
  const setting = tinySetting(number % 40);
  const encounter = TINY.begin(setting, session.users);
  const plan = planProbes({ share }, random.fork('probes'));
  const agent = random.fork('agent');
  const user = random.fork('user');
  const probes: Probe[] = [];
  const errors: LawErrors[] = [];
  const replies = new Map<number, { probability: number | null }>();
  for (let depth = 0; encounter.phase !== 'over'; ) {
    if (encounter.phase === 'agent') {
      encounter.actAgent(agentAct(encounter, agent));
      continue;
    }
    const step = encounter.steps.length;
    if (plan.probes(depth)) {
      const law = new Float64Array(4);
      session.law(encounter, law);
      errors.push(lawErrors(law));
      const asked = askMember(simulator.id, session, encounter, plan.resamples, plan.stream(depth));
      probes.push({ step, probability: plan.share, replies: asked });
    }
    const reply = session.reply(encounter, user);
    replies.set(step, reply);
    session.said(encounter, reply.act);
    encounter.actUser(reply.act);
    depth += 1;
  }
  const episode: PlayedEpisode = {
    world: TINY,
    setting,
    steps: encounter.steps,
    reward: encounter.reward,
    outcome: encounter.outcome,
    termination: encounter.termination,
    simulator,
    session,
    policy: { id: 'seller', checkpoint: 'step-0' },
    seed: `${simulator.id}/${number}`,
    group: `sale-${number % 40}`,
    epoch: 0,
    run: 'tiny',
    split: 'seen',
    replies,
    probes,
  };
  return { episode, errors };
}
