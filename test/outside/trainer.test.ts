import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  LoopRequest,
  OpenAnswer,
  Performer,
  RoundRecord,
  RunSettings,
  RunStore,
} from '../../src/loop/index.ts';
import { collapsing, drive, evolve, runDirectory, runStudy } from '../../src/loop/index.ts';
import { type GatewayStage, gatewayPerformer, gatewayStage, readScenarios } from '../../src/outside/index.ts';
import { readMember } from '../../src/population/index.ts';
import { ADMIN_KEY, type Stand, stand } from '../gateway/end-to-end/stand.ts';
import { hasTrl } from '../python/trl-process.ts';
import { type TrainerExample, trainerExample } from './trainer-example.ts';

const scripted = (family: string) => ({ id: family, family, recipe: { kind: 'scripted' } });
const now = () => Date.now() / 1000;

/** These sizes decide nothing: what is shown is who trains when, and with whom. */
const SETTINGS: RunSettings = {
  seed: 1,
  rounds: 2,
  members: ['birch', 'cedar'].map((family) => readMember(scripted(family))),
  mostMembers: 6,
  steps: 2,
  probe: { contexts: 12, rollouts: 1, audition: 4, replies: 8 },
  acceptance: { delta: 50, alpha: 0.5, powerTrials: 0 },
  synthesis: { gaps: 0, paths: 1, adversaries: 0, share: 0.9, raisedShare: 0.9, realismFloor: 0 },
  parts: {
    people: false,
    gate: true,
    weights: true,
    gaps: false,
    paths: true,
    adversary: false,
    breaker: true,
    consistency: true,
  },
  exam: { contexts: 2, population: 1, test: 2, people: 1 },
  bars: 'proposed',
};

describe.skipIf(!hasTrl)('the loop over a GRPO trainer that it does not own', { timeout: 300_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'ca-outside-'));
  const rounds: RoundRecord[] = [];
  /** Seconds at which requests were answered. */
  const answered = new Map<string, number>();
  let gateway: Stand;
  let trainer: TrainerExample;
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
    const file = join(folder, 'scenarios.jsonl');
    const sizes = ['--groups', '3', '--rollouts', '4', '--prompts', '32', '--steps', '500'];
    trainer = trainerExample(gateway.url, ADMIN_KEY, file, sizes);
    const port = await trainer.serving;
    stage = gatewayStage({
      url: gateway.url,
      adminKeyEnv: 'CA_ADMIN_KEY',
      agent: { url: `http://127.0.0.1:${port}/v1`, model: 'policy', earlier: '{checkpoint}' },
      scorer: { url: `http://127.0.0.1:${port}/score`, keyEnv: null },
      probes: readScenarios(readFileSync(file, 'utf8'), file),
      turns: 5,
    });
    performer = gatewayPerformer(stage, { environment });
    store = await runDirectory(join(folder, 'run')).open(runStudy(SETTINGS, stage));
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

  it('gives it new users between its epochs, and stops it where they collapse', async () => {
    const end = await drive(evolve, store, collapsing(performer, 2), {
      onEvent: (event) => {
        if (event.kind === 'answer') answered.set(event.request.id, now());
        if (event.kind === 'round') rounds.push(event.record);
      },
    });
    expect(end.kind).toBe('done');
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
    expect(own.length).toBeGreaterThan(100);
    expect(own.every(({ reward }) => reward !== null)).toBe(true);
    expect(await gateway.trajectories('?of=closed&purpose=panel')).toHaveLength(0);
  });

  it('lets it make no step at red, and go on with what it is given after it', async () => {
    expect((await gateway.gate()).override).toMatchObject({ level: 'red', by: 'evolve' });
    const red = answered.get('round-2/gate/look')!;
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
    const population = [{ member: SETTINGS.members[0]!, share: 1 }];
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
