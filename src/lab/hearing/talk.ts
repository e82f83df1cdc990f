import type { Random } from '../../math/random.ts';
import { drawFrom } from '../simulators/draw-act.ts';
import { MixtureSession } from '../simulators/mixture-session.ts';
import { say } from '../speech/pattern.ts';
import { tidy } from '../speech/phrasing.ts';
import type { World } from '../world/world.ts';
import { followDialogue, type HeardDialogue } from './heard-dialogue.ts';
import { settingOfInstructions } from './known-setting.ts';
import type { ShownCall } from './silent-calls.ts';

/** What a simulated user ends its last reply with. */
export const STOP_TOKEN = '###STOP###';

/** A message as a user simulator gets it: `assistant` is the simulated user, `user` the agent. */
export interface TalkMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly type: 'function';
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

/** The agent's next words, given the messages so far; null where the dialogue is over. */
export type TalkingAgent = (messages: readonly TalkMessage[], random: Random) => string | null;

/**
 * The world's demonstrator as an agent over chat: it hears the user, acts and words the act. Its calls before earlier
 * turns are guessed, as a listener would (silent-calls.ts); those that lead to this one are made unseen.
 */
export function labAgent(world: World): TalkingAgent {
  return (messages, random) => {
    const instructions = messages.find(({ role }) => role === 'system')?.content ?? '';
    const dialogue = followDialogue(world, settingOfInstructions(world, instructions), anybody(world));
    for (const { role, content } of messages)
      if (role === 'user') dialogue.agentSaid(content);
      else if (role === 'assistant') dialogue.userSaid(withoutStop(content, STOP_TOKEN));
    return nextWords(world, dialogue, random)?.text ?? null;
  };
}

export interface TalkOptions {
  /** Sends the messages to a user simulator and returns its reply. */
  readonly ask: (messages: readonly TalkMessage[]) => Promise<string>;
  readonly world: World;
  /** Of the settings of seed 0. */
  readonly settingNumber: number;
  readonly random: Random;
  /** Messages of the agent at most (default: the world's horizon). */
  readonly turns?: number;
  readonly stop?: string;
  /** The agent's messages carry its tool calls, so that the user's side need not guess them. */
  readonly showCalls?: boolean;
}

export interface Talk {
  readonly messages: readonly TalkMessage[];
  /** 0..1 by what was done and said, as the agent's side heard it; null where the dialogue had come to no end. */
  readonly reward: number | null;
  readonly outcome: string;
  readonly termination: string | null;
}

/** A whole dialogue of the world's demonstrator with a user simulator behind a chat API. Rejects as `ask` does. */
export async function playOverChat(options: TalkOptions): Promise<Talk> {
  const { ask, world, settingNumber, random, turns = world.horizon, stop = STOP_TOKEN, showCalls } = options;
  const setting = world.setting(settingNumber, 0);
  const dialogue = followDialogue(world, setting, anybody(world));
  const messages: TalkMessage[] = [{ role: 'system', content: setting.scenario }];
  for (let turn = 0; turn < turns; turn++) {
    const next = nextWords(world, dialogue, random.fork(`turn ${turn}`));
    if (next === null) break;
    const { text, calls } = next;
    messages.push({ role: 'user', content: text, ...(showCalls === true ? wired(calls, turn) : {}) });
    const reply = await ask(messages);
    messages.push({ role: 'assistant', content: reply });
    dialogue.userSaid(withoutStop(reply, stop));
    if (reply.includes(stop)) break;
  }
  const { reward, outcome, termination } = dialogue.encounter;
  return { messages, reward, outcome, termination };
}

/** The next thing the demonstrator says, and the calls that it makes before; null where it gets to say nothing more. */
function nextWords(
  world: World,
  dialogue: HeardDialogue,
  random: Random,
): { readonly text: string; readonly calls: readonly ShownCall[] } | null {
  const { encounter, setting } = dialogue;
  const law = new Float64Array(world.agentActs.length);
  const calls: ShownCall[] = [];
  while (encounter.phase === 'agent') {
    world.demonstrate(encounter, law);
    const act = drawFrom(law, random);
    dialogue.agentDid(act);
    const step = encounter.steps.at(-1)!;
    const wording = world.wordings.agent[world.agentActs[act]!];
    if (wording === undefined) {
      if (step.tool !== undefined) calls.push(step.tool.call);
      continue;
    }
    const slots = { ...setting.slots, ...step.slots };
    return { text: tidy(say(wording, slots, (n) => random.integer(n))), calls };
  }
  return null;
}

function wired(calls: readonly ShownCall[], turn: number): Pick<TalkMessage, 'tool_calls'> {
  if (calls.length === 0) return {};
  return {
    tool_calls: calls.map(({ name, arguments: given }, i) => ({
      id: `call_${turn}_${i}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(given) },
    })),
  };
}

export function withoutStop(text: string, stop: string): string {
  return stop === '' ? text : text.replaceAll(stop, '').trim();
}

/** Whoever it is that answers: any of the world's people. */
function anybody(world: World): MixtureSession {
  return new MixtureSession({
    users: world.types.map(({ traits }) => traits),
    shares: world.types.map(({ share }) => share),
    acts: world.userActs.length,
    gamma: 1,
    voice: world.types[0]!.traits,
    breadth: 1,
  });
}
