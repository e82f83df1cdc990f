/** Whose signature an overlapping region must keep. */
export const KIND = { merge: 0, agent: 1, partner: 2 } as const;
/** Who has been agreed to edit an overlapping region for both. */
export const OWNER = { open: 0, agent: 1, partner: 2 } as const;

export interface Work {
  /** Regions that only the agent's feature needs. */
  readonly agentOnly: number;
  readonly partnerOnly: number;
  /** KIND of each overlapping region. */
  readonly kinds: readonly number[];
  /** Both have edited and pushed what only they need: the overlap is what is left. */
  readonly begun: boolean;
}

/**
 * Who has edited, pushed and seen what. The features pass where every own region is pushed and every overlapping one
 * is resolved in what is pushed: by the one edit of an agreed owner who knew the other's plan, or by two edits of
 * which the right one was made, or reworked, on top of the other.
 */
export class Repository {
  readonly overlaps: number;
  readonly agentOnly: number;
  readonly partnerOnly: number;
  readonly kind: readonly number[];
  readonly owner: Uint8Array;
  agentOwn = 0;
  agentOwnPushed = 0;
  partnerOwn = 0;
  partnerOwnPushed = 0;
  readonly agentEdited: Uint8Array;
  /** Written for both, by agreement and in knowledge of the partner's plan. */
  readonly agentCovers: Uint8Array;
  /** Version of the partner's edit that the agent's is on top of; 0 = none. */
  readonly agentOn: Uint8Array;
  readonly #agentPushed: Uint8Array;
  readonly #agentCoversPushed: Uint8Array;
  readonly #agentOnPushed: Uint8Array;
  /** 0 = not edited; a change of plan makes a new version. */
  readonly partnerVersion: Uint8Array;
  readonly #partnerCovers: Uint8Array;
  readonly #partnerOn: Uint8Array;
  readonly #partnerPushed: Uint8Array;
  readonly #partnerCoversPushed: Uint8Array;
  readonly #partnerOnPushed: Uint8Array;
  /** Version of the partner's edit that the agent has pulled. */
  readonly seen: Uint8Array;
  agentUnpushed = false;
  partnerUnpushed = false;

  constructor(work: Work) {
    const n = work.kinds.length;
    this.overlaps = n;
    this.agentOnly = work.agentOnly;
    this.partnerOnly = work.partnerOnly;
    this.kind = work.kinds;
    if (work.begun) {
      this.agentOwn = work.agentOnly;
      this.agentOwnPushed = work.agentOnly;
      this.partnerOwn = work.partnerOnly;
      this.partnerOwnPushed = work.partnerOnly;
    }
    // One buffer for all: a dialogue is begun very often.
    const room = new ArrayBuffer(14 * n);
    const part = (i: number) => new Uint8Array(room, i * n, n);
    this.owner = part(0);
    this.agentEdited = part(1);
    this.agentCovers = part(2);
    this.agentOn = part(3);
    this.#agentPushed = part(4);
    this.#agentCoversPushed = part(5);
    this.#agentOnPushed = part(6);
    this.partnerVersion = part(7);
    this.#partnerCovers = part(8);
    this.#partnerOn = part(9);
    this.#partnerPushed = part(10);
    this.#partnerCoversPushed = part(11);
    this.#partnerOnPushed = part(12);
    this.seen = part(13);
  }

  /** Returns the region that was edited: they come in their order. */
  agentEditsOwn(): number {
    this.agentUnpushed = true;
    return this.agentOwn++;
  }

  partnerEditsOwn(): number {
    this.partnerUnpushed = true;
    return this.partnerOwn++;
  }

  /** What the agent would edit next: what it owns, then what nobody does, then what it gave away; -1 = all edited. */
  nextOfAgent(): number {
    for (let pass = 0; pass < 3; pass++) {
      const owner = pass === 0 ? OWNER.agent : pass === 1 ? OWNER.open : OWNER.partner;
      for (let o = 0; o < this.overlaps; o++)
        if (this.agentEdited[o] === 0 && this.owner[o] === owner) return o;
    }
    return -1;
  }

  agentEdits(o: number, knowsPlan: boolean): void {
    this.agentEdited[o] = 1;
    this.agentOn[o] = this.seen[o]!;
    this.agentCovers[o] = knowsPlan && this.owner[o] === OWNER.agent ? 1 : 0;
    this.agentUnpushed = true;
  }

  /** The agent has seen an edit that its own is not on top of, or learned what its own should cover. */
  agentMayAdapt(o: number, knowsPlan: boolean): boolean {
    const seen = this.seen[o]!;
    if (seen > 0 && (this.agentEdited[o] === 0 || this.agentOn[o] !== seen)) return true;
    return (
      knowsPlan && this.agentEdited[o] === 1 && this.agentCovers[o] === 0 && this.owner[o] === OWNER.agent
    );
  }

  agentPulls(): void {
    for (let o = 0; o < this.overlaps; o++) this.seen[o] = this.#partnerPushed[o]!;
  }

  /** True where the agent pushes an edit that it had left to the partner, or that is `contested`. */
  agentPushes(contested: boolean): boolean {
    let trespass = false;
    for (let o = 0; o < this.overlaps; o++) {
      if (
        this.agentEdited[o] === 1 &&
        this.#agentPushed[o] === 0 &&
        (this.owner[o] === OWNER.partner || (contested && this.owner[o] === OWNER.open)) &&
        this.agentOn[o] === 0
      )
        trespass = true;
      this.#agentPushed[o] = this.agentEdited[o]!;
      this.#agentCoversPushed[o] = this.agentCovers[o]!;
      this.#agentOnPushed[o] = this.agentOn[o]!;
    }
    this.agentOwnPushed = this.agentOwn;
    this.agentUnpushed = false;
    return trespass;
  }

  /** The first region of such an owner that the partner has not edited; -1 = none. */
  nextOfPartner(owner: number): number {
    for (let o = 0; o < this.overlaps; o++)
      if (this.partnerVersion[o] === 0 && this.owner[o] === owner) return o;
    return -1;
  }

  /** Without a look at what the agent has pushed. */
  partnerEdits(o: number, knowsPlan: boolean): void {
    this.partnerVersion[o]! += 1;
    this.#partnerOn[o] = 0;
    this.#partnerCovers[o] = knowsPlan && this.owner[o] === OWNER.partner ? 1 : 0;
    this.partnerUnpushed = true;
  }

  /** The first region with an edit of the agent's that the partner's is not on top of; -1 = none. */
  adaptable(): number {
    for (let o = 0; o < this.overlaps; o++) {
      if (this.#agentPushed[o] === 0 || this.#partnerOn[o] === 1) continue;
      if (this.partnerVersion[o]! > 0 || this.#agentCoversPushed[o] === 0) return o;
    }
    return -1;
  }

  /** Pulls, reworks what is touched on top of the agent's, and pushes; returns which, as bits. */
  partnerAdapts(): number {
    let bits = 0;
    for (let o = 0; o < this.overlaps; o++) {
      if (this.#agentPushed[o] === 0 || this.#partnerOn[o] === 1) continue;
      if (this.partnerVersion[o] === 0) {
        if (this.#agentCoversPushed[o] === 1) continue;
        this.partnerVersion[o] = 1;
      }
      this.#partnerOn[o] = 1;
      bits |= 1 << o;
    }
    this.partnerPushes();
    return bits;
  }

  partnerPushes(): void {
    for (let o = 0; o < this.overlaps; o++) {
      this.#partnerPushed[o] = this.partnerVersion[o]!;
      this.#partnerCoversPushed[o] = this.#partnerCovers[o]!;
      this.#partnerOnPushed[o] = this.#partnerOn[o]!;
    }
    this.partnerOwnPushed = this.partnerOwn;
    this.partnerUnpushed = false;
  }

  /** The agent has pushed an edit of what overlaps. */
  anyAgentPushed(): boolean {
    for (let o = 0; o < this.overlaps; o++) if (this.#agentPushed[o] === 1) return true;
    return false;
  }

  resolved(o: number): boolean {
    const kind = this.kind[o]!;
    const version = this.#partnerPushed[o]!;
    if (this.#agentPushed[o] === 1) {
      if (version === 0) return kind !== KIND.partner && this.#agentCoversPushed[o] === 1;
      const agentOnTop = this.#agentOnPushed[o] === version;
      const partnerOnTop = this.#partnerOnPushed[o] === 1;
      if (kind === KIND.merge) return agentOnTop || partnerOnTop;
      return kind === KIND.agent ? partnerOnTop : agentOnTop;
    }
    return version > 0 && kind !== KIND.agent && this.#partnerCoversPushed[o] === 1;
  }

  /** Regions that both have pushed and that do not go together, as bits. */
  conflicts(): number {
    let bits = 0;
    for (let o = 0; o < this.overlaps; o++)
      if (this.#agentPushed[o] === 1 && this.#partnerPushed[o]! > 0 && !this.resolved(o)) bits |= 1 << o;
    return bits;
  }

  /** Regions where what one feature needs has been pushed by nobody, as bits. */
  missing(): number {
    let bits = 0;
    for (let o = 0; o < this.overlaps; o++)
      if ((this.#agentPushed[o] === 0 || this.#partnerPushed[o] === 0) && !this.resolved(o)) bits |= 1 << o;
    return bits;
  }

  passes(): boolean {
    if (this.agentOwnPushed < this.agentOnly || this.partnerOwnPushed < this.partnerOnly) return false;
    for (let o = 0; o < this.overlaps; o++) if (!this.resolved(o)) return false;
    return true;
  }
}
