/** Steps of many episodes as growing flat columns; kept from rollout to rollout, so that a loop allocates little. */
export class StepColumns {
  readonly inputs: number;
  readonly acts: number;
  length = 0;
  #episode = new Int32Array(0);
  #act = new Int32Array(0);
  #logProb = new Float64Array(0);
  #observation = new Float64Array(0);
  #mask = new Uint8Array(0);

  constructor(inputs: number, acts: number) {
    this.inputs = inputs;
    this.acts = acts;
  }

  clear(): void {
    this.length = 0;
  }

  push(
    episode: number,
    observation: Float64Array,
    observationAt: number,
    mask: Uint8Array,
    maskAt: number,
    act: number,
    logProb: number,
  ): void {
    const { inputs, acts } = this;
    const at = this.length;
    if (at === this.#episode.length) this.#grow();
    this.#episode[at] = episode;
    this.#act[at] = act;
    this.#logProb[at] = logProb;
    for (let i = 0; i < inputs; i++) this.#observation[at * inputs + i] = observation[observationAt + i]!;
    for (let a = 0; a < acts; a++) this.#mask[at * acts + a] = mask[maskAt + a]!;
    this.length = at + 1;
  }

  /** Views of what was pushed, good until the next `clear`. */
  get columns() {
    const { length, inputs, acts } = this;
    return {
      episode: this.#episode.subarray(0, length),
      act: this.#act.subarray(0, length),
      logProb: this.#logProb.subarray(0, length),
      observation: this.#observation.subarray(0, length * inputs),
      mask: this.#mask.subarray(0, length * acts),
    };
  }

  #grow(): void {
    const room = Math.max(1024, 2 * this.#episode.length);
    const wider = <T extends Float64Array | Int32Array | Uint8Array>(next: T, old: T): T => {
      next.set(old);
      return next;
    };
    this.#episode = wider(new Int32Array(room), this.#episode);
    this.#act = wider(new Int32Array(room), this.#act);
    this.#logProb = wider(new Float64Array(room), this.#logProb);
    this.#observation = wider(new Float64Array(room * this.inputs), this.#observation);
    this.#mask = wider(new Uint8Array(room * this.acts), this.#mask);
  }
}
