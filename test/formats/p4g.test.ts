import { copyFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { collect, DATA, hasData, temporary } from './fixture.ts';

const dialog =
  ',Unit,Turn,B4,B2\r\n0,Hello.,0,0,d1\r\n1,"Can you, please,\nhelp?",0,0,d1\r\n2,Yes!,0,1,d1\r\n3,Great.,1,0,d1\r\n0,Hi,0,0,d2\r\n1,No.,0,1,d2\r\n2,???,1,7,d2\r\n';
const info = 'B2,B3,B4,B6\nd1,user_1,0,0.0\nd1,user_2,1,0.5\nd2,user_1,0,0\nd2,user_3,1,100\n';

describe('p4g', () => {
  it('joins the units of a turn and takes persons and donations from the table beside', async () => {
    temporary('full_info.csv', info);
    const { trajectories, file } = await collect(temporary('full_dialog.csv', dialog));
    expect(trajectories.map(({ id, reward, simulator }) => [id, reward, simulator.person])).toEqual([
      ['d1', 0.25, 'user_2'],
      ['d2', 1, 'user_3'],
    ]);
    expect(trajectories[0]?.turns).toEqual([
      { role: 'agent', text: 'Hello. Can you, please,\nhelp?' },
      { role: 'user', text: 'Yes!' },
      { role: 'agent', text: 'Great.' },
    ]);
    expect(trajectories[0]?.simulator).toMatchObject({ id: 'people (p4g)', kind: 'human' });
    expect(file.droppedRows[0]?.reason).toBe("B4: expected 0 or 1, found '7'");
  });

  it('takes the persuader for the simulated side where told', async () => {
    temporary('full_info.csv', info);
    const { trajectories } = await collect(temporary('full_dialog.csv', dialog), {
      simulatorRole: 'persuader',
    });
    expect(trajectories[0]?.turns.map((turn) => turn.role)).toEqual(['user', 'agent', 'user']);
    expect(trajectories[0]).toMatchObject({ reward: 0.25, simulator: { person: 'user_1' } });
  });

  it('does not make up persons where the table is missing', async () => {
    const { trajectories, file } = await collect(temporary('other-name.csv', dialog.replaceAll('d1', 'd9')), {
      format: 'p4g',
    });
    expect(trajectories.length).toBeGreaterThan(0);
    expect(file.error).toBeNull();
  });

  it.skipIf(!hasData('p4g'))('reads 1,017 dialogues of 1,285 people (../shared/data)', async () => {
    const { trajectories, file } = await collect(join(DATA, 'p4g/full_dialog.csv.gz'));
    expect(file).toMatchObject({ rows: 1017, kept: 1017, warnings: [] });
    expect(new Set(trajectories.map((trajectory) => trajectory.context)).size).toBe(1);
    expect(trajectories.every((trajectory) => trajectory.simulator.person !== null)).toBe(true);
    expect(trajectories.every(({ reward }) => reward !== null && reward >= 0 && reward <= 1)).toBe(true);
  });

  it.skipIf(!hasData('p4g'))('reads the annotated workbook with its acts (../shared/data)', async () => {
    const { trajectories, file } = await collect(join(DATA, 'p4g/300_dialog.xlsx'));
    expect(file).toMatchObject({ rows: 300, kept: 300, warnings: [] });
    const users = trajectories
      .flatMap((trajectory) => trajectory.turns)
      .filter((turn) => turn.role === 'user');
    expect(users.every((turn) => (turn.acts?.length ?? 0) > 0)).toBe(true);
    expect(users.some((turn) => turn.acts?.includes('agree-donation'))).toBe(true);
    expect(
      trajectories.filter(({ reward, simulator }) => reward !== null && simulator.person !== null),
    ).toHaveLength(300);
  });

  it.skipIf(!hasData('p4g'))('takes a zip that is no workbook for what it is (../shared/data)', async () => {
    const target = join(dirname(temporary('zip', 'x')), 'cut.xlsx');
    copyFileSync(join(DATA, 'p4g/300_info.xlsx'), target);
    const { readFileSync, writeFileSync } = await import('node:fs');
    writeFileSync(target, readFileSync(target).subarray(0, 5000));
    expect((await collect(target)).file.error?.code).toBe('CA_FORMAT_INVALID');
  });
});
