import type { ChatRequest } from '../wire/chat-request.ts';

export interface Tool {
  readonly name: string;
  readonly description: string | null;
  readonly parameters: Readonly<Record<string, unknown>> | null;
}

/** What a candidate may be: text, a call of one of these, or either. */
export interface Choices {
  readonly text: boolean;
  readonly tools: readonly Tool[];
}

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** By `tools` and `tool_choice` of the request. */
export function choicesOf({ tools, body }: ChatRequest): Choices {
  const all = (tools ?? []).map(toolOf).filter((tool) => tool !== null);
  const choice = body.tool_choice;
  if (all.length === 0 || choice === 'none') return { text: true, tools: [] };
  if (choice === 'required') return { text: false, tools: all };
  const named = isObject(choice) && isObject(choice.function) ? choice.function.name : undefined;
  const only = all.filter(({ name }) => name === named);
  return only.length > 0 ? { text: false, tools: only } : { text: true, tools: all };
}

function toolOf(tool: unknown): Tool | null {
  const of = isObject(tool) ? tool.function : null;
  if (!isObject(of) || typeof of.name !== 'string') return null;
  return {
    name: of.name,
    description: typeof of.description === 'string' ? of.description : null,
    parameters: isObject(of.parameters) ? of.parameters : null,
  };
}

/** The arguments of a call as JSON text; null where they are no object, or lack what the tool requires. */
export function callArguments(given: unknown, { parameters }: Tool): string | null {
  const text = typeof given === 'string' ? given.trim() || '{}' : JSON.stringify(given ?? {});
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(value)) return null;
  const required = Array.isArray(parameters?.required) ? parameters.required : [];
  return required.every((key) => typeof key !== 'string' || Object.hasOwn(value, key)) ? text : null;
}
