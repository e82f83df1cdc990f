import type { Random } from '../../math/index.ts';
import type { Turn } from '../../trajectory/trajectory.ts';
import { compileAll, type Pattern, say } from '../speech/pattern.ts';
import type { LabContext } from './context.ts';
import type { AgentMove } from './scripted-user.ts';
import { AGENT_WORDINGS } from './wordings.ts';

export const AGENT = compileAll(AGENT_WORDINGS);

/** The policy's side. Training against agreeable users makes it pushy and narrows what it says. */
export interface AgentMakeup {
  readonly pushiness: number;
  /** Answers questions and worries before it offers again. */
  readonly sympathy: number;
  readonly breadth: number;
}

export interface AgentStep {
  readonly move: AgentMove;
  readonly turns: readonly Turn[];
}

export class ScriptedAgent {
  readonly #makeup: AgentMakeup;
  readonly #context: LabContext;
  readonly #random: Random;
  #asked = 0;
  #looked = false;
  #offers = 0;

  constructor(makeup: AgentMakeup, context: LabContext, random: Random) {
    this.#makeup = makeup;
    this.#context = context;
    this.#random = random;
  }

  open(): AgentStep {
    const { compiled, slots } = this.#context;
    if (compiled.topic.kind === 'service') return this.#step('greet', [this.#say(AGENT.greet)]);
    const thing = this.#say(compiled.thing);
    return this.#step('greet', [say(AGENT.open, { ...slots, thing }, this.#choose)]);
  }

  /** `facts`: how many the user has told. */
  next(facts: number): AgentStep {
    const { compiled } = this.#context;
    const service = compiled.topic.kind === 'service';
    const { pushiness, sympathy } = this.#makeup;
    if (this.#offers === 0 && this.#asked < 2 && facts === 0 && !this.#chance(pushiness * 0.7)) {
      this.#asked++;
      return this.#step('ask', [this.#say(service ? AGENT.ask : AGENT.askPersonal)]);
    }
    const before = service && !this.#looked ? this.#lookUp() : [];
    this.#looked = true;
    if (this.#offers > 0 && this.#chance(pushiness)) {
      this.#offers++;
      return this.#step('push', [this.#say(AGENT.push)], before);
    }
    const pitch = this.#say(this.#pick(compiled.pitches));
    if (this.#offers > 0 && this.#chance(0.5 * sympathy)) {
      const answer = say(AGENT.answer, { ...this.#context.slots, pitch }, this.#choose);
      return this.#step('inform', [this.#say(AGENT.sympathise), answer], before);
    }
    this.#offers++;
    const lead = this.#chance(sympathy) ? [this.#say(AGENT.sympathise)] : [];
    return this.#step('offer', [...lead, pitch, this.#say(this.#pick(compiled.offers))], before);
  }

  finish(decision: 'accepted' | 'declined' | 'gave up'): AgentStep {
    return this.#step('done', [this.#say(decision === 'accepted' ? AGENT.done : AGENT.close)]);
  }

  #lookUp(): Turn[] {
    const { compiled, slots } = this.#context;
    const name = compiled.topic.tool ?? 'look_up';
    const { code, id, price, date, city, other } = slots;
    return [
      { role: 'agent', text: null, toolCalls: [{ name, arguments: { code, id } }] },
      {
        role: 'tool',
        text: JSON.stringify({
          code,
          customer: id,
          amount: price,
          date,
          from: city,
          to: other,
          status: 'open',
        }),
        requestor: 'agent',
      },
    ];
  }

  #step(move: AgentMove, sentences: readonly string[], before: readonly Turn[] = []): AgentStep {
    return { move, turns: [...before, { role: 'agent', text: sentences.join(' ') }] };
  }

  #say(pattern: Pattern): string {
    return say(pattern, this.#context.slots, this.#choose);
  }

  #pick<T>(items: readonly T[]): T {
    return items[this.#choose(items.length)]!;
  }

  readonly #choose = (n: number): number =>
    this.#random.integer(Math.max(1, Math.ceil(n * this.#makeup.breadth)));

  #chance(p: number): boolean {
    return this.#random.next() < p;
  }
}
