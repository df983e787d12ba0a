import type { Conversation, JsonObject, OfferedTool, ToolChoice } from '../conversation/conversation.ts';
import { isJsonObject, jsonType, tryJson } from '../conversation/json.ts';
import { finishArguments, finishTool } from './intents/finish-tool.ts';
import { readProperties } from './intents/offered-properties.ts';

/** A call of a tool that a request requires, without its id. `arguments` is the text to send. */
export interface ForcedCall {
  readonly tool: OfferedTool;
  readonly arguments: string;
}

/** The tools of which a request requires a call; empty if it requires none, or none that it offers. Pure. */
export function requiredTools({ tools }: Conversation, choice: ToolChoice | undefined): readonly OfferedTool[] {
  if (choice?.mode !== 'required') return [];
  return choice.names === undefined ? tools : tools.filter(({ name }) => choice.names?.includes(name));
}

/**
 * The call that says a text where a request requires a call of one of `tools`: a JSON object becomes the arguments of
 * the first tool that takes them, any other text the answer of a tool that ends the work, such as `final_answer`.
 * Undefined if the text fits none of the tools. Pure.
 */
export function forceCall(content: string, tools: readonly OfferedTool[]): ForcedCall | undefined {
  const [only, ...others] = tools;
  const isOnly = only !== undefined && others.length === 0;
  if (isOnly && only.input === 'text') return { tool: only, arguments: content };
  const value = tryJson(content);
  if (isJsonObject(value)) {
    const tool = isOnly ? only : tools.find((each) => takes(each, value));
    if (tool !== undefined) return { tool, arguments: JSON.stringify(value) };
  } else if (value !== undefined && isOnly) {
    const key = wrapperOf(only, value);
    if (key !== undefined) return { tool: only, arguments: JSON.stringify({ [key]: value }) };
  }
  const finish = finishTool(tools, isOnly);
  if (finish === undefined) return undefined;
  return { tool: finish.tool, arguments: finishArguments(finish, content) };
}

/** True if a tool has these arguments, and every one that it requires is there. */
function takes(tool: OfferedTool, args: JsonObject): boolean {
  const properties = readProperties(tool);
  if (tool.input !== 'json' || properties === undefined) return false;
  const isOffered = (key: string) => properties.some((property) => property.key === key);
  return (
    Object.keys(args).every(isOffered) &&
    properties.every(({ key, isRequired }) => !isRequired || Object.hasOwn(args, key))
  );
}

/** The only argument of a tool, if it takes a value that is no object: SDKs wrap lists and numbers into one. */
function wrapperOf(tool: OfferedTool, value: unknown): string | undefined {
  const [property, ...others] = readProperties(tool) ?? [];
  if (property === undefined || others.length > 0) return undefined;
  const type = jsonType(value);
  const { type: wanted } = property.schema;
  const types = [wanted].flat();
  const fits = types.includes(type) || (type === 'number' && types.includes('integer'));
  return fits ? property.key : undefined;
}

/** The message for an answer with text where the request requires a call. `label` names it, `rule` is the request's. */
export function explainForced(label: string, tools: readonly OfferedTool[], rule: string): string {
  const names = tools.map(({ name }) => name).join(', ');
  const examples = tools.slice(0, 1).map((tool) => {
    const args = Object.fromEntries((readProperties(tool) ?? []).map(({ key }) => [key, '…']));
    const call = JSON.stringify({ response: { tool_calls: [{ name: tool.name, arguments: args }] } });
    return `Write the step as ${call}, or its arguments as content: ${JSON.stringify({ content: JSON.stringify(args) })}.`;
  });
  return [`${label} is text, but the request requires a call of ${names} (${rule}).`, ...examples].join(' ');
}
