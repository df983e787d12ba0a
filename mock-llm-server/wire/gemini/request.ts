import * as z from 'zod';
import type {
  Conversation,
  ConversationMessage,
  JsonObject,
  OfferedTool,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import { errorText } from '../../text.ts';
import { issuePath, parseBody } from '../body.ts';
import { claimCall, type OpenCall } from '../late-results.ts';
import type { WireError } from '../wire.ts';
import { invalidArgument } from './errors.ts';
import { lintGeminiRequest } from './lint.ts';
import { toJsonSchema } from './schema.ts';

/** A request of the Gemini API, read. */
export interface GeminiRequest {
  readonly conversation: Conversation;
  /** What the API refuses though the request can be read. */
  readonly faults: readonly WireError[];
}

/** Google takes every field in camel case and in snake case; names inside of arguments and schemas stay as they are. */
function fields<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess(camelKeys, z.object(shape));
}

/** Google takes a single value where a list is wanted. */
function listOf<Item extends z.ZodType>(item: Item) {
  return z.preprocess(
    (value) => (value === undefined || value === null || Array.isArray(value) ? (value ?? []) : [value]),
    z.array(item),
  );
}

const JsonObjectSchema = z.record(z.string(), z.unknown());

const PartSchema = fields({
  text: z.string().nullish(),
  thought: z.boolean().nullish(),
  thoughtSignature: z.string().nullish(),
  functionCall: fields({ id: z.string().nullish(), name: z.string(), args: JsonObjectSchema.nullish() }).nullish(),
  functionResponse: fields({
    id: z.string().nullish(),
    name: z.string(),
    response: JsonObjectSchema.nullish(),
  }).nullish(),
});

const ContentSchema = fields({
  role: z.enum(['user', 'model', 'function'], { error: 'Please use a valid role: user, model.' }).nullish(),
  parts: listOf(PartSchema),
});

const DeclarationSchema = fields({
  name: z.string(),
  description: z.string().nullish(),
  parameters: JsonObjectSchema.nullish(),
  parametersJsonSchema: JsonObjectSchema.nullish(),
});

const GenerationConfigSchema = fields({
  responseMimeType: z.string().nullish(),
  responseSchema: JsonObjectSchema.nullish(),
  responseJsonSchema: JsonObjectSchema.nullish(),
  responseFormat: fields({
    text: fields({ mimeType: z.string().nullish(), schema: JsonObjectSchema.nullish() }).nullish(),
  }).nullish(),
});

const RequestSchema = fields({
  contents: listOf(ContentSchema),
  systemInstruction: fields({ parts: listOf(PartSchema) }).nullish(),
  tools: listOf(fields({ functionDeclarations: listOf(DeclarationSchema) })),
  generationConfig: GenerationConfigSchema.nullish(),
});

const CountSchema = fields({ generateContentRequest: JsonObjectSchema.nullish() });

/** One message of a request. */
export type GeminiContent = z.infer<typeof ContentSchema>;
type Part = z.infer<typeof PartSchema>;

/** Reads the text of a request body. Fields that the server does not need may hold anything. */
export function readGeminiRequest(model: string, body: string): GeminiRequest | WireError {
  const json = readBody(body);
  return 'type' in json ? json : readRequest(model, json.value);
}

/** Reads a request to count tokens: the contents alone, or a whole request in `generateContentRequest`. */
export function readCountRequest(model: string, body: string): GeminiRequest | WireError {
  const json = readBody(body);
  if ('type' in json) return json;
  const whole = CountSchema.safeParse(json.value).data?.generateContentRequest;
  return readRequest(model, whole ?? json.value);
}

function readBody(body: string): { readonly value: unknown } | WireError {
  try {
    return { value: parseBody(body) };
  } catch (error) {
    const reason = errorText(error);
    return invalidArgument(`Invalid JSON payload received. ${reason}`);
  }
}

function readRequest(model: string, json: unknown): GeminiRequest | WireError {
  const parsed = RequestSchema.safeParse(json);
  if (!parsed.success) return describeInvalid(parsed.error.issues[0]);
  const { contents, systemInstruction, tools, generationConfig } = parsed.data;
  if (contents.length === 0) {
    return invalidArgument('* GenerateContentRequest.contents: contents is not specified\n', 'contents');
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
    },
    faults: lintGeminiRequest(model, contents),
  };
}

function readDeclaration(declaration: z.infer<typeof DeclarationSchema>): OfferedTool {
  const { name, description, parameters, parametersJsonSchema } = declaration;
  const schema = toJsonSchema(parametersJsonSchema ?? parameters ?? {});
  return { name, description: description ?? '', input: 'json', parameters: schema };
}

function readOutputSchema(config: z.infer<typeof GenerationConfigSchema> | null | undefined): JsonObject | undefined {
  const format = config?.responseFormat?.text;
  const schema = config?.responseJsonSchema ?? config?.responseSchema ?? format?.schema;
  if (schema !== undefined && schema !== null) return toJsonSchema(schema);
  return [config?.responseMimeType, format?.mimeType].includes('application/json') ? {} : undefined;
}

/** Calls without an id get their place as one, so that the results that follow can be paired with them. */
function readContents(contents: readonly GeminiContent[]): ConversationMessage[] {
  let open: OpenCall[] = [];
  return contents.map(({ role, parts }, index): ConversationMessage => {
    const placeOf = (part: number) => `contents[${index}].parts[${part}]`;
    if (role !== 'model') {
      return { role: 'user', index, parts: parts.flatMap((part, at) => readUserPart(part, placeOf(at), open)) };
    }
    if (contents[index - 1]?.role !== 'model') open = [];
    const read = parts.flatMap((part, at) => readModelPart(part, placeOf(at), open));
    return { role: 'assistant', index, parts: read };
  });
}

function readUserPart(
  { text, functionResponse }: Part,
  place: string,
  open: OpenCall[],
): (TextPart | ToolResultPart)[] {
  if (functionResponse !== undefined && functionResponse !== null) {
    const { name, response } = functionResponse;
    const id = functionResponse.id ?? undefined;
    // Whether the API compares ids depends on the model; all count responses and compare names.
    const call = claimCall(open, { id, name }) ?? claimCall(open, { id: undefined, name });
    const callId = call?.id ?? id ?? place;
    const isError = response?.['output'] === undefined && Boolean(response?.['error']);
    return [{ type: 'tool_result', callId, content: readResponse(response ?? {}), ...(isError && { isError }) }];
  }
  return typeof text === 'string' ? [{ type: 'text', text }] : [];
}

function readModelPart(
  { text, thought, functionCall }: Part,
  place: string,
  open: OpenCall[],
): (TextPart | ToolCallPart)[] {
  if (functionCall !== undefined && functionCall !== null) {
    const { name, args } = functionCall;
    const id = functionCall.id ?? place;
    open.push({ id, name, given: id !== place });
    return [{ type: 'tool_call', id, name, arguments: JSON.stringify(args ?? {}) }];
  }
  return typeof text === 'string' && thought !== true ? [{ type: 'text', text }] : [];
}

/** Clients put the text of a result under one of a few names; whatever else they send is shown as JSON. */
function readResponse(response: JsonObject): string {
  const value = response['output'] ?? response['error'] ?? response['result'] ?? response['content'] ?? response;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function describeInvalid(issue: z.core.$ZodIssue | undefined): WireError {
  const param = issuePath(issue);
  if (param === '') return invalidArgument('Invalid JSON payload received. The body must be a JSON object.');
  return invalidArgument(`Invalid value at '${param}': ${issue?.message}`, param);
}

function camelKeys(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
      inner,
    ]),
  );
}
