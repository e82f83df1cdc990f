import { type Random, seeded } from '../../math/random.ts';
import type { NewSession } from '../api/control.ts';
import { drawMember, type Route, routeOf } from '../cast/index.ts';
import { upstreamSeed } from '../probes/index.ts';
import { purposeOf } from '../recorder/purpose.ts';
import { scenarioOf, systemPromptOf } from '../sessions/scenario.ts';
import type { Placement } from '../sessions/session.ts';
import type { PopulationSettings } from '../settings/settings.ts';
import type { Reply, Speaker } from '../speakers/speaker.ts';
import { addUsage, type TokenSums, tokensBeyond } from '../speakers/token-sums.ts';
import { ApiError } from '../wire/api-error.ts';
import type { ChatRequest } from '../wire/chat-request.ts';
import { Announced } from './announced.ts';
import { ClientTurn, turnsBefore } from './client-turn.ts';
import type { Answer, Call, Conversation, ConversationServices } from './conversation.ts';
import { hintsOf } from './hints.ts';
import {
  factsOf,
  groupOf,
  joinGroup,
  type SessionGroup,
  type SessionStart,
  seedOf,
} from './session-facts.ts';

/** Takes requests to their session, the session to its member, and the member's reply back and on record. */
export class Conversations {
  readonly #services: ConversationServices;
  readonly #open = new Map<string, Conversation>();
  readonly #announced = new Announced();
  #running = 0;

  constructor(services: ConversationServices) {
    this.#services = services;
  }

  /** Requests of clients under way. */
  get running(): number {
    return this.#running;
  }

  announced(id: string): boolean {
    return this.#announced.has(id);
  }

  /** Those that were opened in an earlier life of the gateway, and not begun. */
  announce(ids: Iterable<string>): void {
    for (const id of ids) this.#announced.add(id, this.#services.ticks());
  }

  /** Its end is on record: nothing more is asked of it. */
  forget(id: string): void {
    this.#open.get(id)?.running?.raise(new ApiError(409, 'the session was ended', { code: 'session_ended' }));
    this.#open.delete(id);
    this.#announced.delete(id);
  }

  /** Ids of sessions that were opened beforehand and that nobody has begun for `ms`. */
  stale(ms: number): string[] {
    return this.#announced.stale(this.#services.ticks() - ms);
  }

  /** Opens a session beforehand: its member is drawn, and both are on record when this resolves. */
  async open(id: string, made: NewSession): Promise<Conversation> {
    const { cast, append, clock, ticks, epoch } = this.#services;
    const model = made.model ?? 'population';
    const start: SessionStart = {
      id,
      bound: 'key',
      model,
      scenario: null,
      hints: hintsOf({}, null),
      made,
      ...epoch(),
    };
    const conversation = this.#draw(start, routeOf(cast.population, model));
    this.#announced.add(id, ticks());
    try {
      await append({ kind: 'open', at: clock(), session: id, facts: conversation.facts });
    } catch (error) {
      this.forget(id);
      throw error;
    }
    return conversation;
  }

  /** @throws ApiError while nothing was sent. */
  async answer(call: Call): Promise<Answer> {
    this.#running += 1;
    try {
      return await this.#place(call);
    } catch (error) {
      this.#running -= 1;
      throw error;
    }
  }

  async #place(call: Call): Promise<Answer> {
    const { table, ticks, cast, isOpen } = this.#services;
    const { request, named, retry } = call;
    // Before anything is kept of it: a misspelt model must not leave a session behind.
    const route = routeFor(cast.population, request);
    const placement = table.place({ request, named, retry, now: ticks() });
    try {
      const known = await this.#recalled(placement);
      if (known !== null) {
        if (this.#announced.has(placement.id)) await this.#firstTurn(known, call);
        known.running?.raise(new ApiError(409, 'asked again by a retry', { code: 'superseded' }));
        this.#announced.delete(placement.id);
        return await this.#ask(known, placement, call);
      }
      if (route instanceof ApiError) throw route;
      // A key opens its one session: once that is over, nothing begins under it.
      if (call.keySession !== null && !isOpen(call.keySession)) throw sessionOver();
      return await this.#ask(await this.#begin(placement, route, call), placement, call);
    } catch (error) {
      table.failed(placement, ticks());
      throw error;
    }
  }

  /** Opening beforehand passes at every level: what red holds is the first turn. Its facts stay those of the opening. */
  async #firstTurn(known: Conversation, { stop }: Call): Promise<void> {
    const { admit, ticks } = this.#services;
    const { id } = known.facts;
    if (purposeOf(known.facts) !== 'training') return;
    await this.#announced.held(id, admit(stop), ticks);
    if (this.#open.get(id) !== known)
      throw new ApiError(409, 'the session was ended', { code: 'session_ended' });
  }

  async #recalled({ id, kind }: Placement): Promise<Conversation | null> {
    const here = this.#open.get(id);
    if (here !== undefined) return here;
    if (kind !== 'known' && !this.#announced.has(id)) return null;
    const found = await this.#services.recall(id);
    // Two requests may have asked for it at once: it is one session.
    const meanwhile = this.#open.get(id);
    if (meanwhile !== undefined) return meanwhile;
    if (found !== null) this.#open.set(id, found);
    return found;
  }

  async #begin(placement: Placement, route: Route, call: Call): Promise<Conversation> {
    const { settings, admit, epoch, append, clock } = this.#services;
    const { request, headers } = call;
    if (purposeOf({ model: request.model, split: route.panel, nested: null }) === 'training')
      await admit(call.stop);
    // After the wait: epochs may have begun meanwhile.
    const system = systemPromptOf(request.messages);
    const start: SessionStart = {
      id: placement.id,
      bound: placement.kind === 'known' ? (call.named?.by ?? 'content') : placement.by,
      model: request.model,
      scenario: system === null ? null : scenarioOf(system, settings.sessions.scenario),
      hints: hintsOf(headers, request.metadata),
      made: null,
      ...epoch(),
    };
    const conversation = this.#draw(start, route);
    // Committed with the first reply, in one go: nothing is promised before that.
    append({ kind: 'open', at: clock(), session: placement.id, facts: conversation.facts }).catch(() => {});
    return conversation;
  }

  #draw(start: SessionStart, route: Route): Conversation {
    const { settings, cast, groups, raising, coverage } = this.#services;
    const seed = seedOf(start, settings);
    const nested = start.made?.nested !== undefined;
    const group = groupOf(start, cast.population, (name) => this.#epochOf(name));
    const before = this.#drawnBefore(group, route, start);
    const { weights, raised, resting } = raising();
    const member = drawMember(cast.population, route, {
      session: nested ? seed : start.id,
      group: nested ? seed : (group?.key ?? null),
      groupMember: before === null ? null : { id: before.id, member: before.speaker?.member ?? null },
      seed: settings.seed,
      weights,
      raised,
      resting,
      coverage: coverage(),
    });
    // Of a group that goes on, the one that the others met: its member may answer as another by now.
    const speaker = before?.speaker?.member === member ? before.speaker : cast.speaker(member);
    const voice = speaker.open(seed);
    const pinned = route.pinned !== null;
    const facts = factsOf(start, settings, { member, panel: route.panel, speaker, voice, group, pinned });
    joinGroup(groups, facts);
    const conversation: Conversation = { facts, voice, past: new Map(), running: null };
    this.#open.set(start.id, conversation);
    return conversation;
  }

  #epochOf(group: string): number {
    const { groups, epochNow, isOpen } = this.#services;
    return groups.epochOf(group, epochNow(), (id) => this.#open.has(id) || isOpen(id));
  }

  /** Whom the others of its group met. A probe of the population is to find who serves now, not who did. */
  #drawnBefore(
    group: SessionGroup | null,
    { panel }: Route,
    { model, made }: SessionStart,
  ): { readonly id: string; readonly speaker: Speaker | null } | null {
    const { groups, cast } = this.#services;
    const purpose = purposeOf({ model, split: panel, nested: made?.nested ?? null });
    const drawn = group === null || purpose !== 'training' ? null : groups.get(group.key);
    return drawn === null ? null : { id: drawn.id, speaker: cast.known(drawn) };
  }

  async #ask(conversation: Conversation, placement: Placement, call: Call): Promise<Answer> {
    const { ask, onTurn, ticks } = this.#services;
    const { stop } = call;
    const { facts, voice, past } = conversation;
    const { turn } = placement;
    ask(conversation);
    conversation.running = stop;
    // Of a nested re-simulation all that is random follows from its seeds, the upstream's part too.
    const seed = `${facts.seed}/turn ${turn}`;
    const request = facts.nested === null ? call.request : reseeded(call.request, seeded(seed));
    const asking = new ClientTurn(request, turnsBefore(past, turn), seed, stop, call.retry);
    try {
      const asked = ticks();
      const reply = await voice.reply(asking);
      const upstreamMs = reply.kind === 'whole' ? reply.said.upstreamMs : ticks() - asked;
      const overheadMs = Math.max(0, ticks() - call.arrived - upstreamMs);
      return this.#answer(conversation, placement, call, { reply, tokens: asking.tokens }, overheadMs);
    } catch (cause) {
      if (conversation.running === stop) conversation.running = null;
      const error = errorOf(cause);
      this.#spent(conversation, asking.tokens);
      onTurn(conversation, { error: stop.aborted ? null : error });
      throw error;
    }
  }

  #answer(
    conversation: Conversation,
    placement: Placement,
    { request, stop }: Call,
    { reply, tokens }: { readonly reply: Reply; readonly tokens: TokenSums },
    overheadMs: number,
  ): Answer {
    const { append, clock, table, ticks, endOf, onTurn, onDelivered } = this.#services;
    const { id } = conversation.facts;
    const { turn } = placement;
    // The last turn of a session that was over, asked once more: its end stays what it was.
    const ended = placement.kind === 'known' && placement.reopened && placement.again ? endOf(id) : null;
    let recorded = false;
    const rest = () => {
      this.#running -= 1;
      if (conversation.running === stop) conversation.running = null;
    };
    return {
      conversation,
      turn,
      reply,
      overheadMs,
      record: async (said) => {
        if (stop.aborted) throw stop.reason;
        const beyond = tokensBeyond(said.usage, tokens);
        await append({
          kind: 'exchange',
          at: clock(),
          session: id,
          turn,
          messages: placement.kind === 'known' ? placement.fresh : request.messages,
          asked: placement.asked,
          said,
          overheadMs,
          ...(beyond === undefined ? {} : { tokens: beyond }),
        });
        recorded = true;
      },
      delivered: (said) => {
        rest();
        const text = said.text ?? '';
        conversation.past.set(turn, said.acts === undefined ? { text } : { text, acts: said.acts });
        const counts = table.delivered(placement, { text: said.text, toolCalls: said.toolCalls }, ticks());
        onTurn(conversation, { said });
        if (counts) onDelivered(conversation, turn, request, said);
        if (counts && ended !== null)
          append({ kind: 'close', at: clock(), session: id, termination: ended }).catch(() => {});
      },
      lost: (error) => {
        rest();
        const own = table.undelivered(placement, ticks());
        if (own) conversation.past.delete(turn);
        if (!recorded) {
          if (reply.kind === 'stream') {
            const { answeredBy, usage } = reply.said();
            addUsage(tokens, answeredBy.id, usage);
          }
          this.#spent(conversation, tokens);
        }
        onTurn(conversation, { error });
        // Where a retry took its place, the retry's record replaces this one.
        if (own && recorded) append({ kind: 'undelivered', at: clock(), session: id, turn }).catch(() => {});
      },
    };
  }

  /** No reply on record came of what upstreams gave. */
  #spent({ facts }: Conversation, tokens: TokenSums): void {
    if (Object.keys(tokens).length === 0) return;
    const { append, clock } = this.#services;
    append({
      kind: 'spent',
      at: clock(),
      session: facts.id,
      member: facts.simulator.id,
      probe: false,
      tokens,
    }).catch(() => {});
  }
}

/** Of a dialogue that has begun, whom it asked for may have left since: then why there is none, should it be unknown. */
function routeFor(population: PopulationSettings, { model, messages }: ChatRequest): Route | ApiError {
  try {
    return routeOf(population, model);
  } catch (error) {
    if (error instanceof ApiError && messages.some(({ role }) => role === 'assistant')) return error;
    throw error;
  }
}

function sessionOver(): ApiError {
  return new ApiError(401, 'this session key is unknown or its session is over', { code: 'invalid_api_key' });
}

function errorOf(cause: unknown): ApiError {
  if (cause instanceof ApiError) return cause;
  return new ApiError(500, 'the gateway failed to answer', { type: 'server_error', cause });
}

function reseeded(request: ChatRequest, random: Random): ChatRequest {
  const seed = upstreamSeed(random.fork('upstream'));
  return { ...request, seed, body: { ...request.body, seed } };
}
