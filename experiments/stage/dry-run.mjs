import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ARMS } from './arms.mjs';
import { assemble } from './assemble.mjs';
import { readArms } from './benchmark.mjs';
import { DRY, dryArm } from './dry-arm.mjs';
import { dryEnvironment } from './environment.mjs';
import { fakeUsers } from './fake-users.mjs';
import { scriptedPeople } from './scripted-people.mjs';

/** All arms of a benchmark to the end without a server, a key or a GPU; the table says `measured: false` in every row. */
export async function dryRun(benchmark, { out, say, arms = ARMS }) {
  const world = benchmark.plan.dry.world;
  const runs = out ?? mkdtempSync(join(tmpdir(), 'stage-zero-'));
  mkdirSync(runs, { recursive: true });
  const people = benchmark.plan.people === undefined ? null : await scriptedPeople(benchmark, runs);
  const users = await fakeUsers(world);
  try {
    const environment = dryEnvironment(benchmark, { url: users.url, runs, people: people?.file ?? '' });
    const settings = readArms(benchmark, environment);
    say(
      `dry run: ${DRY.steps} steps of ${DRY.contexts} groups of ${DRY.group} for each arm, a random policy, made-up users behind ${users.url}`,
    );
    const exports = new Map();
    for (const arm of arms) {
      const { file } = await dryArm({
        benchmark,
        arm,
        settings: settings.get(arm),
        environment,
        world,
        runs,
        say,
      });
      exports.set(arm, [file]);
    }
    return await assemble({
      benchmark,
      exports,
      people: people?.rows ?? null,
      measured: false,
      runs,
      notes: notesOf(people),
    });
  } finally {
    await users.close();
  }
}

const notesOf = (people) => [
  'The policy is random and does not learn: `step-2` is `base` under another name.',
  'Every simulated user is a scripted one of the lab, whatever model name it answers to.',
  ...(people === null ? [] : ['The people are scripted ones of the lab.']),
];
