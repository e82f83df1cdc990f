import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { audit } from '../../../src/audit/index.ts';
import { readFiles } from '../../../src/formats/index.ts';
import { seeded } from '../../../src/math/random.ts';
import type { Trajectory } from '../../../src/trajectory/trajectory.ts';
import { listed, openAt, place, tidy } from './recording.ts';
import { agent, exchange, open, reward, said, system } from './records.ts';

afterAll(tidy);

it('audits an export as it audits the trajectories themselves', async () => {
  const path = place();
  const recorder = await openAt(path);
  const random = seeded('export');
  const words =
    'when could you refund my late order please no thanks wait tell agent parcel broken never again'.split(
      ' ',
    );
  const line = () => Array.from({ length: 8 }, () => words[random.integer(words.length)]).join(' ');
  for (let i = 0; i < 60; i++) {
    const id = `s${i}`;
    const member = `m${i % 2}`;
    await recorder.append(
      open(id, {
        simulator: { id: member, kind: 'llm', person: null, model: null, recipe: null, fingerprint: member },
      }),
    );
    for (let turn = 0; turn < 3; turn++)
      await recorder.append(
        exchange(
          id,
          turn,
          [...(turn === 0 ? [system(`Task ${i % 6}`)] : []), agent('How can I help?')],
          said(line()),
        ),
      );
    await recorder.append(reward(id, i % 3));
  }
  const file = join(path, '..', 'export.jsonl');
  writeFileSync(file, (await listed(recorder.exportLines())).join(''));
  async function* rows(): AsyncGenerator<Trajectory> {
    for await (const row of readFiles([file])) if (row.kind === 'trajectory') yield row.trajectory;
  }
  const fromFile = await audit({ records: rows });
  const direct = await audit({ records: () => recorder.exportTrajectories() });
  expect(fromFile.report.simulators).toEqual(direct.report.simulators);
  expect({ ...fromFile.report, input: null }).toEqual({ ...direct.report, input: null });
});
