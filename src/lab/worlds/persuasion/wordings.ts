import { compile, compileAll, type Pattern } from '../../speech/pattern.ts';
import type { UserWording, Wordings } from '../../speech/wordings.ts';
import { AGENT_TOLD } from './agent-wordings.ts';
import { USER_TOLD } from './user-wordings.ts';

const anyOf = (texts: readonly string[]): Pattern => ({ any: texts.map(compile) });

export const WORDINGS: Wordings = {
  agent: compileAll(AGENT_TOLD),
  user: Object.fromEntries(
    Object.entries(USER_TOLD).map(([act, { core, terse, more }]): [string, UserWording] => [
      act,
      { core: anyOf(core), terse: anyOf(terse), more: anyOf(more) },
    ]),
  ),
};
