import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { EvolveReply } from '../../src/gateway/api/control.ts';
import {
  type LoopRequest,
  type OpenAnswer,
  type Performer,
  type RoundRecord,
  type RunStore,
  type RunSummary,
  runDirectory,
} from '../../src/loop/index.ts';
import { type GatewayStage, gatewayPerformer } from '../../src/outside/index.ts';
import { readMember } from '../../src/population/index.ts';
import { type Ended, ended, start } from '../cli/command.ts';
import { ADMIN_KEY, type Stand, stand } from '../gateway/end-to-end/stand.ts';
import { hasTrl } from '../python/trl-process.ts';
import { type TrainerExample, trainerExample } from './trainer-example.ts';

const scripted = (family: string) => ({ id: family, family, recipe: { kind: 'scripted' } });
const now = () => Date.now() / 1000;

/** These sizes decide nothing: what is shown is who trains when, and with whom. */
const SIZES = [
  ...['--rounds', '2', '--steps', '2', '--rollouts', '1', '--turns', '5', '--delta', '.99'],
  ...['--no-people', '--no-gaps', '--no-paths', '--no-adversary', '--inject', 'collapse@2'],
];

describe.skipIf(!hasTrl)('the loop over a GRPO trainer that it does not own', { timeout: 300_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'ca-outside-'));
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  let rounds: readonly RoundRecord[] = [];
  /** Seconds at which the gateway was told of a collapse. */
  let red = 0;
  let gateway: Stand;
  let trainer: TrainerExample;
  let command: string[];
  let stage: GatewayStage;
  let performer: Performer;
  let store: RunStore;
  const environment = { CA_ADMIN_KEY: ADMIN_KEY };

  beforeAll(async () => {
    gateway = await stand({
      settings: {
        population: {
          members: ['alder', 'elm', 'ivy'].map(scripted),
          seen: ['alder'],
          selection: ['elm'],
          test: ['ivy'],
        },
        live: { epochs: { by: 'trainer' }, warmUp: 24 },
        breaker: { enabled: false, holdSeconds: 0.1 },
      },
    });
    const contexts = join(folder, 'contexts.jsonl');
    const sizes = ['--groups', '3', '--rollouts', '4', '--prompts', '32', '--steps', '500'];
    trainer = trainerExample(gateway.url, ADMIN_KEY, contexts, sizes);
    const port = await trainer.serving;
    const lines = readFileSync(contexts, 'utf8').trim().split('\n');
    const population = { members: ['birch', 'cedar'].map(scripted), seen: ['birch', 'cedar'] };
    command = [
      ...['evolve', '--gateway', gateway.url, '-o', join(folder, 'run')],
      ...['--agent', `http://127.0.0.1:${port}/v1`, '--agent-earlier', '{checkpoint}'],
      ...['--scorer', `http://127.0.0.1:${port}/score`],
      ...['--population', file('population.yaml', stringify({ population }))],
      ...['--probes', file('probes.jsonl', lines.slice(0, 12).join('\n'))],
      ...['--exams', file('exams.jsonl', lines.slice(16, 18).join('\n'))],
      ...SIZES,
    ];
  }, 200_000);

  afterAll(async () => {
    await performer?.close();
    await store?.close();
    await trainer?.kill();
    await gateway?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const context = (round: number) => ({
    read: (name: string) => store.read(name),
    keep: (text: string) => store.keep(text),
    signal: new AbortController().signal,
    round,
  });
  const last = async (kind: string) => {
    let found: unknown = null;
    for await (const entry of store.entries()) if (entry.answer.kind === kind) found = entry.answer;
    return found as { readonly checkpoint: string };
  };
  const stepsBetween = (from: number, to: number) =>
    trainer.lines.filter(({ step, time }) => step !== undefined && time! > from && time! < to);
  /** Runs the command, and looks meanwhile when the gate is told of a collapse. */
  const evolve = async (): Promise<Ended> => {
    const done = ended(start(command, folder, environment));
    const look = setInterval(async () => {
      const { override } = await gateway.gate();
      if (red === 0 && override?.reason.includes('SCD2') === true) red = now();
    }, 50);
    return done.finally(() => clearInterval(look));
  };

  it('gives it new users between its epochs, and stops it where they collapse', async () => {
    const { status, stdout, stderr } = await evolve();
    expect(status, stderr).toBe(0);
    expect(stdout).toContain(
      'The breaker was green in round 1, red in round 2; training was paused in 1 round.',
    );
    expect(stderr).toMatch(/round-1\/train: the trainer goes on from epoch \d+ to \d+/);
    expect(stderr).toContain('the run ended at red: the trainer stays held');
    expect(stderr).not.toContain('warning');
    ({ rounds } = JSON.parse(readFileSync(join(folder, 'run/summary.json'), 'utf8')) as RunSummary);
    store = await runDirectory(join(folder, 'run')).open(null);
    stage = store.study.stage as GatewayStage;
    performer = gatewayPerformer(stage, { environment });
    const [first, second] = rounds;
    expect(first!.training!.steps).toBeGreaterThanOrEqual(2);
    expect(first!.exam!.selection.n).toBeGreaterThan(0);
    expect(second!.breaker).toMatchObject({ before: 'green', after: 'red', training: 'paused' });
    expect(second!.training).toBeNull();

    // Those whom it met before the first round, and those that were published then.
    const rows = await gateway.trajectories('?of=all&purpose=training');
    const served = first!.population.map(({ member }) => member);
    const met = (simulator: string) => rows.filter((row) => row.simulator.id === simulator);
    expect(new Set(rows.map(({ simulator }) => simulator.id)).size).toBeGreaterThan(1);
    const beginning = Math.min(...served.flatMap((id) => met(id).map(({ epoch }) => epoch!)));
    for (const row of rows)
      if (row.epoch! > beginning) expect(served).toContain(row.simulator.id);
      else if (row.epoch! < beginning) expect(row.simulator.id).toBe('alder');
    expect(rows.some(({ epoch }) => epoch! < beginning)).toBe(true);
    expect(rows.some(({ epoch, simulator }) => epoch! >= beginning && served.includes(simulator.id))).toBe(
      true,
    );

    // Nobody trained on what the loop played, and nothing of it entered a figure of the gateway.
    const own = await gateway.trajectories('?of=closed&purpose=nested');
    expect(own.length).toBeGreaterThan(50);
    expect(own.every(({ reward }) => reward !== null)).toBe(true);
    expect(await gateway.trajectories('?of=closed&purpose=panel')).toHaveLength(0);

    // Whoever looks at the dashboard sees the run.
    const { run } = (await gateway.api('GET', '/api/evolve')).body as EvolveReply;
    expect(run).toMatchObject({ finished: true, title: join(folder, 'run') });
    expect(run!.rounds).toHaveLength(2);
  });

  it('lets it make no step at red, and go on with what it is given after it', async () => {
    expect((await gateway.gate()).override).toMatchObject({ level: 'red', by: 'evolve' });
    expect(red).toBeGreaterThan(0);
    const gate = {
      kind: 'gate',
      id: 'round-3/gate/probe',
      level: 'green',
      training: 'run',
      reasons: [],
    } as const;
    expect(await performer.perform(gate, context(3))).toEqual({ kind: 'gate', acknowledged: true });
    const { checkpoint } = await last('train');
    const asked = now();
    expect(stepsBetween(red, asked)).toEqual([]);
    const diverse = ['larch', 'oak', 'pine'].map((family) => ({
      member: readMember(scripted(family)),
      share: 1 / 3,
    }));
    const training: LoopRequest = {
      kind: 'train',
      id: 'round-3/train',
      round: 3,
      checkpoint,
      population: diverse,
      data: { gate: true, weights: null, consistency: null },
      steps: 3,
    };
    const answer = await performer.perform(training, context(3));
    if (answer.kind !== 'train') throw new Error(answer.kind);
    expect(answer.steps).toBeGreaterThanOrEqual(3);
    expect(answer.curve).toHaveLength(answer.steps);
    expect(answer.rows.every(({ reward }) => reward !== null)).toBe(true);
    expect(answer.rows.some(({ simulator }) => ['larch', 'oak', 'pine'].includes(simulator))).toBe(true);
    const sessions = new Map((await gateway.trajectories('?of=all')).map((row) => [row.id, row]));
    for (const { id, reward } of answer.rows) expect(sessions.get(id)!.reward).toBe(reward);
    expect(stepsBetween(asked, Number.POSITIVE_INFINITY).length).toBeGreaterThan(0);
    expect((await gateway.gate()).training).toBe('hold');
  });

  it('loses the episodes of a member that the gateway refuses, with the reason', async () => {
    const { checkpoint } = (await last('open')) as OpenAnswer;
    const nowhere = readMember({ id: 'r9-nowhere', family: 'nowhere', model: 'nowhere' });
    const answer = await performer.perform(
      {
        kind: 'probe',
        id: 'refused',
        checkpoint,
        population: [{ member: nowhere, share: 1 }],
        draw: 'each',
        contexts: 2,
        rollouts: 3,
        seed: 'refused',
      },
      context(3),
    );
    expect(answer).toMatchObject({ rows: [], lost: [{ simulator: 'r9-nowhere', count: 6 }] });
    if (answer.kind === 'probe') expect(answer.lost[0]!.reason).toMatch(/refuses it.*upstream/);
  });

  it('says so where the trainer is gone, and where nobody answers for the policy', async () => {
    const { checkpoint } = await last('train');
    await trainer.kill();
    const { limits } = stage;
    const hasty = gatewayPerformer({ ...stage, limits: { ...limits, epoch: 1 } }, { environment });
    const population = [{ member: readMember(scripted('birch')), share: 1 }];
    const train = {
      kind: 'train',
      id: 'dead',
      round: 4,
      checkpoint,
      population,
      data: { gate: true, weights: null, consistency: null },
      steps: 500,
    } as const;
    await expect(hasty.perform(train, context(4))).rejects.toThrow(/begun no epoch for 1 s/);
    const probe = { kind: 'probe', id: 'dead', checkpoint, population, seed: 'dead' } as const;
    await expect(
      hasty.perform({ ...probe, draw: 'each', contexts: 1, rollouts: 1 }, context(4)),
    ).rejects.toMatchObject({ code: 'CA_ENDPOINT_FAILED' });
    await hasty.close();
  });
});
