import type { Random } from '../../math/index.ts';
import { compileAll, type Pattern, say } from '../speech/pattern.ts';
import type { LabContext } from './context.ts';
import type { Traits } from './traits.ts';
import { inVoice, type Voice } from './voice.ts';
import { USER_WORDINGS, type UserAct } from './wordings.ts';

const USER = compileAll(USER_WORDINGS);

/** What the agent has just done, as far as a user reacts to it. */
export type AgentMove = 'greet' | 'ask' | 'inform' | 'offer' | 'push' | 'done';

export interface UserReply {
  readonly text: string;
  readonly acts: readonly UserAct[];
  readonly decision: 'accepted' | 'declined' | 'gave up' | null;
}

export interface UserMakeup {
  readonly traits: Traits;
  readonly voice: Voice;
  /** Share of the wordings it ever uses, 0 < breadth <= 1. */
  readonly breadth: number;
  /** 1: traits are chances, as people's are; above: inclinations turn into habits (log-odds times this). */
  readonly habit: number;
}

const logistic = (x: number) => 1 / (1 + Math.exp(-x));
const MOST_SENTENCES = 6;
const ELABORATION = ['reason', 'worry', 'fact', 'question', 'insist', 'small'] as const;
/** Acts with several things to say; others are said once a turn. */
const LISTED: ReadonlySet<UserAct> = new Set(['fact', 'reason', 'worry', 'question']);

/** A parametric user: traits decide what it does, tables say it. Deterministic for its random stream. */
export class ScriptedUser {
  readonly #makeup: UserMakeup;
  readonly #context: LabContext;
  readonly #random: Random;
  readonly #used = new Map<string, number>();
  #turns = 0;
  /** Log-odds of the day: makes offers of one episode depend on one another. */
  #mood: number;
  /** Facts it has told so far. */
  facts = 0;

  constructor(makeup: UserMakeup, context: LabContext, random: Random) {
    this.#makeup = makeup;
    this.#context = context;
    this.#random = random;
    this.#mood = 1.5 * random.normal();
  }

  reply(move: AgentMove): UserReply {
    const { traits, voice } = this.#makeup;
    this.#turns++;
    const plan: UserAct[] = [];
    const decision = this.#decide(move);
    if (this.#turns === 1) this.#open(plan);
    else if (decision === 'accepted') {
      plan.push('accept');
      this.#maybe(plan, 'warm', traits.politeness * 0.5);
      this.#maybe(plan, 'fact', traits.disclosure * 0.3);
    } else if (decision !== null) {
      this.#maybe(plan, 'complain', traits.emotion * 0.7);
      plan.push('refuse');
      this.#maybe(plan, 'reason', traits.expressiveness);
      this.#maybe(plan, 'thanks', traits.politeness * 0.8);
    } else if (move === 'done') {
      plan.push(this.#inclined(traits.politeness) ? 'thanks' : 'bye');
      this.#maybe(plan, 'question', traits.questions * 0.3);
      this.#maybe(plan, 'bye', traits.politeness * 0.7);
    } else this.#answer(move, plan);
    if (move !== 'done') this.#embroider(decision !== null, plan);
    const acts = plan
      .filter((act, at) => LISTED.has(act) || plan.indexOf(act) === at)
      .slice(0, MOST_SENTENCES);
    const text = acts.map((act) => this.#sentence(act)).join(' ');
    return { text: inVoice(text, voice, traits.casual, this.#random), acts, decision };
  }

  /** More of the same turn, in the same hand: `sentences` further sentences. */
  elaborate(sentences: number): string {
    const said: string[] = [];
    for (let i = 0; i < sentences; i++)
      said.push(this.#sentence(ELABORATION[this.#random.integer(ELABORATION.length)]!));
    const { traits, voice } = this.#makeup;
    return inVoice(said.join(' '), voice, traits.casual, this.#random);
  }

  #open(plan: UserAct[]): void {
    const { traits } = this.#makeup;
    this.#maybe(plan, 'greet', 0.2 + 0.8 * traits.politeness);
    plan.push('want');
    for (let i = 0; i < 3; i++) this.#maybe(plan, 'fact', traits.disclosure * 0.9);
    this.#maybe(plan, 'reason', 0.7 * traits.expressiveness);
    this.#maybe(plan, 'complain', 0.8 * traits.emotion);
    this.#maybe(plan, 'thanks', 0.3 * traits.politeness);
  }

  #answer(move: AgentMove, plan: UserAct[]): void {
    const { traits } = this.#makeup;
    if (move === 'ask') {
      if (this.#inclined(0.25 + 0.75 * traits.disclosure)) {
        plan.push('fact');
        this.#maybe(plan, 'fact', traits.disclosure);
      } else plan.push('noFact');
      return;
    }
    if (move === 'inform') {
      this.#maybe(plan, 'ack', 0.6 * (1 - traits.pushback));
      this.#maybe(plan, 'doubt', 0.6 * (1 - traits.trust));
      this.#maybe(plan, 'worry', 0.7 * traits.pushback);
      this.#maybe(plan, 'fact', 0.4 * traits.disclosure);
    } else {
      const { habit } = this.#makeup;
      const [pushback, questions, hedging, rest] = [
        traits.pushback,
        traits.questions,
        traits.hedging,
        0.4,
      ].map((weight) => weight ** habit) as [number, number, number, number];
      const roll = this.#random.next() * (pushback + questions + hedging + rest);
      if (roll < pushback) {
        plan.push('insist');
        this.#maybe(plan, 'worry', 0.6);
      } else if (roll < pushback + questions) plan.push('question');
      else if (roll < pushback + questions + hedging) plan.push('stall');
      else plan.push(this.#inclined(traits.trust) ? 'ack' : 'doubt');
    }
    if (plan.length === 0) plan.push('ack');
  }

  /** What a user adds whatever was asked. */
  #embroider(decided: boolean, plan: UserAct[]): void {
    const { traits } = this.#makeup;
    const room = this.#turns === 1 || decided ? 0.4 : 0.8;
    this.#maybe(plan, 'question', room * traits.questions);
    this.#maybe(plan, 'correct', 0.4 * traits.correction);
    this.#maybe(plan, 'complain', 0.45 * traits.emotion * (1 - traits.politeness));
    this.#maybe(plan, 'small', 0.35 * traits.expressiveness ** 2);
    this.#maybe(plan, 'reason', 0.5 * traits.expressiveness ** 2);
    this.#maybe(plan, 'worry', 0.3 * traits.expressiveness * traits.pushback);
    if (!decided) {
      this.#maybe(plan, 'clarify', 0.35 * traits.questions * traits.hedging + 0.1 * traits.questions);
      this.#maybe(plan, 'stall', 0.4 * traits.hedging);
      this.#maybe(plan, 'please', 0.25 * traits.politeness);
    }
    this.#maybe(plan, 'thanks', 0.3 * traits.politeness ** 2);
  }

  #decide(move: AgentMove): UserReply['decision'] {
    const { traits } = this.#makeup;
    if (move === 'done') return null;
    const bent = traits.trust - traits.pushback;
    // Being heard wins those over who are wary; others were won already.
    if (move === 'inform') this.#mood += 0.9 * (1 - traits.trust);
    if (move === 'offer' || move === 'push') {
      // A push helps with those who say yes anyway, and hardens the others.
      if (move === 'push') this.#mood += 2.4 * (bent - 0.3);
      if (this.#chance(logistic(-1.7 + 1.8 * bent + this.#mood))) return 'accepted';
    }
    const over = this.#turns - (2 + 5 * traits.patience);
    if (over > 0 && this.#chance(0.6)) return move === 'offer' || move === 'push' ? 'declined' : 'gave up';
    return null;
  }

  #sentence(act: UserAct): string {
    const { compiled, slots } = this.#context;
    const { traits } = this.#makeup;
    if (act === 'fact') {
      this.facts++;
      return this.#next('fact', compiled.facts);
    }
    if (act === 'reason') return this.#next('reason', compiled.reasons);
    if (act === 'worry') return this.#next('worry', compiled.worries);
    if (act === 'question') return this.#next('question', compiled.questions);
    if (act === 'want') {
      const want = this.#say(compiled.want);
      const terse = this.#inclined(Math.max(0, 1 - traits.expressiveness - traits.politeness));
      const said = say(terse ? USER.wantTerse : USER.want, { ...slots, want }, this.#choose);
      return said.charAt(0).toUpperCase() + said.slice(1);
    }
    if (act === 'correct')
      return say(
        USER.correct,
        { ...slots, detail: this.#say(compiled.facts[this.#choose(compiled.facts.length)]!) },
        this.#choose,
      );
    return this.#say(USER[act]);
  }

  /** The next of a list that was not said yet, beginning anywhere. */
  #next(key: string, patterns: readonly Pattern[]): string {
    const at = this.#used.get(key) ?? this.#choose(patterns.length);
    this.#used.set(key, at + 1);
    return this.#say(patterns[at % patterns.length]!);
  }

  #say(pattern: Pattern): string {
    return say(pattern, this.#context.slots, this.#choose);
  }

  readonly #choose = (n: number): number =>
    this.#random.integer(Math.max(1, Math.ceil(n * this.#makeup.breadth)));

  #chance(p: number): boolean {
    return this.#random.next() < p;
  }

  /** What it does of itself; decisions are not habits. */
  #inclined(p: number): boolean {
    const { habit } = this.#makeup;
    return this.#chance(habit === 1 ? p : p ** habit / (p ** habit + (1 - p) ** habit));
  }

  #maybe(plan: UserAct[], act: UserAct, p: number): void {
    if (this.#inclined(p)) plan.push(act);
  }
}
