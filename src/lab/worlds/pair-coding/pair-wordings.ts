import type { Wordings } from '../../speech/wordings.ts';
import { AGENT_WORDINGS } from './agent-wordings.ts';
import { PARTNER_WORDINGS } from './partner-wordings.ts';

export const PAIR_WORDINGS: Wordings = { agent: AGENT_WORDINGS, user: PARTNER_WORDINGS };
