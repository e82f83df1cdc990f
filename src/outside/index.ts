export { type GatewayEdges, gatewayPerformer } from './gateway-performer.ts';
export {
  type AgentSettings,
  type GatewayStage,
  gatewayStage,
  type OutsideLimits,
  readGatewayStage,
} from './gateway-stage.ts';
export { RunBoard } from './run-board.ts';
export { readScenarios, type Scenario } from './scenario.ts';
