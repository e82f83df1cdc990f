import { CollapseAwareClient } from '../client/index.ts';
import type { EvolvePage } from '../report/index.ts';
import { type GatewayStage, keyOf } from './gateway-stage.ts';
import { PatientGateway } from './patient-gateway.ts';
import { TrainerHold } from './trainer-hold.ts';

/** Longest that the gateway may take to keep a run. */
const TIMEOUT_MS = 30_000;

/** What a run tells its gateway beside what it asks of it: its rounds, for the dashboard, and that it is over. */
export class RunBoard {
  readonly #stage: GatewayStage;
  readonly #key: string;

  /** @throws CA_USAGE where the key's variable is not set. */
  constructor(stage: GatewayStage, environment: Readonly<Record<string, string | undefined>>) {
    this.#stage = stage;
    this.#key = keyOf(stage.adminKeyEnv, environment);
  }

  /** The run so far, or its summary, in the gateway's dashboard. @throws ClientError */
  async show(page: Pick<EvolvePage, 'run' | 'title'>): Promise<void> {
    const options = { timeoutMs: TIMEOUT_MS, totalMs: TIMEOUT_MS, failOpen: false };
    const client = new CollapseAwareClient({ baseUrl: this.#stage.url, adminKey: this.#key, ...options });
    await client.showRun(page);
  }

  /** Nobody decides any more: the trainer goes on with the population that is there. @throws ClientError */
  async letGo(): Promise<void> {
    const { url, limits } = this.#stage;
    const gateway = new PatientGateway(url, this.#key, 0, () => {});
    await new TrainerHold(gateway, limits.hold).release(new AbortController().signal);
  }
}
