import { seeded } from '../../math/index.ts';
import { compile, type Pattern, type Slots, say } from '../speech/pattern.ts';
import { TOPICS, type Topic } from './topics.ts';

/** A topic with its wordings compiled. */
export interface CompiledTopic {
  readonly topic: Topic;
  readonly scenario: Pattern;
  readonly want: Pattern;
  readonly thing: Pattern;
  readonly facts: readonly Pattern[];
  readonly reasons: readonly Pattern[];
  readonly worries: readonly Pattern[];
  readonly questions: readonly Pattern[];
  readonly pitches: readonly Pattern[];
  readonly offers: readonly Pattern[];
}

/** What an episode starts from: the same for every simulator that meets it. */
export interface LabContext {
  readonly label: string;
  readonly compiled: CompiledTopic;
  readonly scenario: string;
  readonly slots: Slots;
}

const COMPILED: readonly CompiledTopic[] = TOPICS.map((topic) => ({
  topic,
  scenario: compile(topic.scenario),
  want: compile(topic.want),
  thing: compile(topic.thing),
  facts: topic.facts.map(compile),
  reasons: topic.reasons.map(compile),
  worries: topic.worries.map(compile),
  questions: topic.questions.map(compile),
  pitches: topic.pitches.map(compile),
  offers: topic.offers.map(compile),
}));

const list = (text: string) => text.split(' ');
const FIRST = list(
  'Ada Boris Chen Dina Emil Fatou Goran Hana Ivo Jana Kofi Lena Mara Nils Omar Petra Quinn Rosa',
);
const LAST = list(
  'Abel Brandt Costa Dietz Evers Fontaine Gruber Hughes Ito Jansen Keller Lopez Moreau Novak Okafor',
);
const CITIES = list(
  'Aveiro Bergen Cork Dresden Evora Faro Ghent Hull Izmir Jena Kassel Lyon Malmo Nantes Oslo Porto',
);
const ITEMS = list('lamp kettle backpack headset chair tent watch keyboard coat drill blender camera');
const FAULTS = list('broken scratched leaking incomplete torn dented');
const MONTHS = list('January February March April May June July August September October November December');
const CAUSES = ['your plans changed', 'someone in the family is ill', 'the event was called off'];
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Number 0, 1, ... of a seed's contexts; topics take turns. */
export function labContext(index: number, seed: number): LabContext {
  const random = seeded(`lab/context/${seed}/${index}`);
  const pick = <T>(items: readonly T[]): T => items[random.integer(items.length)]!;
  const compiled = COMPILED[index % COMPILED.length]!;
  const first = pick(FIRST);
  const last = pick(LAST);
  const from = random.integer(CITIES.length);
  const price = 20 + random.integer(880);
  const slots: Record<string, string> = {
    name: `${first} ${last}`,
    id: `${first}_${last}_${1000 + random.integer(9000)}`.toLowerCase(),
    city: CITIES[from]!,
    other: CITIES[(from + 1 + random.integer(CITIES.length - 1)) % CITIES.length]!,
    code: Array.from({ length: 6 }, () => LETTERS[random.integer(LETTERS.length)]).join(''),
    date: `${pick(MONTHS)} ${1 + random.integer(28)}`,
    price: `$${price}`,
    part: `$${Math.ceil(price / 2)}`,
    fee: `$${Math.ceil(price / 10)}`,
    digits: String(1000 + random.integer(9000)),
    item: pick(ITEMS),
    fault: pick(FAULTS),
    cause: pick(CAUSES),
  };
  const choose = (n: number) => random.integer(n);
  return {
    label: `${compiled.topic.name}-${index}`,
    compiled,
    scenario: say(compiled.scenario, slots, choose),
    slots,
  };
}
