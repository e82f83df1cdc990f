import type { FakeScript } from '../fake-upstream.ts';
import { atOnce, type Stand } from './stand.ts';

/** Ways of being a user that no measure can take for one another; the model's name says which. */
export const STYLES = ['terse', 'long', 'asking', 'refusing', 'polite', 'numbers'] as const;
export type Style = (typeof STYLES)[number];

const LINES: Readonly<Record<Style, (turn: number, topic: string) => string>> = {
  terse: (turn) => ['Yes.', 'Fine.', 'Done.'][turn % 3]!,
  long: (turn, topic) =>
    `Well, let me tell you everything about ${topic} from the very beginning, since it all started a long while ago when my family and I had planned something else entirely and then, for the ${turn + 1}th time this year, everything had to be arranged anew by ourselves without anybody's help.`,
  asking: (turn, topic) =>
    `What about ${topic}? Why is that? How would it work, and when would step ${turn} be over?`,
  refusing: (turn, topic) =>
    `No, I do not want that. I refuse, ${topic} is wrong and I will not accept offer ${turn}.`,
  polite: (turn, topic) =>
    `Thank you so much, that is very kind. Please go on with ${topic}, thanks for step ${turn}.`,
  numbers: (turn, topic) =>
    `My number is 44${turn}1-22${turn}, order 99${turn}7, ${topic}, paid 120.50 on 12/0${turn + 1}.`,
};

/** A model for each style: what it says hangs on the style, the turn and the task alone. */
export const styledUpstream: FakeScript = ({ body }) => {
  const messages = body.messages as { role: string; content: string }[];
  const turn = messages.filter(({ role }) => role === 'assistant').length;
  const topic = /task (\S+)/.exec(messages[0]!.content)?.[1] ?? 'it';
  return { text: LINES[body.model as Style](turn, topic) };
};

export const styledMember = (style: Style, rest: Readonly<Record<string, unknown>> = {}) => ({
  id: style,
  family: style,
  model: style,
  upstream: 'fake',
  ...rest,
});

export interface StyledSession {
  readonly id: string;
  readonly task: number;
  readonly model?: string;
  /** What the trainer calls the task. */
  readonly label?: string;
}

export const TURNS = 3;

/** The next turn of a session that has had `said` so far. */
export async function turnOf(
  gateway: Stand,
  { id, task, model = 'population', label }: StyledSession,
  said: readonly string[],
) {
  const messages = [{ role: 'system', content: `You are a customer. <scenario>task t${task}</scenario>` }];
  for (let turn = 0; turn <= said.length; turn++) {
    messages.push({ role: 'user', content: `Agent says ${turn} (${id}).` });
    if (turn < said.length) messages.push({ role: 'assistant', content: said[turn]! });
  }
  return gateway.chat(
    { model, messages },
    {
      headers: { 'x-session-id': id, ...(label === undefined ? {} : { 'x-ca-task': label }) },
    },
  );
}

/** Plays sessions to their end, and posts the reward of each. */
export async function playStyled(
  gateway: Stand,
  sessions: readonly StyledSession[],
  rewardOf: (session: StyledSession) => number = () => 1,
): Promise<void> {
  await atOnce(sessions, 12, async (session) => {
    const said: string[] = [];
    while (said.length < TURNS) {
      const { status, body } = await turnOf(gateway, session, said);
      if (status !== 200) throw new Error(`${session.id}: ${status} ${JSON.stringify(body)}`);
      said.push(body.choices[0].message.content);
    }
  });
  const rewards = sessions.map((session) => ({ session: session.id, reward: rewardOf(session) }));
  await gateway.api('POST', '/api/rewards', { rewards });
}

/** `tasks` tasks by `trials` trials. */
export const roundOf = (name: string, tasks: number, trials: number, model?: string): StyledSession[] =>
  Array.from({ length: tasks * trials }, (_, at) => ({
    id: `${name}-${at}`,
    task: Math.floor(at / trials),
    ...(model === undefined ? {} : { model }),
  }));
