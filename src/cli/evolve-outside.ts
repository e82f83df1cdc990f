import { type Command, InvalidArgumentError } from 'commander';
import { CollapseAwareError } from '../errors.ts';
import { openSource } from '../formats/index.ts';
import { readPopulation } from '../gateway/settings/read-population.ts';
import type { OpenAnswer, RunSettings, Stage } from '../loop/index.ts';
import { gatewayStage, readScenarios } from '../outside/index.ts';
import type { Member } from '../population/index.ts';
import { nameArgument, positiveNumber } from './input.ts';
import { rangeArgument } from './measure-options.ts';
import { readYaml } from './recipe-file.ts';

/** What `evolve` is told of a trainer that it does not own. */
export interface OutsideFlags {
  readonly gateway?: string;
  readonly agent?: string;
  readonly agentModel?: string;
  readonly agentEarlier?: string;
  readonly agentKeyEnv?: string;
  readonly scorer?: string;
  readonly population?: string;
  readonly probes?: string;
  readonly exams?: string;
  readonly reference?: readonly string[];
  readonly personas?: string;
  readonly turns?: number;
  readonly agentTokens?: number;
  readonly lanes?: number;
  readonly rewardRange?: readonly [number, number];
  readonly adminKeyEnv?: string;
  readonly epochSeconds?: number;
}

/** As they are named on the command line; all but the first mean nothing without it. */
const FLAGS = {
  gateway: '--gateway',
  agent: '--agent',
  agentModel: '--agent-model',
  agentEarlier: '--agent-earlier',
  agentKeyEnv: '--agent-key-env',
  scorer: '--scorer',
  population: '--population',
  probes: '--probes',
  exams: '--exams',
  reference: '--reference',
  personas: '--personas',
  turns: '--turns',
  agentTokens: '--agent-tokens',
  lanes: '--lanes',
  rewardRange: '--reward-range',
  adminKeyEnv: '--admin-key-env',
  epochSeconds: '--epoch-seconds',
} as const satisfies Record<keyof OutsideFlags, string>;

export function withOutsideOptions(command: Command): Command {
  return command
    .option('--gateway <url>', 'steer the trainer behind this gateway instead of the lab', urlArgument)
    .option('--agent <url>', 'its policy, as an OpenAI-compatible endpoint', urlArgument)
    .option('--agent-model <name>', 'name of the policy as it is now (default: policy)', nameArgument)
    .option('--agent-earlier <name>', 'name of an earlier policy, with {checkpoint} in it', nameArgument)
    .option('--agent-key-env <name>', 'variable that holds the key of --agent', nameArgument)
    .option('--scorer <url>', 'scores dialogues: POST {session, task, scenario, messages}', urlArgument)
    .option('--population <file>', "the gateway's settings, whose seen members begin", nameArgument)
    .option('--probes <file>', 'contexts of probes: JSON lines with prompt, scenario, task', nameArgument)
    .option('--exams <file>', 'contexts of exams (default: the second half of --probes)', nameArgument)
    .option('--reference <file...>', "the gateway's files of people, to be described to members")
    .option('--personas <file>', 'descriptions where there are no people, a line each', nameArgument)
    .option('--turns <number>', 'most turns of the user in a dialogue (default: 8)', positiveNumber)
    .option('--agent-tokens <number>', 'most tokens of a turn of the policy', positiveNumber)
    .option('--lanes <number>', 'dialogues at once (default: 8)', positiveNumber)
    .option('--reward-range <low,high>', 'of the scorer (default: 0,1)', rangeArgument)
    .option(
      '--admin-key-env <name>',
      "variable of the gateway's admin key (default: CA_ADMIN_KEY)",
      nameArgument,
    )
    .option(
      '--epoch-seconds <number>',
      'most seconds of an epoch of the trainer (default: 1800)',
      positiveNumber,
    );
}

function urlArgument(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new InvalidArgumentError('give an http or https URL');
  return text;
}

/** The stage of a run over a gateway, and settings that follow from it; null where the lab is meant. Errors: CA_USAGE, CA_FILE_*. */
export async function outsideStage(flags: OutsideFlags): Promise<{
  readonly stage: Stage;
  readonly given: Pick<RunSettings, 'members' | 'probe' | 'exam'>;
} | null> {
  const { gateway: url } = flags;
  if (url === undefined) {
    const odd = (Object.keys(FLAGS) as (keyof OutsideFlags)[]).find((name) => flags[name] !== undefined);
    if (odd === undefined) return null;
    throw new CollapseAwareError('CA_USAGE', `${FLAGS[odd]} belongs to --gateway`, {
      todo: 'add --gateway URL, or leave it out: the lab has its own',
    });
  }
  const needed = (name: 'agent' | 'population' | 'probes'): string => {
    const value = flags[name];
    if (value !== undefined) return value;
    throw new CollapseAwareError('CA_USAGE', `--gateway needs ${FLAGS[name]}`, {
      todo: 'docs/evolve-trainers.md says what it is',
    });
  };
  const agent = needed('agent');
  const population = needed('population');
  const probes = await scenariosOf(needed('probes'));
  // Read only once the gateway has a space: one that is not there is told now.
  for (const path of flags.reference ?? []) if (!/[*?[{]/.test(path)) await openSource(path);
  const stage = gatewayStage({
    url,
    adminKeyEnv: flags.adminKeyEnv ?? 'CA_ADMIN_KEY',
    agent: {
      url: agent,
      model: flags.agentModel ?? 'policy',
      earlier: flags.agentEarlier ?? null,
      keyEnv: flags.agentKeyEnv ?? null,
      ...(flags.agentTokens === undefined ? {} : { maxTokens: flags.agentTokens }),
    },
    scorer: flags.scorer === undefined ? null : { url: flags.scorer, keyEnv: null },
    probes,
    ...(flags.exams === undefined ? {} : { exams: await scenariosOf(flags.exams) }),
    reference: flags.reference ?? [],
    personas: flags.personas === undefined ? [] : await personasOf(flags.personas),
    ...(flags.turns === undefined ? {} : { turns: flags.turns }),
    ...(flags.rewardRange === undefined ? {} : { rewardRange: flags.rewardRange }),
    limits: {
      ...(flags.epochSeconds === undefined ? {} : { epoch: flags.epochSeconds }),
      ...(flags.lanes === undefined ? {} : { lanes: flags.lanes }),
    },
  });
  const most = stage.probes.length;
  return {
    stage,
    given: {
      members: await membersOf(population),
      probe: { contexts: most, rollouts: 4, audition: Math.min(20, most), replies: 8 },
      exam: { contexts: stage.exams.length, population: 4, test: stage.exams.length, people: 0 },
    },
  };
}

async function scenariosOf(path: string) {
  return readScenarios(await (await openSource(path)).text(), path);
}

async function personasOf(path: string): Promise<OpenAnswer['personas']> {
  const text = await (await openSource(path)).text();
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').map((line) => ({ mode: null, text: line, exemplars: [] }));
}

const POPULATION_FILE = { noun: "gateway's settings", format: 'YAML', mostBytes: 1_000_000 };

async function membersOf(path: string): Promise<readonly Member[]> {
  const read = await readYaml(path, POPULATION_FILE);
  const written = (read as { population?: unknown } | null)?.population ?? read;
  const { members = [] } = (written ?? {}) as { members?: readonly { upstream?: unknown }[] };
  const upstreams = Array.isArray(members)
    ? members.flatMap(({ upstream }) => (typeof upstream === 'string' ? [upstream] : []))
    : [];
  return readPopulation(written, { upstreams, file: path }).panels.seen;
}
