export { persuasion } from './world.ts';
