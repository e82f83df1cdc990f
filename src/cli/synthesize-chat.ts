import { randomUUID } from 'node:crypto';
import { Upstream, UpstreamError } from '../endpoint/index.ts';
import { CollapseAwareError } from '../errors.ts';
import type { GatewaySettings } from '../gateway/settings/settings.ts';
import { PeopleDesk, type Speaker, type SpeakerServices, speakerOf } from '../gateway/speakers/index.ts';
import { scriptedSpeaker } from '../gateway/speakers/scripted.ts';
import { wordsOf } from '../gateway/speakers/spoken.ts';
import { addUsage, type TokenSums, tokenTotal } from '../gateway/speakers/token-sums.ts';
import { ApiError } from '../gateway/wire/api-error.ts';
import type { WireMessage } from '../gateway/wire/chat-request.ts';
import { STOP_TOKEN } from '../lab/hearing/index.ts';
import { worldOf } from '../lab/worlds/index.ts';
import { seeded } from '../math/random.ts';
import { type Member, memberParts } from '../population/index.ts';
import { composeTrajectory } from '../trajectory/compose.ts';
import type { Trajectory, Turn } from '../trajectory/trajectory.ts';
import type { Job, Played, Stage } from './synthesize-stage.ts';

export interface AgentOptions {
  readonly url: string;
  readonly model: string;
  readonly keyEnv: string | null;
}

export interface ChatOptions {
  readonly settings: GatewaySettings;
  readonly agent: AgentOptions;
  /** Episodes whose contexts are played. */
  readonly contexts: readonly Trajectory[];
  /** System prompts; `{scenario}` and `{label}` stand for the context's. */
  readonly userPrompt: string;
  readonly agentPrompt: string;
  /** What the agent says first; null = it is asked. */
  readonly opening: string | null;
  /** Turns of the user, at most. */
  readonly turns: number;
  readonly maxTokens: number;
  readonly lanes: number;
  /** Id of the member whose upstream one that was made is asked through. */
  readonly upstreamAs: ReadonlyMap<string, string>;
  /** Reward of an episode; null = none is given. */
  readonly rewardOf: ((trajectory: Trajectory, signal: AbortSignal) => Promise<number | null>) | null;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const AGENT = {
  name: 'agent',
  concurrency: 64,
  queue: 100_000,
  retries: 3,
  connectMs: 10_000,
  firstByteMs: 120_000,
  idleMs: 60_000,
  totalMs: 600_000,
} as const;

/** A model needs a message to answer to. */
const BEGIN = 'Begin the conversation.';

/**
 * Members over chat, as a gateway would serve them, in this process; the agent is any OpenAI-compatible endpoint.
 * @throws CA_USAGE for a URL that is none, or a key that is not set.
 */
export function chatStage(options: ChatOptions): Stage {
  const { settings, agent, contexts, environment } = options;
  const upstreams = new Map(settings.upstreams.map((one) => [one.name, new Upstream(one, { environment })]));
  const other = new Upstream({ ...AGENT, baseUrl: agent.url, apiKeyEnv: agent.keyEnv }, { environment });
  const people = new PeopleDesk({ timeoutMs: 1, most: 1, now: () => 0, newId: randomUUID });
  const services: SpeakerServices = {
    upstreamOf(id) {
      const name = settings.population.upstreamOf[options.upstreamAs.get(id) ?? id];
      const found = name === undefined ? undefined : upstreams.get(name);
      if (found !== undefined) return found;
      throw new CollapseAwareError('CA_CONFIG_INVALID', `member '${id}' has no upstream`, {
        todo: 'name one of the upstreams in the settings of the gateway',
      });
    },
    checkpointsOf: () => [],
    people,
    scripted: (member) => scriptedSpeaker(member, worldOf(settings.population.world), {}),
  };
  const speakers = new Map<string, Speaker>();
  const speakerFor = (member: Member): Speaker => {
    const made = speakers.get(member.id) ?? speakerOf(member, services);
    speakers.set(member.id, made);
    return made;
  };
  return {
    contexts: contexts.length,
    lanes: options.lanes,
    mark: {
      // Addresses are not part of it: a server that moved is the same server.
      agent: agent.model,
      prompts: [options.userPrompt, options.agentPrompt, options.opening],
      turns: options.turns,
      contexts: contexts.map(({ context }) => context),
      upstreams: settings.upstreams.map(({ name }) => name),
    },
    check(member) {
      if ([member, ...memberParts(member)].some(({ recipe }) => recipe.kind === 'human'))
        throw new CollapseAwareError('CA_USAGE', `'${member.id}' is a person, whom nobody can ask here`, {
          todo: 'name members that a model or rules answer for',
        });
      speakerFor(member);
    },
    async play(job, run, signal) {
      try {
        const speaker = speakerFor(job.member);
        return await talk({ job, run, signal, speaker, agent: other, options });
      } catch (cause) {
        signal.throwIfAborted();
        if (cause instanceof ApiError || cause instanceof UpstreamError)
          throw new CollapseAwareError('CA_ENDPOINT_FAILED', cause.message, {
            todo: 'start the same command again: what was played is kept',
            cause,
          });
        throw cause;
      }
    },
    async close() {
      people.close();
      await Promise.all([...upstreams.values(), other].map((one) => one.close()));
    },
  };
}

interface Talk {
  readonly job: Job;
  readonly run: string;
  readonly signal: AbortSignal;
  readonly speaker: Speaker;
  readonly agent: Upstream;
  readonly options: ChatOptions;
}

async function talk({ job, run, signal, speaker, agent, options }: Talk): Promise<Played> {
  const source = options.contexts[job.context]!;
  const voice = speaker.open(job.id);
  const filled = (prompt: string) =>
    prompt.replaceAll('{scenario}', source.scenario ?? '').replaceAll('{label}', source.contextLabel ?? '');
  const random = seeded(`synthesize/${job.id}`);
  const sums: TokenSums = {};
  const turns: Turn[] = [];
  let termination = 'turns';
  const said = (own: 'user' | 'agent', system: string): WireMessage[] => [
    { role: 'system', content: filled(system) },
    ...turns.map(
      ({ role, text }): WireMessage => ({ role: role === own ? 'assistant' : 'user', content: text }),
    ),
  ];
  for (let depth = 0; depth < options.turns; depth++) {
    const asked = said('agent', options.agentPrompt);
    if (depth === 0) asked.push({ role: 'user', content: BEGIN });
    const text =
      depth === 0 && options.opening !== null
        ? filled(options.opening)
        : await agentSays(agent, options, asked, sums, signal);
    turns.push({ role: 'agent', text });
    const messages = said('user', options.userPrompt);
    const body = { model: job.member.id, messages, max_tokens: options.maxTokens };
    const reply = await voice.reply({
      request: {
        model: job.member.id,
        messages,
        stream: false,
        includeUsage: false,
        seed: null,
        tools: null,
        user: null,
        metadata: null,
        body,
      },
      past: turns.flatMap(({ role, text: words }) => (role === 'user' ? [{ text: words ?? '' }] : [])),
      random: random.fork(String(depth)),
      signal,
      probe: false,
      tokens: sums,
    });
    if (reply.kind !== 'whole') throw new Error('a whole reply was asked for');
    const words = reply.said.text ?? '';
    const over = words.includes(STOP_TOKEN);
    const own = words.replaceAll(STOP_TOKEN, '').trim();
    if (own !== '') {
      const { probability } = reply.said;
      turns.push({ role: 'user', text: own, ...(probability === undefined ? {} : { probability }) });
    }
    if (over || own === '') {
      termination = over ? 'user' : 'silence';
      break;
    }
  }
  if (!turns.some(({ role }) => role === 'user'))
    throw new CollapseAwareError('CA_ENDPOINT_REPLY', `'${job.member.id}' said nothing`, {
      todo: 'look at its model with collapse-aware gateway',
    });
  const draft = composeTrajectory({
    id: `${run}/${job.id}`,
    run,
    benchmark: source.benchmark,
    domain: source.domain,
    scenario: source.scenario,
    context: source.context,
    contextFrom: source.contextFrom,
    contextLabel: source.contextLabel,
    simulator: {
      id: job.member.id,
      kind: speaker.kind,
      person: voice.person,
      model: job.member.model,
      recipe: speaker.recipe,
      fingerprint: speaker.fingerprint,
    },
    policy: { id: options.agent.model, checkpoint: null },
    turns,
    termination,
    source: { file: 'synthesize', line: null },
  });
  const { prompt, completion, unmetered } = tokenTotal(sums);
  return {
    trajectory:
      options.rewardOf === null ? draft : { ...draft, reward: await options.rewardOf(draft, signal) },
    tokens: unmetered > 0 || prompt + completion === 0 ? null : prompt + completion,
  };
}

async function agentSays(
  agent: Upstream,
  { agent: { model }, maxTokens }: ChatOptions,
  messages: readonly WireMessage[],
  sums: TokenSums,
  signal: AbortSignal,
): Promise<string> {
  const reply = await agent.send({ model, messages, max_tokens: maxTokens }, { signal, stream: false });
  if (reply.kind !== 'json') throw new ApiError(502, 'the agent answers in a stream that nobody asked for');
  const { text, usage } = wordsOf(reply.json);
  addUsage(sums, 'agent', usage);
  return text ?? '';
}
