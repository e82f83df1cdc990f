import { beforeAll, describe, expect, it } from 'vitest';
import {
  type DemoStudy,
  demoStudy,
  FAMILIES,
  labContext,
  scriptedEpisodes,
} from '../../../src/lab/scripted/index.ts';
import type { Trajectory } from '../../../src/trajectory/trajectory.ts';

let study: DemoStudy;
beforeAll(() => {
  study = demoStudy(1);
});
const reward = (rows: readonly Trajectory[]) => rows.reduce((sum, t) => sum + t.reward!, 0) / rows.length;
const of = (split: string, epoch: number) =>
  study.rollouts.filter((t) => t.split === split && t.epoch === epoch);
const userTexts = (rows: readonly Trajectory[]) =>
  rows.flatMap((t) => t.turns.filter((turn) => turn.role === 'user').map((turn) => turn.text!));

describe('the demo study', () => {
  it('has people and five simulators on the same 60 contexts over three epochs', () => {
    expect(study.people).toHaveLength(400);
    expect(new Set(study.people.map((t) => t.simulator.person)).size).toBe(160);
    for (const { id } of FAMILIES) {
      const rows = study.rollouts.filter((t) => t.simulator.id === id);
      expect(new Set(rows.map((t) => t.context)).size).toBe(60);
      expect(new Set(rows.map((t) => t.epoch))).toEqual(new Set([0, 1, 2]));
      expect(new Set(rows.map((t) => t.policy.id)).size).toBe(2);
    }
  });
  it('is the same for the same seed and another for another', () => {
    const again = demoStudy(1);
    expect(again.rollouts[77]).toEqual(study.rollouts[77]);
    expect(again.people[77]).toEqual(study.people[77]);
    expect(demoStudy(2).people[77]!.turns).not.toEqual(study.people[77]!.turns);
  });
  it('has ids that do not repeat', () => {
    const ids = [...study.people, ...study.rollouts].map((t) => t.id);
    expect(new Set(ids).size).toBe(ids.length);
  });
  it('has rewards that rise on the training simulators and not on the held-out ones', () => {
    expect(reward(of('seen', 2)) - reward(of('seen', 0))).toBeGreaterThan(0.2);
    expect(reward(of('test', 2)) - reward(of('test', 0))).toBeLessThan(0.02);
  });
  it('has people who say things in many ways', () => {
    const texts = userTexts(study.people);
    expect(new Set(texts).size / texts.length).toBeGreaterThan(0.85);
    const words = new Set(texts.flatMap((text) => text.toLowerCase().match(/[a-z']+/g) ?? []));
    expect(words.size).toBeGreaterThan(500);
  });
  it('has one simulator of few wordings and one that narrows over epochs', () => {
    const distinct = (id: string, epoch: number) => {
      const rows = study.rollouts.filter((t) => t.simulator.id === id && t.epoch === epoch);
      // The topic's own words aside: first words of every turn.
      const starts = userTexts(rows).map((text) => text.toLowerCase().split(/\s+/).slice(0, 3).join(' '));
      return new Set(starts).size / starts.length;
    };
    expect(distinct('one-note', 0)).toBeLessThan(0.5 * distinct('panel', 0));
    expect(distinct('drifting', 2)).toBeLessThan(0.6 * distinct('drifting', 0));
  });
  it('never leaves a slot or a bracket in a text', () => {
    for (const t of [...study.people, ...study.rollouts])
      for (const text of [t.scenario!, ...t.turns.map((turn) => turn.text ?? '')])
        expect(text).not.toMatch(/[<>|]|\((?!$)|undefined/);
  });
  it('always has a user turn with words', () => {
    for (const t of [...study.people, ...study.rollouts])
      expect(
        t.turns.some((turn) => turn.role === 'user' && turn.text !== null && turn.text.trim() !== ''),
      ).toBe(true);
  });
});

it('makes a context from its number and seed alone', () => {
  expect(labContext(5, 1).scenario).toBe(labContext(5, 1).scenario);
  expect(labContext(5, 1).scenario).not.toBe(labContext(13, 1).scenario);
  expect(labContext(5, 1).scenario).not.toBe(labContext(5, 2).scenario);
});

it('plays the same episode whatever else is asked for', () => {
  const small = [...scriptedEpisodes({ seed: 1, contexts: 3, epochs: 3, group: 2 })];
  const wanted = small.find((t) => t.epoch === 1)!;
  expect(study.rollouts.find((t) => t.id === wanted.id)).toEqual(wanted);
});
