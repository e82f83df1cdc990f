import { simulatorFacts } from '../trajectory/identity.ts';
import type { Role, Turn } from '../trajectory/trajectory.ts';
import { csvRows } from './csv.ts';
import { dropRow, guardRow, rowError } from './drop.ts';
import type { Head, Reader, Row, Source } from './reader.ts';
import { xlsxTable } from './xlsx.ts';

/**
 * Persuasion for Good (Wang et al. 2019): people persuade people to donate. Columns: B2 dialogue, B4 0 =
 * persuader (here the policy) and 1 = persuadee (the simulated side), Turn, Unit. The companion table has
 * B3 person and B6 what the person in fact donated.
 */
export const p4g: Reader = {
  name: 'p4g',
  title: 'Persuasion for Good (full_dialog.csv, 300_dialog.xlsx)',
  checkedOn: 'real files',
  detect(head) {
    if (isDialogue(head)) return 0.97;
    return isCompanion(head) ? 0.6 : 0;
  },
  async *read(source, options) {
    const head = await source.head();
    if (!isDialogue(head)) {
      source.warn('people and donations, no dialogues: read together with full_dialog.csv');
      return;
    }
    const people = await companion(source);
    if (people === null) source.warn('no full_info.csv beside it: persons and donations are unknown');
    // The persuader can be studied as the simulated side too (`--simulator-role persuader`).
    const side = options.simulatorRole === 'persuader' || options.simulatorRole === '0' ? '0' : '1';
    let current: Dialogue | null = null;
    for await (const unit of units(source, head)) {
      if ('kind' in unit) {
        yield unit;
        continue;
      }
      if (current !== null && current.id !== unit.id) {
        yield dialogueRow(current, people, source, side);
        current = null;
      }
      current ??= { id: unit.id, line: unit.line, units: [] };
      current.units.push(unit);
    }
    if (current !== null) yield dialogueRow(current, people, source, side);
  },
};

type Side = '0' | '1';

interface Unit {
  readonly id: string;
  readonly line: number;
  readonly side: Side;
  readonly turn: string;
  readonly text: string;
  readonly acts: readonly string[];
}

interface Dialogue {
  readonly id: string;
  readonly line: number;
  readonly units: Unit[];
}

interface Person {
  readonly id: string | null;
  readonly donation: number | null;
}

/** By dialogue and side (`B2/B4`). */
type People = ReadonlyMap<string, Person>;

function isDialogue(head: Head): boolean {
  return ['B2', 'B4', 'Turn', 'Unit'].every((name) => head.columns.includes(name));
}

function isCompanion(head: Head): boolean {
  return ['B2', 'B3', 'B4', 'B6'].every((name) => head.columns.includes(name));
}

type Cells = Readonly<Record<string, unknown>>;

async function* table(source: Source, head: Head): AsyncGenerator<{ line: number; cells: Cells }> {
  if (head.container === 'text') {
    yield* csvRows(source);
    return;
  }
  const [header, ...rows] = await xlsxTable(await source.local(), source.path);
  const names = (header ?? []).map((cell) => (cell === null ? '' : String(cell)));
  for (let i = 0; i < rows.length; i++) {
    const cells: Record<string, unknown> = Object.create(null);
    names.forEach((name, column) => {
      cells[name] = rows[i]?.[column] ?? '';
    });
    yield { line: i + 2, cells };
  }
}

async function* units(source: Source, head: Head): AsyncGenerator<Unit | Row> {
  for await (const { line, cells } of table(source, head)) {
    const id = String(cells.B2 ?? '').trim();
    const side = String(cells.B4 ?? '').trim();
    if (id === '' || (side !== '0' && side !== '1')) {
      yield dropRow(
        source,
        line,
        'CA_ROW_INVALID',
        id === ''
          ? 'B2: expected a dialogue id, found nothing'
          : `B4: expected 0 or 1, found '${side.slice(0, 20)}'`,
      );
      continue;
    }
    const labels = side === '0' ? ['er_label_1', 'er_label_2'] : ['ee_label_1', 'ee_label_2'];
    const acts = labels.map((name) => String(cells[name] ?? '').trim()).filter((act) => act !== '');
    yield { id, line, side, turn: String(cells.Turn ?? ''), text: String(cells.Unit ?? '').trim(), acts };
  }
}

function dialogueRow(dialogue: Dialogue, people: People | null, source: Source, side: Side): Row {
  const row = guardRow(source, dialogue.line, () => {
    const turns = joinUnits(dialogue.units, side);
    if (turns.length === 0) throw rowError('the dialogue has no text', 'CA_ROW_EMPTY');
    const donation = people?.get(`${dialogue.id}/1`)?.donation ?? null;
    const person = people?.get(`${dialogue.id}/${side}`)?.id ?? null;
    return {
      id: dialogue.id,
      benchmark: 'p4g',
      // The persuadee has no private instructions: everyone meets the same request.
      contextLabel: 'save-the-children',
      simulator: simulatorFacts({ id: 'people (p4g)', kind: 'human', person }),
      policy: { id: side === '1' ? 'human persuader' : 'human persuadee', checkpoint: null },
      turns,
      // Of a task payment of two dollars; a few gave more.
      reward: donation === null ? null : Math.min(Math.max(donation, 0) / 2, 1),
      source: { file: source.path, line: dialogue.line },
    };
  });
  return row as Row;
}

/** Units of one side in one turn are one message. */
function joinUnits(units: readonly Unit[], side: Side): Turn[] {
  const turns: { role: Role; text: string; acts: string[]; key: string }[] = [];
  for (const unit of units) {
    const key = `${unit.turn}/${unit.side}`;
    const last = turns.at(-1);
    if (last !== undefined && last.key === key) {
      last.text = `${last.text} ${unit.text}`.trim();
      last.acts.push(...unit.acts);
    } else
      turns.push({ role: unit.side === side ? 'user' : 'agent', text: unit.text, acts: [...unit.acts], key });
  }
  return turns
    .filter((turn) => turn.text !== '')
    .map(({ role, text, acts }) => (acts.length > 0 ? { role, text, acts } : { role, text }));
}

async function companion(source: Source): Promise<People | null> {
  const names = new Set([source.name.replace(/dialog(ue)?/i, 'info'), 'full_info.csv']);
  names.delete(source.name);
  const people = new Map<string, Person>();
  for (const name of names) {
    const found = await source.sibling(name);
    if (found === null) continue;
    const head = await found.head();
    if (!isCompanion(head)) continue;
    for await (const { cells } of table(found, head)) {
      const donation = String(cells.B6 ?? '').trim();
      const id = String(cells.B3 ?? '').trim();
      people.set(`${String(cells.B2).trim()}/${String(cells.B4).trim()}`, {
        id: id === '' ? null : id,
        donation: donation === '' || !Number.isFinite(Number(donation)) ? null : Number(donation),
      });
    }
    return people;
  }
  return null;
}
