import * as z from 'zod';
import type { Conversation, ConversationMessage, TextPart, ToolCallPart } from '../../conversation/conversation.ts';
import { badRequest, jsonTool, limitsOf } from '../body.ts';
import { bodyReader, FunctionSchema, JsonObjectSchema, StopSchema } from '../body-schema.ts';
import { claimCall, type OpenCall } from '../pairing.ts';
import type { WireError } from '../wire.ts';
import { type OllamaEndpoint, ollamaFault } from './shape.ts';

const EchoedCallSchema = z.object({
  id: z.string().nullish(),
  function: z.object({ name: z.string(), arguments: JsonObjectSchema.nullish() }),
});

const MessageSchema = z.object({
  role: z.string().transform((role) => role.toLowerCase()),
  content: z.string().nullish(),
  tool_calls: z.array(EchoedCallSchema).nullish(),
  tool_name: z.string().nullish(),
  tool_call_id: z.string().nullish(),
});

const ToolSchema = z.object({ function: FunctionSchema.extend({ name: z.string().default('') }) });

const RequestSchema = z.object({
  model: z.string().min(1),
  messages: z.array(MessageSchema).nullish(),
  prompt: z.string().nullish(),
  system: z.string().nullish(),
  keep_alive: z.union([z.number(), z.string()]).nullish(),
  stream: z.boolean().nullish(),
  format: z.union([z.string(), JsonObjectSchema]).nullish(),
  tools: z.array(ToolSchema).nullish(),
  think: z.union([z.boolean(), z.string()]).nullish(),
  truncate: z.boolean().nullish(),
  options: z.object({ num_ctx: z.number().nullish(), num_predict: z.number().nullish(), stop: StopSchema }).nullish(),
});

type Message = z.infer<typeof MessageSchema>;

const readers: Readonly<Record<OllamaEndpoint, ReturnType<typeof createReader>>> = {
  chat: createReader('chat'),
  generate: createReader('generate'),
};

function createReader(endpoint: OllamaEndpoint) {
  return bodyReader(RequestSchema, {
    explain: (json) => ollamaFault(json, endpoint),
    notJson: (reason) => reason,
    notObject: 'the request body must be a JSON object',
    invalid: (param, message) => badRequest(param === 'model' ? 'model is required' : `invalid ${param}: ${message}`),
  });
}

/** Reads a request body. Fields that the server does not need may hold anything. */
export function readOllamaRequest(body: string, endpoint: OllamaEndpoint) {
  if (body.trim() === '') return badRequest('missing request body');
  const read = readers[endpoint](body);
  if (read.type === 'error') return read;
  const { model, format, tools, keep_alive } = read.data;
  const messages = endpoint === 'chat' ? (read.data.messages ?? []) : promptMessages(read.data);
  if (typeof format === 'string' && format !== '' && format !== 'json') {
    return badRequest(`invalid format: ${JSON.stringify(format)}; expected "json" or a valid JSON Schema object`);
  }
  const outputSchema = format === 'json' ? {} : format;
  return {
    conversation: {
      protocol: 'ollama',
      model,
      system: messages.flatMap(({ role, content }) => (isSystem(role) && content ? [content] : [])),
      messages: readMessages(messages),
      tools: (tools ?? []).map(({ function: tool }) => jsonTool(tool)),
      ...(typeof outputSchema === 'object' && outputSchema !== null && { outputSchema }),
    } satisfies Conversation,
    /** A request without messages loads the model into memory or unloads it. */
    purpose: messages.length > 0 ? ('answer' as const) : isZero(keep_alive) ? ('unload' as const) : ('load' as const),
    limits: limitsOf('num_predict', read.data.options?.num_predict, 'stop', read.data.options?.stop),
    body: read.data,
    json: read.json,
  };
}

export type OllamaRequest = Exclude<ReturnType<typeof readOllamaRequest>, WireError>;

function promptMessages({ prompt, system }: z.infer<typeof RequestSchema>): Message[] {
  if (!prompt) return [];
  return [...(system ? [{ role: 'system', content: system }] : []), { role: 'user', content: prompt }];
}

/** Reports whether a duration is zero: a number of seconds, or a string such as `5m` with any unit. */
function isZero(time: number | string | null | undefined): boolean {
  return typeof time === 'string' ? time.includes('0') && !/[1-9]/.test(time) : time === 0;
}

function isSystem(role: string): boolean {
  return role === 'system' || role === 'developer';
}

/** Reads the messages. The path of a call without an id becomes its id, so that later results can be paired with it. */
function readMessages(messages: readonly Message[]): ConversationMessage[] {
  let open: OpenCall[] = [];
  return messages.flatMap((message, index): ConversationMessage[] => {
    const { role, content } = message;
    if (isSystem(role)) return [];
    switch (role) {
      case 'assistant': {
        if (messages[index - 1]?.role !== 'assistant') open = [];
        const calls = (message.tool_calls ?? []).map((call, position) =>
          readCall(call, `messages[${index}].tool_calls[${position}]`),
        );
        for (const call of calls) open.push(call);
        return [{ role: 'assistant', index, parts: [...textParts(content), ...calls] }];
      }
      case 'tool': {
        const id = message.tool_call_id ?? undefined;
        const name = message.tool_name ?? undefined;
        // Ollama requires neither id nor name: a result without them answers the first open call.
        const call = claimCall(open, { id, name }) ?? open.shift();
        const callId = call?.id ?? id ?? name ?? `messages[${index}]`;
        const stated = id === undefined || id === callId ? {} : { statedId: id };
        return [{ role: 'user', index, parts: [{ type: 'tool_result', callId, content: content ?? '', ...stated }] }];
      }
      default:
        return [{ role: 'user', index, parts: textParts(content) }];
    }
  });
}

function readCall({ id, function: called }: z.infer<typeof EchoedCallSchema>, path: string): ToolCallPart {
  return { type: 'tool_call', id: id ?? path, name: called.name, arguments: JSON.stringify(called.arguments ?? {}) };
}

function textParts(content: string | null | undefined): TextPart[] {
  return content ? [{ type: 'text', text: content }] : [];
}
