import { contentHash, contextIdentity } from './identity.ts';
import { type SimulatorFacts, TRAJECTORY_SCHEMA, type Trajectory, type Turn } from './trajectory.ts';

/** What a reader knows of an episode; everything else is missing, or derived here. */
export interface EpisodeDraft {
  readonly turns: readonly Turn[];
  readonly simulator: SimulatorFacts;
  readonly source: Trajectory['source'];
  /** The file's own id. Absent: the content hash, never a position. */
  readonly id?: string | null;
  readonly benchmark?: string | null;
  readonly domain?: string | null;
  readonly scenario?: string | null;
  readonly contextLabel?: string | null;
  /** Overrides the derived identity (native records carry their own). */
  readonly context?: string | null;
  readonly contextFrom?: Trajectory['contextFrom'];
  readonly group?: string | null;
  readonly epoch?: number | null;
  readonly run?: string | null;
  readonly policy?: { readonly id: string; readonly checkpoint: string | null } | null;
  readonly reward?: number | null;
  readonly outcome?: string | null;
  readonly split?: Trajectory['split'];
  readonly termination?: string | null;
}

/** Makes the record every later folder reads: fills what can be derived, leaves the rest `null`. */
export function composeTrajectory(draft: EpisodeDraft): Trajectory {
  const scenario = draft.scenario ?? null;
  const own = contentHash(draft.turns, scenario);
  const benchmark = draft.benchmark ?? null;
  const domain = draft.domain ?? null;
  const contextLabel = draft.contextLabel ?? null;
  const derived = contextIdentity({ benchmark, domain, scenario, contextLabel }, own);
  return {
    schema: TRAJECTORY_SCHEMA,
    id: draft.id ?? own,
    context: draft.context ?? derived.context,
    contextFrom: draft.contextFrom ?? (draft.context == null ? derived.contextFrom : 'label'),
    contextLabel,
    benchmark,
    domain,
    scenario,
    group: draft.group ?? null,
    epoch: draft.epoch ?? null,
    run: draft.run ?? null,
    simulator: draft.simulator,
    policy: draft.policy ?? { id: 'unknown', checkpoint: null },
    turns: draft.turns,
    reward: draft.reward ?? null,
    outcome: draft.outcome ?? null,
    split: draft.split ?? null,
    termination: draft.termination ?? null,
    source: draft.source,
  };
}
