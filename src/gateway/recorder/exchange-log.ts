/** Replies of a session as they stand, by the number of the turn. `T`: what is kept of a reply. */
export type ExchangeLog<T> = Map<number, Tries<T>>;

interface Tries<T> {
  /** Of the request that it answers. */
  readonly asked: string | number;
  /** In the order in which they were said; the last one counts. */
  readonly said: T[];
  readonly lost: T[];
}

/**
 * A reply was given to `asked` as `turn`. It replaces what stood there. Where something else is asked now, the client has
 * gone back and the turns after it are of a dialogue that is given up. An earlier turn without a reply was delivered after
 * all: the dialogue has gone on from it.
 */
export function addExchange<T>(log: ExchangeLog<T>, turn: number, asked: string | number, reply: T): void {
  const known = log.get(turn);
  if (known !== undefined && known.asked !== asked)
    for (const later of [...log.keys()]) if (later >= turn) log.delete(later);
  const tries = log.get(turn) ?? { asked, said: [], lost: [] };
  tries.said.push(reply);
  log.set(turn, tries);
  for (const [earlier, { said, lost }] of log)
    if (earlier < turn && said.length === 0) said.push(lost.pop()!);
}

/** The last reply of `turn` did not arrive. What a later turn answers to did. */
export function loseExchange<T>(log: ExchangeLog<T>, turn: number): void {
  const tries = log.get(turn);
  if (tries === undefined || tries.said.length === 0) return;
  if (tries.said.length === 1)
    for (const [later, { said }] of log) if (later > turn && said.length > 0) return;
  tries.lost.push(tries.said.pop()!);
}

/** How many replies count. */
export function countStanding<T>(log: ExchangeLog<T>): number {
  let count = 0;
  for (const { said } of log.values()) if (said.length > 0) count++;
  return count;
}

/** The replies that count, by turn. */
export function standing<T>(log: ExchangeLog<T>): { readonly turn: number; readonly reply: T }[] {
  return [...log]
    .filter(([, { said }]) => said.length > 0)
    .sort(([a], [b]) => a - b)
    .map(([turn, { said }]) => ({ turn, reply: said.at(-1)! }));
}
