export { type Hand, type Manner, type Speaker, speakerOf, type Voice } from './manner.ts';
export { type Choose, compile, compileAll, type Pattern, type Slots, say } from './pattern.ts';
export { type Rendered, renderSteps, renderTurns, renderUserAct, type Scene, type Spoken } from './render.ts';
export type { UserWording, Wordings } from './wordings.ts';
