import type { ProfileRow, RowHistory } from './profile.ts';
import type { ReleasedColumns } from './released-columns.ts';
import { RowIds } from './row-ids.ts';
import { compareKeys, compareRest, PARTS } from './row-key.ts';
import {
  HAS_CELL,
  INTERACTION_OUTSIDE,
  KINDS,
  KNOWS_OUTSIDE,
  ODD_HASH,
  ORIGINS,
  OUTSIDE,
  plainRow,
  RowView,
  SEMANTIC_OUTSIDE,
  SPLITS,
} from './row-view.ts';
import { Texts } from './texts.ts';

const PLAIN_HASH = /^[0-9a-f]{32}$/;
/** In `hash`, marks a hash that is no 32 hex digits: its number in the table of texts follows. */
const ODD = 1;

/** Every four hex digits: twice as fast as padding a number's. */
const QUADS = Array.from({ length: 65_536 }, (_, value) => value.toString(16).padStart(4, '0'));

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
  readonly #moreIds = new Map<number, RowIds>();
  /** Of the few rows that have any. */
  readonly #histories = new Map<number, readonly RowHistory[]>();
  /** Open addressing by key: row + 1, 0 = free. */
  #index = new Int32Array(256);
  /** The hash that is looked for. */
  readonly #read = new Uint32Array(4);

  /** Adds a row, or folds it into the row of the same key: ids are united, of the rest the smaller is kept. */
  add(row: ProfileRow): void {
    const plain = this.#readHash(row.hash);
    const slot = this.#freeSlot(plain, row.hash, () => row);
    if (slot < 0) return;
    this.#index[slot] = this.size + 1;
    this.#write(this.size++, row, plain);
  }

  /** Adds all rows of other columns, as `add` would one by one. */
  absorb(other: ProfileColumns): void {
    const texts = other.#texts.all().map((text) => this.#texts.number(text));
    for (let at = 0; at < other.size; at++) {
      if ((other.#small[4 * at + 3]! & ODD_HASH) !== 0) {
        this.add(other.row(at));
        continue;
      }
      for (let word = 0; word < 4; word++) this.#read[word] = other.#hash[4 * at + word]!;
      const slot = this.#freeSlot(true, '', () => other.row(at));
      if (slot < 0) continue;
      this.#index[slot] = this.size + 1;
      this.#copy(this.size++, other, at, texts);
    }
  }

  /** As data that another thread can take over; these columns must not be used after. */
  release(): ReleasedColumns {
    return {
      size: this.size,
      texts: [...this.#texts.all()],
      hash: this.#hash,
      text: this.#text,
      small: this.#small,
      number: this.#number,
      cell: this.#cell,
      id: this.#id,
      span: this.#span,
      bytes: this.#bytes,
      bytesUsed: this.#bytesUsed,
      moreIds: new Map([...this.#moreIds].map(([at, ids]) => [at, ids.all])),
      histories: this.#histories,
    };
  }

  /** Columns of released data, to be read or absorbed: no row can be added to them. */
  static of(data: ReleasedColumns): ProfileColumns {
    const columns = new ProfileColumns();
    columns.size = data.size;
    for (const text of data.texts) columns.#texts.number(text);
    columns.#capacity = data.id.length;
    columns.#hash = data.hash;
    columns.#text = data.text;
    columns.#small = data.small;
    columns.#number = data.number;
    columns.#cell = data.cell;
    columns.#id = data.id;
    columns.#span = data.span;
    columns.#bytes = data.bytes;
    columns.#bytesUsed = data.bytesUsed;
    for (const [at, ids] of data.moreIds) columns.#moreIds.set(at, new RowIds(ids));
    for (const [at, histories] of data.histories) columns.#histories.set(at, histories);
    return columns;
  }

  row(at: number): ProfileRow {
    return plainRow(new RowView(this, at));
  }

  /** The row without its fields being read: each is when asked for. Cells must not be written to. */
  peek(at: number): ProfileRow {
    return new RowView(this, at);
  }

  /** Text `field` of a row. */
  text(at: number, field: number): string | null {
    return this.#texts.text(this.#text[8 * at + field]!);
  }

  number(at: number, field: number): number | null {
    const value = this.#number[2 * at + field]!;
    return Number.isNaN(value) ? null : value;
  }

  small(at: number, field: number): number {
    return this.#small[4 * at + field]!;
  }

  cell(at: number, field: number): number {
    return this.#cell[3 * at + field]!;
  }

  ids(at: number): readonly number[] {
    return this.#moreIds.get(at)?.all ?? [this.#id[at]!];
  }

  histories(at: number): readonly RowHistory[] | undefined {
    return this.#histories.get(at);
  }

  turnCells(at: number): Uint8Array {
    const start = this.#span[3 * at]!;
    return this.#bytes.subarray(start, start + this.#span[3 * at + 1]!);
  }

  policyCells(at: number): Uint8Array {
    const start = this.#span[3 * at]! + this.#span[3 * at + 1]!;
    return this.#bytes.subarray(start, start + this.#span[3 * at + 2]!);
  }

  hash(at: number): string {
    if ((this.#small[4 * at + 3]! & ODD_HASH) !== 0) return this.#texts.text(this.#hash[4 * at + ODD]!)!;
    let hex = '';
    for (let word = 4 * at; word < 4 * at + 4; word++) {
      const value = this.#hash[word]!;
      hex += QUADS[value >>> 16]! + QUADS[value & 0xffff]!;
    }
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
    return compareKeys(this.peek(a), this.peek(b));
  }

  /** Where a row of this hash goes, its key being new; -1 where it was folded into the row of the same key. */
  #freeSlot(plain: boolean, hash: string, row: () => ProfileRow): number {
    if (2 * (this.size + 1) > this.#index.length) this.#rehash();
    let slot = plain ? slotOf(this.#read[0]!, this.#index.length) : this.#oddSlot(hash);
    for (; this.#index[slot] !== 0; slot = (slot + 1) & (this.#index.length - 1)) {
      const at = this.#index[slot]! - 1;
      if (!this.#sameHash(at, plain, hash)) continue;
      const held = this.peek(at);
      const given = row();
      if (compareKeys(held, given) !== 0) continue;
      this.#fold(at, held, given);
      return -1;
    }
    if (this.size === this.#capacity) this.#grow();
    return slot;
  }

  /** Puts the four words of a plain hash into #read; false where it is none. */
  #readHash(hash: string): boolean {
    if (!PLAIN_HASH.test(hash)) return false;
    for (let word = 0; word < 4; word++)
      this.#read[word] = Number.parseInt(hash.slice(8 * word, 8 * word + 8), 16);
    return true;
  }

  /** `plain`: its hash was read into #read. */
  #write(at: number, row: ProfileRow, plain: boolean): void {
    if (plain) for (let word = 0; word < 4; word++) this.#hash[4 * at + word] = this.#read[word]!;
    else this.#hash[4 * at + ODD] = this.#texts.number(row.hash);
    const text = this.#text;
    const texts = this.#texts;
    text[8 * at] = texts.number(row.context);
    text[8 * at + 1] = texts.number(row.contextLabel);
    text[8 * at + 2] = texts.number(row.person);
    text[8 * at + 3] = texts.number(row.simulator);
    text[8 * at + 4] = texts.number(row.policy);
    text[8 * at + 5] = texts.number(row.checkpoint);
    text[8 * at + 6] = texts.number(row.group);
    text[8 * at + 7] = texts.number(row.actClass);
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
    if (row.histories === undefined) this.#histories.delete(at);
    else this.#histories.set(at, row.histories);
  }

  /** Row `from` of other columns, whose text number n is `texts[n]` here. */
  #copy(at: number, other: ProfileColumns, from: number, texts: readonly number[]): void {
    this.#hash.set(other.#hash.subarray(4 * from, 4 * from + 4), 4 * at);
    for (let field = 0; field < 8; field++) {
      const text = other.#text[8 * from + field]!;
      this.#text[8 * at + field] = text < 0 ? text : texts[text]!;
    }
    this.#small.set(other.#small.subarray(4 * from, 4 * from + 4), 4 * at);
    this.#number.set(other.#number.subarray(2 * from, 2 * from + 2), 2 * at);
    this.#cell.set(other.#cell.subarray(3 * from, 3 * from + 3), 3 * at);
    this.#id[at] = other.#id[from]!;
    const more = other.#moreIds.get(from);
    if (more !== undefined) this.#moreIds.set(at, new RowIds(more.all));
    const histories = other.#histories.get(from);
    if (histories !== undefined) this.#histories.set(at, histories);
    const [start, turns, policies] = other.#span.subarray(3 * from, 3 * from + 3) as unknown as [
      number,
      number,
      number,
    ];
    this.#span[3 * at] = this.#bytesUsed;
    this.#span[3 * at + 1] = turns;
    this.#span[3 * at + 2] = policies;
    this.#append(other.#bytes.subarray(start, start + turns + policies));
  }

  #fold(at: number, held: ProfileRow, row: ProfileRow): void {
    const ids = this.#moreIds.get(at) ?? new RowIds([this.#id[at]!]);
    ids.add(row.ids);
    // One hash: what #read holds is still this row's.
    if (compareRest(row, held) < 0) this.#write(at, row, (this.#small[4 * at + 3]! & ODD_HASH) === 0);
    this.#moreIds.set(at, ids);
  }

  #keepIds(at: number, ids: readonly number[]): void {
    this.#id[at] = ids[0] ?? 0;
    if (ids.length === 1) this.#moreIds.delete(at);
    else this.#moreIds.set(at, new RowIds([...ids]));
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

  #sameHash(at: number, plain: boolean, hash: string): boolean {
    const odd = (this.#small[4 * at + 3]! & ODD_HASH) !== 0;
    if (!plain) return odd && this.hash(at) === hash;
    if (odd) return false;
    for (let word = 0; word < 4; word++) if (this.#hash[4 * at + word] !== this.#read[word]) return false;
    return true;
  }

  #oddSlot(hash: string): number {
    let h = 2166136261;
    for (let i = 0; i < Math.min(12, hash.length); i++) h = Math.imul(h ^ hash.charCodeAt(i), 16777619);
    return slotOf(h, this.#index.length);
  }

  #rehash(): void {
    this.#index = new Int32Array(2 * this.#index.length);
    for (let at = 0; at < this.size; at++) {
      const odd = (this.#small[4 * at + 3]! & ODD_HASH) !== 0;
      let slot = odd ? this.#oddSlot(this.hash(at)) : slotOf(this.#hash[4 * at]!, this.#index.length);
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

/** Content hashes are uniform: their first word is hash enough. Rows that share one sit side by side. */
function slotOf(word: number, slots: number): number {
  return (word ^ (word >>> 15)) & (slots - 1);
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
