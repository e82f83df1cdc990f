import { type Member, readMember, writtenMember } from '../population/index.ts';
import {
  drafted,
  type Learnability,
  newSearch,
  propose,
  type SearchCandidate,
  type SearchState,
  tell,
} from '../synthesis/index.ts';
import type { OpenAnswer } from './answer.ts';
import { type Candidate, contentOf } from './candidates.ts';

/** A search for simulators that the policy can learn from, and what its candidates became. */
export interface AdversarySearch {
  readonly state: SearchState;
  /** Candidates of the generation under way by member id. */
  readonly open: ReadonlyMap<string, SearchCandidate>;
}

/** Numbers of a recipe: which description (in the order of their texts), and whether it is asked for a list (above a half). */
const NUMBERS = ['persona', 'list'] as const;

/** Null where there is nothing to search over. */
export function newAdversarySearch(
  bases: readonly Member[],
  personas: OpenAnswer['personas'],
  seed: number,
): AdversarySearch | null {
  if (bases.length === 0 || personas.length === 0) return null;
  const space = { bases: bases.map(({ id }) => id).sort(), numbers: [...NUMBERS] };
  return { state: newSearch(space, `${seed}/loop`), open: new Map() };
}

/** The next generation as members; those that the run has met under another name are left out. */
export function adversaryCandidates(
  search: AdversarySearch,
  bases: readonly Member[],
  personas: OpenAnswer['personas'],
  count: number,
  round: number,
  known: ReadonlySet<string>,
): { readonly search: AdversarySearch; readonly candidates: readonly Candidate[] } {
  const texts = [...new Map(personas.map((persona) => [persona.text, persona])).values()].sort((a, b) =>
    a.text < b.text ? -1 : 1,
  );
  const taken = new Set(known);
  const open = new Map<string, SearchCandidate>();
  const candidates: Candidate[] = [];
  for (const candidate of propose(search.state, count)) {
    const base = bases.find(({ id }) => id === candidate.base)!;
    const at = Math.min(texts.length - 1, Math.floor(candidate.numbers.persona! * texts.length));
    const { text, exemplars } = texts[at]!;
    const id = `r${round}-${base.id}+${candidate.id}`;
    const member =
      candidate.numbers.list! > 0.5
        ? drafted(base, { text, exemplars }, id)
        : readMember({ ...writtenMember(base), id, recipe: { kind: 'persona', text } });
    const content = contentOf(member);
    if (taken.has(content)) continue;
    taken.add(content);
    open.set(id, candidate);
    candidates.push({
      member,
      origin: { kind: 'adversary', base: base.id, generation: candidate.generation },
    });
  }
  return { search: { ...search, open }, candidates };
}

/** Tells the search what the policy can learn on its candidates: learnability, never loss (see learnability.ts). */
export function toldAdversaries(
  search: AdversarySearch,
  scores: readonly Learnability[],
  realismFloor: number,
): AdversarySearch {
  const scored = scores.flatMap(({ simulator, learnability, realism }) => {
    const candidate = search.open.get(simulator);
    return candidate === undefined ? [] : [{ candidate, score: learnability.value, realism }];
  });
  return { state: tell(search.state, scored, realismFloor), open: new Map() };
}
