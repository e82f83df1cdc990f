import { PROPOSED_BARS } from '../diagnosis/breaker-settings.ts';
import type { AcceptanceVerdict, Comparison, MemberRecord, RoundRecord, RunSummary } from '../loop/index.ts';
import type { Figure } from '../metrics/figure.ts';
import type { SimulatorRecipe } from '../population/index.ts';
import type { EvolveMember, EvolveMode, EvolvePage, EvolveRound, EvolveView } from './evolve-payload.ts';

/** Digits of a fraction on its way to the page, whose tables show three at most. */
const DIGITS = 6;
/** Of a persona's text, in UTF-16 units: enough to know it by. */
const WORDS = 160;

/**
 * A run, finished or under way, as its page shows it. Reads nothing but the records: equal records give equal views.
 * Figures lose their standard errors, fractions all but six digits; nulls keep their reasons.
 */
export function evolveView(page: EvolvePage): EvolveView {
  const { title, command, run } = page;
  const summary: RunSummary | null = 'schema' in run ? run : null;
  const { members: given, ...settings } = run.settings;
  const rounds = [...run.rounds].sort((a, b) => a.round - b.round);
  return short({
    title,
    command,
    finished: summary !== null,
    settings,
    space: run.space,
    // Absent in records of earlier versions.
    bars: page.bars ??
      rounds.find(({ breaker }) => breaker.bars)?.breaker.bars ?? {
        scd: settings.bars === 'proposed' ? PROPOSED_BARS.scd : null,
        psod: PROPOSED_BARS.psod,
      },
    rounds: rounds.map(roundView),
    modes: modesView(rounds),
    members: membersView(recordsOf(run, rounds), rounds, given),
    selected: summary?.selected ?? null,
    final: summary?.final ?? null,
    guarantee: summary?.guarantee ?? [],
    cost: summary?.cost ?? null,
  });
}

function roundView(record: RoundRecord): EvolveRound {
  const { modes: _, population: __, candidates, ...rest } = record;
  return {
    ...rest,
    candidates: { kept: candidates.filter(({ kept }) => kept).length, of: candidates.length },
  };
}

/** In the order of people's mass, the commonest first; without people, of the shares before the first round. */
function modesView(rounds: readonly RoundRecord[]): EvolveMode[] {
  const tables = rounds.map(({ modes }) => new Map(modes.map((one) => [one.mode, one])));
  const known = new Map<number, { mass: number | null; first: number }>();
  for (const { modes } of rounds)
    for (const { mode, mass, before } of modes) {
      const seen = known.get(mode);
      known.set(mode, { mass: seen?.mass ?? mass, first: seen?.first ?? before });
    }
  return [...known]
    .sort(([a, x], [b, y]) => (y.mass ?? 0) - (x.mass ?? 0) || y.first - x.first || a - b)
    .map(([mode, { mass }]) => ({
      mode,
      mass,
      rounds: tables.map((table) => {
        const one = table.get(mode);
        return one === undefined
          ? { before: null, after: null, missing: false }
          : { before: one.before, after: one.after, missing: one.missing };
      }),
    }));
}

/** Of a member that was proposed twice, every time; a candidate that no list names is taken from its round. */
function recordsOf(run: EvolvePage['run'], rounds: readonly RoundRecord[]): MemberRecord[] {
  const records = new Map<string, MemberRecord>();
  const add = (record: MemberRecord) => records.set(`${record.round} ${record.member.id}`, record);
  for (const { candidates } of rounds) for (const record of candidates) add(record);
  for (const record of run.members) add(record);
  for (const member of run.settings.members)
    if (!records.has(`0 ${member.id}`))
      add({
        member,
        origin: { kind: 'given' },
        round: 0,
        audition: null,
        kept: true,
        reason: 'given at the start',
      });
  return [...records.values()].sort(
    (a, b) => a.round - b.round || (a.member.id < b.member.id ? -1 : a.member.id > b.member.id ? 1 : 0),
  );
}

/** Shares belong to an id: where it was proposed more than once they stand at the first record that was kept. */
function membersView(
  records: readonly MemberRecord[],
  rounds: readonly RoundRecord[],
  given: readonly { readonly id: string }[],
): EvolveMember[] {
  const served = new Map<string, (number | null)[]>();
  const serve = (id: string, at: number, share: number) => {
    const shares = served.get(id) ?? Array.from({ length: rounds.length + 1 }, () => null);
    shares[at] = share;
    served.set(id, shares);
  };
  for (const { id } of given) serve(id, 0, 1 / given.length);
  rounds.forEach(({ population }, at) => {
    for (const { member, share } of population) serve(member, at + 1, share);
  });
  const order = [...records.filter(({ kept }) => kept), ...records.filter(({ kept }) => !kept)];
  const holder = new Map<string, MemberRecord>();
  for (const record of order) if (!holder.has(record.member.id)) holder.set(record.member.id, record);
  const members = records.map((record): EvolveMember => {
    const { member, origin, round, audition, kept, reason } = record;
    const { id, family, model, recipe } = member;
    const shares = holder.get(id) === record ? (served.get(id) ?? []) : [];
    return { id, family, model, recipe: recipeWords(recipe), origin, round, audition, kept, reason, shares };
  });
  const strangers = [...served].filter(([id]) => !holder.has(id)).sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    ...members,
    ...strangers.map(
      ([id, shares]): EvolveMember => ({
        id,
        family: '',
        model: null,
        recipe: '',
        origin: null,
        round: Math.max(
          0,
          shares.findIndex((share) => share !== null),
        ),
        audition: null,
        kept: true,
        reason: 'in service; the run has no record of it',
        shares,
      }),
    ),
  ];
}

/** How a member answers, in a few words. */
function recipeWords(recipe: SimulatorRecipe): string {
  switch (recipe.kind) {
    case 'persona':
      return recipe.text === null
        ? `one of ${recipe.bank?.length ?? 0} personas`
        : `persona: ${clipped(recipe.text)}`;
    case 'verbalized': {
      // Absent in records of earlier versions.
      const persona = recipe.persona ?? null;
      const words = `verbalized sampling, ${recipe.candidates} candidates, drawn by ${recipe.draw}`;
      return persona === null ? words : `${words}; persona: ${clipped(persona)}`;
    }
    case 'scripted':
      return `scripted, ${recipe.family}`;
    case 'interpolate':
      return `between ${recipe.a.id} and ${recipe.b.id} at ${recipe.lambda}, by ${recipe.how}`;
    case 'ensemble':
      return `one of ${recipe.members.length} members`;
    case 'pool':
      return `the newest ${recipe.size} checkpoints of a simulator that learns`;
    default:
      return recipe.kind;
  }
}

/** Cut between characters, never inside a surrogate pair; the cut is marked. */
function clipped(text: string): string {
  if (text.length <= WORDS) return text;
  const end = /[\ud800-\udbff]/.test(text[WORDS - 1]!) ? WORDS - 1 : WORDS;
  return `${text.slice(0, end)} …`;
}

/** The one-sided bounds of a verdict have their own numbers: standard errors are no longer needed. */
function short<Value>(value: Value): Value {
  if (typeof value === 'number')
    return (
      Number.isInteger(value) || !Number.isFinite(value) ? value : Number(value.toPrecision(DIGITS))
    ) as Value;
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(short) as Value;
  const figure = 'method' in value && 'low' in value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !(figure && UNSEEN.has(key)))
      .map(([key, one]) => [key, short(one)]),
  ) as Value;
}

const UNSEEN: ReadonlySet<string> = new Set(['se', 'df', 'scale'] satisfies (keyof Figure)[]);

/** The three figures of a verdict, with the way each may not go. */
export const COMPARED = [
  { figure: 'scd2', title: 'SCD2', side: 'upper' },
  { figure: 'bdi', title: 'BDI', side: 'lower' },
  { figure: 'realism', title: 'Realism', side: 'lower' },
] as const satisfies readonly {
  readonly figure: keyof AcceptanceVerdict;
  readonly title: string;
  readonly side: 'upper' | 'lower';
}[];

/** A difference with the one-sided bound that the rule looks at as its only end. */
export function boundOf({ difference, bound }: Comparison, side: 'upper' | 'lower'): Figure {
  const { value } = difference;
  if (value === null || bound === null) return { ...difference, low: null, high: null };
  return {
    ...difference,
    low: side === 'lower' ? Math.min(bound, value) : value,
    high: side === 'upper' ? Math.max(bound, value) : value,
  };
}
