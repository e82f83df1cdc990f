import type { Random } from '../../math/random.ts';
import type { ToolCall, Turn } from '../../trajectory/trajectory.ts';
import { type Manner, type Speaker, speakerOf } from './manner.ts';
import { type Slots, say } from './pattern.ts';
import { phrase, tidy } from './phrasing.ts';
import type { Wordings } from './wordings.ts';

/** Of a world: what its acts are called and how they are said. */
export interface Scene {
  readonly agentActs: readonly string[];
  readonly userActs: readonly string[];
  readonly wordings: Wordings;
}

/** An act as it happened: a world's step. */
export interface Spoken {
  readonly side: 'agent' | 'user';
  readonly act: number;
  readonly slots?: Slots;
  readonly tool?: { readonly call: ToolCall; readonly answer: string };
}

/** An act of a user as it stands in a record, without the answer to its call. */
export interface Rendered {
  readonly text: string | null;
  readonly toolCalls?: readonly ToolCall[];
  readonly acts: readonly string[];
}

/**
 * A dialogue written down: a turn for each step, and one more for the answer where the step is a tool call. Every step
 * has a stream of its own: no words depend on what is said later, and on what was said before only where they would
 * repeat it.
 * @throws RangeError where an act is unknown, is neither worded nor a call, or its wording names an unknown slot.
 */
export function renderTurns(
  scene: Scene,
  setting: { readonly slots: Slots },
  steps: readonly Spoken[],
  manner: Manner,
  random: Random,
): Turn[] {
  return renderSteps(scene, setting, steps, speakerOf(manner, random), random).flat();
}

/** The same step by step. */
export function renderSteps(
  scene: Scene,
  setting: { readonly slots: Slots },
  steps: readonly Spoken[],
  speaker: Speaker,
  random: Random,
): Turn[][] {
  const before = new Set<string>();
  return steps.map((step, at) => {
    const stream = random.fork(`step ${at}`);
    const said: Turn =
      step.side === 'agent'
        ? { role: 'agent', ...agentAct(scene, setting.slots, step, stream) }
        : { role: 'user', ...renderUserAct(scene, setting, step, speaker, before, stream) };
    if (step.side === 'user' && said.text !== null) before.add(said.text);
    return step.tool === undefined
      ? [said]
      : [said, { role: 'tool', text: step.tool.answer, requestor: step.side }];
  });
}

/** One act of a user who has said `before`, in its words: text `null` where it is a call alone. */
export function renderUserAct(
  { userActs, wordings }: Scene,
  setting: { readonly slots: Slots },
  step: Spoken,
  speaker: Speaker,
  before: ReadonlySet<string>,
  random: Random,
): Rendered {
  const name = nameOf(userActs, step);
  const wording = wordings.user[name];
  const text =
    wording === undefined
      ? null
      : phrase(wording, { ...setting.slots, ...step.slots }, speaker, before, random);
  return rendered(name, text, step);
}

function agentAct({ agentActs, wordings }: Scene, slots: Slots, step: Spoken, random: Random): Rendered {
  const name = nameOf(agentActs, step);
  const wording = wordings.agent[name];
  const text =
    wording === undefined ? null : tidy(say(wording, { ...slots, ...step.slots }, (n) => random.integer(n)));
  return rendered(name, text, step);
}

function rendered(name: string, text: string | null, { side, tool }: Spoken): Rendered {
  if (text === null && tool === undefined)
    throw new RangeError(`the ${side}'s act "${name}" has no wording and is no tool call`);
  return { text, ...(tool === undefined ? {} : { toolCalls: [tool.call] }), acts: [name] };
}

function nameOf(acts: readonly string[], { side, act }: Spoken): string {
  const name = acts[act];
  if (name === undefined) throw new RangeError(`the ${side} has no act ${act}`);
  return name;
}
