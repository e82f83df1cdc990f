export * from './draw-act.ts';
export * from './family.ts';
export * from './family-simulator.ts';
export * from './mixture-session.ts';
export * from './people.ts';
export * from './simulator.ts';
export * from './trained.ts';
export * from './verbalized.ts';
