import * as z from 'zod';
import type {
  Conversation,
  ConversationMessage,
  JsonObject,
  OfferedTool,
  ToolChoice,
} from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import { badRequest, jsonTool, limitsOf } from '../body.ts';
import { bodyReader, FunctionSchema, JsonObjectSchema } from '../body-schema.ts';
import { claimCall, type OpenCall } from '../pairing.ts';
import type { WireError } from '../wire.ts';
import { toJsonSchema } from './schema.ts';

const PartSchema = z.object({
  text: z.string().nullish(),
  thought: z.boolean().nullish(),
  thoughtSignature: z.string().nullish(),
  functionCall: z.object({ id: z.string().nullish(), name: z.string(), args: JsonObjectSchema.nullish() }).nullish(),
  functionResponse: z
    .object({ id: z.string().nullish(), name: z.string(), response: JsonObjectSchema.nullish() })
    .nullish(),
});

const ContentSchema = z.object({
  role: z.enum(['user', 'model', 'function'], { error: 'Please use a valid role: user, model.' }).nullish(),
  parts: z.array(PartSchema).default([]),
});

const DeclarationSchema = FunctionSchema.extend({ parametersJsonSchema: JsonObjectSchema.nullish() });

const GenerationConfigSchema = z.object({
  maxOutputTokens: z.coerce.number().nullish(),
  stopSequences: z.array(z.string()).nullish(),
  candidateCount: z.coerce.number().int().min(0).max(8).nullish(),
  responseMimeType: z.string().nullish(),
  responseSchema: JsonObjectSchema.nullish(),
  responseJsonSchema: JsonObjectSchema.nullish(),
  responseFormat: z
    .object({ text: z.object({ mimeType: z.string().nullish(), schema: JsonObjectSchema.nullish() }).nullish() })
    .nullish(),
});

const RequestSchema = z.object({
  contents: z.array(ContentSchema).default([]),
  systemInstruction: z.object({ parts: z.array(PartSchema).default([]) }).nullish(),
  tools: z.array(z.object({ functionDeclarations: z.array(DeclarationSchema).default([]) })).default([]),
  generationConfig: GenerationConfigSchema.nullish(),
  toolConfig: z
    .object({
      functionCallingConfig: z
        .object({ mode: z.string().nullish(), allowedFunctionNames: z.array(z.string()).nullish() })
        .nullish(),
    })
    .nullish(),
});

/** A message of a request. */
export type GeminiContent = z.infer<typeof ContentSchema>;
type Part = z.infer<typeof PartSchema>;

const readBody = bodyReader(
  RequestSchema,
  {
    notJson: (reason) => `Invalid JSON payload received. ${reason}`,
    notObject: 'Invalid JSON payload received. The body must be a JSON object.',
    invalid: (param, message) => badRequest(`Invalid value at '${param}': ${message}`, param),
  },
  (json) => normalize(unwrap(json)),
);

/** Reads a request body. Fields that the server does not need may hold anything. */
export function readGeminiRequest(model: string, body: string) {
  const read = readBody(body);
  if (read.type === 'error') return read;
  const { contents, systemInstruction, tools, generationConfig, toolConfig } = read.data;
  if (contents.length === 0) {
    return badRequest('* GenerateContentRequest.contents: contents is not specified\n', 'contents');
  }
  const outputSchema = readOutputSchema(generationConfig);
  return {
    conversation: {
      protocol: 'gemini',
      model,
      system: (systemInstruction?.parts ?? []).flatMap(({ text }) => text ?? []),
      messages: readContents(contents),
      tools: tools.flatMap(({ functionDeclarations }) => functionDeclarations.map(readDeclaration)),
      ...(outputSchema !== undefined && { outputSchema }),
      ...(generationConfig?.responseMimeType === 'text/x.enum' && { outputIsText: true }),
    } satisfies Conversation,
    json: read.json,
    limits: limitsOf(
      'maxOutputTokens',
      generationConfig?.maxOutputTokens,
      'stopSequences',
      generationConfig?.stopSequences,
    ),
    toolChoice: readToolChoice(toolConfig?.functionCallingConfig),
    candidates: generationConfig?.candidateCount || 1,
    contents,
  };
}

export type GeminiRequest = Exclude<ReturnType<typeof readGeminiRequest>, WireError>;

/** A mode like `VALIDATED` changes how a model calls tools, not whether it does. */
function readToolChoice(
  config: NonNullable<z.infer<typeof RequestSchema>['toolConfig']>['functionCallingConfig'],
): ToolChoice | undefined {
  const mode = config?.mode?.toUpperCase();
  const text = `functionCallingConfig ${JSON.stringify(config)}`;
  if (mode === 'NONE') return { mode: 'none', text };
  const names = config?.allowedFunctionNames ?? [];
  if (mode !== 'ANY') return names.length === 0 ? undefined : { mode: 'auto', names, text };
  return { mode: 'required', ...(names.length > 0 && { names }), text };
}

/** The request to count, which a body for `countTokens` may contain as a whole. */
function unwrap(json: unknown): unknown {
  const whole = isJsonObject(json) ? (json['generateContentRequest'] ?? json['generate_content_request']) : undefined;
  return isJsonObject(whole) ? whole : json;
}

function readDeclaration(declaration: z.infer<typeof DeclarationSchema>): OfferedTool {
  const { parameters, parametersJsonSchema } = declaration;
  return jsonTool({ ...declaration, parameters: toJsonSchema(parametersJsonSchema ?? parameters ?? {}) });
}

function readOutputSchema(config: z.infer<typeof GenerationConfigSchema> | null | undefined): JsonObject | undefined {
  const format = config?.responseFormat?.text;
  const schema = config?.responseJsonSchema ?? config?.responseSchema ?? format?.schema;
  if (schema !== undefined && schema !== null) return toJsonSchema(schema);
  return [config?.responseMimeType, format?.mimeType].includes('application/json') ? {} : undefined;
}

/** Reads the messages. The path of a call without an id becomes its id, so that later results can be paired with it. */
function readContents(contents: readonly GeminiContent[]): ConversationMessage[] {
  let open: OpenCall[] = [];
  return contents.map(({ role, parts }, index): ConversationMessage => {
    const pathOf = (position: number) => `contents[${index}].parts[${position}]`;
    if (role !== 'model') {
      const read = parts.flatMap((part, position) => readUserPart(part, pathOf(position), open) ?? []);
      return { role: 'user', index, parts: read };
    }
    if (contents[index - 1]?.role !== 'model') open = [];
    const read = parts.flatMap((part, position) => readModelPart(part, pathOf(position), open) ?? []);
    const ran = new Set(parts.flatMap((part) => claimAnswered(part, open)));
    return { role: 'assistant', index, parts: read.filter((part) => part.type === 'text' || !ran.has(part.id)) };
  });
}

/** The id of the call that a response within its own turn answers: the API ran it, so that no client answers it. */
function claimAnswered({ functionResponse }: Part, open: OpenCall[]): readonly string[] {
  if (!functionResponse) return [];
  const call = claimCall(open, { id: functionResponse.id ?? undefined, name: functionResponse.name });
  return call === undefined ? [] : [call.id];
}

function readUserPart({ text, functionResponse }: Part, path: string, open: OpenCall[]) {
  if (functionResponse) {
    const { name, response } = functionResponse;
    const id = functionResponse.id ?? undefined;
    // The service compares the number of results, not their names: docker-agent sends an id of its own as the name.
    const callId = claimCall(open, { id, name })?.id ?? id ?? open.shift()?.id ?? path;
    const stated = id === undefined || id === callId ? {} : { statedId: id };
    const isError = response?.['output'] === undefined && Boolean(response?.['error']);
    const content = readResponse(response ?? {});
    return { type: 'tool_result' as const, callId, content, ...stated, ...(isError && { isError }) };
  }
  return typeof text === 'string' ? { type: 'text' as const, text } : undefined;
}

function readModelPart({ text, thought, functionCall }: Part, path: string, open: OpenCall[]) {
  if (functionCall) {
    const { name, args } = functionCall;
    const id = functionCall.id ?? path;
    open.push({ id, name });
    return { type: 'tool_call' as const, id, name, arguments: JSON.stringify(args ?? {}) };
  }
  return typeof text === 'string' && thought !== true ? { type: 'text' as const, text } : undefined;
}

/** The text of a result under any of the names that clients give it, or else the whole response as JSON. */
function readResponse(response: JsonObject): string {
  const values = Object.values(response);
  const only = values.length === 1 && typeof values[0] === 'string' ? values[0] : response;
  const value = response['output'] ?? response['error'] ?? response['result'] ?? response['content'] ?? only;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const LISTS = new Set(['allowedFunctionNames', 'contents', 'functionDeclarations', 'parts', 'stopSequences', 'tools']);
/** Fields whose values are normalized too. Other values, such as arguments and schemas, belong to the client. */
const NESTED = new Set([
  ...LISTS,
  'functionCall',
  'functionCallingConfig',
  'functionResponse',
  'generationConfig',
  'responseFormat',
  'systemInstruction',
  'text',
  'toolConfig',
]);

/** The value in camel case, with flat arrays for lists. A value of this form is not copied, which takes as long as parsing. */
function normalize(value: unknown): unknown {
  if (Array.isArray(value)) {
    // The API takes a list in a list for its items.
    const items = value.flatMap(normalize);
    return items.length !== value.length || items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isJsonObject(value)) return value;
  let changed: Record<string, unknown> | undefined;
  for (const key in value) {
    const name = key.includes('_') ? toCamelCase(key) : key;
    const before = value[key];
    const after = NESTED.has(name) ? normalize(LISTS.has(name) ? toList(before) : before) : before;
    if (name === key && after === before) continue;
    changed ??= { ...value };
    delete changed[key];
    changed[name] = after;
  }
  return changed ?? value;
}

function toList(value: unknown): unknown {
  return Array.isArray(value) ? value : value === null ? [] : [value];
}

function toCamelCase(key: string): string {
  return key.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
