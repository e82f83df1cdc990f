import { CollapseAwareError } from '../../../errors.ts';
import type { Encounter, Phase, Step } from '../../world/encounter.ts';
import { History } from '../../world/history.ts';
import type { UserTraits } from '../../world/traits.ts';
import { Accord } from './accord.ts';
import { A, AGENT_ACTS, AGENT_MESSAGES, P, PARTNER_ACTS, QUIET, SEEN_ACTS } from './acts.ts';
import { mayAdapt, type Shown, writeFacts, writePartnerFacts } from './agent-view.ts';
import { EpisodeLog } from './episode-log.ts';
import type { PairSetting } from './pair-setting.ts';
import { PartnerLaw } from './partner-law.ts';
import { OWNER, Repository } from './repository.ts';

/** Nobody leaves before the agent's turn of this number. */
const SETTLING_IN = 4;

export class PairEncounter implements Encounter {
  readonly setting: PairSetting;
  readonly repository: Repository;
  readonly accord: Accord;
  /** What the agent's tools have shown it. */
  readonly shown: Shown = { stale: false, passed: null, conflicts: 0 };
  readonly agentHistory: History;
  readonly #partnerHistory: History;
  readonly #law: PartnerLaw;
  readonly #possible = new Uint8Array(PARTNER_ACTS.length);
  #marked = false;
  readonly #log: EpisodeLog;
  readonly #horizon: number;
  phase: Phase = 'agent';
  reward: number | null = null;
  termination: string | null = null;

  constructor(setting: PairSetting, users: readonly UserTraits[], horizon: number) {
    this.setting = setting;
    this.repository = new Repository(setting);
    this.accord = new Accord(this.repository);
    this.agentHistory = new History(AGENT_ACTS.length, SEEN_ACTS, horizon);
    this.#partnerHistory = new History(AGENT_MESSAGES, PARTNER_ACTS.length, horizon);
    this.#law = new PartnerLaw(users);
    this.#log = new EpisodeLog(setting, horizon);
    this.#horizon = horizon;
  }

  get turn(): number {
    return this.agentHistory.turn;
  }

  get steps(): readonly Step[] {
    return this.#log.steps();
  }

  get outcome(): string {
    if (this.reward === null) return 'under way';
    if (this.reward === 1) return 'both pass';
    const { repository } = this;
    if (repository.conflicts() > 0) return 'conflict';
    if (repository.missing() > 0) return 'missing overlap';
    return 'unfinished';
  }

  observe(into: Float64Array, at: number): void {
    const to = this.agentHistory.write(into, at);
    writeFacts(this.accord, this.repository, this.shown, into, to);
  }

  cues(into: Float64Array, at: number): void {
    const to = this.#partnerHistory.write(into, at);
    writePartnerFacts(this.accord, this.repository, into, to);
  }

  allowed(into: Uint8Array, at: number): void {
    const { accord, repository } = this;
    for (let act = 0; act < AGENT_ACTS.length; act++) into[at + act] = 1;
    if (accord.firstOpen() < 0) {
      into[at + A.claimExplain] = 0;
      into[at + A.claimTrade] = 0;
      into[at + A.claimAsk] = 0;
      into[at + A.yield] = 0;
    }
    if (repository.agentOwn === repository.agentOnly) into[at + A.editOwn] = 0;
    if (repository.nextOfAgent() < 0) into[at + A.editOverlap] = 0;
    if (!mayAdapt(accord, repository)) into[at + A.adapt] = 0;
    if (!repository.agentUnpushed) into[at + A.push] = 0;
  }

  actAgent(act: number): void {
    if (this.phase !== 'agent') throw new CollapseAwareError('CA_INTERNAL', 'it is not the agent who acts');
    const { accord } = this;
    const news = this.agentHistory.agentCounts[act] === 0;
    this.agentHistory.agent(act);
    this.#marked = false;
    if (act < AGENT_MESSAGES) {
      const region = accord.agentSays(act);
      accord.agentDone = act === A.done || (act === A.acknowledge && accord.agentDone);
      this.#partnerHistory.agent(act);
      this.#law.agentSaid(act, news, accord.refused > 0, this.repository.conflicts() > 0);
      this.#log.agent(act, region, 0);
      this.phase = 'user';
      if (act === A.done && accord.partnerDone) this.#end('agent');
    } else {
      accord.agentDone = false;
      this.#tool(act);
    }
    if (this.reward === null && this.turn >= this.#horizon) this.#end('turn limit');
  }

  #tool(act: number): void {
    const { repository, accord, shown } = this;
    let region = -1;
    let bits = 0;
    if (act === A.editOwn) {
      region = repository.agentEditsOwn();
    } else if (act === A.editOverlap) {
      region = repository.nextOfAgent();
      repository.agentEdits(region, accord.partnerPlanKnown);
    } else if (act === A.pull) {
      repository.agentPulls();
      shown.stale = false;
      for (let o = 0; o < repository.overlaps; o++) if (repository.seen[o]! > 0) bits |= 1 << o;
      bits |= repository.partnerOwnPushed << 2;
    } else if (act === A.adapt) {
      for (let o = 0; o < repository.overlaps; o++)
        if (repository.agentMayAdapt(o, accord.partnerPlanKnown)) {
          repository.agentEdits(o, accord.partnerPlanKnown);
          bits |= 1 << o;
        }
      shown.conflicts = 0;
    } else if (act === A.push) {
      if (repository.agentPushes(accord.contested)) this.#law.agentTrespassed();
    } else {
      shown.passed = repository.passes();
      shown.conflicts = repository.conflicts();
      bits = (shown.passed ? 1 : 0) | (shown.conflicts << 1) | (repository.missing() << 3);
      if (repository.agentOwnPushed < repository.agentOnly) bits |= 1 << 5;
      if (repository.partnerOwnPushed < repository.partnerOnly) bits |= 1 << 6;
    }
    if (act !== A.pull && act !== A.runTests) shown.passed = null;
    this.#log.agent(act, region, bits);
  }

  /** Which acts are possible follows from the history alone. */
  #mark(): void {
    this.#marked = true;
    const { accord, repository } = this;
    const possible = this.#possible;
    possible.fill(1);
    const open = accord.firstOpen() >= 0;
    const openLeft = repository.nextOfPartner(OWNER.open) >= 0;
    const ownLeft = repository.partnerOwn < repository.partnerOnly;
    const given = repository.nextOfPartner(OWNER.partner) >= 0;
    const promised = repository.nextOfPartner(OWNER.agent) >= 0;
    let edited = false;
    for (let o = 0; o < repository.overlaps; o++) if (repository.partnerVersion[o]! > 0) edited = true;
    if (accord.agentPlanKnown) possible[P.askPlan] = 0;
    if (!open || accord.partnerClaim >= 0) possible[P.claim] = 0;
    if (accord.partnerCanYield() < 0) possible[P.yield] = 0;
    if (accord.agentClaim < 0) possible[P.refuse] = 0;
    if (!repository.partnerUnpushed) possible[P.report] = 0;
    if (accord.waiting || !(openLeft || given)) possible[P.wait] = 0;
    if (!open || !accord.agentPlanKnown || accord.partnerPlanKnown) possible[P.warn] = 0;
    if (!edited && accord.ownedBy(OWNER.agent) === 0) possible[P.changePlan] = 0;
    if (repository.adaptable() < 0) possible[P.adapt] = 0;
    if (ownLeft || openLeft) possible[P.done] = 0;
    if (this.turn < SETTLING_IN) possible[P.leave] = 0;
    if (!ownLeft) possible[P.editOwn] = 0;
    if (!openLeft && !given) possible[P.editOverlap] = 0;
    if (!promised) possible[P.breakPromise] = 0;
  }

  law(who: number, into: Float64Array): void {
    if (!this.#marked) this.#mark();
    this.#law.write(who, this.#possible, this.accord, this.repository, into);
  }

  actUser(act: number): void {
    if (this.phase !== 'user') throw new CollapseAwareError('CA_INTERNAL', 'it is not the partner who acts');
    const { accord, repository, shown } = this;
    this.agentHistory.user(Math.min(act, QUIET));
    this.#partnerHistory.user(act);
    this.#marked = false;
    let region = accord.partnerSays(act);
    let bits = 0;
    if (act === P.editOwn) {
      region = repository.partnerEditsOwn();
    } else if (act === P.editOverlap || act === P.breakPromise) {
      region = this.#partnerEdits(act);
    } else if (act === P.changePlan) {
      region = this.#partnerChanges();
      bits = region >= 0 && repository.partnerVersion[region]! > 0 ? 1 : 0;
    } else if (act === P.adapt) {
      region = repository.adaptable();
      bits = repository.partnerAdapts();
      shown.conflicts = 0;
    } else if (act === P.report || act === P.done) repository.partnerPushes();
    if (act === P.adapt || act === P.report || act === P.done || act === P.changePlan) {
      shown.stale = true;
      shown.passed = null;
    }
    if (act === P.done) accord.partnerDone = true;
    // What it edits quietly after that is not pushed, and the agent cannot know of it.
    if (act === P.changePlan) accord.partnerDone = false;
    this.#log.partner(act, region, bits);
    this.phase = 'agent';
    if (act === P.leave || (act === P.done && accord.agentDone)) this.#end('user');
  }

  #partnerEdits(act: number): number {
    const { repository, accord } = this;
    let o = repository.nextOfPartner(act === P.breakPromise ? OWNER.agent : OWNER.partner);
    if (o < 0) o = repository.nextOfPartner(OWNER.open);
    repository.partnerEdits(o, accord.agentPlanKnown);
    return o;
  }

  /** Does an overlapping region anew, or takes back what it gave away. */
  #partnerChanges(): number {
    const { repository, accord } = this;
    for (let o = 0; o < repository.overlaps; o++)
      if (repository.partnerVersion[o]! > 0) {
        repository.partnerEdits(o, accord.agentPlanKnown);
        return o;
      }
    for (let o = 0; o < repository.overlaps; o++)
      if (repository.owner[o] === OWNER.agent) {
        repository.owner[o] = OWNER.open;
        return o;
      }
    return -1;
  }

  #end(termination: string): void {
    this.phase = 'over';
    this.termination = termination;
    this.reward = this.repository.passes() ? 1 : 0;
  }
}
