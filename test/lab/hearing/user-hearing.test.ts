import { describe, expect, it } from 'vitest';
import { userHearing } from '../../../src/lab/hearing/index.ts';
import { drawFrom } from '../../../src/lab/simulators/draw-act.ts';
import { openPerson, peopleOf } from '../../../src/lab/simulators/people.ts';
import { speakerOf } from '../../../src/lab/speech/manner.ts';
import { renderUserAct } from '../../../src/lab/speech/render.ts';
import { WORLD_IDS, worldOf } from '../../../src/lab/worlds/index.ts';
import { seeded } from '../../../src/math/random.ts';

describe.each(WORLD_IDS.map((id) => worldOf(id)))('the users of $id', (world) => {
  it('are heard back by their words in almost all turns', () => {
    const hearing = userHearing(world);
    let all = 0;
    let right = 0;
    const missed = new Map<string, number>();
    for (const [number, person] of peopleOf(world, 'reference', 80, 3).entries()) {
      const random = seeded(`users heard back ${number}`);
      const setting = world.setting(number, 0);
      const session = openPerson(world, person);
      const encounter = world.begin(setting, session.users);
      const law = new Float64Array(world.agentActs.length);
      const own = new Float64Array(world.userActs.length);
      const hand = speakerOf({ voice: session.voice, breadth: 1 }, random);
      const taken: { side: 'agent' | 'user'; act: number }[] = [];
      const stepOf = (act: number) => {
        const again = world.begin(setting, session.users);
        for (const one of taken) {
          if (one.side === 'agent') again.actAgent(one.act);
          else again.actUser(one.act);
        }
        again.actUser(act);
        return again.steps.at(-1)!;
      };
      while (encounter.phase !== 'over') {
        if (encounter.phase === 'agent') {
          world.demonstrate(encounter, law);
          const act = drawFrom(law, random);
          encounter.actAgent(act);
          taken.push({ side: 'agent', act });
          continue;
        }
        session.law(encounter, own);
        const { act } = session.reply(encounter, random);
        const name = world.userActs[act]!;
        if (world.wordings.user[name] !== undefined) {
          const { text } = renderUserAct(world, setting, stepOf(act), hand, new Set(), random);
          const heard = hearing.hear(text!, setting, own, (one) => stepOf(one).slots ?? {});
          all += 1;
          if (heard === act) right += 1;
          else {
            const key = `${name} -> ${world.userActs[heard]}: ${text}`;
            missed.set(key, (missed.get(key) ?? 0) + 1);
          }
        }
        encounter.actUser(act);
        taken.push({ side: 'user', act });
      }
    }
    if (process.env.SHOW) console.log(world.id, right, all, [...missed].slice(0, 25));
    expect(right / all).toBeGreaterThan(0.95);
  });
});
