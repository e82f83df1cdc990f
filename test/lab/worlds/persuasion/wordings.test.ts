import { describe, expect, it } from 'vitest';
import { type Pattern, say } from '../../../../src/lab/speech/pattern.ts';
import { persuasion } from '../../../../src/lab/worlds/persuasion/index.ts';
import { seeded } from '../../../../src/math/random.ts';

const world = persuasion();

/** Distinct renderings in one setting, as far as 400 draws find them. */
function renderings(pattern: Pattern): Set<string> {
  const random = seeded('wordings');
  const { slots } = world.setting(0, 1);
  return new Set(Array.from({ length: 400 }, () => say(pattern, slots, (n) => random.integer(n))));
}

describe('wordings of persuasion', () => {
  it('are there for every act', () => {
    expect(Object.keys(world.wordings.agent).sort()).toEqual([...world.agentActs].sort());
    expect(Object.keys(world.wordings.user).sort()).toEqual([...world.userActs].sort());
  });

  it('are many, and terse ones shorter', () => {
    const length = (texts: Set<string>) => [...texts].reduce((n, text) => n + text.length, 0) / texts.size;
    for (const [act, pattern] of Object.entries(world.wordings.agent))
      expect(renderings(pattern).size, act).toBeGreaterThanOrEqual(16);
    for (const [act, { core, terse, more }] of Object.entries(world.wordings.user)) {
      expect(renderings(core).size, act).toBeGreaterThanOrEqual(16);
      expect(renderings(terse!).size, act).toBeGreaterThanOrEqual(4);
      expect(renderings(more!).size, act).toBeGreaterThanOrEqual(3);
      expect(length(renderings(terse!)), act).toBeLessThan(length(renderings(core)));
    }
  });

  it('fill every slot in every setting, and are sentences', () => {
    const random = seeded('sentences');
    const patterns = [
      ...Object.values(world.wordings.agent),
      ...Object.values(world.wordings.user).flatMap(({ core, terse, more }) => [core, terse!, more!]),
    ];
    for (let i = 0; i < 150; i++) {
      const { slots } = world.setting(i, 2);
      for (const pattern of patterns)
        expect(say(pattern, slots, (n) => random.integer(n))).toMatch(
          /^[^ <>|().?!]([^<>|()]*[^ .?!<>|()])?[.?!]$/,
        );
    }
  });
});
