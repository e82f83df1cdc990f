import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EvolveBoard } from '../../src/cli/evolve-board.ts';
import type { EvolveReply } from '../../src/gateway/api/control.ts';
import { labStage } from '../../src/lab/evolution/index.ts';
import { worldOf } from '../../src/lab/worlds/index.ts';
import type { LoopAnswer, RunPlace, RunSummary, RunView } from '../../src/loop/index.ts';
import { runStudy } from '../../src/loop/index.ts';
import { gatewayStage } from '../../src/outside/index.ts';
import { ADMIN_KEY, type Stand, stand } from '../gateway/end-to-end/stand.ts';
import { sampleEvolve } from '../report/evolve-fixture.ts';

const KEY = 'CA_KEY_OF_THE_BOARD';
/** Its last round is green, that of five is red. */
const SUMMARY = sampleEvolve({ rounds: 8 }).run as RunSummary;

let gateway: Stand;
const said: string[] = [];
beforeEach(async () => {
  gateway = await stand({ settings: { breaker: { enabled: false } } });
  vi.stubEnv(KEY, ADMIN_KEY);
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  said.length = 0;
  await gateway.close();
});

/** A run as it lies there: so many rounds of the sample, and its summary once it is over. */
function place(rounds: () => number, over: () => boolean, url = gateway.url): RunPlace {
  const stage = gatewayStage({
    url,
    adminKeyEnv: KEY,
    agent: { url: 'http://127.0.0.1:9/v1', model: 'policy' },
    probes: [],
  });
  const view: RunView = {
    place: 'first-run',
    study: runStudy(SUMMARY.settings, stage),
    entries: async function* () {
      const answer = { kind: 'open', ...SUMMARY.space, space: SUMMARY.space!.id, people: null } as unknown;
      yield { round: 0, id: 'open', request: '', answer: answer as LoopAnswer };
    },
    rounds: async () => SUMMARY.rounds.slice(0, rounds()),
    summary: async () =>
      over() ? JSON.stringify({ ...SUMMARY, rounds: SUMMARY.rounds.slice(0, rounds()) }) : null,
    read: async () => '',
    control: async () => ({ pause: null }),
    holder: async () => null,
    close: async () => {},
  };
  const none = async () => Promise.reject(new Error('not asked for'));
  return { name: 'first-run', view: async () => view, open: none, askPause: none, allow: none };
}

const shown = async () => (await gateway.api('GET', '/api/evolve')).body as EvolveReply;
const hold = () =>
  gateway.api('POST', '/api/breaker', { level: 'red', by: 'evolve', reason: 'measured', seconds: 3600 });

describe('a run over a gateway, in its dashboard', () => {
  it('is shown after each round, and as it ended', async () => {
    let [rounds, over] = [0, false];
    const board = new EvolveBoard(
      place(
        () => rounds,
        () => over,
      ),
      null,
    );
    for (rounds = 1; rounds < 3; rounds++) {
      board.round(rounds);
      await board.settled();
      expect((await shown()).run).toMatchObject({ title: 'first-run', finished: false });
      expect((await shown()).run!.rounds).toHaveLength(rounds);
    }
    [rounds, over] = [8, true];
    await board.end();
    expect((await shown()).run).toMatchObject({ finished: true, selected: SUMMARY.selected });
    expect(said.join('')).not.toContain('warning');
  });

  it('lets the trainer go when it is over, and not where it ended at red', async () => {
    for (const [rounds, level] of [
      [8, null],
      [4, 'red'],
    ] as const) {
      let over = false;
      const board = new EvolveBoard(
        place(
          () => rounds,
          () => over,
        ),
        null,
      );
      await board.settled();
      board.round(rounds);
      await board.settled();
      await hold();
      over = true;
      await board.end();
      expect((await gateway.gate()).override?.level ?? null).toBe(level);
    }
    expect(said.join('')).toContain('ended at red: the trainer stays held');
  });

  it('is told once: one that was over already changes neither dashboard nor gate', async () => {
    await hold();
    const board = new EvolveBoard(
      place(
        () => 8,
        () => true,
      ),
      null,
    );
    board.round(8);
    await board.end();
    expect((await shown()).run).toBeNull();
    expect((await gateway.gate()).override).toMatchObject({ level: 'red', by: 'evolve' });
  });

  it('goes on where the gateway takes nothing of it, and says so', async () => {
    const ends = (url?: string) => {
      let over = false;
      const board = new EvolveBoard(
        place(
          () => 8,
          () => over,
          url,
        ),
        null,
      );
      board.round(1);
      return board.settled().then(() => {
        over = true;
        return board.end();
      });
    };
    await ends('http://127.0.0.1:9');
    expect(said.join('')).toContain(
      'warning: the run is not shown in the dashboard: the gateway cannot be reached',
    );
    expect(said.join('')).toContain('warning: the trainer is not let go');
    said.length = 0;
    vi.stubEnv(KEY, 'another-key');
    await ends();
    expect(said.join('')).toContain('the admin key is not the right one');
    vi.stubEnv(KEY, '');
    await ends();
    expect(said.join('')).toContain(`the environment variable ${KEY} is not set`);
  });

  it('has no part in a run of the lab', async () => {
    const lab = runStudy(SUMMARY.settings, labStage(worldOf('persuasion'), 1, true));
    const never: RunPlace = {
      ...place(
        () => 8,
        () => false,
      ),
      view: () => Promise.reject(new Error('read')),
    };
    const board = new EvolveBoard(never, lab);
    board.round(1);
    await board.end();
    expect(said).toEqual([]);
  });
});
