import type { EpisodeDraft } from '../trajectory/compose.ts';
import { simulatorFacts } from '../trajectory/identity.ts';
import type { Turn } from '../trajectory/trajectory.ts';
import { contentText, kindOf } from './chat-message.ts';
import { dropRow, rowError } from './drop.ts';
import { firstObject } from './head.ts';
import { parseJson } from './json-text.ts';
import type { Head, Reader, Row, Source } from './reader.ts';
import { firstName, isRaw, jsonRows, mapRow, nameOf, numberOf, type Raw, rawOf } from './trainer-rows.ts';

interface Run {
  readonly result: Raw;
  readonly evaluation: Raw;
  readonly conversation: unknown;
  /** What an agent was told, by agent; empty where the file does not say. */
  readonly instructions: ReadonlyMap<string, string>;
}

/**
 * CooperBench runs: two coding agents that message one another. Each side gives a trajectory in which it is the
 * agent and its partner the user; the reward of both is `both_passed`. Read from a run folder
 * (`conversation.json`, `result.json`, `eval.json`, `agent<feature>_traj.json`) or from JSON lines of whole
 * runs ({result, eval, conversation}). Runs without a conversation (solo, or silent) are dropped.
 */
export const cooperbench: Reader = {
  name: 'cooperbench',
  title: 'CooperBench runs (folder, conversation.json or JSON lines)',
  checkedOn: 'real files',

  detect(head) {
    if (head.container === 'directory') return isRunFolder(head) ? 0.95 : 0;
    const first = firstObject(head);
    if (first === null) return 0;
    if (isRaw(first.result) && 'conversation' in first && 'agents' in rawOf(first.result)) return 0.98;
    return 'from' in first && 'to' in first && 'message' in first ? 0.8 : 0;
  },

  async *read(source, options) {
    const head = await source.head();
    const first = firstObject(head);
    if (head.container === 'directory' || (first !== null && !('conversation' in first)))
      yield* folderRows(source, head);
    else
      yield* jsonRows(source, options, (raw, line) =>
        sides(
          {
            result: rawOf(raw.result),
            evaluation: rawOf(raw.eval),
            conversation: raw.conversation,
            instructions: new Map(),
          },
          source,
          line,
        ),
      );
  },
};

function isRunFolder(head: Head): boolean {
  const names = new Set(head.text.split('\n').map((name) => name.replace(/\.(gz|zst)$/, '')));
  return names.has('result.json') && (names.has('conversation.json') || names.has('eval.json'));
}

async function* folderRows(source: Source, head: Head): AsyncGenerator<Row> {
  const file = async (name: string): Promise<unknown> => {
    const found = await source.sibling(name);
    if (found === null) return null;
    const parsed = parseJson(await found.text());
    if (!parsed.ok) source.warn(`${name} cannot be used (${parsed.reason})`);
    return parsed.ok ? parsed.value : null;
  };
  const inFolder = head.container === 'directory';
  const own = inFolder ? null : parseJson(await source.text());
  if (own !== null && !own.ok) {
    yield dropRow(source, null, 'CA_JSON_INVALID', own.reason);
    return;
  }
  const result = rawOf(await file('result.json'));
  if (Object.keys(result).length === 0) source.warn('result.json is missing: models and task are unknown');
  const instructions = new Map<string, string>();
  for (const [agent, facts] of Object.entries(rawOf(result.agents))) {
    const trajectory = rawOf(await file(`agent${nameOf(rawOf(facts).feature_id) ?? ''}_traj.json`));
    const told = Array.isArray(trajectory.messages)
      ? contentText(rawOf(trajectory.messages[0]).content)
      : null;
    if (told !== null) instructions.set(agent, told);
  }
  const run: Run = {
    result,
    evaluation: rawOf(await file('eval.json')),
    conversation: own === null ? await file('conversation.json') : own.value,
    instructions,
  };
  yield* mapRow(source, null, {}, () => sides(run, source, null));
}

/** Both sides of a run. Throws a row error where there was no conversation. */
function sides(run: Run, source: Source, line: number | null): (EpisodeDraft | Row)[] {
  const { result, conversation } = run;
  const id = nameOf(result.run_id) ?? nameOf(result.log_dir);
  if (conversation !== null && conversation !== undefined && !Array.isArray(conversation))
    throw rowError(`conversation: expected an array, found ${kindOf(conversation)}`);
  if (!Array.isArray(conversation) || conversation.length === 0)
    return [
      dropRow(
        source,
        line,
        'CA_ROW_EMPTY',
        `the run has no conversation (setting ${nameOf(result.setting) ?? 'unknown'})`,
        id,
      ),
    ];
  const messages = conversation.map((message, i) => {
    const raw = rawOf(message);
    const [from, to] = [nameOf(raw.from), nameOf(raw.to)];
    const text = contentText(raw.message ?? raw.content);
    if (from === null || text === null) throw rowError(`conversation[${i}]: expected {from, message}`);
    return { from, to, text, at: numberOf(raw.timestamp) ?? 0, i };
  });
  // The file's order is that of arrival at the recorder, the time stamps that of sending.
  messages.sort((a, b) => a.at - b.at || a.i - b.i);
  const agents = [...new Set(messages.flatMap(({ from, to }) => (to === null ? [from] : [from, to])))].sort();
  return agents.map((agent) => {
    const turns: Turn[] = messages
      .filter(({ from, to }) => from === agent || to === agent || to === null)
      .map(({ from, text }) => ({ role: from === agent ? 'agent' : 'user', text }));
    const partners = agents.filter((other) => other !== agent);
    if (!turns.some((turn) => turn.role === 'user'))
      return dropRow(
        source,
        line,
        'CA_ROW_NO_SIMULATOR_TURN',
        `nobody wrote to ${agent}`,
        id && `${id}/${agent}`,
      );
    return side(run, agent, partners, turns, source, line);
  });
}

function side(
  run: Run,
  agent: string,
  partners: readonly string[],
  turns: Turn[],
  source: Source,
  line: number | null,
): EpisodeDraft {
  const { result, evaluation } = run;
  const facts = (name: string) => rawOf(rawOf(result.agents)[name]);
  const model = (name: string) => firstName([facts(name), result], ['model']);
  const feature = (name: string) => nameOf(facts(name).feature_id) ?? name;
  const partner = partners[0] ?? agent;
  const [repo, task] = [nameOf(result.repo), nameOf(result.task_id)];
  const runId = nameOf(result.run_id) ?? nameOf(result.log_dir);
  return {
    id: runId === null ? null : `${runId}/${agent}`,
    turns,
    benchmark: 'cooperbench',
    domain: repo,
    // What the partner was told to build: the simulator's private instruction.
    scenario: run.instructions.get(partner) ?? null,
    contextLabel:
      repo === null && task === null
        ? null
        : `${repo ?? '-'}/${task ?? '-'}/user:${partners.map(feature).join('+')}/agent:${feature(agent)}`,
    run: nameOf(result.run_name),
    simulator: simulatorFacts({
      id: model(partner) ?? 'unknown',
      model: model(partner),
      recipe: nameOf(result.agent_framework),
    }),
    policy: { id: model(agent) ?? 'unknown', checkpoint: null },
    reward: numberOf(evaluation.both_passed),
    outcome: nameOf(rawOf(evaluation.merge).status),
    termination: nameOf(facts(agent).status),
    source: { file: source.path, line },
  };
}
