export * from './gate.ts';
export * from './open-ai-endpoint.ts';
export * from './reply.ts';
export * from './retry.ts';
export * from './stop.ts';
