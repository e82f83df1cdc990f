import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readFiles } from '../../src/formats/read.ts';
import { collect, line, temporary } from './fixture.ts';

function folder(name: string, files: Record<string, string>): string {
  const path = join(dirname(temporary('anchor', 'x')), name);
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), content);
  }
  return path;
}

describe('readFiles', () => {
  it('reads the others when one file fails', async () => {
    const good = temporary('good.jsonl', `${line('a')}\n${line('b')}\n`);
    const paths = [
      good,
      '/nowhere.jsonl',
      temporary('nothing.jsonl', ''),
      temporary('x.json', '{"q": 1}'),
      good,
    ];
    const { trajectories, files } = await collect(paths);
    expect(trajectories).toHaveLength(4);
    expect(files.map((file) => file.error?.code ?? file.kept)).toEqual([
      2,
      'CA_FILE_NOT_FOUND',
      'CA_FILE_EMPTY',
      'CA_FORMAT_UNKNOWN',
      2,
    ]);
  });

  it('keeps the rest of a file when lines are broken, and counts every row', async () => {
    const text = `${line('a')}\nlog text\n${line('b', { turns: 3 })}\n${line('c')}\n${line('d').slice(0, 60)}`;
    const { trajectories, file } = await collect(temporary('mixed.jsonl', text));
    expect(trajectories.map((trajectory) => trajectory.id)).toEqual(['a', 'c']);
    expect(file).toMatchObject({
      rows: 5,
      kept: 2,
      dropped: 3,
      droppedBy: { CA_JSON_INVALID: 2, CA_ROW_INVALID: 1 },
    });
    expect(file.droppedRows.map((row) => [row.line, row.id])).toEqual([
      [2, null],
      [3, 'b'],
      [5, null],
    ]);
  });

  it('keeps the rows before a cut in compressed data', async () => {
    const rows = Array.from({ length: 3000 }, (_, i) => line(`${i}-${(i * 7919) % 10007}`));
    const packed = gzipSync(rows.join('\n'));
    const { file } = await collect(temporary('half.jsonl.gz', packed.subarray(0, packed.length >> 1)));
    expect(file.kept).toBeGreaterThan(500);
    expect(file.droppedBy).toEqual({ CA_FILE_UNREADABLE: 1 });
    expect(file.error).toBeNull();
  });

  it('drops rows without messages and rows without a turn of the simulated user', async () => {
    const text = [
      line('a', { turns: [] }),
      line('b', { turns: [{ role: 'agent', text: 'Hello?' }] }),
      line('c'),
    ].join('\n');
    const { codes, trajectories } = await collect(temporary('turnless.jsonl', text));
    expect(codes).toEqual(['CA_ROW_EMPTY', 'CA_ROW_NO_SIMULATOR_TURN']);
    expect(trajectories).toHaveLength(1);
  });

  it('lets the command line say who simulates and who is trained', async () => {
    const path = temporary('run-gpt-4o-7.jsonl', line('a'));
    const named = await collect(path, { simulator: 'mine', simulatorKind: 'scripted', policy: 'base' });
    expect(named.trajectories[0]).toMatchObject({
      simulator: { id: 'mine', kind: 'scripted' },
      policy: { id: 'base' },
    });
    const found = await collect(path, { simulatorFrom: /run-(.+)-\d/g });
    expect(found.trajectories[0]?.simulator.id).toBe('gpt-4o');
    const missed = await collect(path, { simulatorFrom: /nothing/ });
    expect(missed.trajectories[0]?.simulator.id).toBe('s');
  });

  it('swaps the sides where the agent is the simulator', async () => {
    const { trajectories } = await collect(temporary('swap.jsonl', line('a')), { simulatorRole: 'agent' });
    expect(trajectories[0]?.turns.map((turn) => turn.role)).toEqual(['user', 'agent']);
  });

  it('walks folders in the order of their names and passes over other files', async () => {
    const path = folder('tree', {
      'b.jsonl': line('b'),
      'a.jsonl': line('a'),
      'deep/er/c.jsonl': line('c'),
      'notes.txt': 'not data',
      '.hidden/d.jsonl': line('d'),
    });
    const { trajectories, files } = await collect(path);
    expect(trajectories.map((trajectory) => trajectory.id)).toEqual(['a', 'b', 'c']);
    expect(files).toHaveLength(3);
    expect((await collect(folder('bare', { 'x.txt': 'y' }))).file.error?.code).toBe('CA_FILE_NOT_FOUND');
  });

  it('expands patterns and says when one matches nothing', async () => {
    const path = folder('globbed', {
      'one-1.jsonl': line('1'),
      'one-2.jsonl': line('2'),
      'two-1.jsonl': line('3'),
    });
    expect((await collect(`${path}/one-*.jsonl`)).trajectories).toHaveLength(2);
    expect((await collect(`${path}/none-*.jsonl`)).file.error?.code).toBe('CA_FILE_NOT_FOUND');
  });

  it('reads a file whose name has the marks of a pattern', async () => {
    const path = folder('odd', { 'run[1]{a}.jsonl': line('1') });
    expect((await collect(join(path, 'run[1]{a}.jsonl'))).trajectories).toHaveLength(1);
  });

  it('can be read twice and counts anew', async () => {
    const reading = readFiles([temporary('twice.jsonl', `${line('a')}\nx\n`)]);
    for (let pass = 0; pass < 2; pass++) {
      let rows = 0;
      for await (const _ of reading) rows++;
      expect([rows, reading.files[0]?.rows, reading.files.length]).toEqual([2, 2, 1]);
    }
  });

  it('stops cleanly when its reader stops early', async () => {
    const reading = readFiles([temporary('early.jsonl.gz', gzipSync(`${line('a')}\n`.repeat(5000)))]);
    for await (const row of reading) {
      expect(row.kind).toBe('trajectory');
      break;
    }
    expect(reading.files[0]?.rows).toBe(1);
  });

  it('lists what was seen where no reader knows the content', async () => {
    const json = await collect(temporary('unknown.jsonl', '{"alpha": 1, "beta": 2}\n'));
    expect(json.file.error?.line).toMatch(/alpha, beta.*--map.*--format/);
    const csv = await collect(temporary('unknown.csv', 'one,two\n1,2\n'));
    expect(csv.file.error?.line).toContain('columns one, two');
    const broken = await collect(temporary('broken.json', '{\n "a": 1,\n}\n'));
    expect(broken.file.error?.line).toContain('JSON that is broken');
  });

  it('takes the format it is told, and refuses names that are none', async () => {
    const path = temporary('forced.jsonl', line('a'));
    expect((await collect(path, { format: 'native' })).trajectories).toHaveLength(1);
    expect(() => readFiles([path], { format: 'nativ' })).toThrow(/no format is called/);
  });
});
