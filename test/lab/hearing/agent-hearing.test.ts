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
import { PARAPHRASES } from './paraphrases.ts';

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

  it('are heard in words of their own more often than not', () => {
    const hearing = agentHearing(world);
    const setting = world.setting(0, 0);
    const allowed = new Uint8Array(world.agentActs.length).fill(1);
    const told = PARAPHRASES[world.id];
    const wrong = told.filter(
      ([act, text]) => world.agentActs[hearing.hear(text, setting, allowed).act] !== act,
    );
    if (process.env.SHOW) {
      console.log(world.id, `${told.length - wrong.length}/${told.length}`);
      for (const [act, text] of wrong) {
        const h = hearing.hear(text, setting, allowed);
        console.log(' ', act, '->', world.agentActs[h.act], h.sure, text);
      }
      const sure = told.filter(([, text]) => hearing.hear(text, setting, allowed).sure);
      console.log(' sure', sure.length, 'of them wrong', sure.filter((x) => wrong.includes(x)).length);
    }
    expect(wrong.length / told.length).toBeLessThan(0.5);
  });
});
