import type { UserTraits, World } from '../../../../src/lab/world/index.ts';
import { A, AGENT_ACTS, P, PARTNER_ACTS } from '../../../../src/lab/worlds/pair-coding/acts.ts';
import { pairCoding } from '../../../../src/lab/worlds/pair-coding/index.ts';
import { PairEncounter } from '../../../../src/lab/worlds/pair-coding/pair-encounter.ts';
import type { PairSetting } from '../../../../src/lab/worlds/pair-coding/pair-setting.ts';
import type { Random } from '../../../../src/math/random.ts';

export type Line = keyof typeof A | `partner ${keyof typeof P}`;

/** A world in which both have done their own parts: one region overlaps, of the kind asked for. */
export function meet(kind: number, horizon = 19): PairEncounter {
  const world = pairCoding(horizon);
  for (let index = 0; ; index++) {
    const setting = world.setting(index, 1) as PairSetting;
    if (setting.kinds[0] === kind) return begin(world, setting, [world.types[0]!.traits]);
  }
}

export function begin(world: World, setting: PairSetting, users: readonly UserTraits[]): PairEncounter {
  const encounter = world.begin(setting, users);
  if (!(encounter instanceof PairEncounter)) throw new TypeError('not of this world');
  return encounter;
}

/** Acts it out; throws where an act is not allowed or not possible. */
export function act(encounter: PairEncounter, lines: readonly Line[]): PairEncounter {
  const allowed = new Uint8Array(AGENT_ACTS.length);
  const law = new Float64Array(PARTNER_ACTS.length);
  for (const line of lines) {
    if (line.startsWith('partner ')) {
      const act = P[line.slice('partner '.length) as keyof typeof P];
      encounter.law(0, law);
      if (!(law[act]! > 0)) throw new RangeError(`"${line}" is not possible`);
      encounter.actUser(act);
    } else {
      const act = A[line as keyof typeof A];
      encounter.allowed(allowed, 0);
      if (allowed[act] === 0) throw new RangeError(`"${line}" is not allowed`);
      encounter.actAgent(act);
    }
  }
  return encounter;
}

/** Plays to the end: the partner by its law, the agent as `choose` says. */
export function play(
  encounter: PairEncounter,
  choose: (encounter: PairEncounter) => number,
  random: Random,
): PairEncounter {
  const law = new Float64Array(PARTNER_ACTS.length);
  while (encounter.phase !== 'over') {
    if (encounter.phase === 'agent') encounter.actAgent(choose(encounter));
    else {
      encounter.law(0, law);
      encounter.actUser(draw(law, random));
    }
  }
  return encounter;
}

export function draw(law: Float64Array, random: Random): number {
  let u = random.next();
  let last = 0;
  for (let i = 0; i < law.length; i++) {
    if (law[i]! === 0) continue;
    last = i;
    u -= law[i]!;
    if (u < 0) return i;
  }
  return last;
}

export function anyAllowed(random: Random): (encounter: PairEncounter) => number {
  const allowed = new Uint8Array(AGENT_ACTS.length);
  return (encounter) => {
    encounter.allowed(allowed, 0);
    for (;;) {
      const act = random.integer(AGENT_ACTS.length);
      if (allowed[act] === 1) return act;
    }
  };
}
