import { A, P } from './acts.ts';
import { OWNER, type Repository } from './repository.ts';

/** What the two have told each other: plans, claims, who is to edit what. Follows from messages alone. */
export class Accord {
  readonly #repository: Repository;
  agentPlanKnown = false;
  partnerPlanKnown = false;
  /** Region that the agent claims and the partner has not answered; -1 = none. Likewise the partner's. */
  agentClaim = -1;
  partnerClaim = -1;
  /** Claims that the agent made, by appeal, and how many were refused. */
  readonly claims = new Uint8Array(3);
  refused = 0;
  /** The partner asked the agent to wait, and has reported or ended nothing since. */
  waiting = false;
  agentDone = false;
  partnerDone = false;
  /** Last message of the agent, last act of the partner; -1 = none yet. */
  last = -1;
  lastOfPartner = -1;

  constructor(repository: Repository) {
    this.#repository = repository;
  }

  firstOpen(): number {
    const { owner, overlaps } = this.#repository;
    for (let o = 0; o < overlaps; o++) if (owner[o] === OWNER.open) return o;
    return -1;
  }

  ownedBy(owner: number): number {
    let n = 0;
    for (let o = 0; o < this.#repository.overlaps; o++) if (this.#repository.owner[o] === owner) n++;
    return n;
  }

  /** The partner has a say in what is open: it refused, claims it, or asked to wait. */
  get contested(): boolean {
    return this.refused > 0 || this.partnerClaim >= 0 || this.waiting;
  }

  /** Region that the partner would give to the agent: claimed, else open, else given to it but not begun; -1 = none. */
  partnerCanYield(): number {
    if (this.agentClaim >= 0) return this.agentClaim;
    const open = this.#repository.nextOfPartner(OWNER.open);
    if (open >= 0) return open;
    return this.last === A.yield ? this.#repository.nextOfPartner(OWNER.partner) : -1;
  }

  /** A message of the agent; returns the region it is about, -1 = none. */
  agentSays(act: number): number {
    this.last = act;
    if (act === A.sharePlan) this.agentPlanKnown = true;
    if (act === A.claimExplain || act === A.claimTrade || act === A.claimAsk) {
      this.claims[act - A.claimExplain]! += 1;
      this.agentClaim = this.firstOpen();
      this.partnerClaim = -1;
      return this.agentClaim;
    }
    const accepts = act === A.acknowledge && this.partnerClaim >= 0;
    if (act === A.yield || accepts) {
      const o = this.partnerClaim >= 0 ? this.partnerClaim : this.firstOpen();
      if (o >= 0) this.#repository.owner[o] = OWNER.partner;
      this.partnerClaim = -1;
      this.agentClaim = -1;
      return o;
    }
    return -1;
  }

  partnerSays(act: number): number {
    this.lastOfPartner = act;
    if (act === P.sharePlan || act === P.warn) this.partnerPlanKnown = true;
    if (act === P.claim) {
      this.partnerClaim = this.firstOpen();
      this.agentClaim = -1;
      return this.partnerClaim;
    }
    if (act === P.yield) {
      const o = this.partnerCanYield();
      if (o >= 0) this.#repository.owner[o] = OWNER.agent;
      this.agentClaim = -1;
      this.partnerClaim = -1;
      return o;
    }
    if (act === P.refuse) {
      const o = this.agentClaim;
      this.agentClaim = -1;
      this.refused += 1;
      return o;
    }
    if (act === P.wait) this.waiting = true;
    if (act === P.report || act === P.done || act === P.adapt) this.waiting = false;
    return -1;
  }
}
