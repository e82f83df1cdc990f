import type { BreakerSettings, BreakerState } from '../diagnosis/index.ts';
import type { Member } from '../population/index.ts';
import type { PlacedRow } from '../synthesis/index.ts';
import type { ExamRow, OpenAnswer } from './answer.ts';
import { contentOf } from './candidates.ts';
import type { DataPlan } from './data-plan.ts';
import type { MemberRecord } from './member-record.ts';
import { type MemberLaws, memberLaws } from './mode-law.ts';
import type { LoopPopulation } from './population.ts';
import type { RoundCost } from './round-record.ts';
import type { RunSettings } from './run-settings.ts';
import { populationOfShares, sharesOf } from './shares.ts';

/** A population that was in force, by the name of the round that made it. */
export interface NamedPopulation {
  readonly id: string;
  readonly population: LoopPopulation;
}

/** Episodes of a member that are looked at when its law is asked for: the newest so many. */
const MEMORY = 256;

/** All that a run knows at one moment. Only generators of this folder change it, each what its name says. */
export class RunState {
  readonly settings: RunSettings;
  readonly open: OpenAnswer;
  /** What the shares of modes are drawn to: p_ref, or uniform. */
  readonly target: Float64Array;
  readonly breakerSettings: BreakerSettings;
  breaker: BreakerState;
  inForce: NamedPopulation;
  readonly baseline: NamedPopulation;
  bestScd2: NamedPopulation;
  bestBdi: NamedPopulation;
  checkpoint: string;
  data: DataPlan;
  /** Selection panel with the policy before training. */
  baseExam: readonly ExamRow[] = [];
  best: { round: number; checkpoint: string; reward: number | null };
  readonly members = new Map<string, MemberRecord>();
  /** Members of whom nothing came back when they were asked last, and why. */
  readonly lost = new Map<string, string>();
  readonly #rows = new Map<string, PlacedRow[]>();
  /** Episodes with the policy as it is; null before any training, when all are. */
  #met: Map<string, PlacedRow[]> | null = null;
  cost: RoundCost = { probeEpisodes: 0, trainEpisodes: 0, turns: 0 };

  constructor(
    settings: RunSettings,
    open: OpenAnswer,
    target: Float64Array,
    breaker: { readonly settings: BreakerSettings; readonly state: BreakerState },
    data: DataPlan,
  ) {
    this.settings = settings;
    this.open = open;
    this.target = target;
    this.breakerSettings = breaker.settings;
    this.breaker = breaker.state;
    this.data = data;
    this.checkpoint = open.checkpoint;
    this.best = { round: 0, checkpoint: open.checkpoint, reward: null };
    for (const member of settings.members)
      this.members.set(member.id, {
        member,
        origin: { kind: 'given' },
        round: 0,
        audition: null,
        kept: true,
        reason: 'given at the start',
      });
    const shares = new Map(settings.members.map(({ id }) => [id, 1 / settings.members.length]));
    this.baseline = { id: 'start', population: populationOfShares(shares, this.memberOf) };
    this.inForce = this.baseline;
    this.bestScd2 = this.baseline;
    this.bestBdi = this.baseline;
  }

  readonly memberOf = (id: string): Member => this.members.get(id)!.member;

  get shares(): Map<string, number> {
    return sharesOf(this.inForce.population);
  }

  /** Contents of everybody it has met. */
  get known(): Set<string> {
    return new Set([...this.members.values()].map(({ member }) => contentOf(member)));
  }

  /** Members that synthesis made. */
  get made(): Set<string> {
    return new Set(
      [...this.members.values()].flatMap(({ member, origin }) =>
        origin.kind === 'given' ? [] : [member.id],
      ),
    );
  }

  /** Takes in the fresh episodes of one probe: of each member the newest count, of one probe by their content. */
  remember(rows: readonly PlacedRow[]): void {
    const order = [...rows].sort((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0));
    for (const row of order) {
      const own = this.#rows.get(row.simulator) ?? [];
      own.push(row);
      if (own.length > MEMORY) own.splice(0, own.length - MEMORY);
      this.#rows.set(row.simulator, own);
    }
  }

  /** After a collapse nobody is known any more: who was varied before may not be so now. */
  forgetRows(): void {
    this.#rows.clear();
    if (this.#met !== null) this.#met = new Map();
  }

  /** Nothing comes from a member: its law is not known any more, so that no population has it, and its record says why. */
  lose(id: string, round: number, why: string): void {
    this.lost.set(id, why);
    this.#rows.delete(id);
    this.#met?.delete(id);
    const record = this.members.get(id);
    if (record !== undefined)
      this.members.set(id, {
        ...record,
        kept: false,
        reason: `dropped in round ${round}: none of its episodes could be played (${why})`,
      });
  }

  /** A member speaks: one of those given at the start may be asked again. */
  hear(id: string): void {
    if (!this.lost.delete(id)) return;
    const record = this.members.get(id);
    if (record?.origin.kind === 'given')
      this.members.set(id, { ...record, kept: true, reason: 'given at the start, silent for a time' });
  }

  /** The policy has been trained: what it was trained on last is the nearest to how it plays now. */
  trainedOn(rows: readonly PlacedRow[]): void {
    this.#met = new Map();
    this.meet(rows);
  }

  /** Takes in episodes with the policy as it is. */
  meet(rows: readonly PlacedRow[]): void {
    if (this.#met === null) return;
    for (const row of rows) {
      const own = this.#met.get(row.simulator);
      if (own === undefined) this.#met.set(row.simulator, [row]);
      else own.push(row);
    }
  }

  /** Episodes of a member with the policy as it is, or nearly. */
  metBy(id: string): readonly PlacedRow[] {
    return (this.#met === null ? this.#rows : this.#met).get(id) ?? [];
  }

  rowsOf(id: string): readonly PlacedRow[] {
    return this.#rows.get(id) ?? [];
  }

  /** Laws of the members of these ids that were met. */
  laws(ids: Iterable<string>): MemberLaws {
    const rows = [...new Set(ids)].sort().flatMap((id) => this.rowsOf(id));
    return memberLaws(rows, this.open.k);
  }

  spend(part: 'probeEpisodes' | 'trainEpisodes', episodes: number, turns: number): void {
    this.cost = { ...this.cost, [part]: this.cost[part] + episodes, turns: this.cost.turns + turns };
  }
}
