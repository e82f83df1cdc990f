import type { GateView } from '../gateway/api/control.ts';
import type { PatientGateway } from './patient-gateway.ts';

/** Who holds the trainer, in the gateway's journal. */
export const BY = 'evolve';

/**
 * Holds an outside trainer at its gate, and lets it go. An operator's own level is left alone. The hold lapses by itself,
 * so that a run that is gone holds nobody for ever; `keep` renews it while the run is there.
 */
export class TrainerHold {
  readonly #gateway: PatientGateway;
  readonly #seconds: number;
  #renewed = 0;

  constructor(gateway: PatientGateway, seconds: number) {
    this.#gateway = gateway;
    this.#seconds = seconds;
  }

  /** The gate after it: `training` is `hold` where the trainer is known to be told so. */
  async hold(reason: string, signal: AbortSignal): Promise<GateView> {
    const view = await this.#view(signal);
    if (view.override !== null && view.override.by !== BY) return view;
    this.#renewed = Date.now();
    const entry = { level: 'red', by: BY, reason: reason.slice(0, 1000), seconds: this.#seconds } as const;
    return this.#gateway.ask((client) => client.override(entry), signal);
  }

  async release(signal: AbortSignal): Promise<GateView> {
    const view = await this.#view(signal);
    if (view.override?.by !== BY) return view;
    return this.#gateway.ask((client) => client.release(BY), signal);
  }

  /** Renews a hold that has lost half of its time; one that is not there is not made. */
  async keep(signal: AbortSignal): Promise<void> {
    if (Date.now() - this.#renewed < 500 * this.#seconds) return;
    const { override } = await this.#view(signal);
    if (override?.by === BY && override.level === 'red') await this.hold(override.reason, signal);
    else this.#renewed = Date.now();
  }

  async #view(signal: AbortSignal): Promise<GateView> {
    const { view } = await this.#gateway.ask((client) => client.gate({ signal }), signal);
    return view!;
  }
}
