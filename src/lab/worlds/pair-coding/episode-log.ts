import type { Step } from '../../world/encounter.ts';
import { AGENT_ACTS, AGENT_MESSAGES, P, PARTNER_ACTS } from './acts.ts';
import type { PairSetting } from './pair-setting.ts';
import { agentTool, PARTNER_CALLS, partnerTool } from './tools.ts';

/** What happened, a number an act; steps are made only when somebody reads them. */
export class EpisodeLog {
  readonly #setting: PairSetting;
  /** side (1 bit), act (5), region + 1 (4), the rest is what the tool answered. */
  readonly #events: Int32Array;
  readonly #steps: Step[] = [];
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

  /** Those so far; the array grows with the dialogue. */
  steps(): readonly Step[] {
    for (let i = this.#steps.length; i < this.#count; i++)
      this.#steps.push(loggedStep(this.#setting, this.#events[i]!));
    return this.#steps;
  }
}

function loggedStep(setting: PairSetting, event: number): Step {
  const agent = (event & 1) === 0;
  const act = (event >> 1) & 31;
  const region = ((event >> 6) & 15) - 1;
  const bits = event >> 10;
  const name = agent ? AGENT_ACTS[act]! : PARTNER_ACTS[act]!;
  // Edits of own regions number those; all else is about what overlaps.
  const about = region >= 0 && name !== 'edit-own' ? setting.overlapRegions[region] : undefined;
  const said = {
    side: agent ? ('agent' as const) : ('user' as const),
    act,
    ...(about === undefined ? {} : { slots: { region: about.symbol, file: about.file } }),
  };
  const calls = agent ? act >= AGENT_MESSAGES : PARTNER_CALLS.has(name) || (act === P.changePlan && bits > 0);
  if (!calls) return said;
  return {
    ...said,
    // Made when it is asked for: training reads no calls.
    get tool() {
      return agent ? agentTool(setting, name, region, bits) : partnerTool(setting, name, region, bits);
    },
  };
}
