import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeCells } from '../../src/cli/lab-crew.ts';
import { type BrokenFile, LabDirectory } from '../../src/cli/lab-directory.ts';
import {
  cellsOf,
  DEFAULT_PANELS,
  readCellName,
  shardOf,
  studyOf,
  tableOf,
  tablePlan,
} from '../../src/lab/stage-zero/index.ts';
import { trainingSettings } from '../../src/lab/trainer/index.ts';
import { hashText } from '../../src/trajectory/identity.ts';
import { plainMaker } from '../lab/stage-zero/plain-maker.ts';
import { folder } from './command.ts';

const small = (steps: number, learningRate = 0.003) =>
  studyOf(
    trainingSettings({
      steps,
      learningRate,
      groups: 2,
      groupSize: 4,
      hidden: [4],
      evaluateEvery: 10,
      selectionDialogues: 2,
      referencePeople: 10,
    }),
    DEFAULT_PANELS,
  );
const options = { workers: 1, maker: plainMaker };
const place = readCellName('persuasion-10/population-co-training-3/seed-1');

describe('cells of a folder', () => {
  it('that were stopped midway end in the bytes of an unbroken run', async () => {
    const study = small(60);
    const whole = await LabDirectory.open(folder(), study);
    await makeCells(whole, [place], options);

    const broken = await LabDirectory.open(folder(), study);
    const controller = new AbortController();
    const stopped = makeCells(broken, [place], {
      ...options,
      signal: controller.signal,
      onEvent: (_, event) => {
        if (event.kind === 'step' && event.record?.step === 31) controller.abort();
      },
    });
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
    expect(existsSync(broken.cellPath(place))).toBe(false);

    const steps: number[] = [];
    await makeCells(broken, [place], {
      ...options,
      onEvent: (_, event) => {
        if (event.kind === 'step') steps.push(event.record?.step ?? 0);
      },
    });
    // From the state of step 25 on.
    expect(steps[0]).toBe(25);
    expect(readFileSync(broken.cellPath(place))).toEqual(readFileSync(whole.cellPath(place)));
    expect(existsSync(join(broken.path!, 'progress', 'persuasion-10', place.method, 'seed-1.json'))).toBe(
      false,
    );
  });

  it('made in shards give the table that is made at once', async () => {
    const study = small(6);
    const plan = tablePlan({
      worlds: ['persuasion'],
      methods: ['single', 'co-training'],
      seeds: [1, 2],
    });
    const cells = cellsOf(plan);
    const once = await makeCells(await LabDirectory.open(null, study), cells, options);

    const path = folder();
    for (const index of [2, 1])
      await makeCells(await LabDirectory.open(path, study), shardOf(cells, { index, of: 2 }), options);
    const shared = await LabDirectory.read(path);
    expect(tableOf(shared.study, plan, await shared.cells(cells))).toEqual(tableOf(study, plan, once));
  });

  it('are not made again, unless their file is damaged, which is told', async () => {
    const study = small(6);
    const directory = await LabDirectory.open(folder(), study);
    const made: string[] = [];
    const broken: BrokenFile[] = [];
    const again = () =>
      makeCells(directory, [place], {
        ...options,
        onBroken: (file) => broken.push(file),
        onEvent: (_, { kind }) => made.push(kind),
      });
    const [first] = await again();
    made.length = 0;
    expect(await again()).toEqual([first]);
    expect(made).toEqual([]);

    const path = directory.cellPath(place);
    const text = readFileSync(path, 'utf8');
    for (const [damaged, reason] of [
      [text.slice(0, text.length / 2), 'it is not whole'],
      [text.replace('"seed":1', '"seed":2'), 'its content was changed'],
      ['', 'it is not whole'],
    ] as const) {
      writeFileSync(path, damaged);
      await again();
      expect(broken.pop()).toEqual({ path, reason });
      expect(readFileSync(path, 'utf8')).toBe(text);
    }
  });

  it('that diverged are kept as such, and not tried again', async () => {
    const study = small(6, 1e200);
    const directory = await LabDirectory.open(folder(), study);
    const single = readCellName('persuasion-10/single/seed-1');
    const [cell] = await makeCells(directory, [single], options);
    expect(cell).toMatchObject({ status: 'diverged', diverged: { side: 'policy' }, selected: { step: 0 } });
    const plan = tablePlan({ worlds: ['persuasion'], methods: ['single'], seeds: [1] });
    const row = tableOf(study, plan, [cell!]).worlds[0]!.methods[0]!;
    expect(row.seeds).toMatchObject({ done: [], diverged: [{ seed: 1 }], missing: [] });
    expect(row.figures.heldOut).toMatchObject({ value: null, n: 0 });
    const events: string[] = [];
    await makeCells(directory, [single], { ...options, onEvent: (_, { kind }) => events.push(kind) });
    expect(events).toEqual([]);
  });

  it('of a world that was changed since are refused', async () => {
    const study = small(6);
    const directory = await LabDirectory.open(folder(), study);
    await makeCells(directory, [place], options);
    const path = join(directory.path!, 'spaces', 'persuasion-10.json');
    const { content } = JSON.parse(readFileSync(path, 'utf8')) as { content: Record<string, unknown> };
    const text = JSON.stringify({ ...content, mark: 'another' });
    writeFileSync(path, `{"content":${text},"hash":"${hashText(text)}"}\n`);
    await expect(makeCells(directory, [place], options)).rejects.toMatchObject({
      code: 'CA_CONFIG_INVALID',
      message: 'the world persuasion-10 is not as it was when the folder was made',
    });
  });

  it('of another study are refused, with what differs', async () => {
    const path = folder();
    await LabDirectory.open(path, small(6));
    await expect(LabDirectory.open(path, small(7))).rejects.toMatchObject({
      code: 'CA_CONFIG_INVALID',
      message: 'the folder holds another study: settings.steps is 6 there and 7 here',
    });
    await expect(LabDirectory.open(path, small(6))).resolves.toBeDefined();
    writeFileSync(join(path, 'study.json'), '{"schema":"else"}');
    await expect(LabDirectory.open(path, small(6))).rejects.toMatchObject({ code: 'CA_FORMAT_INVALID' });
  });
});
