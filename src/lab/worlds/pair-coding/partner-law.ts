import type { UserTraits } from '../../world/traits.ts';
import type { Accord } from './accord.ts';
import { A, P, PARTNER_ACTS } from './acts.ts';
import { HABITS } from './habits.ts';
import { KIND, OWNER, type Repository } from './repository.ts';

const ACTS = PARTNER_ACTS.length;
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
    const claims = act >= A.claimExplain && act <= A.claimAsk;
    for (let at = 0; at < numbers.length; at += WIDTH) {
      numbers[at + ANNOYANCE] = 0.94 * numbers[at + ANNOYANCE]! + nuisance * (1.1 - numbers[at + PATIENCE]!);
      let trust = numbers[at + TRUST]!;
      if (news && act === A.sharePlan) trust += 0.12 * (1 - trust);
      if (news && act === A.yield) trust += 0.08 * (1 - trust);
      if (act === A.warn && !clash) trust *= 0.8;
      if (claims) {
        // An appeal that somebody likes wins trust, another costs some; after a refusal it costs more.
        const willing = numbers[at + WILLING + act - A.claimExplain]!;
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
    const asked = m === A.askPlan || m === A.askStatus;
    const told = accord.partnerPlanKnown;
    const claimed = accord.agentClaim;
    const finished = accord.partnerDone;
    const pushed = repository.anyAgentPushed();
    const stubborn = accord.refused > 0 ? 0.5 * (1 - t) : 0;

    into[P.sharePlan] = told
      ? m === A.askPlan
        ? 0.9 * d
        : 0.05 * d
      : m === A.askPlan
        ? 0.15 + 5 * d * (0.4 + t)
        : m === A.sharePlan
          ? 0.05 + 3.2 * d
          : 1.2 * d * d;
    into[P.askPlan] = (0.25 + 0.7 * p) * (0.2 + c);
    into[P.claim] = (m === A.sharePlan || m === A.askPlan ? 0.9 : m === A.yield ? 0.15 : 0.45) * (1.15 - t);
    if (claimed >= 0) {
      const appeal = m >= A.claimExplain && m <= A.claimAsk ? m - A.claimExplain : -1;
      const willing = appeal < 0 ? 0.5 : numbers[at + WILLING + appeal]!;
      const again = appeal < 0 ? 1 : accord.claims[appeal]!;
      const own = repository.kind[claimed] === KIND.partner ? 0.35 : 1;
      const begun = repository.partnerVersion[claimed]! > 0 ? 0.25 : 1;
      into[P.yield] = (5 * t * willing * own * begun) / again;
      into[P.refuse] = ((0.4 + 2.6 * (1 - t)) * (0.6 + 0.4 * again)) / (willing * own);
    } else {
      into[P.yield] = m === A.yield ? 0.25 * t : m === A.sharePlan ? 0.45 * t : 0.06 * t;
      into[P.refuse] = 0;
    }
    into[P.acknowledge] =
      (m === A.yield ? 1.6 : m === A.sharePlan ? 0.7 : 0.4) + (claimed >= 0 ? 0.9 * (1 - d) : 0);
    into[P.vague] = (1.05 - d) * (asked ? 1.5 : 0.4) + 0.3 * g;
    into[P.report] = (m === A.askStatus ? 0.5 + 5 * d : 0.06 + 0.9 * d) * (0.4 + 0.6 * c);
    into[P.wait] = (claimed >= 0 ? 0.5 * (1 - t) : 0.18) * (0.3 + polite);
    into[P.warn] = 0.8 * d * c;
    into[P.changePlan] = (finished ? 0.1 : 0.7) * loose;
    into[P.thanks] = (0.05 + 0.4 * polite) * (m === A.sharePlan || m === A.yield ? 1 : 0.5);
    const neglected = repository.nextOfPartner(OWNER.partner) >= 0;
    into[P.done] =
      (finished ? 1 : m === A.done ? 5 : 2.2 + 1.5 * rush) * (neglected ? 0.02 + 0.5 * loose : 1);
    into[P.leave] = (1 - p) * (0.01 + 0.6 * g * g) + (finished ? 0.45 * (1.1 - p) : 0);
    into[P.editOwn] = 1.1 + 1.2 * rush;
    into[P.editOverlap] = neglected
      ? 0.3 + 1.5 * c
      : accord.agentPlanKnown
        ? (0.1 + 1.2 * rush + stubborn) * (0.35 + 0.65 * (1 - c))
        : 0.35 + 0.9 * rush;
    into[P.breakPromise] = (finished ? 0.1 : pushed ? 0.25 : 1.6) * loose * (0.5 + 0.5 * (1 - t));
    into[P.adapt] = m === A.warn ? 4 * (0.06 + t) * (0.15 + 0.85 * c) : (finished ? 0.05 : 0.3) * c * t;

    const habit = this.#habit[who]!;
    let sum = 0;
    for (let act = 0; act < ACTS; act++) {
      const weight = possible[act] === 1 ? into[act]! * HABITS[habit + act]! : 0;
      into[act] = weight;
      sum += weight;
    }
    for (let act = 0; act < ACTS; act++) into[act]! /= sum;
  }
}
