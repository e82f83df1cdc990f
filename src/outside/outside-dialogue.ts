import { ClientError } from '../client/client-error.ts';
import { pause } from '../client/transport.ts';
import type { OpenAiEndpoint } from '../endpoint/index.ts';
import { CollapseAwareError } from '../errors.ts';
import { hash32 } from '../math/index.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import type { AgentSettings } from './gateway-stage.ts';
import type { PatientGateway } from './patient-gateway.ts';
import type { Scenario, SpokenMessage } from './scenario.ts';
import type { Scorer } from './scorer.ts';

/** A dialogue that is to be played. */
export interface DialoguePlan {
  /** Session of its own at the gateway. */
  readonly session: string;
  /** As the gateway routes it: `population/ID`, `panel/selection/ID`. */
  readonly model: string;
  readonly scenario: Scenario;
  /** Names the luck of both sides: equal luck and equal context give equal draws, as far as the servers honour seeds. */
  readonly luck: string;
}

export interface DialogueTable {
  readonly gateway: PatientGateway;
  readonly agent: OpenAiEndpoint;
  readonly settings: AgentSettings;
  readonly agentModel: string;
  readonly policy: { readonly id: string; readonly checkpoint: string | null };
  readonly scorer: Scorer | null;
  readonly turns: number;
  readonly stops: readonly string[];
  /** What the sessions' names begin with: another one whenever dialogues are played. */
  readonly run: string;
  readonly signal: AbortSignal;
}

/** `unreached`: nobody answered at the policy's address, which says nothing of the dialogue. */
export type Played =
  | { readonly trajectory: Trajectory; readonly lost: null }
  | { readonly lost: string; readonly unreached?: CollapseAwareError };

/** Turns of the user are asked for again so long, in ms. */
const PATIENCE_MS = 120_000;
const MOST_SEED = 2 ** 31;

/**
 * A dialogue of the policy with a simulator behind the gateway, as a nested session: never held, never trained on, in no
 * figure of training, and its user's luck follows from context and seed. What goes wrong is a lost dialogue with a reason.
 * @throws what makes all dialogues fail: a gateway that stays down or takes no key.
 */
export async function playDialogue(plan: DialoguePlan, table: DialogueTable): Promise<Played> {
  const { gateway, scorer, signal } = table;
  const { scenario, session } = plan;
  const opened = await openedSession(plan, table);
  if ('lost' in opened) return opened;
  const messages: SpokenMessage[] = [...scenario.prompt];
  let termination = 'turn limit';
  try {
    let served = 0;
    if (messages.at(-1)?.role === 'assistant') {
      messages.push({ role: 'user', content: await userTurn(opened, messages, plan, signal) });
      served += 1;
    }
    while (served < table.turns && !ends(messages.at(-1)!, table.stops)) {
      messages.push({ role: 'assistant', content: await agentTurn(messages, served, plan, table) });
      messages.push({ role: 'user', content: await userTurn(opened, messages, plan, signal) });
      served += 1;
    }
    if (ends(messages.at(-1)!, table.stops)) termination = 'user stop';
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof CollapseAwareError)) throw error;
    await ended(gateway, session, null, 'infrastructure error', signal);
    const agents = !(error instanceof ClientError);
    return {
      lost: `${agents ? 'the policy' : 'the simulated user'}: ${error.message}`,
      ...(agents && error.code === 'CA_ENDPOINT_FAILED' ? { unreached: error } : {}),
    };
  }
  const scored =
    scorer === null ? { reward: null } : await scorer.score({ session, scenario, messages }, signal);
  if ('lost' in scored) {
    await ended(gateway, session, null, 'infrastructure error', signal);
    return scored;
  }
  await ended(gateway, session, scored.reward, termination, signal);
  // Turns in which a member's recipe could not be kept are as it would be met in training.
  const { trajectory } = await gateway.ask((client) => client.session(session), signal);
  return { trajectory, lost: null };
}

interface Opened {
  readonly baseUrl: string;
  readonly key: string;
}

async function openedSession(
  { session: id, model, scenario, luck }: DialoguePlan,
  { gateway, policy, signal }: DialogueTable,
): Promise<Opened | { readonly lost: string }> {
  try {
    return await gateway.ask(
      (client) =>
        client.openSession({
          id,
          model,
          contextLabel: scenario.task,
          policy,
          nested: { agentSeed: id, userSeed: luck },
        }),
      signal,
    );
  } catch (error) {
    if (error instanceof ClientError && [400, 404, 409].includes(error.status ?? 0))
      return { lost: `the gateway does not open it: ${error.message}` };
    throw error;
  }
}

const ends = ({ role, content }: SpokenMessage, stops: readonly string[]) =>
  role === 'user' && stops.some((stop) => content.includes(stop));

async function agentTurn(
  messages: readonly SpokenMessage[],
  turn: number,
  { luck, scenario }: DialoguePlan,
  { agent, settings, agentModel, signal }: DialogueTable,
): Promise<string> {
  const reply = await agent.chat(
    messages,
    {
      temperature: settings.temperature,
      seed: hash32(`${luck}/${scenario.task}/${turn}`) % MOST_SEED,
      extra: { model: agentModel },
      ...(settings.maxTokens === null ? {} : { maxTokens: settings.maxTokens }),
    },
    signal,
  );
  if (reply.text === null || reply.text.trim() === '')
    throw new CollapseAwareError('CA_ENDPOINT_REPLY', 'it said nothing');
  return reply.text;
}

/** For the gateway, whose model plays the user, the sides are turned; the policy's own instructions are not its business. */
async function userTurn(
  { baseUrl, key }: Opened,
  messages: readonly SpokenMessage[],
  { model, scenario, luck }: DialoguePlan,
  signal: AbortSignal,
): Promise<string> {
  const turned = messages.flatMap(({ role, content }) =>
    role === 'system' ? [] : [{ role: role === 'user' ? 'assistant' : 'user', content }],
  );
  const told = scenario.scenario === null ? [] : [{ role: 'system', content: scenario.scenario }];
  const body = JSON.stringify({
    model,
    messages: [...told, ...turned],
    seed: hash32(`${luck}/${scenario.task}/user`) % MOST_SEED,
  });
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const error = await answered(`${baseUrl}/chat/completions`, key, body, signal);
    if (typeof error === 'string') return error;
    if (!error.passing || Date.now() > until) throw error;
    await pause(Math.max(500, error.retryAfterMs ?? 0), signal);
  }
}

async function answered(
  url: string,
  key: string,
  body: string,
  signal: AbortSignal,
): Promise<string | ClientError> {
  let status: number | null = null;
  try {
    const reply = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
    });
    const text = await reply.text();
    status = reply.status;
    if (!reply.ok) return new ClientError(`${status} ${text.slice(0, 200)}`, { status });
    const said = JSON.parse(text) as { choices?: readonly { message?: { content?: unknown } }[] };
    const content = said.choices?.[0]?.message?.content;
    return typeof content === 'string'
      ? content
      : new ClientError('it called a tool, or said nothing', { status: 422 });
  } catch (cause) {
    signal.throwIfAborted();
    return new ClientError(`no reply: ${(cause as Error).message}`, { status, cause });
  }
}

/** The session is over. One that has nothing on record ends by itself. */
async function ended(
  gateway: PatientGateway,
  session: string,
  reward: number | null,
  termination: string,
  signal: AbortSignal,
): Promise<void> {
  await gateway.ask((client) => client.rewards([{ session, reward, termination }]), signal);
}
