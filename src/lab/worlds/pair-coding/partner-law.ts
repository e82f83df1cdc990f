import type { UserTraits } from '../../world/traits.ts';
import type { Accord } from './accord.ts';
import { A, P, PARTNER_ACTS } from './acts.ts';
import { HABITS } from './habits.ts';
import { KIND, OWNER, type Repository } from './repository.ts';

// Of this module: the law is the hottest loop there is, and a binding of another module may be a getter.
const ACTS = PARTNER_ACTS.length;
const HABIT = HABITS;
const SAYS = P;
const HEARS = A;
const APPEALS = 3;
/** Places of a user's numbers in the flat array. */
const DISCLOSURE = 0;
const CONSISTENCY = 1;
const PATIENCE = 2;
const POLITENESS = 3;
const TRUST = 4;
const ANNOYANCE = 5;
const WILLING = 6;
const WIDTH = WILLING + APPEALS;

/** What a message costs a partner's nerves, by the agent's act; patience divides it. */
const NUISANCE = [0.05, 0.15, 0.18, 0.18, 0.15, 0.03, 0.2, 0.06, 0.22, 0.06];

/** 1 = talk that nobody likes to repeat at once. */
const TIRING = new Uint8Array(ACTS);
for (const act of [P.sharePlan, P.askPlan, P.acknowledge, P.wait, P.thanks]) TIRING[act] = 1;

/**
 * P(partner act | history, traits), up to a factor: products and sums of traits, with trust and annoyance of each
 * partner carried along the history. Set by hand; docs/lab-pair-coding.md says what for.
 */
export class PartnerLaw {
  readonly #numbers: Float64Array;
  readonly #habit: Int32Array;

  constructor(users: readonly UserTraits[]) {
    this.#numbers = new Float64Array(users.length * WIDTH);
    this.#habit = new Int32Array(users.length);
    for (let who = 0; who < users.length; who++) {
      const traits = users[who]!;
      const at = who * WIDTH;
      this.#numbers[at + DISCLOSURE] = traits.disclosure;
      this.#numbers[at + CONSISTENCY] = traits.consistency;
      this.#numbers[at + PATIENCE] = traits.patience;
      this.#numbers[at + POLITENESS] = traits.politeness;
      this.#numbers[at + TRUST] = traits.trust;
      for (let i = 0; i < APPEALS; i++) this.#numbers[at + WILLING + i] = Math.exp(2 * traits.affinities[i]!);
      this.#habit[who] = traits.habit * ACTS;
    }
  }

  /** The agent said something: `news` = it had not said that before, `clash` = a warning would have a cause. */
  agentSaid(act: number, news: boolean, refusedBefore: boolean, clash: boolean): void {
    const numbers = this.#numbers;
    const nuisance = NUISANCE[act]! * (news ? 0.5 : 1);
    const claims = act >= HEARS.claimExplain && act <= HEARS.claimAsk;
    for (let at = 0; at < numbers.length; at += WIDTH) {
      numbers[at + ANNOYANCE] = 0.94 * numbers[at + ANNOYANCE]! + nuisance * (1.1 - numbers[at + PATIENCE]!);
      let trust = numbers[at + TRUST]!;
      if (news && act === HEARS.sharePlan) trust += 0.12 * (1 - trust);
      if (news && act === HEARS.yield) trust += 0.08 * (1 - trust);
      if (act === HEARS.warn && !clash) trust *= 0.8;
      if (claims) {
        // An appeal that somebody likes wins trust, another costs some; after a refusal it costs more.
        const willing = numbers[at + WILLING + act - HEARS.claimExplain]!;
        if (willing < 1) trust *= 1 - (refusedBefore ? 0.35 : 0.2) * (1 - willing);
        else if (news) trust += 0.05 * (1 - trust);
      }
      numbers[at + TRUST] = trust;
    }
  }

  /** The agent pushed an edit where it had said that it would not. */
  agentTrespassed(): void {
    const numbers = this.#numbers;
    for (let at = 0; at < numbers.length; at += WIDTH) {
      numbers[at + TRUST] = 0.5 * numbers[at + TRUST]!;
      numbers[at + ANNOYANCE] = 0.3 + numbers[at + ANNOYANCE]!;
    }
  }

  /** Writes ACTS probabilities to `into`; 0 exactly where `possible` is 0. */
  write(who: number, possible: Uint8Array, accord: Accord, repository: Repository, into: Float64Array): void {
    const numbers = this.#numbers;
    const at = who * WIDTH;
    const d = numbers[at + DISCLOSURE]!;
    const c = numbers[at + CONSISTENCY]!;
    const p = numbers[at + PATIENCE]!;
    const polite = numbers[at + POLITENESS]!;
    const t = numbers[at + TRUST]!;
    const g = numbers[at + ANNOYANCE]!;
    const loose = (1 - c) * (1 - c);
    const rush = (1 - p) * (0.5 + g);
    const m = accord.last;
    const asked = m === HEARS.askPlan || m === HEARS.askStatus;
    const told = accord.partnerPlanKnown;
    const claimed = accord.agentClaim;
    const finished = accord.partnerDone;
    const pushed = repository.anyAgentPushed();
    const stubborn = accord.refused > 0 ? 0.5 * (1 - t) : 0;

    into[SAYS.sharePlan] = told
      ? m === HEARS.askPlan
        ? 0.9 * d
        : 0.05 * d
      : m === HEARS.askPlan
        ? 0.15 + 5 * d * (0.4 + t)
        : m === HEARS.sharePlan
          ? 0.05 + 3.2 * d
          : 1.2 * d * d;
    into[SAYS.askPlan] = (0.25 + 0.7 * p) * (0.2 + c);
    into[SAYS.claim] =
      (m === HEARS.sharePlan || m === HEARS.askPlan ? 0.9 : m === HEARS.yield ? 0.15 : 0.45) * (1.15 - t);
    if (claimed >= 0) {
      const appeal = m >= HEARS.claimExplain && m <= HEARS.claimAsk ? m - HEARS.claimExplain : -1;
      const willing = appeal < 0 ? 0.5 : numbers[at + WILLING + appeal]!;
      const again = appeal < 0 ? 1 : accord.claims[appeal]!;
      const own = repository.kind[claimed] === KIND.partner ? 0.35 : 1;
      const begun = repository.partnerVersion[claimed]! > 0 ? 0.25 : 1;
      into[SAYS.yield] = (5 * t * willing * own * begun) / again;
      into[SAYS.refuse] = ((0.4 + 2.6 * (1 - t)) * (0.6 + 0.4 * again)) / (willing * own);
    } else {
      into[SAYS.yield] = m === HEARS.yield ? 0.25 * t : m === HEARS.sharePlan ? 0.45 * t : 0.06 * t;
      into[SAYS.refuse] = 0;
    }
    into[SAYS.acknowledge] =
      (m === HEARS.yield ? 1.6 : m === HEARS.sharePlan ? 0.7 : 0.4) + (claimed >= 0 ? 0.9 * (1 - d) : 0);
    into[SAYS.vague] = (1.05 - d) * (asked ? 1.5 : 0.4) + 0.3 * g;
    into[SAYS.report] = (m === HEARS.askStatus ? 0.5 + 5 * d : 0.06 + 0.9 * d) * (0.4 + 0.6 * c);
    into[SAYS.wait] = (claimed >= 0 ? 0.5 * (1 - t) : 0.18) * (0.3 + polite);
    into[SAYS.warn] = 0.8 * d * c;
    into[SAYS.changePlan] = (finished ? 0.1 : 0.7) * loose;
    into[SAYS.thanks] = (0.05 + 0.4 * polite) * (m === HEARS.sharePlan || m === HEARS.yield ? 1 : 0.5);
    const neglected = repository.nextOfPartner(OWNER.partner) >= 0;
    into[SAYS.done] =
      (finished ? 1 : m === HEARS.done ? 5 : 2.2 + 1.5 * rush) * (neglected ? 0.02 + 0.5 * loose : 1);
    into[SAYS.leave] = (1 - p) * (0.01 + 0.6 * g * g) + (finished ? 0.45 * (1.1 - p) : 0);
    into[SAYS.editOwn] = 1.1 + 1.2 * rush;
    into[SAYS.editOverlap] = neglected
      ? 0.3 + 1.5 * c
      : accord.agentPlanKnown
        ? (0.1 + 1.2 * rush + stubborn) * (0.35 + 0.65 * (1 - c))
        : 0.35 + 0.9 * rush;
    into[SAYS.breakPromise] = (finished ? 0.1 : pushed ? 0.25 : 1.6) * loose * (0.5 + 0.5 * (1 - t));
    into[SAYS.adapt] =
      m === HEARS.warn ? 4 * (0.06 + t) * (0.15 + 0.85 * c) : (finished ? 0.05 : 0.3) * c * t;

    const before = accord.lastOfPartner;
    if (before >= 0 && TIRING[before] === 1) into[before]! *= 0.4;
    const habit = this.#habit[who]!;
    let sum = 0;
    for (let act = 0; act < ACTS; act++) {
      const weight = possible[act] === 1 ? into[act]! * HABIT[habit + act]! : 0;
      into[act] = weight;
      sum += weight;
    }
    for (let act = 0; act < ACTS; act++) into[act]! /= sum;
  }
}
