import { type Random, seeded } from '../../math/index.ts';
import { composeTrajectory } from '../../trajectory/compose.ts';
import { simulatorFacts } from '../../trajectory/identity.ts';
import type { Trajectory, Turn } from '../../trajectory/trajectory.ts';
import { type Choose, compile, type Pattern, say } from '../speech/pattern.ts';
import { type LabContext, labContext } from './context.ts';
import { AGENT } from './scripted-agent.ts';
import { ScriptedUser, type UserMakeup } from './scripted-user.ts';
import { toolAnswer } from './tool-answer.ts';
import { ARCHETYPES, around, drawPerson } from './traits.ts';

/** Simulators and contexts of the bench file. */
export const SYNTHETIC = { simulators: 12, contexts: 2000, policies: 3, epochs: 5 } as const;

const DETAILS: readonly Pattern[] = [
  'I have (checked|looked at|gone through) (the record|your account|the history) for <name>: <code> is (active|open), (paid|settled) with <price> on <date>.',
  'According to (our rules|the policy), (a change|such a request) (made|sent) before <date> (costs|carries a fee of) <fee>, (after that|later) <part>.',
  'For <city> there are (two|three|four) options, the (first|cheapest) at <fee> and the (last|most flexible) at <part>.',
  '(Before I go on|To proceed), please confirm (with yes|) that (I may|you want me to) (charge|credit) <part> (to|on) the card ending <digits>.',
  '- Reference: <code>\n- Customer: <id>\n- Amount: <price>\n- Route: <city> to <other>',
  '(Please note|Mind) that (this|the step) (cannot be undone|is final), and (the confirmation|a mail) (goes|is sent) to <id>@example.org.',
  '(If you prefer|Otherwise) I can (transfer you|hand this over) to a (colleague|human agent), (which may take|expect) (ten|twenty|thirty) minutes.',
].map(compile);

const settings = new Map<string, LabContext>();
/** Contexts are few and asked for often. */
function settingOf(index: number, seed: number): LabContext {
  const key = `${seed}/${index}`;
  let setting = settings.get(key);
  if (setting === undefined) {
    setting = labContext(index, seed);
    settings.set(key, setting);
  }
  return setting;
}

/** Simulators 0..11: every third narrow, the others of a few kinds each; one in a forum's hand. */
function makeup(simulator: number, random: Random): UserMakeup {
  const kinds = Object.keys(ARCHETYPES);
  if (simulator % 3 === 0) {
    const centre = ARCHETYPES[kinds[simulator % kinds.length]!]!;
    return {
      traits: around({ ...centre, expressiveness: 0.6 }, 0.05, random),
      voice: 'plain',
      breadth: 0.5,
      habit: 3,
    };
  }
  const weights = Object.fromEntries(kinds.map((kind, i) => [kind, (i + simulator) % 4 === 0 ? 3 : 0.5]));
  const traits = drawPerson(random, 0.1, weights);
  return {
    traits: { ...traits, expressiveness: 0.4 + 0.6 * traits.expressiveness },
    voice: simulator === 11 ? 'forum' : 'plain',
    breadth: 1,
    habit: 1,
  };
}

/**
 * Row `index` of a large file with the make-up of tau2 result files in the native format (measured on five airline
 * files: about 11 % of the messages' bytes are the user's, 28 % the agent's, 41 % tool results, 19 % tool calls;
 * 6 user turns, 13 agent turns, 10 tool results). About 10 kB as one JSON line. A pure function of index and seed.
 */
export function syntheticRollout(index: number, seed: number): Trajectory {
  const random = seeded(`lab/synthetic/${seed}/${index}`);
  const simulator = index % SYNTHETIC.simulators;
  const at = random.integer(SYNTHETIC.contexts);
  const setting = settingOf(at, seed);
  const user = new ScriptedUser(makeup(simulator, random), setting, random.fork('user'));
  const choose: Choose = (n) => random.integer(n);
  const { slots, compiled } = setting;
  const turns: Turn[] = [{ role: 'agent', text: say(AGENT.greet, slots, choose) }];
  const exchanges = 4 + random.integer(4);
  let accepted = false;
  for (let exchange = 0; exchange < exchanges; exchange++) {
    const last = exchange === exchanges - 1;
    const move = exchange === 0 ? 'greet' : last ? 'done' : exchange < 3 ? 'ask' : 'offer';
    const reply = user.reply(move);
    if (reply.decision === 'accepted') accepted = true;
    turns.push({ role: 'user', text: `${reply.text} ${user.elaborate(1 + random.integer(4))}` });
    if (last) break;
    const calls = random.integer(5);
    for (let call = 0; call < calls; call++) lookUp(turns, setting, random);
    turns.push({ role: 'agent', text: explain(setting, random, choose) });
  }
  turns.push({ role: 'agent', text: say(accepted ? AGENT.done : AGENT.close, slots, choose) });
  const policy = random.integer(SYNTHETIC.policies);
  return composeTrajectory({
    id: `synthetic-${seed}-${index}`,
    simulator: simulatorFacts({ id: `sim-${simulator}`, kind: 'llm', model: `model-${simulator % 4}` }),
    policy: { id: `policy-${policy}`, checkpoint: `step-${policy * 100}` },
    source: { file: 'synthetic', line: index + 1 },
    benchmark: 'synthetic',
    domain: compiled.topic.name,
    scenario: setting.scenario,
    contextLabel: setting.label,
    epoch: random.integer(SYNTHETIC.epochs),
    reward: accepted ? 1 : 0,
    outcome: accepted ? 'accepted' : 'declined',
    termination: 'user_stop',
    turns,
  });
}

function lookUp(turns: Turn[], setting: LabContext, random: Random): void {
  const { compiled, slots } = setting;
  const name = compiled.topic.tool ?? 'search_records';
  const digits = String(100000 + random.integer(900000));
  turns.push(
    {
      role: 'agent',
      text: null,
      toolCalls: [
        {
          id: `call_${digits}`,
          name,
          arguments: {
            code: slots.code,
            customer: slots.id,
            origin: slots.city,
            destination: slots.other,
            date: slots.date,
            limit: 5 + random.integer(20),
          },
        },
      ],
    },
    { role: 'tool', text: toolAnswer(setting, random), requestor: 'agent' },
  );
}

function explain({ compiled, slots }: LabContext, random: Random, choose: Choose): string {
  const parts = [say(AGENT.sympathise, slots, choose)];
  const details = 3 + random.integer(4);
  for (let i = 0; i < details; i++) parts.push(say(DETAILS[choose(DETAILS.length)]!, slots, choose));
  parts.push(say(compiled.pitches[choose(compiled.pitches.length)]!, slots, choose));
  parts.push(say(compiled.offers[choose(compiled.offers.length)]!, slots, choose));
  return parts.join(' ');
}
