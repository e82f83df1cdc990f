import { CollapseAwareError } from '../errors.ts';
import type { EpisodeDraft } from '../trajectory/compose.ts';
import { simulatorFacts } from '../trajectory/identity.ts';
import type { Turn } from '../trajectory/trajectory.ts';
import { contentText, kindOf } from './chat-message.ts';
import { rowError } from './drop.ts';
import { firstObject } from './head.ts';
import { jsonValues } from './json-stream.ts';
import { parseJson } from './json-text.ts';
import type { Reader, ReadOptions, Row, Source } from './reader.ts';
import { firstName, isRaw, mapRow, nameOf, numberOf, type Raw, rawOf } from './trainer-rows.ts';

/** Roles that corpora give the side that is talked to: it is the one a simulator would play. */
const USER_ROLES = new Set([
  'persuadee',
  'customer',
  'user',
  'client',
  'seeker',
  'target',
  'patient',
  'student',
  'caller',
]);

interface Utterance {
  readonly id: string;
  readonly conversation: string;
  readonly speaker: string;
  readonly text: string | null;
  readonly timestamp: number | null;
  readonly replyTo: string | null;
  readonly meta: Raw;
  readonly line: number;
}

interface Corpus {
  readonly source: Source;
  readonly options: ReadOptions;
  readonly name: string | null;
  readonly speakers: Raw;
  readonly conversations: Raw;
}

/**
 * A ConvoKit corpus: `utterances.jsonl` with `speakers.json` (older: `users.json`) and `conversations.json`, as a folder
 * or by its utterances file. Kind `human`. Which speaker is the user: `--simulator-role` (a role in the
 * metadata, or a speaker), else a role that says it (persuadee, customer, ...; Persuasion for Good's
 * role 1), else the one who did not open the conversation.
 */
export const convokit: Reader = {
  name: 'convokit',
  title: 'ConvoKit corpus (folder or utterances.jsonl)',
  checkedOn: 'schema',

  detect(head) {
    if (head.container === 'directory')
      return head.text.split('\n').some((name) => /^utterances\.jsonl(\.gz|\.zst)?$/.test(name)) ? 0.97 : 0;
    const first = firstObject(head);
    if (first === null || typeof first.text !== 'string') return 0;
    const speaker = 'speaker' in first || 'user' in first;
    const conversation = 'conversation_id' in first || 'root' in first;
    return speaker && conversation && ('reply_to' in first || 'reply-to' in first) ? 0.95 : 0;
  },

  async *read(source, options) {
    const folder = (await source.head()).container === 'directory';
    const utterances = folder ? await source.sibling('utterances.jsonl') : source;
    if (utterances === null)
      throw new CollapseAwareError('CA_FORMAT_INVALID', 'the folder holds no utterances.jsonl', {
        place: { file: source.path },
      });
    const corpus: Corpus = {
      source: utterances,
      options,
      name:
        nameOf((await document(source, 'index.json')).name) ??
        nameOf((await document(source, 'corpus.json')).name),
      speakers: await document(source, 'speakers.json', 'users.json'),
      conversations: await document(source, 'conversations.json'),
    };
    yield* conversations(corpus);
    // A folder's summary is the folder's: what was said of the file inside belongs there too.
    if (utterances !== source) for (const warning of utterances.warnings) source.warn(warning);
  },
};

async function document(source: Source, ...names: readonly string[]): Promise<Raw> {
  for (const name of names) {
    const file = await source.sibling(name);
    if (file === null) continue;
    const parsed = parseJson(await file.text());
    if (!parsed.ok) source.warn(`${name} cannot be used (${parsed.reason})`);
    return parsed.ok ? rawOf(parsed.value) : {};
  }
  return {};
}

/**
 * Utterances of one conversation need not stand together. A first pass counts them, so that the second can let go
 * of each conversation as soon as it is whole.
 */
async function* conversations(corpus: Corpus): AsyncGenerator<Row> {
  const { source, options } = corpus;
  const left = new Map<string, number>();
  for await (const item of jsonValues(source, { rowLimit: options.rowLimit })) {
    if (item.kind !== 'value') continue;
    const id = conversationOf(rawOf(item.value));
    if (id !== null) left.set(id, (left.get(id) ?? 0) + 1);
  }
  const open = new Map<string, Utterance[]>();
  for await (const item of jsonValues(source, { rowLimit: options.rowLimit })) {
    if (item.kind === 'dropped') {
      yield item;
      continue;
    }
    const id = conversationOf(rawOf(item.value));
    yield* mapRow(source, item.line, item.value, (raw) => {
      const utterance = utteranceOf(raw, item.line);
      const held = open.get(utterance.conversation);
      if (held === undefined) open.set(utterance.conversation, [utterance]);
      else held.push(utterance);
      return null;
    });
    if (id === null) continue;
    const remaining = left.get(id)! - 1;
    left.set(id, remaining);
    const held = open.get(id);
    if (remaining > 0 || held === undefined) continue;
    open.delete(id);
    yield* mapRow(source, held[0]!.line, {}, () => episode(corpus, id, held));
  }
}

const conversationOf = (raw: Raw) => nameOf(raw.conversation_id) ?? nameOf(raw.root);

function utteranceOf(raw: Raw, line: number): Utterance {
  const conversation = conversationOf(raw);
  const speaker = nameOf(raw.speaker) ?? nameOf(raw.user) ?? nameOf(rawOf(raw.speaker).id);
  if (conversation === null) throw rowError('conversation_id: missing');
  if (speaker === null) throw rowError('speaker: missing');
  if (raw.text !== null && raw.text !== undefined && typeof raw.text !== 'string')
    throw rowError(`text: expected a string, found ${kindOf(raw.text)}`);
  return {
    id: nameOf(raw.id) ?? `line ${line}`,
    conversation,
    speaker,
    text: contentText(raw.text),
    timestamp: numberOf(raw.timestamp) ?? (typeof raw.timestamp === 'string' ? finite(raw.timestamp) : null),
    replyTo: nameOf(raw.reply_to) ?? nameOf(raw['reply-to']),
    meta: rawOf(raw.meta),
    line,
  };
}

const finite = (text: string) => (text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : null);

function episode(corpus: Corpus, id: string, held: Utterance[]): EpisodeDraft {
  const { source } = corpus;
  const spoken = inOrder(held);
  const speakers = [...new Set(spoken.map((utterance) => utterance.speaker))];
  if (speakers.length < 2) throw rowError('a conversation of one speaker', 'CA_ROW_NO_SIMULATOR_TURN');
  const user = userSpeaker(corpus, spoken, speakers);
  const turns = spoken.map((utterance): Turn => {
    const acts = actsOf(utterance.meta);
    return {
      role: utterance.speaker === user ? 'user' : 'agent',
      text: utterance.text,
      ...(acts.length === 0 ? {} : { acts }),
    };
  });
  const meta = metaOf(corpus.conversations[id]);
  const simulator = { kind: 'human', person: user } as const;
  const place = { file: source.path, line: spoken[0]!.line };
  if ('donation_ee' in meta || corpus.name?.startsWith('persuasionforgood') === true) {
    // The same dialogues as in full_dialog.csv: the same names, so that either file can be used.
    const donation = numberOf(meta.donation_ee);
    return {
      id: nameOf(meta.dialogue_id) ?? id,
      turns,
      benchmark: 'p4g',
      contextLabel: 'save-the-children',
      simulator: simulatorFacts({ ...simulator, id: 'people (p4g)' }),
      policy: { id: 'human persuader', checkpoint: null },
      reward: donation === null ? null : Math.min(Math.max(donation, 0) / 2, 1),
      source: place,
    };
  }
  return {
    id,
    turns,
    benchmark: corpus.name,
    contextLabel: firstName([meta], ['task_id', 'scenario_id', 'topic', 'proposition']),
    simulator: simulatorFacts({ ...simulator, id: 'people' }),
    policy: { id: 'people', checkpoint: null },
    reward: numberOf(meta.reward),
    outcome: firstName([meta], ['outcome', 'success']),
    source: place,
  };
}

/** By time where all have one that differs, else along the replies, else as the file has them. */
function inOrder(held: readonly Utterance[]): Utterance[] {
  const byLine = [...held].sort((a, b) => a.line - b.line);
  const times = new Set(byLine.map((utterance) => utterance.timestamp));
  if (!times.has(null) && times.size === byLine.length)
    return byLine.sort((a, b) => a.timestamp! - b.timestamp!);
  const next = new Map(byLine.map((utterance) => [utterance.replyTo, utterance]));
  const known = new Set(byLine.map((utterance) => utterance.id));
  const chain: Utterance[] = [];
  let at = byLine.find((utterance) => utterance.replyTo === null || !known.has(utterance.replyTo));
  for (; at !== undefined && chain.length <= byLine.length; at = next.get(at.id)) chain.push(at);
  return chain.length === byLine.length ? chain : byLine;
}

function userSpeaker(corpus: Corpus, spoken: readonly Utterance[], speakers: readonly string[]): string {
  const wanted = corpus.options.simulatorRole;
  const roles = (speaker: string) =>
    [
      ...spoken.filter((utterance) => utterance.speaker === speaker).map((utterance) => utterance.meta.role),
      metaOf(corpus.speakers[speaker]).role,
    ]
      .map(nameOf)
      .filter((role) => role !== null);
  if (wanted !== undefined) {
    const found = speakers.find((speaker) => speaker === wanted || roles(speaker).includes(wanted));
    if (found === undefined)
      throw rowError(`no speaker has the role '${wanted}'`, 'CA_ROW_NO_SIMULATOR_TURN');
    return found;
  }
  const named = speakers.filter((speaker) =>
    roles(speaker).some((role) => USER_ROLES.has(role.toLowerCase())),
  );
  if (named.length === 1) return named[0]!;
  // Persuasion for Good codes the persuader 0 and the persuadee 1.
  const coded = speakers.filter((speaker) => roles(speaker).includes('1'));
  if (coded.length === 1 && speakers.some((speaker) => roles(speaker).includes('0'))) return coded[0]!;
  corpus.source.warn(
    'no role says who the user is: taken is the speaker who did not open; else give --simulator-role',
  );
  return speakers[1]!;
}

/** Newer dumps keep {meta, vectors}, older ones the metadata itself. */
const metaOf = (value: unknown): Raw => {
  const raw = rawOf(value);
  return isRaw(raw.meta) ? raw.meta : raw;
};

function actsOf(meta: Raw): string[] {
  const labels = [meta.label_1, meta.label_2, meta.act, meta.dialogue_act, meta.tag].flat();
  return labels.filter((label): label is string => typeof label === 'string' && label !== '');
}
