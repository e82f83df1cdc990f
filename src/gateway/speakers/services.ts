import type { Upstream } from '../../endpoint/index.ts';
import { type Member, memberFingerprint } from '../../population/index.ts';
import { fingerprint } from '../../trajectory/identity.ts';
import type { PeopleDesk } from './people-desk.ts';
import type { Speaker } from './speaker.ts';

/** What members need around them. */
export interface SpeakerServices {
  /** Of a member that a model answers for, or of a part inside a recipe. */
  upstreamOf(memberId: string): Upstream;
  /** Checkpoints of a pool as they are now, oldest first: names of models at its upstream. */
  checkpointsOf(memberId: string): readonly string[];
  readonly people: PeopleDesk;
  scripted(member: Member): Speaker;
}

/** As whom a member is on record: a part that was mixed out of two speaks as the mixture. */
export interface Identity {
  readonly id: string;
  readonly fingerprint: string;
}

export const identityOf = (member: Member): Identity => ({
  id: member.id,
  fingerprint: memberFingerprint(member),
});

/** Of a scripted member: one family is another simulator in each world. */
export const printInWorld = (member: Member, world: string): string =>
  joined([memberFingerprint(member), world]);

/** Of a member whose parts answer: its own, unless a part's is not its member's alone. */
export function printOfParts(member: Member, parts: readonly Speaker[]): string {
  const own = memberFingerprint(member);
  const elsewhere = parts.filter((part) => part.fingerprint !== memberFingerprint(part.member));
  if (elsewhere.length === 0) return own;
  return joined([own, ...elsewhere.map((part) => part.fingerprint).sort()]);
}

const joined = (content: readonly string[]): string =>
  fingerprint({ model: null, recipe: JSON.stringify(content), sampling: [] })!;
