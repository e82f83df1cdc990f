// Real dialogues for the benches, read straight from the data folder. Nothing here is part of the package.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import readExcel from 'read-excel-file/node';

export const DATA = process.env.CA_DATA ?? resolve(import.meta.dirname, '..', '..', 'shared', 'data');
/** Compiled package: `npm run build:ts` writes it. */
export const DIST = process.env.CA_DIST ?? resolve(import.meta.dirname, '..', 'dist');

export function needData(folder) {
  if (existsSync(join(DATA, folder))) return;
  console.error(`no ${folder} in ${DATA}: set CA_DATA to the folder with the public data sets`);
  process.exit(3);
}

/** Annotated sentences of P4G: {dialogue, persuadee, turn, text, act}. */
export async function p4gSentences() {
  const sheets = await readExcel(join(DATA, 'p4g', '300_dialog.xlsx'));
  const rows = Array.isArray(sheets[0]?.data) ? sheets[0].data : sheets;
  const header = rows[0].map(String);
  const at = (name) => header.indexOf(name);
  const out = [];
  for (const row of rows.slice(1)) {
    const persuadee = Number(row[at('B4')]) === 1;
    const act = row[at(persuadee ? 'ee_label_1' : 'er_label_1')];
    const second = row[at(persuadee ? 'ee_label_2' : 'er_label_2')];
    const text = row[at('Unit')];
    if (text == null || act == null) continue;
    out.push({
      dialogue: String(row[at('B2')]),
      persuadee,
      turn: Number(row[at('Turn')]),
      text: String(text),
      act: String(act),
      second: second == null ? null : String(second),
    });
  }
  return out;
}

const json = (path) => JSON.parse(gunzipSync(readFileSync(path)).toString('utf8'));
const lines = (path) =>
  gunzipSync(readFileSync(path))
    .toString('utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line));
const files = (folder, pattern) =>
  readdirSync(join(DATA, folder))
    .filter((name) => pattern.test(name))
    .sort()
    .map((name) => [name, join(DATA, folder, name)]);

const ROLE = { user: 'user', assistant: 'agent', tool: 'tool', persuader: 'agent', target: 'user' };
function turn(message) {
  const calls = message.tool_calls ?? null;
  return {
    role: ROLE[message.role] ?? 'system',
    text: typeof message.content === 'string' ? message.content : null,
    ...(calls
      ? {
          toolCalls: calls.map((call) => ({
            name: call.name ?? call.function?.name ?? '?',
            arguments: call.arguments ?? call.function?.arguments ?? null,
          })),
        }
      : {}),
    ...(message.role === 'tool' ? { requestor: message.requestor === 'user' ? 'user' : 'agent' } : {}),
  };
}

function episode(id, context, simulator, turns) {
  return {
    schema: 'collapse-aware/trajectory@1',
    id,
    context,
    contextFrom: 'scenario',
    contextLabel: null,
    benchmark: null,
    domain: null,
    scenario: null,
    group: null,
    epoch: null,
    run: null,
    simulator: { id: simulator, kind: 'llm', person: null, model: null, recipe: null, fingerprint: null },
    policy: { id: '?', checkpoint: null },
    turns,
    reward: null,
    outcome: null,
    split: null,
    termination: null,
    source: { file: id, line: null },
  };
}

/** tau2 airline episodes; the context is the normalised scenario text, never the task number. */
export function tau2(pattern = /^airline/) {
  return files('tau2', pattern).flatMap(([name, path]) => {
    const file = json(path);
    const scenario = new Map(
      file.tasks.map((task) => [
        String(task.id),
        JSON.stringify(task.user_scenario?.instructions ?? task.id)
          .toLowerCase()
          .replace(/\s+/g, ' '),
      ]),
    );
    const simulator = /user-(.+?)__agent/.exec(name)[1];
    return file.simulations
      .filter((run) => run.messages.length > 0)
      .map((run) =>
        episode(
          `${name}#${run.id}`,
          scenario.get(String(run.task_id)) ?? `label:${run.task_id}`,
          simulator,
          run.messages.map(turn),
        ),
      );
  });
}

export function tau1() {
  return files('tau1', /json/).flatMap(([name, path]) => {
    const simulator = /user-(.+?)__agent/.exec(name)[1];
    return json(path).map((run, at) =>
      episode(`${name}#${at}`, String(run.task_id), simulator, run.traj.map(turn)),
    );
  });
}

export function factorial() {
  return files('tau2_factorial', /jsonl/).flatMap(([name, path]) =>
    lines(path).map((run, at) =>
      episode(
        `${name}#${at}`,
        String(run.task_id),
        /user_simulator_(.+)\.jsonl/.exec(name)[1],
        run.messages.map(turn),
      ),
    ),
  );
}

/** People and LLM targets under the same persuaders. */
export function persuasion() {
  const people = lines(join(DATA, 'persuasiontrace', 'human_rounds.jsonl.gz'))
    .filter((round) => !round.control && !round.audio)
    .map((round, at) => episode(`people#${at}`, round.proposition, 'people', round.messages.map(turn)));
  const simulated = files('persuasiontrace', /^sim__/).flatMap(([name, path]) =>
    lines(path).flatMap((line, at) =>
      [line]
        .flat()
        .map((round, of) =>
          episode(
            `${name}#${at}.${of}`,
            round.proposition,
            /sim__(.+)\.jsonl/.exec(name)[1],
            round.messages.map(turn),
          ),
        ),
    ),
  );
  return [...people, ...simulated];
}

/** P4G as episodes: the persuadee is the user. */
export async function p4gEpisodes() {
  const by = new Map();
  for (const sentence of await p4gSentences()) {
    const list = by.get(sentence.dialogue) ?? [];
    list.push(sentence);
    by.set(sentence.dialogue, list);
  }
  return [...by].map(([dialogue, list]) => {
    const turns = [];
    let key = '';
    for (const { persuadee, turn: number, text } of list) {
      const now = `${persuadee}${number}`;
      if (now === key) turns.at(-1).text += ` ${text}`;
      else turns.push({ role: persuadee ? 'user' : 'agent', text });
      key = now;
    }
    return episode(dialogue, 'p4g', 'people', turns);
  });
}
