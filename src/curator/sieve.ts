import { type SampleOptions, Sampler } from '../audit/scan.ts';
import type { Blame, Finding, GateVerdict } from '../curation/gate/check.ts';
import type { CheckCount } from '../curation/manifest.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import { Neighbourhood } from './neighbourhood.ts';

export interface Reason {
  readonly reason: string;
  readonly blame: Blame;
  readonly count: number;
}

interface Count {
  found: number;
  dropped: number;
  unchecked: number;
}

/** What the gate let pass of one kind of rows (simulators', or people's), counted and sampled. */
export class Sieve {
  readonly simulators = new Map<string, { rows: number; kept: number }>();
  rows = 0;
  kept = 0;
  readonly #sampler: Sampler<Trajectory>;
  readonly #neighbourhood: Neighbourhood;
  readonly #counts = new Map<string, Count>();
  readonly #reasons = new Map<string, { blame: Blame; count: number }>();

  constructor(options: SampleOptions & { readonly seed: number }) {
    this.#sampler = new Sampler(options);
    this.#neighbourhood = new Neighbourhood(options.seed);
  }

  /** A row is counted under the first finding that drops it; every finding counts for its check. */
  add(episode: Trajectory, hash: string, verdict: GateVerdict): void {
    this.rows += 1;
    const { id } = episode.simulator;
    const seen = this.simulators.get(id) ?? { rows: 0, kept: 0 };
    seen.rows += 1;
    this.simulators.set(id, seen);
    const told = new Set<string>();
    const count = ({ check }: Finding, key: 'found' | 'dropped') => {
      if (told.has(`${check} ${key}`)) return;
      told.add(`${check} ${key}`);
      this.#countOf(check)[key] += 1;
    };
    for (const finding of verdict.flags) count(finding, 'found');
    for (const finding of verdict.findings) {
      count(finding, 'found');
      count(finding, 'dropped');
    }
    for (const check of verdict.unchecked) this.#countOf(check).unchecked += 1;
    if (!verdict.kept) {
      const first = verdict.findings[0];
      const [reason, blame] =
        first === undefined
          ? (['unchecked', 'infrastructure'] as const)
          : ([first.check, first.blame] as const);
      const known = this.#reasons.get(reason);
      if (known === undefined) this.#reasons.set(reason, { blame, count: 1 });
      else known.count += 1;
      return;
    }
    this.kept += 1;
    seen.kept += 1;
    this.#sampler.add(episode, this.rows, () => episode);
    this.#neighbourhood.add(hash, episode);
  }

  sample(): Trajectory[] {
    return this.#sampler.samples().flatMap(({ kept }) => kept.map(({ content }) => content));
  }

  neighbourhood(): Trajectory[] {
    return this.#neighbourhood.episodes();
  }

  /** Of every check that is on, in their order, whether it found anything or not. */
  checks(
    configured: readonly {
      readonly name: string;
      readonly blame: Blame;
      readonly action: CheckCount['action'];
    }[],
  ): CheckCount[] {
    return configured.map(({ name, blame, action }) => ({
      check: name,
      blame,
      action,
      ...(this.#counts.get(name) ?? { found: 0, dropped: 0, unchecked: 0 }),
    }));
  }

  reasons(): Reason[] {
    return [...this.#reasons]
      .map(([reason, { blame, count }]) => ({ reason, blame, count }))
      .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
  }

  #countOf(check: string): Count {
    let count = this.#counts.get(check);
    if (count === undefined) {
      count = { found: 0, dropped: 0, unchecked: 0 };
      this.#counts.set(check, count);
    }
    return count;
  }
}
