import type { SimulatorKind, Split } from '../trajectory/trajectory.ts';
import type { ProfileRow } from './profile.ts';
import { compareKeys, compareValues, PARTS } from './row-key.ts';

const KINDS: readonly SimulatorKind[] = ['llm', 'scripted', 'human', 'trained'];
const SPLITS: readonly Split[] = ['seen', 'selection', 'test'];
const ORIGINS = ['scenario', 'label', 'none'] as const;
const PLAIN_HASH = /^[0-9a-f]{32}$/;
/** In `hash`, marks a hash that is no 32 hex digits: its number in the table of texts follows. */
const ODD = 1;

/** Flags of a row, one bit each. */
const HAS_CELL = 1;
const KNOWS_OUTSIDE = 2;
const OUTSIDE = 4;
const INTERACTION_OUTSIDE = 8;
const SEMANTIC_OUTSIDE = 16;
const ODD_HASH = 32;

/** Rows stored by column, texts once each: about 100 bytes a row beside its texts. */
export class ProfileColumns {
  size = 0;
  readonly #texts = new Texts();
  #capacity = 64;
  #hash = new Uint32Array(4 * 64);
  /** context, contextLabel, person, simulator, policy, checkpoint, group, actClass: numbers of texts, -1 = null. */
  #text = new Int32Array(8 * 64);
  #small = new Int8Array(4 * 64);
  #number = new Float64Array(2 * 64);
  #cell = new Uint8Array(3 * 64);
  #id = new Uint32Array(64);
  /** Where the row's turn cells and policy cells begin in #bytes, and how many there are. */
  #span = new Uint32Array(3 * 64);
  #bytes = new Uint8Array(1024);
  #bytesUsed = 0;
  /** All ids of the rows that stand for more than one. */
  readonly #moreIds = new Map<number, readonly number[]>();
  /** Open addressing by key: row + 1, 0 = free. */
  #index = new Int32Array(256);

  /** Adds a row, or folds it into the row of the same key: ids are united, of the rest the smaller is kept. */
  add(row: ProfileRow): void {
    if (2 * (this.size + 1) > this.#index.length) this.#rehash();
    let slot = this.#slotOf(row);
    for (; this.#index[slot] !== 0; slot = (slot + 1) & (this.#index.length - 1)) {
      const at = this.#index[slot]! - 1;
      if (!this.#sameHash(at, row.hash)) continue;
      const held = this.row(at);
      if (compareKeys(held, row) !== 0) continue;
      this.#fold(at, held, row);
      return;
    }
    if (this.size === this.#capacity) this.#grow();
    this.#index[slot] = this.size + 1;
    this.#write(this.size++, row);
  }

  row(at: number): ProfileRow {
    const flags = this.#small[4 * at + 3]!;
    const text = (field: number) => this.#texts.text(this.#text[8 * at + field]!);
    const number = (field: number) => {
      const value = this.#number[2 * at + field]!;
      return Number.isNaN(value) ? null : value;
    };
    const [start, turns, policies] = [this.#span[3 * at]!, this.#span[3 * at + 1]!, this.#span[3 * at + 2]!];
    const kind = this.#small[4 * at]!;
    return {
      hash: this.hash(at),
      ids: this.#moreIds.get(at) ?? [this.#id[at]!],
      context: text(0)!,
      contextFrom: ORIGINS[kind >> 2]!,
      contextLabel: text(1),
      person: text(2),
      simulator: text(3)!,
      kind: KINDS[kind & 3]!,
      policy: text(4)!,
      checkpoint: text(5),
      epoch: number(0),
      group: text(6),
      split: SPLITS[this.#small[4 * at + 1]!] ?? null,
      reward: number(1),
      part: PARTS[this.#small[4 * at + 2]!] ?? null,
      cell: (flags & HAS_CELL) === 0 ? null : this.#cell[3 * at]!,
      interactionCell: this.#cell[3 * at + 1]!,
      outside: (flags & KNOWS_OUTSIDE) === 0 ? null : (flags & OUTSIDE) !== 0,
      interactionOutside: (flags & INTERACTION_OUTSIDE) !== 0,
      semanticOutside: (flags & SEMANTIC_OUTSIDE) !== 0,
      turnCells: this.#bytes.slice(start, start + turns),
      policyCells: this.#bytes.slice(start + turns, start + turns + policies),
      actClass: text(7),
    };
  }

  hash(at: number): string {
    if ((this.#small[4 * at + 3]! & ODD_HASH) !== 0) return this.#texts.text(this.#hash[4 * at + ODD]!)!;
    let hex = '';
    for (let word = 0; word < 4; word++) hex += this.#hash[4 * at + word]!.toString(16).padStart(8, '0');
    return hex;
  }

  /** Row numbers in canonical order. */
  order(): Int32Array {
    return Int32Array.from({ length: this.size }, (_, at) => at).sort((a, b) => this.#compare(a, b));
  }

  #compare(a: number, b: number): number {
    if (((this.#small[4 * a + 3]! | this.#small[4 * b + 3]!) & ODD_HASH) === 0)
      for (let word = 0; word < 4; word++) {
        const difference = this.#hash[4 * a + word]! - this.#hash[4 * b + word]!;
        if (difference !== 0) return difference;
      }
    return compareKeys(this.row(a), this.row(b));
  }

  #write(at: number, row: ProfileRow): void {
    const plain = PLAIN_HASH.test(row.hash);
    if (plain)
      for (let word = 0; word < 4; word++)
        this.#hash[4 * at + word] = Number.parseInt(row.hash.slice(8 * word, 8 * word + 8), 16);
    else this.#hash[4 * at + ODD] = this.#texts.number(row.hash);
    const texts = [row.context, row.contextLabel, row.person, row.simulator, row.policy, row.checkpoint];
    [...texts, row.group, row.actClass].forEach((text, field) => {
      this.#text[8 * at + field] = this.#texts.number(text);
    });
    this.#small[4 * at] = KINDS.indexOf(row.kind) | (ORIGINS.indexOf(row.contextFrom) << 2);
    this.#small[4 * at + 1] = row.split === null ? -1 : SPLITS.indexOf(row.split);
    this.#small[4 * at + 2] = row.part === null ? -1 : PARTS.indexOf(row.part);
    this.#small[4 * at + 3] =
      (row.cell === null ? 0 : HAS_CELL) |
      (row.outside === null ? 0 : KNOWS_OUTSIDE) |
      (row.outside === true ? OUTSIDE : 0) |
      (row.interactionOutside ? INTERACTION_OUTSIDE : 0) |
      (row.semanticOutside ? SEMANTIC_OUTSIDE : 0) |
      (plain ? 0 : ODD_HASH);
    this.#number[2 * at] = row.epoch ?? Number.NaN;
    this.#number[2 * at + 1] = row.reward ?? Number.NaN;
    this.#cell[3 * at] = row.cell ?? 0;
    this.#cell[3 * at + 1] = row.interactionCell;
    this.#keepIds(at, row.ids);
    this.#span[3 * at] = this.#bytesUsed;
    this.#span[3 * at + 1] = row.turnCells.length;
    this.#span[3 * at + 2] = row.policyCells.length;
    this.#append(row.turnCells);
    this.#append(row.policyCells);
  }

  #fold(at: number, held: ProfileRow, row: ProfileRow): void {
    const ids = united(held.ids, row.ids);
    if (compareRest(row, held) < 0) this.#write(at, row);
    this.#keepIds(at, ids);
  }

  #keepIds(at: number, ids: readonly number[]): void {
    this.#id[at] = ids[0] ?? 0;
    if (ids.length === 1) this.#moreIds.delete(at);
    else this.#moreIds.set(at, [...ids]);
  }

  #append(cells: Uint8Array): void {
    if (this.#bytesUsed + cells.length > this.#bytes.length) {
      const wider = new Uint8Array(Math.max(2 * this.#bytes.length, this.#bytesUsed + cells.length));
      wider.set(this.#bytes);
      this.#bytes = wider;
    }
    this.#bytes.set(cells, this.#bytesUsed);
    this.#bytesUsed += cells.length;
  }

  #sameHash(at: number, hash: string): boolean {
    return this.hash(at) === hash;
  }

  #slotOf(row: { readonly hash: string }): number {
    // Content hashes are uniform: their first digits are hash enough. Rows that share one sit side by side.
    let h = 2166136261;
    for (let i = 0; i < Math.min(12, row.hash.length); i++)
      h = Math.imul(h ^ row.hash.charCodeAt(i), 16777619);
    return (h ^ (h >>> 15)) & (this.#index.length - 1);
  }

  #rehash(): void {
    this.#index = new Int32Array(2 * this.#index.length);
    for (let at = 0; at < this.size; at++) {
      let slot = this.#slotOf({ hash: this.hash(at) });
      while (this.#index[slot] !== 0) slot = (slot + 1) & (this.#index.length - 1);
      this.#index[slot] = at + 1;
    }
  }

  #grow(): void {
    this.#capacity *= 2;
    this.#hash = widened(this.#hash, Uint32Array, 4 * this.#capacity);
    this.#text = widened(this.#text, Int32Array, 8 * this.#capacity);
    this.#small = widened(this.#small, Int8Array, 4 * this.#capacity);
    this.#number = widened(this.#number, Float64Array, 2 * this.#capacity);
    this.#cell = widened(this.#cell, Uint8Array, 3 * this.#capacity);
    this.#id = widened(this.#id, Uint32Array, this.#capacity);
    this.#span = widened(this.#span, Uint32Array, 3 * this.#capacity);
  }
}

/** Texts by number, each held once; -1 is null. */
class Texts {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];

  number(text: string | null): number {
    if (text === null) return -1;
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#texts.length);
    return this.#texts.push(text) - 1;
  }

  text(number: number): string | null {
    return number < 0 ? null : this.#texts[number]!;
  }
}

function widened<T extends { set(from: T): void }>(
  from: T,
  make: new (length: number) => T,
  length: number,
): T {
  const to = new make(length);
  to.set(from);
  return to;
}

function united(a: readonly number[], b: readonly number[]): number[] {
  return [...new Set([...a, ...b])].sort((x, y) => x - y);
}

/** Order of the fields outside the key, so that which of two equal rows came first does not matter. */
function compareRest(a: ProfileRow, b: ProfileRow): number {
  return (
    compareValues(a.person, b.person) ||
    compareValues(a.group, b.group) ||
    compareValues(a.contextLabel, b.contextLabel) ||
    compareValues(a.split, b.split) ||
    compareValues<string>(a.kind, b.kind) ||
    compareValues<string>(a.contextFrom, b.contextFrom) ||
    compareValues(a.actClass, b.actClass) ||
    compareValues(a.cell, b.cell) ||
    compareValues(a.interactionCell, b.interactionCell) ||
    compareValues(flagsOf(a), flagsOf(b)) ||
    compareValues(a.turnCells.join(), b.turnCells.join()) ||
    compareValues(a.policyCells.join(), b.policyCells.join())
  );
}

function flagsOf({ outside, interactionOutside, semanticOutside }: ProfileRow): string {
  return `${outside} ${interactionOutside} ${semanticOutside}`;
}
