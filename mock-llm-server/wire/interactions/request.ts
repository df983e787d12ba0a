import * as z from 'zod';
import type {
  Conversation,
  ConversationMessage,
  JsonObject,
  OfferedTool,
  TextPart,
  ToolCallPart,
  ToolChoice,
  ToolResultPart,
} from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import { badRequest, jsonTool, limitsOf } from '../body.ts';
import { bodyReader, FunctionSchema, JsonObjectSchema } from '../body-schema.ts';
import { DEFAULT_MODEL } from '../model-routes.ts';
import { parseResponseId } from '../openai/shared.ts';

/** A content of a step: a text, a call or a result. Clients put results into the user's input, too. */
const ContentSchema = z.object({
  type: z.string().optional(),
  text: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  arguments: z.unknown().optional(),
  call_id: z.string().optional(),
  result: z.unknown().optional(),
  is_error: z.boolean().nullish(),
});
type Content = z.infer<typeof ContentSchema>;

/** A step of the conversation, or a content in its place. */
const StepSchema = ContentSchema.extend({
  role: z.string().optional(),
  content: z.union([z.string(), z.array(ContentSchema), ContentSchema]).optional(),
});
type Step = z.infer<typeof StepSchema>;

const AllowedSchema = z.object({ mode: z.string().nullish(), tools: z.array(z.string()).nullish() });

const RequestSchema = z.object({
  model: z.string().default(DEFAULT_MODEL),
  agent: z.string().nullish(),
  input: z.union([z.string(), z.array(StepSchema), StepSchema]).optional(),
  system_instruction: z.string().nullish(),
  previous_interaction_id: z.string().nullish(),
  tools: z.array(z.object({ type: z.string(), ...FunctionSchema.partial().shape })).nullish(),
  generation_config: z
    .object({
      temperature: z.number().nullish(),
      top_p: z.number().nullish(),
      seed: z.number().nullish(),
      max_output_tokens: z.number().nullish(),
      stop_sequences: z.array(z.string()).nullish(),
      tool_choice: z.union([z.string(), z.object({ allowed_tools: AllowedSchema.nullish() })]).nullish(),
    })
    .nullish(),
  response_format: z.union([z.array(JsonObjectSchema), JsonObjectSchema]).nullish(),
  response_mime_type: z.string().nullish(),
  stream: z.boolean().nullish(),
  store: z.boolean().nullish(),
});
type RequestBody = z.infer<typeof RequestSchema>;

const readBody = bodyReader(RequestSchema, {
  notJson: (reason) => `Invalid JSON payload received. ${reason}`,
  notObject: 'The request body must be a JSON object.',
  invalid: (param, message) => badRequest(`Invalid value at '${param}': ${message}`, param),
});

/** The API's error for requests of clients from before May 2026. */
const LEGACY =
  'The legacy Interactions API schema is no longer supported. Please upgrade your client SDK to Python >= 2.0.0 or ' +
  "JavaScript/TypeScript >= 2.0.0 to adopt the new 'steps' schema. For details and migration examples, see: " +
  'https://ai.google.dev/gemini-api/docs/interactions-breaking-changes-may-2026';

/** Reads a request body. Fields that the server does not know may hold anything. */
export function readInteractionRequest(text: string) {
  const read = readBody(text);
  if (read.type === 'error') return read;
  const body = read.data;
  const { model, agent, input, system_instruction: system, generation_config: config } = body;
  if (input === undefined) return badRequest("Invalid value at 'input': it is required", 'input');
  const steps = typeof input === 'string' ? [{ type: 'text', text: input }] : [input].flat();
  if (steps.some(({ type, role }) => type === undefined && role !== undefined)) return badRequest(LEGACY, 'input');
  const previous = body.previous_interaction_id ?? undefined;
  const continues = previous === undefined ? undefined : parseResponseId(previous);
  const refusal = agent
    ? badRequest(`Agents such as '${agent}' are not supported here. Name a model.`, 'agent')
    : previous !== undefined && continues === undefined
      ? { ...badRequest(`Interaction '${previous}' was not found.`, 'previous_interaction_id'), status: 404 }
      : undefined;
  return {
    type: 'interaction' as const,
    conversation: {
      protocol: 'gemini-interactions',
      model: (agent ?? model).replace(/^models\//, ''),
      system: system ? [system] : [],
      messages: messagesOf(steps),
      tools: (body.tools ?? []).flatMap(readTool),
      ...(continues !== undefined && { continues }),
      ...readFormat(body),
    } satisfies Conversation,
    stream: body.stream ?? false,
    limits: limitsOf('max_output_tokens', config?.max_output_tokens, 'stop_sequences', config?.stop_sequences),
    toolChoice: readToolChoice(config?.tool_choice),
    json: read.json,
    /** The error for a request that the server can read, as a recording has it, but not answer as the API does. */
    refusal,
  };
}

/** The roles of the steps that are read. Thoughts, pictures, and what the API runs itself are ignored. */
const ROLES: Readonly<Record<string, ConversationMessage['role']>> = {
  text: 'user',
  user_input: 'user',
  function_result: 'user',
  model_output: 'assistant',
  function_call: 'assistant',
};

/** The messages of steps. Contents side by side are one message of the user. */
function messagesOf(steps: readonly Step[]): ConversationMessage[] {
  const messages: ConversationMessage[] = [];
  let isContent = false;
  for (const [index, step] of steps.entries()) {
    const { type = '', content = [] } = step;
    const contents = type !== 'user_input' && type !== 'model_output' ? [step] : contentsOf(content);
    const last = messages.at(-1);
    if (type === 'text' && isContent && last?.role === 'user') {
      messages[messages.length - 1] = { ...last, parts: [...last.parts, ...contents.flatMap(readText)] };
    } else if (ROLES[type] === 'user') messages.push({ role: 'user', index, parts: contents.flatMap(readInput) });
    else if (ROLES[type] === 'assistant') {
      messages.push({ role: 'assistant', index, parts: contents.flatMap(readOutput) });
    }
    isContent = type === 'text';
  }
  return messages;
}

function contentsOf(content: NonNullable<Step['content']>): Content[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : [content].flat();
}

function readInput(content: Content): (TextPart | ToolResultPart)[] {
  const { type, call_id: callId = '', result, is_error: isError } = content;
  if (type !== 'function_result') return readText(content);
  return [{ type: 'tool_result', callId, content: resultText(result), ...(isError && { isError }) }];
}

function readOutput(content: Content): (TextPart | ToolCallPart)[] {
  const { type, id = '', name = '', arguments: args } = content;
  if (type !== 'function_call') return readText(content);
  return [{ type: 'tool_call', id, name, arguments: JSON.stringify(args ?? {}) }];
}

function readText({ text }: Content): TextPart[] {
  return text === undefined ? [] : [{ type: 'text', text }];
}

/** The text of a result: a string, the texts of a list, or JSON. */
function resultText(result: unknown): string {
  if (typeof result === 'string') return result;
  const texts = Array.isArray(result) ? result.map((part) => (isJsonObject(part) ? part['text'] : undefined)) : [];
  const isText = texts.length > 0 && texts.every((text) => typeof text === 'string');
  return isText ? texts.join('') : JSON.stringify(result ?? '');
}

function readTool({ type, name, description, parameters }: NonNullable<RequestBody['tools']>[number]): OfferedTool[] {
  return type === 'function' && name !== undefined ? [jsonTool({ name, description, parameters })] : [];
}

/** The schema of the answer: of a format for text, or itself in place of one. */
function readFormat(body: RequestBody): Pick<Conversation, 'outputSchema'> {
  const isJson = (type: unknown) => type === 'application/json';
  for (const format of [body.response_format ?? []].flat()) {
    const { type, mime_type: mimeType, schema } = format;
    if (type === 'text' && (isJsonObject(schema) || isJson(mimeType))) {
      return { outputSchema: isJsonObject(schema) ? schema : {} };
    }
    if (isSchema(format)) return { outputSchema: format };
  }
  return isJson(body.response_mime_type) ? { outputSchema: {} } : {};
}

function isSchema({ type, properties, $ref, anyOf }: JsonObject): boolean {
  return type === 'object' || type === 'array' || properties !== undefined || $ref !== undefined || anyOf !== undefined;
}

function readToolChoice(choice: NonNullable<RequestBody['generation_config']>['tool_choice']): ToolChoice | undefined {
  if (!choice) return undefined;
  const text = `tool_choice ${JSON.stringify(choice)}`;
  const { mode, tools } =
    typeof choice === 'string' ? { mode: choice, tools: undefined } : (choice.allowed_tools ?? {});
  if (mode === 'none') return { mode: 'none', text };
  const names = tools ? { names: tools } : {};
  if (mode === 'any') return { mode: 'required', ...names, text };
  return tools ? { mode: 'auto', ...names, text } : undefined;
}
