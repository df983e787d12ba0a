import * as z from 'zod';
import type { Conversation } from '../../../conversation/conversation.ts';
import { isJsonObject } from '../../../conversation/json.ts';
import { badRequest, limitsOf } from '../../body.ts';
import { bodyReader } from '../../body-schema.ts';
import { DEFAULT_MODEL } from '../../model-routes.ts';
import type { WireError } from '../../wire.ts';
import { RESPONSES_SHAPE } from '../shapes/responses.ts';
import {
  BUILT_IN_TYPES,
  missingParameter,
  movedParameter,
  openaiBodyErrors,
  outputOf,
  parseResponseId,
  readToolChoice,
} from '../shared.ts';
import { ToolChoiceSchema } from '../shared-schema.ts';
import { ItemSchema, prepareBody, TextSchema, ToolSchema } from './items.ts';
import { messagesOf, offer, systemTextsOf, toolsOf } from './messages.ts';

export type ResponsesRequest = Exclude<ReturnType<typeof readResponsesRequest>, WireError>;

/** The fields that a response repeats from its request, with their defaults. */
const DEFAULT_SETTINGS: Readonly<Record<string, unknown>> = {
  background: false,
  frequency_penalty: 0,
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  presence_penalty: 0,
  previous_response_id: null,
  prompt_cache_key: null,
  prompt_cache_retention: null,
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
  model: z.string().default(DEFAULT_MODEL),
  instructions: z.string().nullish(),
  input: z.array(ItemSchema, { error: 'expected a string or an array of items' }).optional(),
  previous_response_id: z.string().nullish(),
  prompt: z.object({ id: z.string() }).nullish(),
  conversation: z.union([z.string(), z.object({ id: z.string() })]).nullish(),
  tools: z.array(ToolSchema).nullish(),
  text: TextSchema.nullish(),
  include: z.array(z.string()).nullish(),
  max_output_tokens: z.number().nullish(),
  tool_choice: ToolChoiceSchema,
  stream: z.boolean().nullish(),
});

const readBody = bodyReader(RequestSchema, openaiBodyErrors(RESPONSES_SHAPE), prepareBody);

/** Reads a request body. Fields that the server does not need may hold anything. */
export function readResponsesRequest(body: string) {
  const read = readBody(body);
  if (read.type === 'error') return read;
  const { model, instructions, input, tools, text, include, stream, prompt, conversation } = read.data;
  const { previous_response_id: previous } = read.data;
  // The server does not know stored prompts and conversations, but a request may consist of one.
  if (!(input || prompt || conversation) && typeof previous !== 'string') {
    return isJsonObject(read.json) && read.json['messages'] !== undefined
      ? movedParameter('messages', 'input')
      : missingParameter('input');
  }
  const continues = typeof previous === 'string' ? parseResponseId(previous) : undefined;
  const unknown =
    typeof previous === 'string' && continues === undefined
      ? badRequest(
          `Previous response with id '${previous}' not found.`,
          'previous_response_id',
          'previous_response_not_found',
        )
      : undefined;
  const items = input ?? [];
  // An update applies to everything after it, so the last one counts.
  const updates = items.flatMap((item) => (item.type === 'configuration_update' ? (item.text?.format ?? []) : []));
  const format = updates.at(-1) ?? text?.format;
  return {
    type: 'responses' as const,
    conversation: {
      protocol: 'openai-responses',
      model,
      system: [...(typeof instructions === 'string' ? [instructions] : []), ...items.flatMap(systemTextsOf)],
      messages: messagesOf(items, Boolean(conversation)),
      tools: [...(tools ?? []).flatMap(offer), ...items.flatMap(toolsOf)],
      ...(continues !== undefined && { continues }),
      ...outputOf(format?.type, format ?? {}),
    } satisfies Conversation,
    stream: stream ?? false,
    limits: limitsOf('max_output_tokens', read.data.max_output_tokens),
    toolChoice: readToolChoice(read.data.tool_choice),
    encryptReasoning: include?.includes('reasoning.encrypted_content') ?? false,
    settings: readSettings(read.json),
    json: read.json,
    /** The error for the id of an answer that this server did not send. A recording may begin with such a request. */
    unknown,
    /** The offered tools whose calls have items of their own. */
    builtIn: BUILT_IN_TYPES.filter((type) => tools?.some((tool) => tool.type === type)),
  };
}

function readSettings(json: unknown): Readonly<Record<string, unknown>> {
  const request = isJsonObject(json) ? json : {};
  // A copy of the defaults has their shape, which a loop over the defaults would lose: it takes a tenth of the time.
  const settings: Record<string, unknown> = { ...DEFAULT_SETTINGS };
  for (const name in request) {
    const value = request[name];
    if (!Object.hasOwn(DEFAULT_SETTINGS, name) || value === null) continue;
    const preset = DEFAULT_SETTINGS[name];
    settings[name] = isJsonObject(preset) && isJsonObject(value) ? { ...preset, ...value } : value;
  }
  const { tools, text } = settings;
  // The service says which tier it chose.
  if (settings['service_tier'] === 'auto') settings['service_tier'] = DEFAULT_SETTINGS['service_tier'];
  if (Array.isArray(tools)) settings['tools'] = tools.map(completeTool);
  if (isJsonObject(text)) settings['text'] = { ...text, format: completeFormat(text['format']) };
  const { conversation } = request;
  if (conversation) settings['conversation'] = typeof conversation === 'string' ? { id: conversation } : conversation;
  return settings;
}

const FUNCTION_DEFAULTS = { description: null, parameters: null, strict: true };
const FORMAT_DEFAULTS = { description: null, strict: false };

/** A tool as a response repeats it: functions have all of their fields. */
function completeTool(tool: unknown): unknown {
  if (!isJsonObject(tool)) return tool;
  const { type, tools } = tool;
  if (type === 'function') return { ...FUNCTION_DEFAULTS, ...tool };
  return type === 'namespace' && Array.isArray(tools) ? { ...tool, tools: tools.map(completeTool) } : tool;
}

function completeFormat(format: unknown): unknown {
  return isJsonObject(format) && format['type'] === 'json_schema' ? { ...FORMAT_DEFAULTS, ...format } : format;
}
