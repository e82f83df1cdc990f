import type { Step } from '../../world/encounter.ts';
import { AGENT_ACTS, AGENT_MESSAGES, PARTNER_ACTS } from './acts.ts';
import type { PairSetting } from './pair-setting.ts';
import { agentTool, partnerTool } from './tools.ts';

/** What happened, a number an act; steps are made only when somebody reads them. */
export class EpisodeLog {
  readonly #setting: PairSetting;
  /** side (1 bit), act (5), region + 1 (4), the rest is what the tool answered. */
  readonly #events: Int32Array;
  #count = 0;

  constructor(setting: PairSetting, horizon: number) {
    this.#setting = setting;
    this.#events = new Int32Array(2 * horizon);
  }

  agent(act: number, region: number, bits: number): void {
    this.#events[this.#count++] = (act << 1) | ((region + 1) << 6) | (bits << 10);
  }

  partner(act: number, region: number, bits: number): void {
    this.#events[this.#count++] = 1 | (act << 1) | ((region + 1) << 6) | (bits << 10);
  }

  steps(): Step[] {
    const steps: Step[] = [];
    for (let i = 0; i < this.#count; i++) {
      const event = this.#events[i]!;
      const act = (event >> 1) & 31;
      const region = ((event >> 6) & 15) - 1;
      steps.push(this.#step((event & 1) === 0, act, region, event >> 10));
    }
    return steps;
  }

  #step(agent: boolean, act: number, region: number, bits: number): Step {
    const side = agent ? 'agent' : 'user';
    const name = agent ? AGENT_ACTS[act]! : PARTNER_ACTS[act]!;
    const tool = agent
      ? act < AGENT_MESSAGES
        ? null
        : agentTool(this.#setting, name, region, bits)
      : partnerTool(this.#setting, name, region, bits);
    // Tools of own regions number those; messages are about what overlaps.
    const about = region >= 0 && name !== 'edit-own' ? this.#setting.overlapRegions[region] : undefined;
    return {
      side,
      act,
      ...(about === undefined ? {} : { slots: { region: about.symbol, file: about.file } }),
      ...(tool === null ? {} : { tool }),
    };
  }
}
