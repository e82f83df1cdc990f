import type { LoopAnswer, LostEpisodes } from './answer.ts';
import type { LoopRequest } from './request.ts';

/**
 * The requests that a request can be performed as, anywhere and in any order: a probe of every member is one probe a
 * member. Everything else is one piece. The parts do not hang on how many workers there are, so that neither does the
 * answer.
 */
export function partsOf(request: LoopRequest): readonly LoopRequest[] {
  if (request.kind !== 'probe' || request.draw !== 'each' || request.population.length < 2) return [request];
  return request.population.map((share) => ({
    ...request,
    id: `${request.id}/${share.member.id}`,
    population: [{ ...share, share: 1 }],
  }));
}

/** One answer of the answers to `partsOf(request)`, in their order. */
export function joinParts(request: LoopRequest, answers: readonly LoopAnswer[]): LoopAnswer {
  const [first] = answers;
  if (answers.length === 1 && first !== undefined) return first;
  const lost: LostEpisodes[] = [];
  const rows = answers.flatMap((answer) => {
    if (answer.kind !== 'probe')
      throw new TypeError(`a part of request "${request.id}" was answered by ${answer.kind}`);
    lost.push(...answer.lost);
    return answer.rows;
  });
  // Replies are drawn again in mixtures alone, which are one piece.
  return { kind: 'probe', rows, lost };
}
