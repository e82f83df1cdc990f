import { type Member, memberFingerprint, memberParts, type PanelName } from '../../population/index.ts';
import type { SimulatorFacts } from '../../trajectory/trajectory.ts';
import type { PopulationSettings } from '../settings/settings.ts';
import type { Speaker, Voice } from '../speakers/speaker.ts';

/**
 * The members in service. A change of the population concerns new sessions alone: those under way keep their member,
 * so that speakers of former members stay until nobody needs them.
 */
export class Cast {
  #population: PopulationSettings;
  readonly #speakerOf: (member: Member) => Speaker;
  /** By the member's own fingerprint and id: as it answers now. */
  readonly #present = new Map<string, Speaker>();
  /** By the speaker's fingerprint and id, former ones too: one id may come back as another simulator. */
  readonly #speakers = new Map<string, Speaker>();
  #panels = new Map<string, PanelName>();

  constructor(population: PopulationSettings, speakerOf: (member: Member) => Speaker) {
    this.#population = population;
    this.#speakerOf = speakerOf;
    this.replace(population);
  }

  get population(): PopulationSettings {
    return this.#population;
  }

  /** Every member with its panel, in the order of panels and ids. */
  get members(): readonly { readonly member: Member; readonly panel: PanelName }[] {
    const { panels } = this.#population;
    return (['seen', 'selection', 'test'] as const).flatMap((panel) =>
      panels[panel].map((member) => ({ member, panel })),
    );
  }

  /**
   * Takes effect for sessions that begin from now on. Its members are made anew, since what lies behind one (its
   * upstream, the world) is not in the member's own fingerprint; where one cannot be made, nothing changes.
   */
  replace(population: PopulationSettings): void {
    this.prepare(population, this.#speakerOf)();
  }

  /** The same in two steps: members are made now, and whoever calls what this returns puts them in service. */
  prepare(population: PopulationSettings, speakerOf: (member: Member) => Speaker): () => void {
    const made = Object.values(population.panels)
      .flat()
      .map((member) => [keyOf(member), speakerOf(member)] as const);
    return () => {
      for (const [key, speaker] of made) this.#keep(key, speaker);
      this.#population = population;
      this.#panels = new Map(this.members.map(({ member, panel }) => [member.id, panel]));
    };
  }

  panelOf(id: string): PanelName | null {
    return this.#panels.get(id) ?? null;
  }

  member(id: string): Member | null {
    const panel = this.#panels.get(id);
    return panel === undefined ? null : this.#population.panels[panel].find((one) => one.id === id)!;
  }

  speaker(member: Member): Speaker {
    const key = keyOf(member);
    const known = this.#present.get(key);
    if (known !== undefined) return known;
    const speaker = this.#speakerOf(member);
    this.#keep(key, speaker);
    return speaker;
  }

  /** Makes a former member known as it answered then. @throws what making it throws. */
  recall(member: Member): void {
    const speaker = this.#speakerOf(member);
    this.#speakers.set(printedKey(speaker.fingerprint, member.id), speaker);
  }

  /** Who has this id and fingerprint, be it in service or formerly; null where nobody ever was. */
  known({ id, fingerprint }: Pick<SimulatorFacts, 'id' | 'fingerprint'>): Speaker | null {
    return this.#speakers.get(printedKey(fingerprint, id)) ?? null;
  }

  /** The user of a session that began with this member: null where nobody of that id and fingerprint was ever in service. */
  voiceOf({ id, fingerprint, person }: SimulatorFacts, seed: string): Voice | null {
    return this.#speakers.get(printedKey(fingerprint, id))?.open(seed, person) ?? null;
  }

  #keep(key: string, speaker: Speaker): void {
    this.#present.set(key, speaker);
    this.#speakers.set(printedKey(speaker.fingerprint, speaker.member.id), speaker);
  }
}

const printedKey = (fingerprint: string | null, id: string) => `${fingerprint} ${id}`;
const keyOf = (member: Member) => printedKey(memberFingerprint(member), member.id);

/** Ids of those who answer for a member: itself, or the parts of its recipe. */
export function answerersOf(member: Member): readonly string[] {
  const parts = memberParts(member);
  return parts.length === 0 ? [member.id] : parts.map(({ id }) => id);
}
