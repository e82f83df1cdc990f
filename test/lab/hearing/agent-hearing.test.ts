import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agentHearing } from '../../../src/lab/hearing/index.ts';
import { drawFrom } from '../../../src/lab/simulators/draw-act.ts';
import { openPerson, peopleOf } from '../../../src/lab/simulators/people.ts';
import { say } from '../../../src/lab/speech/pattern.ts';
import { tidy } from '../../../src/lab/speech/phrasing.ts';
import type { World } from '../../../src/lab/world/world.ts';
import { WORLD_IDS, worldOf } from '../../../src/lab/worlds/index.ts';
import { seeded } from '../../../src/math/random.ts';
import { LONG_PARAPHRASES, PARAPHRASES } from './paraphrases.ts';

const worlds = WORLD_IDS.map((id) => worldOf(id));

/** Every act of a dialogue of the demonstrator, as it was worded, and as it was heard where it was said. */
function heardBack(world: World, number: number, seed: number) {
  const hearing = agentHearing(world);
  const random = seeded(`heard back ${seed}`);
  const setting = world.setting(number, 0);
  const [person] = peopleOf(world, 'reference', 1, seed);
  const session = openPerson(world, person!);
  const encounter = world.begin(setting, session.users);
  const law = new Float64Array(world.agentActs.length);
  const allowed = new Uint8Array(world.agentActs.length);
  const heard: { said: number; heard: number; sure: boolean; text: string }[] = [];
  while (encounter.phase !== 'over')
    if (encounter.phase === 'user') {
      const { act } = session.reply(encounter, random);
      session.said(encounter, act);
      encounter.actUser(act);
    } else {
      encounter.allowed(allowed, 0);
      world.demonstrate(encounter, law);
      const act = drawFrom(law, random);
      encounter.actAgent(act);
      const wording = world.wordings.agent[world.agentActs[act]!];
      if (wording === undefined) continue;
      const slots = { ...setting.slots, ...encounter.steps.at(-1)!.slots };
      const text = tidy(say(wording, slots, (n) => random.integer(n)));
      const { act: back, sure } = hearing.hear(text, setting, allowed);
      heard.push({ said: act, heard: back, sure, text });
    }
  return heard;
}

describe.each(worlds)('the agents of $id', (world) => {
  it('are heard back as they meant it, in whatever of the wordings they say it', () => {
    fc.assert(
      fc.property(fc.nat(1007), fc.nat(1e6), (number, seed) => {
        for (const one of heardBack(world, number, seed)) {
          expect({ ...one, heard: world.agentActs[one.heard] }).toEqual({
            ...one,
            heard: world.agentActs[one.said],
            sure: true,
          });
        }
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['a sentence of their own', PARAPHRASES, 0.8],
    ['several sentences of their own', LONG_PARAPHRASES, 0.8],
  ] as const)('are heard in %s far more often than not', (_, paraphrases, least) => {
    const hearing = agentHearing(world);
    const setting = world.setting(0, 0);
    const allowed = new Uint8Array(world.agentActs.length).fill(1);
    const told = paraphrases[world.id].map(([act, text]) => {
      const heard = hearing.hear(text, setting, allowed);
      return { act, text, heard: world.agentActs[heard.act]!, sure: heard.sure };
    });
    const wrong = told.filter(({ act, heard }) => act !== heard);
    if (process.env.SHOW !== undefined)
      console.log(
        world.id,
        told.length - wrong.length,
        told.length,
        wrong,
        'sure',
        told.filter((o) => o.sure).length,
      );
    expect(1 - wrong.length / told.length).toBeGreaterThanOrEqual(least);
    // Who is sure is right.
    expect(wrong.filter(({ sure }) => sure)).toEqual([]);
  });
});
