import { labPerformer } from '../lab/evolution/index.ts';
import { collapsing, type Performer, type Stage } from '../loop/index.ts';
import { gatewayPerformer } from '../outside/index.ts';
import { tell } from './terminal.ts';

/** A fault that a run is given on purpose: the users' collapse in a round. */
export interface Injection {
  readonly kind: 'collapse';
  readonly round: number;
}

/** @throws CA_CONFIG_INVALID for the stage of another program. */
export function makePerformer(stage: Stage): Performer {
  const performer = stage.kind === 'gateway' ? gatewayPerformer(stage, { say: tell }) : labPerformer(stage);
  const inject = stage.inject as Injection | undefined;
  return inject === undefined ? performer : collapsing(performer, inject.round);
}
