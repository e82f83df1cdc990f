import { toolArguments } from './chat-message.ts';

/** One message of a text that a chat template made, before roles are known to be ours. */
export interface TemplateTurn {
  readonly role: string;
  readonly content: string;
  readonly tool_calls?: readonly { readonly name: string; readonly arguments: unknown }[];
}

/** `open` matches a turn's opening and captures its role; `close` what ends the turn. */
interface Template {
  readonly open: RegExp;
  readonly close: RegExp;
}

const ROLE = 'system|developer|user|human|assistant|model|tool|ipython|observation|environment';

const MARKED: readonly Template[] = [
  // ChatML (Qwen, SmolLM, Hermes)
  { open: /<\|im_start\|>([A-Za-z_]+)[^\S\n]*\n?/g, close: /<\|im_end\|>/ },
  // Llama 3
  {
    open: /<\|start_header_id\|>\s*([A-Za-z_]+)\s*<\|end_header_id\|>\s*/g,
    close: /<\|(?:eot_id|eom_id)\|>/,
  },
  // Gemma
  { open: /<start_of_turn>([A-Za-z_]+)[^\S\n]*\n?/g, close: /<end_of_turn>/ },
  // Zephyr, Phi, GLM
  { open: new RegExp(`<\\|(${ROLE})\\|>\\s*`, 'g'), close: /<\|(?:end|endoftext)\|>|<\/s>/ },
  // DeepSeek
  { open: /<[|｜](User|Assistant)[|｜]>/g, close: /<[|｜]end[▁_]of[▁_]sentence[|｜]>/ },
];

/** What is left where the special tokens were dropped in decoding: the role alone on its line. */
const BARE: Template = { open: new RegExp(`(?:^|(?<=\\n))(${ROLE})\\n`, 'g'), close: /(?!)/ };
/** The same for Llama 3, whose template puts no line break before a role but an empty line after it. */
const GLUED: Template = { open: new RegExp(`(?:^|(?<=\\S))(${ROLE})\\n\\n`, 'g'), close: /(?!)/ };

const SPECIAL =
  /<\|(?:begin_of_text|endoftext|end_of_text|im_end|eot_id)\|>|<bos>|<eos>|<[|｜](?:begin|end)[▁_]of[▁_]sentence[|｜]>/g;

/**
 * Splits the flat text of a rollout (`prompt` as the model saw it, `completion` as it was decoded, with the
 * replies of the environment inside) into messages. Without recognisable markers the prompt is
 * one user message and the completion one of the assistant.
 * Limit: where markers were dropped, a line of a message that reads just `user` cannot be told from a turn.
 */
export function splitTemplate(prompt: string, completion: string): TemplateTurn[] {
  const template = templateOf(prompt) ?? markedIn(completion);
  const turns =
    template === null
      ? [
          { role: 'user', content: prompt },
          { role: 'assistant', content: completion },
        ]
      : marked(template, prompt)
        ? cut(template, prompt + completion, 'assistant')
        : [{ role: 'user', content: prompt }, ...cut(template, completion, 'assistant')];
  return turns.flatMap(finish);
}

const marked = (template: Template, text: string) => new RegExp(template.open.source).test(text);

const markedIn = (text: string): Template | null => {
  for (const template of MARKED) if (marked(template, text)) return template;
  return marked(BARE, text) ? BARE : null;
};

function templateOf(prompt: string): Template | null {
  for (const template of MARKED) if (marked(template, prompt)) return template;
  const start = new RegExp(`^\\s*(?:${ROLE})\\n(\\n?)`).exec(prompt);
  if (start === null) return null;
  // Both readings begin alike; the one that also finds the prompt's last turn is meant.
  if (start[1] === '\n' && cut(GLUED, prompt, 'user').length > cut(BARE, prompt, 'user').length) return GLUED;
  return BARE;
}

function cut(template: Template, text: string, first: string): TemplateTurn[] {
  const turns: TemplateTurn[] = [];
  const opens = [...text.matchAll(template.open)];
  const lead = text.slice(0, opens[0]?.index ?? text.length);
  const add = (role: string, content: string) => {
    const end = content.search(template.close);
    turns.push({
      role: role.toLowerCase(),
      content: (end === -1 ? content : content.slice(0, end)).replace(SPECIAL, ''),
    });
  };
  if (lead.replace(SPECIAL, '').trim() !== '') add(first, lead);
  opens.forEach((open, i) => {
    add(open[1]!, text.slice(open.index + open[0].length, opens[i + 1]?.index ?? text.length));
  });
  return turns;
}

/** Trims, takes tool calls and tool replies out of their tags, leaves out reasoning and empty turns. */
function finish(turn: TemplateTurn): TemplateTurn[] {
  const { role } = turn;
  const content = turn.content.trim();
  if (role === 'ipython' || role === 'observation' || role === 'environment')
    return content === '' ? [] : [{ role: 'tool', content }];
  if (role === 'user' || role === 'human') {
    // Qwen and Hermes hand tool output back as a user turn of its own.
    const { inside, rest } = takeTags(content, 'tool_response');
    return [
      ...inside.map((reply) => ({ role: 'tool', content: reply })),
      ...(rest === '' ? [] : [{ role: 'user', content: rest }]),
    ];
  }
  if (role === 'assistant' || role === 'model') return assistantTurn(content);
  return content === '' ? [] : [{ role, content }];
}

function assistantTurn(content: string): TemplateTurn[] {
  // The user never saw the reasoning; a template may already have opened the block in the prompt.
  const thought = content.indexOf('</think>');
  const spoken = thought === -1 ? content : content.slice(thought + '</think>'.length).trim();
  const { inside, rest } = takeTags(spoken, 'tool_call');
  const calls: { name: string; arguments: unknown }[] = [];
  for (const body of inside) {
    const call = toolArguments(body);
    const { name, arguments: given } = (call !== null && typeof call === 'object' ? call : {}) as {
      name?: unknown;
      arguments?: unknown;
    };
    // A call that does not parse stays visible as text: the model said it.
    if (typeof name !== 'string') return [{ role: 'assistant', content: spoken }];
    calls.push({ name, arguments: given ?? null });
  }
  if (calls.length > 0) return [{ role: 'assistant', content: rest, tool_calls: calls }];
  return rest === '' ? [] : [{ role: 'assistant', content: rest }];
}

/** What stands between the tags, and what is left without them. */
function takeTags(text: string, tag: string): { inside: string[]; rest: string } {
  const open = `<${tag}>`;
  const close = `</${tag}>`;
  const inside: string[] = [];
  let rest = '';
  let at = 0;
  for (;;) {
    const start = text.indexOf(open, at);
    const end = start === -1 ? -1 : text.indexOf(close, start);
    if (end === -1) return { inside, rest: (rest + text.slice(at)).trim() };
    inside.push(text.slice(start + open.length, end).trim());
    rest += text.slice(at, start);
    at = end + close.length;
  }
}
