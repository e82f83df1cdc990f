import { CollapseAwareError } from '../errors.ts';
import type { OpenAnswer, Stage } from '../loop/index.ts';
import type { Control } from '../space/index.ts';
import type { Scenario } from './scenario.ts';

/** A trainer behind a gateway that a run of the loop steers, as plain data. Keys are named, never held. */
export interface GatewayStage extends Stage {
  readonly kind: 'gateway';
  /** Root of the gateway. */
  readonly url: string;
  /** Environment variable of the key of its control API. */
  readonly adminKeyEnv: string;
  readonly agent: AgentSettings;
  /** Who scores a dialogue that the loop plays; null = nobody, and such dialogues have no reward. */
  readonly scorer: { readonly url: string; readonly keyEnv: string | null } | null;
  /** Contexts of probes, and those of exams, which nothing else uses. */
  readonly probes: readonly Scenario[];
  readonly exams: readonly Scenario[];
  /** Turns of the simulated user in a dialogue at most, and what its last one holds. */
  readonly turns: number;
  readonly stops: readonly string[];
  /** Files of the people that the gateway has as its reference: described to members that are to be like them. */
  readonly reference: readonly string[];
  /** Descriptions where there are no people. */
  readonly personas: OpenAnswer['personas'];
  /** How dialogues are compared. Contexts of probes are seldom those that the space was fitted on. */
  readonly control: Control;
  readonly rewardRange: readonly [number, number];
  readonly limits: OutsideLimits;
}

/** The policy as an OpenAI-compatible endpoint. */
export interface AgentSettings {
  readonly url: string;
  /** Name of the policy as it is now. */
  readonly model: string;
  /** Name of the policy at an earlier checkpoint, with `{checkpoint}` in it; null = it is not served. */
  readonly earlier: string | null;
  readonly keyEnv: string | null;
  readonly temperature: number;
  /** Tokens of a turn at most; null = as the server has it. */
  readonly maxTokens: number | null;
}

/** Seconds, but for `lanes`. */
export interface OutsideLimits {
  /** Dialogues at once. */
  readonly lanes: number;
  /** How long a gateway that is down is asked again. */
  readonly gateway: number;
  /** Until there is a behaviour space. */
  readonly space: number;
  /** For a turn of the policy: its server may have to load it. */
  readonly agent: number;
  /** From one epoch of the trainer to the next. */
  readonly epoch: number;
  /** For rewards that come after their epoch. */
  readonly reward: number;
  /** After which the trainer goes on by itself, should the loop be gone. */
  readonly hold: number;
}

const LIMITS: OutsideLimits = {
  lanes: 8,
  gateway: 300,
  space: 3600,
  agent: 600,
  epoch: 1800,
  reward: 60,
  hold: 3600,
};

type Given = Pick<GatewayStage, 'url' | 'adminKeyEnv' | 'probes'> & {
  readonly agent: Partial<AgentSettings> & Pick<AgentSettings, 'url' | 'model'>;
  readonly limits?: Partial<OutsideLimits>;
} & Partial<
    Pick<
      GatewayStage,
      'scorer' | 'exams' | 'turns' | 'stops' | 'reference' | 'personas' | 'control' | 'rewardRange'
    >
  >;

/** With every default filled in. Exams without contexts of their own have the second half of the probes'. */
export function gatewayStage(given: Given): GatewayStage {
  const middle = Math.ceil(given.probes.length / 2);
  return {
    kind: 'gateway',
    url: given.url,
    adminKeyEnv: given.adminKeyEnv,
    agent: { earlier: null, keyEnv: null, temperature: 1, maxTokens: null, ...given.agent },
    scorer: given.scorer ?? null,
    probes: given.exams === undefined ? given.probes.slice(0, middle) : given.probes,
    exams: given.exams ?? given.probes.slice(middle),
    turns: given.turns ?? 8,
    stops: given.stops ?? ['###STOP###', '###TRANSFER###', '###OUT-OF-SCOPE###'],
    reference: given.reference ?? [],
    personas: given.personas ?? [],
    control: given.control ?? 'interaction',
    rewardRange: given.rewardRange ?? [0, 1],
    limits: { ...LIMITS, ...given.limits },
  };
}

/** @throws CA_CONFIG_INVALID for the stage of something else. */
export function readGatewayStage(stage: Stage): GatewayStage {
  const { kind, url, adminKeyEnv, agent, probes, exams, limits } = stage as Partial<GatewayStage>;
  if (
    kind !== 'gateway' ||
    typeof url !== 'string' ||
    typeof adminKeyEnv !== 'string' ||
    typeof agent?.url !== 'string' ||
    !Array.isArray(probes) ||
    !Array.isArray(exams) ||
    typeof limits !== 'object'
  )
    throw new CollapseAwareError(
      'CA_CONFIG_INVALID',
      `a stage of the kind "${stage.kind}" is no trainer behind a gateway`,
      { todo: 'Resume the run with the program that began it.' },
    );
  return stage as GatewayStage;
}

/** The key that a variable holds. @throws CA_USAGE where it holds none. */
export function keyOf(name: string, environment: Readonly<Record<string, string | undefined>>): string {
  const key = environment[name]?.trim() ?? '';
  if (key === '')
    throw new CollapseAwareError('CA_USAGE', `the environment variable ${name} is not set`, {
      todo: `export ${name}=... before the command`,
    });
  return key;
}
