import type { Counter, Metric, Registry } from 'prom-client';

/** A counter by one label, kept as plain numbers until somebody reads it: adding is all that a request pays for. */
export class LabelTally<T extends string> {
  readonly #sums = new Map<string, number>();
  readonly #counter: Counter<T>;
  readonly #labelsOf: (of: string) => Partial<Record<T, string>>;

  constructor(counter: Counter<T>, labelsOf: (of: string) => Partial<Record<T, string>>) {
    this.#counter = counter;
    this.#labelsOf = labelsOf;
  }

  add(of: string, by = 1): void {
    this.#sums.set(of, (this.#sums.get(of) ?? 0) + by);
  }

  /** Puts into the counter what came since. */
  flush(): void {
    for (const [of, sum] of this.#sums) this.#counter.inc(this.#labelsOf(of), sum);
    this.#sums.clear();
  }
}

/** Chat requests by status, whole and streamed. */
export class RequestTally {
  readonly #whole = new Map<number, number>();
  readonly #streamed = new Map<number, number>();
  readonly #counter: Counter<'status' | 'stream'>;

  constructor(counter: Counter<'status' | 'stream'>) {
    this.#counter = counter;
  }

  add(status: number, streamed: boolean): void {
    const sums = streamed ? this.#streamed : this.#whole;
    sums.set(status, (sums.get(status) ?? 0) + 1);
  }

  flush(): void {
    for (const [stream, sums] of [
      ['false', this.#whole],
      ['true', this.#streamed],
    ] as const) {
      for (const [status, sum] of sums) this.#counter.inc({ status: String(status), stream }, sum);
      sums.clear();
    }
  }
}

/** Seconds in buckets, as a histogram of the registry that is put together only when it is read. */
export class SecondsTally {
  readonly name: string;
  readonly #help: string;
  readonly #bounds: readonly number[];
  readonly #byStream: boolean;
  readonly #series = new Map<boolean, { readonly counts: Float64Array; sum: number }>();

  /** `byStream`: whole and streamed replies apart. */
  constructor(registry: Registry, { name, help, bounds, byStream }: SecondsOptions) {
    this.name = name;
    this.#help = help;
    this.#bounds = bounds;
    this.#byStream = byStream;
    if (!byStream) this.#of(false);
    // All that a registry asks of a metric is its name and `get`; the library's own histogram looks labels up by text.
    registry.registerMetric(this as unknown as Metric);
  }

  observe(seconds: number, streamed = false): void {
    const series = this.#of(this.#byStream && streamed);
    let at = 0;
    while (at < this.#bounds.length && seconds > this.#bounds[at]!) at++;
    series.counts[at]!++;
    series.sum += seconds;
  }

  async get() {
    const values: { metricName: string; labels: Record<string, string>; value: number }[] = [];
    for (const [streamed, { counts, sum }] of this.#series) {
      const labels: Record<string, string> = this.#byStream ? { stream: String(streamed) } : {};
      let total = 0;
      counts.forEach((count, at) => {
        total += count;
        const le = at < this.#bounds.length ? String(this.#bounds[at]) : '+Inf';
        values.push({ metricName: `${this.name}_bucket`, labels: { le, ...labels }, value: total });
      });
      values.push({ metricName: `${this.name}_sum`, labels, value: sum });
      values.push({ metricName: `${this.name}_count`, labels, value: total });
    }
    return { name: this.name, help: this.#help, type: 'histogram', values, aggregator: 'sum' };
  }

  #of(streamed: boolean) {
    const known = this.#series.get(streamed);
    if (known !== undefined) return known;
    const made = { counts: new Float64Array(this.#bounds.length + 1), sum: 0 };
    this.#series.set(streamed, made);
    return made;
  }
}

interface SecondsOptions {
  readonly name: string;
  readonly help: string;
  /** Upper ends, rising; a value counts in the first that is not below it. */
  readonly bounds: readonly number[];
  readonly byStream: boolean;
}
