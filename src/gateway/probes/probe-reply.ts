import type { StopSignal } from '../../endpoint/index.ts';
import type { Random } from '../../math/random.ts';
import { weightedDraw } from '../../population/index.ts';
import type { Resample } from '../../trajectory/trajectory.ts';
import type { SessionFacts } from '../recorder/records.ts';
import type { Voice } from '../speakers/speaker.ts';
import { addUsage, type TokenSums, tokenTotal } from '../speakers/token-sums.ts';
import type { ProbeJob, ProbeTask } from './probe-job.ts';
import { probeRequest } from './probe-request.ts';
import type { ProberServices } from './prober-services.ts';
import { completionTokens, resampleOf, wholeSaid } from './resample.ts';
import type { Law } from './visited-history.ts';

/** What came of asking once more. */
export interface ProbeReply {
  /** Null: no reply. */
  readonly resample: Resample | null;
  /** Who was asked; null = nobody could be. */
  readonly member: string | null;
  /** By who answered. */
  readonly tokens: TokenSums;
  readonly prompt: number;
  readonly completion: number;
}

/** Never rejects. */
export async function probeReply(
  services: Pick<ProberServices, 'voiceOf' | 'population'>,
  { history, stream }: Pick<ProbeJob, 'history' | 'stream'>,
  { law, at }: ProbeTask,
  signal: StopSignal,
): Promise<ProbeReply> {
  const { facts, request, past } = history;
  const random = stream.fork(`${law} ${at}`);
  const tokens: TokenSums = {};
  let asked: string | null = null;
  let used: { readonly prompt: number; readonly completion: number } | null = null;
  let resample: Resample | null = null;
  try {
    const { voice, member } = voiceFor(services, facts, law, random);
    asked = member;
    const reply = await voice.reply({
      request: probeRequest(request, random.fork('seed')),
      past,
      random: random.fork('reply'),
      signal,
      probe: true,
      tokens,
    });
    const said = await wholeSaid(reply);
    if (reply.kind === 'stream') addUsage(tokens, said.answeredBy.id, said.usage);
    used = { prompt: said.usage.promptTokens ?? 0, completion: completionTokens(said) };
    resample = resampleOf(law, member, said);
  } catch {
    // It is counted as one that did not come.
  }
  return { resample, member: asked, tokens, ...(used ?? tokenTotal(tokens)) };
}

function voiceFor(
  { voiceOf, population }: Pick<ProberServices, 'voiceOf' | 'population'>,
  facts: SessionFacts,
  law: Law,
  random: Random,
): { voice: Voice; member: string } {
  if (law === 'member') {
    const voice = voiceOf(facts);
    if (voice === null) throw new Error('the member is gone');
    return { voice, member: facts.simulator.id };
  }
  const members = population(facts) ?? [];
  const weights = new Map(members.map(({ id, weight }) => [id, weight]));
  const drawn = weightedDraw(members, weights, random.fork('member'));
  // A new user each time: persona and checkpoint are drawn again with the member.
  const seed = `${facts.seed}/probe/${random.fork('user').integer(2 ** 53)}`;
  return { voice: drawn.open(seed), member: drawn.id };
}
