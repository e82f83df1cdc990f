import type { LabDifference, LabMethod, LabTable, LabWorld } from './lab-payload.ts';

/** Of Holm's p, as everywhere on the pages. */
const LEVEL = 0.05;

/** Who leads a world in held-out success, and what can be said of that. */
export interface LabStanding {
  readonly world: LabWorld;
  /** Best first; methods without a value are left out. Equal values keep the order of the table. */
  readonly order: readonly LabMethod[];
  readonly best: LabMethod | null;
  /** Null where the table has not the method that the others are held against. */
  readonly comparison: LabMethod | null;
  /** The best one against the comparison; null where they are one, or one is missing. */
  readonly difference: LabDifference | null;
  /** By Holm's p; null where there is no interval to say it by. */
  readonly apart: boolean | null;
  /** Methods that Holm's p tells apart from the comparison, out of those that have a p. */
  readonly others: { readonly apart: number; readonly of: number };
}

export function standingOf(table: LabTable, world: LabWorld): LabStanding {
  const value = ({ figures }: LabMethod) => figures.heldOut?.value ?? null;
  const order = world.methods
    .filter((method) => value(method) !== null)
    .sort((a, b) => value(b)! - value(a)!);
  const comparison = world.methods.find(({ method }) => method === table.comparison) ?? null;
  const best = order[0] ?? null;
  const difference = (best === comparison ? null : best?.differences.heldOut) ?? null;
  const held = world.methods.flatMap(({ differences }) => differences.heldOut ?? []);
  return {
    world,
    order,
    best,
    comparison,
    difference,
    apart: difference === null ? null : toldApart(difference),
    others: {
      apart: held.filter((one) => toldApart(one) === true).length,
      of: held.filter(({ pHolm }) => pHolm !== null).length,
    },
  };
}

export function toldApart({ pHolm }: Pick<LabDifference, 'pHolm'>): boolean | null {
  return pHolm === null ? null : pHolm < LEVEL;
}

/** One sentence of one world. */
export function standingText(standing: LabStanding, comparison: string): string {
  const { world, best, difference, apart, others } = standing;
  const against = standing.comparison?.title ?? comparison;
  if (best === null) return `${world.name}: no method has a held-out success yet.`;
  const leads = `${world.name}: ${best.title} has the highest held-out success`;
  if (best === standing.comparison) {
    if (others.of === 0) {
      const why = world.methods.flatMap(({ differences }) => differences.heldOut?.reason ?? [])[0];
      return why === undefined
        ? `${leads}; there is no other method.`
        : `${leads}; whether others are apart from it cannot be said (${why}).`;
    }
    return others.apart === 0
      ? `${leads}, but no other method is told apart from it.`
      : `${leads}; ${others.apart} of ${others.of} others ${others.apart === 1 ? 'is' : 'are'} told apart from it.`;
  }
  if (standing.comparison === null) return `${leads}; ${against}, to be compared with, is not in the table.`;
  if (apart === null) {
    const why = difference?.reason ?? 'the two have no seed in common';
    return `${leads}; whether it is apart from ${against} cannot be said (${why}).`;
  }
  return apart ? `${leads}, apart from ${against}.` : `${leads}, but is not told apart from ${against}.`;
}

/** One sentence of the whole table. */
export function labHeadline(table: LabTable): string {
  const standings = table.worlds.map((world) => standingOf(table, world));
  const [only, ...more] = standings;
  if (only === undefined) return 'The table has no world.';
  if (more.length === 0) return standingText(only, table.comparison);
  const leaders = new Map<string, string[]>();
  for (const { best, world } of standings)
    if (best !== null) leaders.set(best.title, [...(leaders.get(best.title) ?? []), world.name]);
  if (leaders.size === 0) return `None of ${standings.length} worlds has a held-out success yet.`;
  const who = [...leaders].map(([title, worlds]) => `${title} (${listed(worlds)})`);
  const title = standings.find(({ comparison }) => comparison !== null)?.comparison?.title;
  if (title === undefined)
    return `Highest held-out success: ${listed(who)}; ${table.comparison}, to be compared with, is not in the table.`;
  const head = `Highest held-out success: ${listed(who)}.`;
  const led = standings.filter(({ best, comparison }) => best !== null && best !== comparison);
  if (led.length === 0) return head;
  const apart = led.filter((one) => one.apart === true).length;
  const own = standings.length - led.length;
  const itself = own === 0 ? '' : `, not counting ${own === 1 ? 'one' : own} that it leads or nobody does`;
  return `${head} The leader is told apart from ${title} in ${apart} of ${led.length} worlds${itself}.`;
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
