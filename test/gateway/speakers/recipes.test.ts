import { describe, expect, it } from 'vitest';
import { blendedPersona } from '../../../src/gateway/speakers/blend.ts';
import { withSystem } from '../../../src/gateway/speakers/system-prompt.ts';
import type { FakeUpstream } from '../fake-upstream.ts';
import { MESSAGES, says, stage, turn } from './stage.ts';

const systemOf = (fake: FakeUpstream, at = -1): unknown =>
  (fake.requests.at(at)!.body.messages as { content: unknown }[])[0]!.content;
const SEEDS = Array.from({ length: 200 }, (_, i) => `session ${i}`);

describe('a persona', () => {
  it('stands before the system prompt of the client, which stays as it is', async () => {
    const at = await stage();
    const voice = at.speaker({ kind: 'persona', text: 'You are a tired nurse.' }).open('s');
    await voice.reply(turn());
    expect(systemOf(at.fake)).toBe('You are a tired nurse.\n\nYou want a refund.');
    expect(at.fake.requests[0]!.body.messages).toHaveLength(2);
    expect(voice.person).toMatch(/^persona-[0-9a-f]{12}$/);
  });

  it('is drawn a session: the same for one seed, and each of the bank alike', async () => {
    const at = await stage();
    const speaker = at.speaker({ kind: 'persona', bank: ['a nurse', 'a clerk', 'a pilot'] });
    const drawn = SEEDS.map((seed) => speaker.open(seed).person);
    expect(SEEDS.map((seed) => speaker.open(seed).person)).toEqual(drawn);
    const counts = [...new Set(drawn)].map((one) => drawn.filter((other) => other === one).length);
    expect(counts).toHaveLength(3);
    expect(Math.min(...counts)).toBeGreaterThan(40);
  });

  it('joins system prompts of every shape', () => {
    expect(withSystem([{ role: 'user', content: 'hi' }], 'P', 'before')[0]).toEqual({
      role: 'system',
      content: 'P',
    });
    expect(withSystem([{ role: 'developer', content: 'D' }], 'P', 'after')).toEqual([
      { role: 'developer', content: 'D\n\nP' },
    ]);
    const parts = [{ type: 'text', text: 'D' }];
    expect(withSystem([{ role: 'system', content: parts }], 'P', 'before')[0]!.content).toEqual([
      { type: 'text', text: 'P' },
      ...parts,
    ]);
  });
});

describe('interpolation', () => {
  const nurse = { id: 'nurse', family: 'f', model: 'm', recipe: { kind: 'persona', text: 'A nurse.' } };
  const clerk = { id: 'clerk', family: 'f', model: 'm', recipe: { kind: 'persona', text: 'A clerk.' } };

  it('of prompts ends in the prompts themselves, and says shares between', async () => {
    const at = await stage();
    const between = (lambda: number) => ({ kind: 'interpolate', a: nurse, b: clerk, lambda, how: 'prompt' });
    for (const [lambda, system] of [
      [0, 'A nurse.\n\nYou want a refund.'],
      [1, 'A clerk.\n\nYou want a refund.'],
    ] as const) {
      await says(at.speaker(between(lambda)), turn());
      expect(systemOf(at.fake)).toBe(system);
    }
    const said = await says(at.speaker(between(0.3)), turn());
    expect(systemOf(at.fake)).toMatch(
      /A nurse\.[\s\S]*A clerk\.[\s\S]*70 %[\s\S]*30 %[\s\S]*You want a refund\.$/,
    );
    expect(said.answeredBy.id).toBe('one');
    expect(blendedPersona(null, null, 1)).toBeNull();
    expect(blendedPersona('A nurse.', null, 0.001)).toContain('1 %');
  });

  it('of prompts blends the personas of verbalized members, and draws the way of asking every turn', async () => {
    const at = await stage();
    const shy = {
      id: 'shy',
      family: 'f',
      model: 'm',
      recipe: { kind: 'verbalized', persona: 'A shy one.', exemplars: ['says little'] },
    };
    const between = (lambda: number) => ({ kind: 'interpolate', a: nurse, b: shy, lambda, how: 'prompt' });
    const voice = at.speaker(between(0.25)).open('s');
    let lists = 0;
    for (const seed of SEEDS) {
      await voice.reply(turn({}, { seed }));
      expect(systemOf(at.fake)).toMatch(/A nurse\.[\s\S]*A shy one\.[\s\S]*says little[\s\S]*75 %/);
      if (String(systemOf(at.fake)).includes('"candidates"')) lists++;
    }
    expect(lists).toBeGreaterThan(30);
    expect(lists).toBeLessThan(75);
    await says(at.speaker(between(0)), turn());
    expect(systemOf(at.fake)).toBe('A nurse.\n\nYou want a refund.');
    await says(at.speaker(between(1)), turn());
    expect(systemOf(at.fake)).toMatch(
      /^A shy one\.[\s\S]*- says little\n\nYou want a refund\.[\s\S]*"candidates"/,
    );
  });

  it('of sampling asks on the line between', async () => {
    const at = await stage();
    const [a, b] = [0.2, 1].map((temperature, i) => ({
      id: `t${i}`,
      family: 'f',
      model: 'm',
      recipe: { kind: 'direct' },
      sampling: { temperature, topP: 1 - i / 2 },
    }));
    await says(
      at.speaker({ kind: 'interpolate', a, b, lambda: 0.25, how: 'sampling' }),
      turn({ temperature: 2 }),
    );
    expect(at.fake.requests[0]!.body.temperature).toBeCloseTo(0.4);
    expect(at.fake.requests[0]!.body.top_p).toBeCloseTo(0.875);
  });

  it('by turns lets b speak with probability lambda, under its own name', async () => {
    const at = await stage();
    const speaker = at.speaker({ kind: 'interpolate', a: nurse, b: clerk, lambda: 0.25, how: 'mixture' });
    const voice = speaker.open('s');
    let clerks = 0;
    for (const seed of SEEDS) {
      const reply = await voice.reply(turn({}, { seed }));
      if (reply.kind !== 'whole') throw new Error('streamed');
      const { id } = reply.said.answeredBy;
      expect(systemOf(at.fake)).toContain(id === 'clerk' ? 'A clerk.' : 'A nurse.');
      if (id === 'clerk') clerks++;
    }
    expect(clerks).toBeGreaterThan(30);
    expect(clerks).toBeLessThan(75);
  });

  it('refuses to blend what has no words', async () => {
    const at = await stage();
    const pool = { id: 'pool', family: 'f', model: 'm', recipe: { kind: 'pool' } };
    expect(() => at.speaker({ kind: 'interpolate', a: nurse, b: pool, lambda: 0.5, how: 'prompt' })).toThrow(
      /pool/,
    );
  });
});

describe('an ensemble', () => {
  it('has one part a session, each alike, under its own name', async () => {
    const at = await stage();
    const members = ['x', 'y'].map((id) => ({
      id,
      family: 'f',
      model: `model-${id}`,
      recipe: { kind: 'direct' },
    }));
    const speaker = at.speaker({ kind: 'ensemble', members });
    const drawn = SEEDS.map((seed) => speaker.open(seed).person);
    expect(drawn.filter((one) => one === 'x').length).toBeGreaterThan(70);
    expect(drawn.filter((one) => one === 'y').length).toBeGreaterThan(70);
    for (const seed of SEEDS.slice(0, 5)) {
      const { answeredBy } = await says(speaker, turn(), seed);
      expect(answeredBy).toMatchObject({ id: speaker.open(seed).person, model: `model-${answeredBy.id}` });
      expect(at.fake.requests.at(-1)!.body.model).toBe(answeredBy.model);
    }
  });
});

describe('a pool', () => {
  it('draws a checkpoint a session, and keeps it while newer ones come', async () => {
    const at = await stage();
    const speaker = at.speaker({ kind: 'pool', size: 3 }, { model: null });
    await expect(speaker.open('s').reply(turn())).rejects.toMatchObject({ status: 503, retryAfter: 10 });
    at.checkpoints.push('c1', 'c2', 'c3');
    const before = SEEDS.map((seed) => speaker.open(seed).person);
    expect(new Set(before)).toEqual(new Set(['c1', 'c2', 'c3']));
    at.checkpoints.push('c4');
    at.checkpoints.shift();
    const after = SEEDS.map((seed) => speaker.open(seed).person);
    for (const [i, one] of after.entries())
      if (one !== 'c4' && before[i] !== 'c1') expect(one).toBe(before[i]);
    expect(SEEDS.map((seed, i) => speaker.open(seed, before[i]).person)).toEqual(before);
    await says(speaker, turn(), SEEDS[0]);
    expect(at.fake.requests[0]!.body.model).toBe(after[0]);
  });
});

describe('a person', () => {
  it('sees the conversation alone, and answers in the same session', async () => {
    const at = await stage();
    const { people } = at.services;
    const asked = says(at.speaker({ kind: 'human' }), turn());
    const [question] = people.open();
    expect(question).toEqual({
      id: 'q0',
      askedAt: 7,
      conversation: [
        { from: 'instructions', text: MESSAGES[0]!.content },
        { from: 'agent', text: MESSAGES[1]!.content },
      ],
    });
    expect(() => people.answer('q0', '  ')).toThrow(/characters/);
    expect(people.answer('q0', 'My money!')).toBe(true);
    expect(await asked).toMatchObject({ text: 'My money!', answeredBy: { id: 'one', model: null } });
    expect(people.answer('q0', 'again')).toBe(false);
    expect(people.open()).toEqual([]);
  });

  it('has so much time and so many questions, and is left alone when nobody waits', async () => {
    const at = await stage();
    const speaker = at.speaker({ kind: 'human' });
    const stop = new AbortController();
    const gone = says(speaker, turn({}, { signal: stop.signal }));
    const late = [1, 2].map(() => says(speaker, turn()));
    await expect(says(speaker, turn())).rejects.toMatchObject({ status: 429 });
    stop.abort(new Error('gone'));
    await expect(gone).rejects.toThrow('gone');
    expect(at.services.people.open()).toHaveLength(2);
    for (const one of late) await expect(one).rejects.toMatchObject({ status: 408 });
    await expect(says(speaker, turn({}, { probe: true }))).rejects.toMatchObject({ status: 503 });
  });
});
