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
import type { RunSettings } from './run-settings.ts';

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

/** Generations that are passed over where the run has met all of them, before nothing more is expected. */
const MOST_KNOWN = 8;

/**
 * The next generation as members; those that the run has met under another name are left out. A generation with nobody
 * new is told nothing and passed over: the law stays, and the next draws are others.
 */
export function adversaryCandidates(
  search: AdversarySearch,
  bases: readonly Member[],
  personas: OpenAnswer['personas'],
  { adversaries, realismFloor }: Pick<RunSettings['synthesis'], 'adversaries' | 'realismFloor'>,
  round: number,
  known: ReadonlySet<string>,
): AdversaryGeneration {
  let found = generationOf(search.state, bases, personas, adversaries, round, known);
  for (let passed = 0; passed < MOST_KNOWN && adversaries > 0 && found.candidates.length === 0; passed++) {
    const next = tell(found.search.state, [], realismFloor);
    found = generationOf(next, bases, personas, adversaries, round, known);
  }
  return found;
}

interface AdversaryGeneration {
  readonly search: AdversarySearch;
  readonly candidates: readonly Candidate[];
}

function generationOf(
  state: SearchState,
  bases: readonly Member[],
  personas: OpenAnswer['personas'],
  count: number,
  round: number,
  known: ReadonlySet<string>,
): AdversaryGeneration {
  const texts = [...new Map(personas.map((persona) => [persona.text, persona])).values()].sort((a, b) =>
    a.text < b.text ? -1 : 1,
  );
  const taken = new Set(known);
  const open = new Map<string, SearchCandidate>();
  const candidates: Candidate[] = [];
  for (const candidate of propose(state, count)) {
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
  return { search: { state, open }, candidates };
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
