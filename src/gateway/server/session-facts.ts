import { type Member, memberFingerprint, type PanelName } from '../../population/index.ts';
import { hashText, normaliseScenario } from '../../trajectory/identity.ts';
import type { NewSession } from '../api/control.ts';
import { keepsGroups } from '../cast/index.ts';
import type { Binding, SessionFacts } from '../recorder/records.ts';
import type { GatewaySettings, PopulationSettings } from '../settings/settings.ts';
import type { Speaker, Voice } from '../speakers/speaker.ts';
import type { Hints } from './hints.ts';

/** What is known of a session before its member is drawn. */
export interface SessionStart {
  readonly id: string;
  readonly bound: Binding;
  readonly model: string;
  /** The user's private instructions; null = none were sent. */
  readonly scenario: string | null;
  readonly hints: Hints;
  /** What was said of it beforehand (POST /api/sessions). */
  readonly made: NewSession | null;
  /** Under way. */
  readonly epoch: number;
  readonly run: string | null;
  readonly policy: SessionFacts['policy'] | null;
}

/**
 * The group that a session belongs to: the one it names, else, where one member serves a group, whoever starts from the
 * same scenario in the same epoch, since that is what rollouts of one prompt have in common. Null where nothing says.
 */
export function groupOf(
  start: SessionStart,
  population: PopulationSettings,
  settings: GatewaySettings,
): string | null {
  const named = start.made?.group ?? start.hints.group;
  if (named !== null && named !== undefined) return named;
  if (!keepsGroups(population) || start.scenario === null) return null;
  return `${epochOf(start, settings)}/${hashText(normaliseScenario(start.scenario)).slice(0, 16)}`;
}

/** Where the gateway counts epochs by sessions, one that a client is ahead with is the one under way. */
export function epochOf({ made, hints, epoch }: SessionStart, { live }: GatewaySettings): number {
  const named = made?.epoch ?? hints.epoch ?? epoch;
  return live.epochs.by === 'sessions' ? Math.min(named, epoch) : named;
}

/**
 * Draws everything that is random in a session: its id and the gateway's seed, so that no two sessions are alike. Of a
 * nested re-simulation the context and the user's seed alone: sessions under other agent seeds then meet the same user.
 */
export function seedOf(start: SessionStart, settings: GatewaySettings): string {
  const { made, id } = start;
  const label = made?.contextLabel ?? start.hints.task ?? '';
  return made?.nested === undefined
    ? `${settings.seed}/session/${id}`
    : `${settings.seed}/nested/${label}/${made.nested.userSeed}`;
}

export function factsOf(
  start: SessionStart,
  settings: GatewaySettings,
  drawn: {
    readonly member: Member;
    readonly panel: PanelName;
    readonly speaker: Speaker;
    readonly voice: Voice;
    readonly group: string | null;
  },
): SessionFacts {
  const { made, hints } = start;
  const { member, panel, speaker, voice } = drawn;
  const told =
    made?.policy ?? (hints.policy === null ? null : { id: hints.policy, checkpoint: hints.checkpoint });
  return {
    id: start.id,
    bound: start.bound,
    model: start.model,
    simulator: {
      id: member.id,
      kind: speaker.kind,
      person: voice.person,
      model: member.model,
      recipe: speaker.recipe,
      fingerprint: memberFingerprint(member),
    },
    split: panel,
    group: drawn.group,
    epoch: epochOf(start, settings),
    run: made?.run ?? hints.run ?? start.run,
    policy:
      told === null
        ? (start.policy ?? { id: 'unknown', checkpoint: hints.checkpoint })
        : { id: told.id, checkpoint: told.checkpoint ?? hints.checkpoint ?? null },
    contextLabel: made?.contextLabel ?? hints.task,
    benchmark: settings.sessions.benchmark,
    domain: settings.sessions.domain,
    nested: made?.nested ?? null,
    seed: seedOf(start, settings),
    ...(hints.names.length === 0 ? {} : { names: hints.names }),
  };
}

/** Whether a session decides whom the others of its group meet: one that was drawn for training. */
export function isGrouped(facts: SessionFacts): facts is SessionFacts & { readonly group: string } {
  const drawn = !/^(openai\/)?(population|panel|probe)\/./.test(facts.model);
  return facts.group !== null && facts.split === 'seen' && facts.nested === null && drawn;
}
