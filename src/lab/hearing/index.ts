export { type AgentHearing, agentHearing, type Heard, openingOf } from './agent-hearing.ts';
export { followDialogue, type HeardDialogue, hearingOf } from './heard-dialogue.ts';
export { KNOWN_SETTINGS, settingOfInstructions } from './known-setting.ts';
export { type ShownCall, shownCalls, silentCalls } from './silent-calls.ts';
export * from './talk.ts';
export { QUIETLY, type UserHearing, userHearing } from './user-hearing.ts';
