import { describe, expect, it } from 'vitest';
import {
  followDialogue,
  labAgent,
  playOverChat,
  STOP_TOKEN,
  settingOfInstructions,
  silentCalls,
  type TalkMessage,
} from '../../../src/lab/hearing/index.ts';
import { openPerson, peopleOf } from '../../../src/lab/simulators/people.ts';
import { WORLD_IDS, worldOf } from '../../../src/lab/worlds/index.ts';
import { seeded } from '../../../src/math/random.ts';

const worlds = WORLD_IDS.map((id) => worldOf(id));

describe.each(worlds)('an agent of $id over chat', (world) => {
  const { scenario } = world.setting(2, 0);

  it('opens, goes on, and says the same for the same messages and stream', () => {
    const agent = labAgent(world);
    const messages: TalkMessage[] = [{ role: 'system', content: scenario }];
    for (let turn = 0; turn < 5; turn++) {
      const text = agent(messages, seeded(`turn ${turn}`))!;
      expect(text).not.toBe('');
      expect(agent(messages, seeded(`turn ${turn}`))).toBe(text);
      messages.push({ role: 'user', content: text }, { role: 'assistant', content: 'Okay.' });
    }
  });

  it('stops at the stop token, and at its number of turns', async () => {
    const play = (reply: string) =>
      playOverChat({ ask: async () => reply, world, settingNumber: 2, random: seeded('stop'), turns: 3 });
    const stopped = await play(`Okay. ${STOP_TOKEN}`);
    expect(stopped.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant']);
    expect(stopped.messages[0]!.content).toBe(scenario);
    expect((await play('Okay.')).messages.length).toBeLessThanOrEqual(7);
  });

  it('fails as the simulator does', async () => {
    const ask = () => Promise.reject(new Error('no simulator'));
    await expect(playOverChat({ ask, world, settingNumber: 0, random: seeded('x') })).rejects.toThrow(
      'no simulator',
    );
  });

  it('meets the same user instructions in the same setting, also inside a longer prompt', () => {
    for (const number of [0, 7, 1007]) {
      const setting = world.setting(number, 0);
      expect(settingOfInstructions(world, setting.scenario)).toEqual(setting);
      expect(settingOfInstructions(world, `# Task\n${setting.scenario}\nBe brief.`)).toEqual(setting);
    }
    const other = settingOfInstructions(world, 'You are a pirate.');
    expect(settingOfInstructions(world, 'You are a pirate.')).toEqual(other);
  });
});

describe('calls that nobody saw', () => {
  it('follow from what is said after them', () => {
    const world = worldOf('service');
    const number = Array.from({ length: 50 }, (_, i) => i).find((i) =>
      world.setting(i, 0).scenario.includes('You want to cancel order'),
    )!;
    const setting = world.setting(number, 0);
    const act = (name: string) => world.agentActs.indexOf(name);
    const agent = (name: string) => ({ side: 'agent', act: act(name) }) as const;
    const user = (name: string) => ({ side: 'user', act: world.userActs.indexOf(name) }) as const;
    const taken = [agent('ask-goal'), user('tell-all'), agent('ask-identity'), user('give-identity')];
    const guessed = silentCalls(world, setting, taken, act('close')).map((one) => world.agentActs[one]);
    expect(guessed[0]).toBe('look-up');
    expect(silentCalls(world, setting, taken.slice(0, 2), act('ask-identity'))).toEqual([]);
  });

  it('are not thought of where there are no tools', () => {
    const world = worldOf('persuasion');
    expect(silentCalls(world, world.setting(0, 0), [], 0)).toEqual([]);
  });
});

describe('a dialogue that is followed', () => {
  it('takes an act by its name where it is possible, else by the words', () => {
    const world = worldOf('persuasion');
    const [person] = peopleOf(world, 'reference', 1, 0);
    const dialogue = followDialogue(world, world.setting(0, 0), openPerson(world, person!));
    dialogue.agentSaid('Hello, how are you?');
    // No decision is due yet.
    expect(world.userActs[dialogue.userSaid('Hello there.', 'give-2')!]).toBe('greet');
    dialogue.agentSaid('How about starting with ten cents?');
    expect(world.userActs[dialogue.userSaid('Hello there.', 'refuse')!]).toBe('refuse');
    expect(dialogue.agentSaid('Thanks for listening. What have you decided?')!.sure).toBe(true);
    expect(world.userActs[dialogue.userSaid('', 'give-1')!]).toBe('give-1');
    expect(dialogue.encounter.reward).toBe(0.5);
    expect(dialogue.agentSaid('Hello?')).toBeNull();
    expect(dialogue.userSaid('Yes?')).toBeNull();
  });
});
