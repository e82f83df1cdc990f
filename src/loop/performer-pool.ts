import type { Performer } from './performer.ts';

/** Several performers as one: a request goes to whoever is free, and waits in its order where nobody is. */
export function pooledPerformer(performers: readonly Performer[]): Performer {
  const free = [...performers];
  const waiting: ((performer: Performer) => void)[] = [];
  const taken = (): Promise<Performer> => {
    const one = free.shift();
    return one === undefined ? new Promise((give) => waiting.push(give)) : Promise.resolve(one);
  };
  return {
    perform: async (request, context) => {
      const performer = await taken();
      try {
        context.signal.throwIfAborted();
        return await performer.perform(request, context);
      } finally {
        const next = waiting.shift();
        if (next === undefined) free.push(performer);
        else next(performer);
      }
    },
    close: async () => {
      await Promise.all(performers.map((performer) => performer.close()));
    },
  };
}
