import type { Random } from '../../math/index.ts';
import { composeTrajectory, type EpisodeDraft } from '../../trajectory/compose.ts';
import type { Trajectory, Turn } from '../../trajectory/trajectory.ts';
import type { LabContext } from './context.ts';
import { type AgentMakeup, ScriptedAgent } from './scripted-agent.ts';
import { ScriptedUser, type UserMakeup } from './scripted-user.ts';

const LONGEST = 14;

export interface EpisodePlan extends Omit<EpisodeDraft, 'turns' | 'source' | 'scenario' | 'contextLabel'> {
  readonly setting: LabContext;
  readonly user: UserMakeup;
  readonly agent: AgentMakeup;
  readonly random: Random;
}

/** Plays user against agent until one side ends it. Reward 1 where the user accepts, else 0. */
export function playEpisode(plan: EpisodePlan): Trajectory {
  const { setting: context, user: makeup, agent: agentMakeup, random, ...draft } = plan;
  const user = new ScriptedUser(makeup, context, random.fork('user'));
  const agent = new ScriptedAgent(agentMakeup, context, random.fork('agent'));
  const turns: Turn[] = [];
  let step = agent.open();
  turns.push(...step.turns);
  let decision: 'accepted' | 'declined' | 'gave up' | null = null;
  for (let i = 0; i < LONGEST; i++) {
    const reply = user.reply(step.move);
    turns.push({ role: 'user', text: reply.text, acts: reply.acts });
    if (step.move === 'done') break;
    decision = reply.decision;
    if (decision === 'gave up') break;
    step = decision === null ? agent.next(user.facts) : agent.finish(decision);
    turns.push(...step.turns);
  }
  return composeTrajectory({
    ...draft,
    benchmark: 'lab',
    domain: context.compiled.topic.name,
    scenario: context.scenario,
    contextLabel: context.label,
    turns,
    reward: decision === 'accepted' ? 1 : 0,
    outcome: decision ?? 'out of turns',
    termination: decision === null ? 'turn limit' : decision === 'gave up' ? 'user' : 'agent',
    source: { file: 'lab', line: null },
  });
}
