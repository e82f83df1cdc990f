export * from './check/index.ts';
export * from './environment/index.ts';
export * from './evolution/index.ts';
export {
  labAgent,
  playOverChat,
  STOP_TOKEN,
  type Talk,
  type TalkMessage,
  type TalkOptions,
} from './hearing/index.ts';
export * from './learning/index.ts';
export * from './measure/index.ts';
export * from './methods/index.ts';
export * from './record/index.ts';
export * from './scripted/index.ts';
export * from './simulators/index.ts';
export * from './stage-zero/index.ts';
export * from './trainer/index.ts';
export * from './world/index.ts';
export * from './worlds/index.ts';
