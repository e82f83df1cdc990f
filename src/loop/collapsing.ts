import type { Performer } from './performer.ts';

/** Round that a member was made in, by its id; null = given at the start. */
const madeIn = (id: string): number | null => {
  const [, round] = /^r(\d+)-/.exec(id) ?? [];
  return round === undefined ? null : Number(round);
};

/**
 * A fault for tests of the loop: from a round on, everybody who was made before it does one thing whatever the context is:
 * their episodes are placed in one mode, those off support as far off as before, and their replies are one. Members that
 * are made from then on are sound, so that the loop can recover.
 * An answer still follows from its request and round alone.
 */
export function collapsing(performer: Performer, from: number): Performer {
  return {
    ...performer,
    perform: async (request, context) => {
      const answer = await performer.perform(request, context);
      if (context.round < from || (answer.kind !== 'probe' && answer.kind !== 'train')) return answer;
      const rows = answer.rows.map((row) => (sound(row.simulator, from) ? row : { ...row, cell: 0 }));
      if (answer.kind === 'train') return { ...answer, rows };
      const replied = answer.replied?.map(({ context: where, replies }) => ({
        context: where,
        replies: replies.map((one) => (sound(one.simulator, from) ? one : { ...one, kind: 0 })),
      }));
      return { ...answer, rows, ...(replied === undefined ? {} : { replied }) };
    },
  };
}

function sound(id: string, from: number): boolean {
  const made = madeIn(id);
  return made !== null && made >= from;
}
