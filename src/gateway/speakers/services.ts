import type { Upstream } from '../../endpoint/index.ts';
import { type Member, memberFingerprint } from '../../population/index.ts';
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
