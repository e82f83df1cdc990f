import type { Member, PanelName } from '../../population/index.ts';
import { hashText, normaliseScenario } from '../../trajectory/identity.ts';
import type { NewSession } from '../api/control.ts';
import { type GroupMembers, groupKey, keepsGroups } from '../cast/index.ts';
import { purposeOf } from '../recorder/purpose.ts';
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

export interface SessionGroup {
  /** For the record: as the client calls it, where it does. */
  readonly name: string;
  /** What its member is drawn by. */
  readonly key: string;
}

/**
 * The group that a session belongs to: the one it names, else, where one member serves a group, whoever starts from the
 * same scenario, since that is what rollouts of one prompt have in common; of the run and the epoch that it names.
 * `epochOfGroup` says the epoch where it names none (GroupMembers): the one under way may change inside a group. The
 * named one is taken as it is, whatever epoch the session is counted for. Null where nothing says.
 */
export function groupOf(
  { made, hints, scenario }: SessionStart,
  population: PopulationSettings,
  epochOfGroup: (name: string) => number,
): SessionGroup | null {
  const named = made?.group ?? hints.group;
  const prompt = named !== null || scenario === null || !keepsGroups(population) ? null : promptOf(scenario);
  if (named === null && prompt === null) return null;
  // One that POST /api/epochs told comes and goes with the epochs.
  const run = made?.run ?? hints.run;
  const group = JSON.stringify([run, named, prompt]);
  const epoch = made?.epoch ?? hints.epoch ?? epochOfGroup(group);
  const name = named ?? `${run === null ? '' : `${run}/`}${epoch}/${prompt}`;
  return { name, key: groupKey(group, epoch) };
}

const promptOf = (scenario: string): string => hashText(normaliseScenario(scenario)).slice(0, 16);

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
    readonly group: SessionGroup | null;
    readonly pinned: boolean;
  },
): SessionFacts {
  const { made, hints } = start;
  const { member, panel, speaker, voice, group, pinned } = drawn;
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
      fingerprint: speaker.fingerprint,
    },
    split: panel,
    group: group?.name ?? null,
    ...(group === null ? {} : { groupKey: group.key }),
    ...(pinned ? { pinned } : {}),
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

/** A session of a group began, now or in an earlier life. One that was drawn for training says whom the others meet. */
export function joinGroup(groups: GroupMembers, facts: SessionFacts): void {
  const { groupKey: key, simulator, split, nested, pinned, model } = facts;
  if (key === undefined || nested !== null) return;
  const drawn = split === 'seen' && pinned !== true && purposeOf({ model, split, nested }) === 'training';
  groups.began(key, facts.id, drawn ? simulator : null);
}
