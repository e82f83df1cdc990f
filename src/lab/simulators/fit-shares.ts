import type { Random } from '../../math/random.ts';
import type { World } from '../world/index.ts';
import { drawFrom } from './draw-act.ts';
import { MixtureSession } from './mixture-session.ts';
import { openPerson, type Person } from './people.ts';

/** Turns of a prior observation of every kind, so that a kind not met among few people is not ruled out. */
const PRIOR = 0.5;
const ROUNDS = 200;

/**
 * Shares of the world's kinds of people by maximum a posteriori (EM, Dirichlet prior), from dialogues of `people` with
 * the demonstrator: only acts are looked at, whose kind a person is stays hidden.
 */
export function fitShares(
  world: World,
  people: readonly Person[],
  dialogues: number,
  random: Random,
): Float64Array {
  const kinds = world.types.length;
  const traits = world.types.map(({ traits: own }) => own);
  const posteriors: Float64Array[] = [];
  for (let d = 0; d < dialogues; d++) {
    const stream = random.fork(`dialogue/${d}`);
    const user = openPerson(world, people[d % people.length]!);
    // All kinds are followed beside the person: who answers is user 0, the rest is read.
    const observer = new MixtureSession({
      users: traits,
      shares: new Float64Array(kinds).fill(1 / kinds),
      acts: world.userActs.length,
      gamma: 1,
      voice: traits[0]!,
      breadth: 1,
    });
    const setting = world.setting(d, 1_000_003);
    const own = world.begin(setting, user.users);
    const seen = world.begin(setting, observer.users);
    const law = new Float64Array(world.agentActs.length);
    const agent = stream.fork('agent');
    const voice = stream.fork('user');
    while (own.phase !== 'over') {
      if (own.phase === 'agent') {
        world.demonstrate(own, law);
        const act = drawFrom(law, agent);
        own.actAgent(act);
        seen.actAgent(act);
        continue;
      }
      const { act } = user.reply(own, voice);
      observer.said(seen, act);
      user.said(own, act);
      own.actUser(act);
      seen.actUser(act);
    }
    posteriors.push(observer.posterior.slice());
  }
  // With a uniform prior, a posterior is a likelihood up to scale.
  let shares = new Float64Array(kinds).fill(1 / kinds);
  for (let round = 0; round < ROUNDS; round++) {
    const next = new Float64Array(kinds).fill(PRIOR);
    for (const likelihood of posteriors) {
      let sum = 0;
      for (let z = 0; z < kinds; z++) sum += shares[z]! * likelihood[z]!;
      for (let z = 0; z < kinds; z++) next[z]! += (shares[z]! * likelihood[z]!) / sum;
    }
    const total = posteriors.length + kinds * PRIOR;
    shares = next.map((count) => count / total);
  }
  return shares;
}
