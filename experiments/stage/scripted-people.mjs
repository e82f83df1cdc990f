import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scriptedSpeaker } from '../../dist/gateway/speakers/scripted.js';
import { worldOf } from '../../dist/lab/index.js';
import { seeded } from '../../dist/math/random.js';
import { composeTrajectory } from '../../dist/trajectory/index.js';
import { DRY } from './dry-arm.mjs';
import { DRY_POLICY, randomPolicy } from './random-policy.mjs';

const PEOPLE = 160;
/** Settings that no session of a dry run meets. */
const FROM = 2000;

const CROWD = {
  id: 'people',
  family: 'people',
  model: null,
  recipe: { kind: 'scripted', family: 'people' },
  checkpoint: null,
  sampling: null,
};

/**
 * Scripted people of the lab, each in one dialogue with the same random policy: they stand in for the people of a
 * benchmark that has some. Written to a file too, since a gateway reads its reference from one.
 */
export async function scriptedPeople({ id, plan }, runs) {
  const worldId = plan.dry.world;
  const speaker = scriptedSpeaker(CROWD, worldOf(worldId));
  const policy = randomPolicy(worldId);
  const rows = [];
  for (let at = 0; at < PEOPLE; at++) {
    const luck = seeded(`scripted-people/${at}`);
    const voice = speaker.open(String(at));
    const past = [];
    const talk = await policy.play({
      session: `person-${at}`,
      setting: FROM + at,
      turns: DRY.turns,
      ask: async (messages) => {
        const random = luck.fork(`turn ${past.length}`);
        const { said } = await voice.reply({ request: { messages, tools: undefined }, past, random });
        past.push({ text: said.text, acts: said.acts });
        return said.text;
      },
    });
    rows.push(rowOf(talk, at, id));
  }
  const file = join(runs, 'scripted-people.jsonl');
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return { rows, file };
}

function rowOf({ messages, reward, outcome, termination }, at, id) {
  const [{ content: scenario }, ...said] = messages;
  return composeTrajectory({
    id: `scripted-person-${at}`,
    benchmark: id,
    scenario,
    turns: said.map(({ role, content }) => ({
      role: role === 'assistant' ? 'user' : 'agent',
      text: content,
    })),
    simulator: {
      id: 'people',
      kind: 'human',
      person: `person-${at}`,
      model: null,
      recipe: null,
      fingerprint: null,
    },
    policy: { id: DRY_POLICY, checkpoint: null },
    reward: reward ?? 0,
    outcome,
    termination,
    source: { file: 'scripted-people.jsonl', line: at + 1 },
  });
}
