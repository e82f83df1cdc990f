import {
  followDialogue,
  type HeardDialogue,
  QUIETLY,
  STOP_TOKEN,
  settingOfInstructions,
  withoutStop,
} from '../../lab/hearing/index.ts';
import { mannerOf } from '../../lab/record/probe.ts';
import { stepInstead } from '../../lab/record/step-instead.ts';
import type { Session, Reply as SessionReply, Simulator } from '../../lab/simulators/simulator.ts';
import { type Speaker as Hand, speakerOf } from '../../lab/speech/manner.ts';
import { renderUserAct } from '../../lab/speech/render.ts';
import type { Step } from '../../lab/world/encounter.ts';
import type { World } from '../../lab/world/world.ts';
import { type Random, seeded } from '../../math/random.ts';
import type { Member } from '../../population/index.ts';
import type { WireMessage, WireToolCall } from '../wire/chat-request.ts';
import { scriptedSimulator } from './scripted-family.ts';
import { scriptedLines } from './scripted-lines.ts';
import { printInWorld } from './services.ts';
import type { PastTurn, Said, Speaker, Turn, Voice } from './speaker.ts';

export interface ScriptedOptions {
  /** What the last reply of a dialogue ends with. */
  readonly stop?: string;
}

/** A scripted user's voice, and what only a script can say of itself. */
export interface ScriptedVoice extends Voice {
  /**
   * P(act) of the next reply to these messages, over the world's user acts; null where it has no closed form (a list is
   * drawn first) and where no act is left to choose.
   */
  lawAt(messages: readonly WireMessage[], past?: readonly PastTurn[]): Float64Array | null;
}

export interface ScriptedSpeaker extends Speaker {
  open(seed: string): ScriptedVoice;
}

/** Said where the dialogue is over already. */
const PARTINGS = ['Goodbye.', 'Bye.', 'Take care.'] as const;

/**
 * A member that answers without a model: a user of the lab's world, whose law over acts is known. What the agent says is
 * heard as acts of the world, and the user's act is said in words. Whatever the messages are, it answers.
 */
export function scriptedSpeaker(
  member: Member,
  world: World,
  options: ScriptedOptions = {},
): ScriptedSpeaker {
  const { stop = STOP_TOKEN } = options;
  const family = member.recipe.kind === 'scripted' ? member.recipe.family : member.family;
  const simulator = scriptedSimulator(world, family);
  const fingerprint = printInWorld(member, world.id);
  const answeredBy = { id: member.id, fingerprint, model: member.model };
  return {
    member,
    kind: 'scripted',
    fingerprint,
    recipe: `scripted ${family} of ${world.id}: ${simulator.recipe}`,
    open(seed) {
      const opened = () => simulator.open(seeded(`gateway/scripted/${seed}`));
      return {
        person: opened().person,
        lawAt: (messages, past = []) => lawOf(world, meet(world, opened(), messages, past, stop)),
        reply: async ({ request, past, random }: Turn) => {
          const met = meet(world, opened(), request.messages, past, stop);
          const said = answer({ world, simulator, stop, tools: toolNames(request.tools) }, met, random);
          return { kind: 'whole', completion: null, said: { ...UPSTREAMLESS, ...said, answeredBy } };
        },
      };
    },
  };
}

const UPSTREAMLESS = {
  fallback: null,
  attempts: 0,
  upstreamMs: 0,
  usage: { promptTokens: null, completionTokens: null },
} as const;

/** The dialogue so far. */
interface Met {
  readonly dialogue: HeardDialogue;
  readonly session: Session;
  /** What the user has said. */
  readonly before: ReadonlySet<string>;
  /** The step whose call has just been answered, and that is to be put in words now; else null. */
  readonly called: Step | null;
}

function meet(
  world: World,
  session: Session,
  messages: readonly WireMessage[],
  past: readonly PastTurn[],
  stop: string,
): Met {
  const { instructions, lines, showsCalls, called } = scriptedLines(messages, past);
  const dialogue = followDialogue(world, settingOfInstructions(world, instructions), session);
  const before = new Set<string>();
  for (const line of lines) {
    if (line.side === 'agent') {
      dialogue.agentSaid(line.text, showsCalls ? line.calls : null);
      continue;
    }
    const text = withoutStop(line.text, stop);
    before.add(text);
    if (line.acts === null) dialogue.userSaid(text);
    else for (const act of line.acts.slice(0, 1)) dialogue.userSaid(text, act);
  }
  const last = dialogue.encounter.steps.at(-1);
  const step = called && last?.side === 'user' ? last : null;
  if (step === null) dialogue.awaitUser();
  return { dialogue, session, before, called: step };
}

function lawOf(world: World, { dialogue: { encounter }, session, called }: Met): Float64Array | null {
  if (called !== null || encounter.phase !== 'user') return null;
  const law = new Float64Array(world.userActs.length);
  return session.law(encounter, law) ? law : null;
}

interface Manner {
  readonly world: World;
  readonly simulator: Simulator;
  readonly stop: string;
  readonly tools: ReadonlySet<string>;
}

type Answer = Pick<
  Said,
  'text' | 'toolCalls' | 'finishReason' | 'acts' | 'probability' | 'candidates' | 'drawn'
>;

function answer(manner: Manner, met: Met, random: Random): Answer {
  const { world, simulator, tools } = manner;
  const { session, called } = met;
  const { encounter, setting } = met.dialogue;
  const ended = (text: string) => (encounter.phase === 'over' ? `${text} ${manner.stop}`.trim() : text);
  const spoken = (text: string, acts: readonly string[]): Answer => ({
    text: ended(text),
    toolCalls: [],
    finishReason: 'stop',
    acts,
  });
  const hand = speakerOf(mannerOf(simulator.family, session), random.fork('manner'));
  const words = (step: Step, stream: Random) => wordsOf(world, met, step, hand, stream);
  if (called !== null) return spoken(words(called, random.fork('words')), []);
  if (encounter.phase !== 'user') return spoken(PARTINGS[random.integer(PARTINGS.length)]!, []);

  const drawn = session.reply(encounter, random.fork('act'));
  const at = encounter.steps.length;
  session.said(encounter, drawn.act);
  encounter.actUser(drawn.act);
  const step = encounter.steps[at]!;
  const text = words(step, random.fork('words'));
  const acts = [world.userActs[drawn.act]!];
  const instead = (act: number, i: number) =>
    act === drawn.act
      ? text
      : words(
          stepInstead(world, setting, session.users, encounter.steps, at, act),
          random.fork(`candidate ${i}`),
        );
  const facts = {
    ...(drawn.probability === null ? {} : { probability: drawn.probability }),
    ...listed(drawn, instead),
  };
  const call = step.tool?.call;
  if (call === undefined || !tools.has(call.name)) return { ...spoken(text, acts), ...facts };
  const toolCall: WireToolCall = {
    id: `call_${Array.from({ length: 4 }, () =>
      random
        .integer(36 ** 4)
        .toString(36)
        .padStart(4, '0'),
    ).join('')}`,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  };
  return { text: null, toolCalls: [toolCall], finishReason: 'tool_calls', acts, ...facts };
}

function listed(
  { act, candidates }: SessionReply,
  text: (act: number, i: number) => string,
): Partial<Answer> {
  if (candidates === undefined) return {};
  return {
    candidates: candidates.map((one, i) => ({ text: text(one.act, i), probability: one.probability })),
    drawn: candidates.findIndex((one) => one.act === act),
  };
}

/** Acts that have no words are done in silence, which a chat has not. */
function wordsOf(world: World, { dialogue, before }: Met, step: Step, hand: Hand, random: Random): string {
  if (world.wordings.user[world.userActs[step.act]!] === undefined) return QUIETLY;
  const { side, act, slots } = step;
  const wordsAlone = { side, act, ...(slots === undefined ? {} : { slots }) };
  return renderUserAct(world, dialogue.setting, wordsAlone, hand, before, random).text ?? QUIETLY;
}

function toolNames(tools: readonly unknown[] | null): ReadonlySet<string> {
  const names = (tools ?? []).map(
    (tool) => (tool as { function?: { name?: unknown } } | null)?.function?.name,
  );
  return new Set(names.filter((name) => typeof name === 'string'));
}
