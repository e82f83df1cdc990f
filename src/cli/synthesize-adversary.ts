import { CollapseAwareError } from '../errors.ts';
import {
  type Learnability,
  learnability,
  newSearch,
  type PlacedRow,
  propose,
  reaches,
  type SearchCandidate,
  tell,
} from '../synthesis/index.ts';
import type { SynthesisFlags } from './synthesize-options.ts';
import type { Candidate } from './synthesize-report.ts';
import type { Kind } from './synthesize-run.ts';
import { basesOf, type Workshop } from './synthesize-workshop.ts';

export interface AdversaryFlags extends SynthesisFlags {
  readonly bases?: string[];
  readonly generations: number;
  readonly perGeneration: number;
  readonly score: 'learnability' | 'regret';
}

/** Who is realistic and teaches the policy most. */
export const adversaryKind: Kind<AdversaryFlags> = {
  name: 'adversary',
  plan(workshop, flags) {
    if (workshop.settings !== null && flags.rewardCommand === undefined)
      throw new CollapseAwareError('CA_USAGE', 'without rewards nobody can be told from anybody', {
        todo: 'give --reward-command: it reads an episode as JSON and prints its reward',
      });
    const bases = basesOf(workshop, flags.bases);
    const { generations, perGeneration, seed } = flags;
    const space = { bases: bases.map(({ id }) => id), numbers: workshop.numbers };
    const first = propose(newSearch(space, seed), perGeneration);
    const members = first.map((candidate) => madeOf(candidate, workshop, bases));
    return {
      data: { space, generations, perGeneration, score: flags.score },
      // Later generations are as long.
      members: Array.from({ length: generations }, () => members).flat(),
      lines: [
        `${generations} generations of ${perGeneration} candidates, out of ${space.bases.join(', ')} and ${space.numbers.length} numbers (${space.numbers.join(', ')})`,
      ],
    };
  },
  async carryOut(_plan, { play }, workshop, flags) {
    const bases = basesOf(workshop, flags.bases);
    const known = new Map<string, SearchCandidate>();
    const rows: PlacedRow[] = [];
    let state = newSearch({ bases: bases.map(({ id }) => id), numbers: workshop.numbers }, flags.seed);
    for (let g = 0; g < flags.generations; g++) {
      const candidates = propose(state, flags.perGeneration);
      const members = candidates.map((candidate) => madeOf(candidate, workshop, bases));
      members.forEach(({ id }, i) => {
        known.set(id, candidates[i]!);
      });
      rows.push(...(await play(members)));
      const found = new Map(learnability(rows, flags.rewardRange).map((one) => [one.simulator, one]));
      const scored = members.flatMap(({ id }, i) => {
        const own = found.get(id);
        return own === undefined
          ? []
          : [{ candidate: candidates[i]!, score: own[flags.score]?.value ?? null, realism: own.realism }];
      });
      state = tell(state, scored, flags.floor);
    }
    const { best } = state;
    const made = best === null ? null : madeOf(best.candidate, workshop, bases);
    // The best of many looks better than it is: what is said of it rests on dialogues that did not choose it.
    const fresh = made === null ? [] : await play([made], 'anew');
    const told = (one: Learnability | undefined): Candidate | null => {
      const candidate = one === undefined ? undefined : known.get(one.simulator);
      return candidate === undefined ? null : { ...one!, base: candidate.base, numbers: candidate.numbers };
    };
    const searched = learnability(rows, flags.rewardRange);
    const most = [...searched].sort((a, b) => (b.loss.value ?? -1) - (a.loss.value ?? -1))[0];
    const bests = bestOf(rows);
    const [own] = learnability(fresh, flags.rewardRange, { best: bests });
    const taken = own !== undefined && reaches(own.realism, flags.floor);
    return {
      found: {
        adversary: {
          score: flags.score,
          history: state.history,
          best: told(own),
          taken,
          mostLost: told(most),
        },
      },
      members:
        made === null || !taken
          ? []
          : [
              {
                member: made,
                origin: {
                  kind: 'adversary',
                  base: best!.candidate.base,
                  generation: best!.candidate.generation,
                },
              },
            ],
      accepted: new Set(taken ? fresh.flatMap(({ id, outside }) => (outside ? [] : [id])) : []),
      reasons: new Map([
        ...rows.map(({ id }) => [id, 'played to choose by'] as const),
        ...fresh.map(({ id, outside }) => [id, outside ? 'off support' : 'member refused'] as const),
      ]),
    };
  },
};

/** Best reward of each context. */
function bestOf(rows: readonly PlacedRow[]): ReadonlyMap<string, number> {
  const best = new Map<string, number>();
  for (const { context, reward } of rows)
    if (reward !== null && reward > (best.get(context) ?? Number.NEGATIVE_INFINITY))
      best.set(context, reward);
  return best;
}

function madeOf(candidate: SearchCandidate, workshop: Workshop, bases: Parameters<Workshop['memberOf']>[1]) {
  const member = workshop.memberOf(candidate, bases);
  workshop.upstreamAs.set(member.id, candidate.base);
  return member;
}
