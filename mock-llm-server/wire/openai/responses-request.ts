import * as z from 'zod';
import type { Conversation } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import { compileLazily } from '../body.ts';
import type { WireError } from '../wire.ts';
import { BUILT_IN_TYPES, type BuiltInType } from './responses-built-in.ts';
import {
  FormatSchema,
  ItemSchema,
  messageOf,
  offer,
  schemaOf,
  systemTextsOf,
  ToolSchema,
  toolsOf,
} from './responses-items.ts';
import {
  describeInvalid,
  invalid,
  lintLength,
  lintToolName,
  MODEL,
  missing,
  parseJsonBody,
  parseResponseId,
} from './shared.ts';

/** A request of the Responses protocol, read. */
export interface ResponsesRequest {
  readonly type: 'responses';
  readonly conversation: Conversation;
  readonly stream: boolean;
  /** Reasoning items carry `encrypted_content`. */
  readonly encryptReasoning: boolean;
  /** The settings of the request as the response repeats them, with the provider's defaults. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The tools that have items of their own for their calls. */
  readonly builtIn: ReadonlySet<BuiltInType>;
  /** What the provider would refuse though it can be read. */
  lint(): WireError[];
}

/** What a response repeats of its request, and what it says when the request does not. */
const DEFAULT_SETTINGS: Readonly<Record<string, unknown>> = {
  background: false,
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  prompt_cache_key: null,
  reasoning: { effort: null, summary: null },
  safety_identifier: null,
  service_tier: 'default',
  store: true,
  temperature: 1,
  text: { format: { type: 'text' }, verbosity: 'medium' },
  tool_choice: 'auto',
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: 'disabled',
  user: null,
};

const RequestSchema = z.object({
  model: z.string().default(MODEL),
  instructions: z.string().nullish(),
  input: z.preprocess(
    (input) => (typeof input === 'string' ? [{ role: 'user', content: input }] : input),
    z.array(ItemSchema, { error: 'expected a string or an array of items' }).optional(),
  ),
  previous_response_id: z.string().nullish(),
  prompt: z.object({ id: z.string() }).nullish(),
  conversation: z.union([z.string(), z.object({ id: z.string() })]).nullish(),
  tools: z.array(ToolSchema).nullish(),
  text: z.object({ format: FormatSchema.nullish() }).nullish(),
  include: z.array(z.string()).nullish(),
  stream: z.boolean().nullish(),
});

const parseRequest = compileLazily(RequestSchema);

/** Reads the text of a request body. Fields that the server does not need may hold anything. */
export function readResponsesRequest(body: string): ResponsesRequest | WireError {
  const read = parseJsonBody(body);
  if (read.type === 'error') return read;
  const parsed = parseRequest(read.json);
  if (!parsed.success) return describeInvalid(parsed.error.issues[0]);
  const { model, instructions, input = [], previous_response_id, tools, text, include, stream } = parsed.data;
  const { prompt, conversation } = parsed.data;
  // What a stored prompt or conversation says is not known here.
  if (!parsed.data.input && !prompt && !conversation && typeof previous_response_id !== 'string')
    return missing('input');
  const continues = readPrevious(previous_response_id);
  if (continues !== undefined && 'type' in continues) return continues;
  // An update holds for what comes after it, so the last one counts.
  const updates = input.flatMap((item) => (item.type === 'configuration_update' ? (item.text?.format ?? []) : []));
  const outputSchema = schemaOf(updates.at(-1) ?? text?.format);
  return {
    type: 'responses',
    conversation: {
      protocol: 'openai-responses',
      model,
      system: [...(typeof instructions === 'string' ? [instructions] : []), ...input.flatMap(systemTextsOf)],
      messages: input.flatMap((item, index) => messageOf(item, index) ?? []),
      tools: [...(tools ?? []).flatMap(offer), ...input.flatMap(toolsOf)],
      ...(continues !== undefined && { continues }),
      ...(outputSchema !== undefined && { outputSchema }),
    },
    stream: stream ?? false,
    encryptReasoning: include?.includes('reasoning.encrypted_content') ?? false,
    settings: readSettings(read.json),
    builtIn: new Set(BUILT_IN_TYPES.filter((type) => tools?.some((tool) => tool.type === type))),
    lint: () => lintRequest(parsed.data),
  };
}

/** The longest id of a call that the API takes. */
const MAX_CALL_ID_LENGTH = 64;

function lintRequest({ tools, input = [] }: z.infer<typeof RequestSchema>): WireError[] {
  const names = (tools ?? []).flatMap((tool, index) =>
    tool.type === 'function' ? lintToolName(tool.name, `tools[${index}].name`) : [],
  );
  const ids = input.flatMap((item, index) =>
    'call_id' in item && item.call_id !== undefined
      ? lintLength(item.call_id, MAX_CALL_ID_LENGTH, `input[${index}].call_id`)
      : [],
  );
  return [...names, ...ids];
}

function readPrevious(id: string | null | undefined) {
  if (id === undefined || id === null) return undefined;
  const continues = parseResponseId(id);
  if (continues !== undefined) return continues;
  const error = invalid(`Previous response with id '${id}' not found.`, 'previous_response_id');
  return { ...error, code: 'previous_response_not_found' };
}

function readSettings(json: unknown): Readonly<Record<string, unknown>> {
  const given = new Map(Object.entries(typeof json === 'object' && json !== null ? json : {}));
  const settings = Object.entries(DEFAULT_SETTINGS).map(([name, preset]) => [name, complete(preset, given.get(name))]);
  return Object.fromEntries(settings);
}

function complete(preset: unknown, given: unknown): unknown {
  return isJsonObject(preset) && isJsonObject(given) ? { ...preset, ...given } : (given ?? preset);
}
