import * as z from 'zod';
import type { Protocol } from '../../../mock-llm-server/conversation/conversation.ts';
import { createJournal } from '../../../mock-llm-server/journal/journal.ts';
import { createMockServer, type MockServerOptions } from '../../../mock-llm-server/server/app.ts';
import { scenarioSet } from './builders.ts';
import { bodyText } from './wire/wire-requests.ts';

/** A JSON object with unknown fields. */
type Json = Readonly<Record<string, unknown>>;

/** An answer of any protocol, plain or streamed, in the same form. */
export interface ReadAnswer {
  readonly text: string;
  readonly reasoning: string;
  /** The calls; the arguments of a plain answer that has them as an object are JSON. */
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
  /** The fields that state the reason for the end, as the protocol writes them. */
  readonly end: unknown;
  readonly usage: unknown;
  /** The body, or the objects of a stream. */
  readonly objects: readonly Json[];
}

const chat = (content: string) => ({ model: 'm', messages: [{ role: 'user', content }] });

const JsonSchema = z.record(z.string(), z.unknown());

/** The fields of a request that asks for the text of the reasoning. */
export const REASONING_FIELDS: Readonly<Record<Protocol, Json>> = {
  'openai-chat': {},
  'openai-responses': { reasoning: { summary: 'auto' } },
  'anthropic-messages': { thinking: { type: 'adaptive', display: 'summarized' } },
  'bedrock-converse': {},
  gemini: { generationConfig: { thinkingConfig: { includeThoughts: true } } },
  'gemini-interactions': { generation_config: { thinking_summaries: 'auto' } },
  ollama: {},
};

/** The fields, in which Gemini's settings have either name, and those that ask for the text of the reasoning. */
function askingForReasoning(protocol: Protocol, fields: Json): Json {
  if (protocol === 'gemini-interactions') {
    const { generation_config: config } = REASONING_FIELDS[protocol];
    return {
      ...fields,
      generation_config: { ...JsonSchema.parse(config), ...JsonSchema.parse(fields['generation_config'] ?? {}) },
    };
  }
  if (protocol !== 'gemini') return { ...REASONING_FIELDS[protocol], ...fields };
  const name = 'generation_config' in fields ? 'generation_config' : 'generationConfig';
  const settings = JsonSchema.parse(fields[name] ?? {});
  return { ...fields, [name]: { thinkingConfig: { includeThoughts: true }, ...settings } };
}

/** The path and the body of a request with one prompt. */
const REQUESTS: Readonly<Record<Protocol, (prompt: string, stream: boolean) => readonly [string, Json]>> = {
  'openai-chat': (prompt, stream) => [
    '/v1/chat/completions',
    { ...chat(prompt), ...(stream && { stream, stream_options: { include_usage: true } }) },
  ],
  'openai-responses': (input, stream) => ['/v1/responses', { model: 'm', input, stream }],
  'anthropic-messages': (prompt, stream) => ['/v1/messages', { max_tokens: 9999, ...chat(prompt), stream }],
  'bedrock-converse': (text, stream) => [
    `/model/m/converse${stream ? '-stream' : ''}`,
    { messages: [{ role: 'user', content: [{ text }] }] },
  ],
  gemini: (text, stream) => [
    `/v1beta/models/m:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    { contents: [{ role: 'user', parts: [{ text }] }] },
  ],
  'gemini-interactions': (input, stream) => ['/v1beta/interactions', { model: 'm', input, stream }],
  ollama: (prompt, stream) => ['/api/chat', { ...chat(prompt), stream }],
};

/**
 * Returns a function that sends the prompt `go`, with further fields, to a server with one scenario for it whose only
 * step has this response, and the journal of that server. The request asks for the text of the reasoning.
 */
export function askedAbout(response: unknown, options: Partial<MockServerOptions> = {}, trigger: unknown = 'go') {
  const journal = createJournal();
  const lines: string[] = [];
  const scenarios = scenarioSet({ scenarios: [{ name: 'only', trigger, steps: [{ response }] }] });
  const app = createMockServer({ scenarios, journal, log: (line) => lines.push(line), ...options });
  const ask = async (protocol: Protocol, stream: boolean, fields: Json = {}, prompt = 'go'): Promise<ReadAnswer> => {
    const [path, body] = REQUESTS[protocol](prompt, stream);
    const headers = { 'anthropic-version': '2023-06-01' };
    const answer = await app.request(path, {
      method: 'POST',
      headers,
      body: JSON.stringify({ ...body, ...askingForReasoning(protocol, fields) }),
    });
    const text = await bodyText(answer);
    if (answer.status !== 200) throw new Error(`${answer.status} ${text}`);
    return READERS[protocol](stream ? objectsIn(text) : [parse(text)]);
  };
  return { ask, journal, lines };
}

function parse(text: string): Json {
  return JsonSchema.parse(JSON.parse(text));
}

/** The objects of a stream of events or lines. */
function objectsIn(text: string): Json[] {
  const lines = text.split(/\r?\n/).map((line) => line.replace(/^data: /, ''));
  return lines.filter((line) => line.startsWith('{')).map(parse);
}

const Text = z.string().nullish().default('');

const ChatSchema = z.object({
  choices: z.array(
    z
      .object({ message: JsonSchema.optional(), delta: JsonSchema.optional(), finish_reason: z.string().nullable() })
      .transform(({ message, delta, finish_reason }) => ({
        finish_reason,
        part: ChatPartSchema.parse(message ?? delta),
      })),
  ),
  usage: JsonSchema.nullish(),
});
const ChatPartSchema = z.object({
  content: Text,
  refusal: Text,
  reasoning_content: Text,
  tool_calls: z
    .array(
      z.object({
        index: z.number().optional(),
        function: z.object({ name: z.string().optional(), arguments: z.string() }),
      }),
    )
    .default([]),
});

function readChat(objects: readonly Json[]): ReadAnswer {
  const frames = objects.map((object) => ChatSchema.parse(object));
  const parts = frames.flatMap(({ choices }) => choices.map(({ part }) => part));
  const calls: { name: string; arguments: string }[] = [];
  for (const { index, function: piece } of parts.flatMap((part) => part.tool_calls)) {
    const open = index === undefined ? undefined : calls[index];
    if (open === undefined) calls.push({ name: piece.name ?? '', arguments: piece.arguments });
    else open.arguments += piece.arguments;
  }
  const refusal = parts.map((part) => part.refusal).join('');
  const reason = frames.flatMap(({ choices }) => choices.map(({ finish_reason }) => finish_reason)).findLast(Boolean);
  return {
    text: parts.map((part) => part.content).join(''),
    reasoning: parts.map((part) => part.reasoning_content).join(''),
    calls,
    end: refusal === '' ? reason : [reason, refusal],
    usage: frames.findLast(({ usage }) => usage)?.usage,
    objects,
  };
}

const ResponseSchema = z.object({
  status: z.string(),
  incomplete_details: z.object({ reason: z.string() }).nullable(),
  output: z.array(z.record(z.string(), z.unknown())),
  usage: JsonSchema,
});
const ItemSchema = z.object({
  type: z.string(),
  status: z.string().optional(),
  name: z.string().optional(),
  arguments: z.string().optional(),
  summary: z.array(z.object({ text: z.string() })).optional(),
  content: z
    .array(z.object({ type: z.string(), text: z.string().optional(), refusal: z.string().optional() }))
    .optional(),
});

function readResponses(objects: readonly Json[]): ReadAnswer {
  const last = objects.at(-1);
  const { status, incomplete_details: details, output, usage } = ResponseSchema.parse(last?.['response'] ?? last);
  const items = output.map((item) => ItemSchema.parse(item));
  const parts = items.flatMap(({ content = [] }) => content);
  const event = last?.['response'] === undefined ? [] : [last['type']];
  const refusals = parts.flatMap(({ refusal }) => refusal ?? []);
  return {
    text: parts.map(({ text = '' }) => text).join(''),
    reasoning: items.flatMap(({ summary = [] }) => summary.map(({ text }) => text)).join(''),
    calls: items.flatMap(({ type, name = '', arguments: text = '' }) =>
      type === 'function_call' ? [{ name, arguments: text }] : [],
    ),
    end: [...event, status, details?.reason, items.at(-1)?.status, ...refusals],
    usage,
    objects,
  };
}

const BlockSchema = z.object({
  type: z.string(),
  text: z.string().optional(),
  thinking: z.string().optional(),
  name: z.string().optional(),
  input: z.unknown().optional(),
});
const DeltaSchema = z.object({
  text: z.string().optional(),
  thinking: z.string().optional(),
  partial_json: z.string().optional(),
});

function readAnthropic(objects: readonly Json[]): ReadAnswer {
  const [body = {}] = objects;
  const blocks = z
    .array(BlockSchema)
    .parse(body['content'] ?? objects.flatMap((event) => event['content_block'] ?? []));
  const deltas = objects.flatMap(({ type, delta }) =>
    type === 'content_block_delta' ? [DeltaSchema.parse(delta)] : [],
  );
  const end = objects.findLast(({ type }) => type === 'message_delta');
  const { stop_reason, stop_sequence, stop_details } = JsonSchema.parse(end?.['delta'] ?? body);
  const starts = objects.flatMap((event) => (event['type'] === 'content_block_start' ? [event['index']] : []));
  const json = (index: unknown) =>
    objects
      .filter((event) => event['type'] === 'content_block_delta' && event['index'] === index)
      .map(({ delta }) => DeltaSchema.parse(delta).partial_json ?? '')
      .join('');
  return {
    text: [...blocks, ...deltas].map(({ text = '' }) => text).join(''),
    reasoning: [...blocks, ...deltas].map(({ thinking = '' }) => thinking).join(''),
    calls: blocks.flatMap(({ type, name = '', input }, position) =>
      type === 'tool_use' ? [{ name, arguments: end ? json(starts[position]) : JSON.stringify(input) }] : [],
    ),
    end: [stop_reason, stop_sequence, stop_details],
    usage: (end ?? body)['usage'],
    objects,
  };
}

const BedrockBlock = z.object({
  text: Text,
  toolUse: z.object({ name: z.string().default(''), input: z.unknown().optional() }).optional(),
  reasoningContent: z.object({ text: Text, reasoningText: z.object({ text: z.string() }).optional() }).optional(),
});
const BedrockSchema = z.object({
  output: z.object({ message: z.object({ content: z.array(BedrockBlock) }) }).optional(),
  contentBlockStart: z.object({ start: BedrockBlock }).optional(),
  contentBlockDelta: z.object({ delta: BedrockBlock }).optional(),
  messageStop: z.object({ stopReason: z.string() }).optional(),
  stopReason: z.string().optional(),
  metadata: z.object({ usage: JsonSchema }).optional(),
  usage: JsonSchema.optional(),
});

function readBedrock(objects: readonly Json[]): ReadAnswer {
  const events = objects.map((object) => BedrockSchema.parse(object));
  const blocks = events.flatMap(
    ({ output, contentBlockDelta }) => output?.message.content ?? contentBlockDelta?.delta ?? [],
  );
  const calls: { name: string; arguments: string }[] = [];
  for (const { output, contentBlockStart, contentBlockDelta } of events) {
    for (const { toolUse } of output?.message.content ?? []) {
      if (toolUse) calls.push({ name: toolUse.name, arguments: JSON.stringify(toolUse.input) });
    }
    const { toolUse: started } = contentBlockStart?.start ?? {};
    if (started) calls.push({ name: started.name, arguments: '' });
    const open = calls.at(-1);
    if (open && contentBlockDelta?.delta.toolUse) open.arguments += String(contentBlockDelta.delta.toolUse.input);
  }
  const last = <Key extends 'stopReason' | 'messageStop' | 'metadata' | 'usage'>(key: Key) =>
    events.findLast((event) => event[key] !== undefined)?.[key];
  return {
    text: blocks.map(({ text }) => text).join(''),
    reasoning: blocks.map(({ reasoningContent: part }) => part?.reasoningText?.text ?? part?.text ?? '').join(''),
    calls,
    end: last('messageStop')?.stopReason ?? last('stopReason'),
    usage: last('metadata')?.usage ?? last('usage'),
    objects,
  };
}

const GeminiSchema = z.object({
  candidates: z.array(
    z.object({
      content: z.object({ parts: z.array(z.record(z.string(), z.unknown())).default([]) }),
      finishReason: z.string().optional(),
      finishMessage: z.string().optional(),
    }),
  ),
  usageMetadata: JsonSchema,
});
const PartSchema = z.object({
  text: z.string().default(''),
  thought: z.boolean().default(false),
  functionCall: z.object({ name: z.string(), args: z.unknown() }).optional(),
});

function readGemini(objects: readonly Json[]): ReadAnswer {
  const frames = objects.map((object) => GeminiSchema.parse(object));
  const parts = frames.flatMap(({ candidates: [first] }) =>
    (first?.content.parts ?? []).map((part) => PartSchema.parse(part)),
  );
  const textsWhere = (thought: boolean) => parts.filter((part) => part.thought === thought).map(({ text }) => text);
  return {
    text: textsWhere(false).join(''),
    reasoning: textsWhere(true).join(''),
    calls: parts.flatMap(({ functionCall: call }) =>
      call ? [{ name: call.name, arguments: JSON.stringify(call.args) }] : [],
    ),
    end: frames.at(-1)?.candidates[0]?.finishReason,
    usage: frames.at(-1)?.usageMetadata,
    objects,
  };
}

const StepSchema = z.object({
  type: z.string(),
  name: z.string().default(''),
  arguments: z.unknown().optional(),
  content: z.array(z.object({ text: z.string() })).default([]),
  summary: z.array(z.object({ text: z.string() })).default([]),
});
const InteractionSchema = z.object({
  status: z.string(),
  usage: JsonSchema.optional(),
  steps: z.array(StepSchema).default([]),
});
const InteractionEventSchema = z.object({
  interaction: InteractionSchema.optional(),
  step: StepSchema.optional(),
  index: z.number().optional(),
  delta: z
    .object({ text: Text, arguments: z.string().default(''), content: z.object({ text: z.string() }).optional() })
    .optional(),
});

function readInteraction(objects: readonly Json[]): ReadAnswer {
  const [first = {}] = objects;
  const events = objects.map((object) => InteractionEventSchema.parse(object));
  const isWhole = first['object'] === 'interaction';
  const whole = isWhole ? InteractionSchema.parse(first) : events.at(-1)?.interaction;
  const steps = isWhole ? (whole?.steps ?? []) : events.flatMap(({ step }) => step ?? []);
  const deltas = events.flatMap(({ delta }) => delta ?? []);
  const calls: { name: string; arguments: string }[] = [];
  for (const step of steps) {
    if (step.type === 'function_call')
      calls.push({ name: step.name, arguments: isWhole ? JSON.stringify(step.arguments) : '' });
  }
  let open = -1;
  for (const { step, delta } of events) {
    if (step?.type === 'function_call') open += 1;
    const call = calls[open];
    if (call && delta) call.arguments += delta.arguments;
  }
  const texts = (key: 'content' | 'summary') => steps.flatMap((step) => step[key].map(({ text }) => text)).join('');
  return {
    text: texts('content') + deltas.map(({ text }) => text).join(''),
    reasoning: texts('summary') + deltas.map(({ content }) => content?.text ?? '').join(''),
    calls,
    end: whole?.status,
    usage: whole?.usage,
    objects,
  };
}

const OllamaSchema = z.object({
  message: z.object({
    content: z.string(),
    thinking: z.string().default(''),
    tool_calls: z.array(z.object({ function: z.object({ name: z.string(), arguments: z.unknown() }) })).default([]),
  }),
  done_reason: z.string().optional(),
});

function readOllama(objects: readonly Json[]): ReadAnswer {
  const frames = objects.map((object) => OllamaSchema.parse(object));
  const { prompt_eval_count, eval_count } = objects.at(-1) ?? {};
  return {
    text: frames.map(({ message }) => message.content).join(''),
    reasoning: frames.map(({ message }) => message.thinking).join(''),
    calls: frames.flatMap(({ message }) =>
      message.tool_calls.map((call) => ({
        name: call.function.name,
        arguments: JSON.stringify(call.function.arguments),
      })),
    ),
    end: frames.at(-1)?.done_reason,
    usage: { prompt_eval_count, eval_count },
    objects,
  };
}

const READERS: Readonly<Record<Protocol, (objects: readonly Json[]) => ReadAnswer>> = {
  'openai-chat': readChat,
  'openai-responses': readResponses,
  'anthropic-messages': readAnthropic,
  'bedrock-converse': readBedrock,
  gemini: readGemini,
  'gemini-interactions': readInteraction,
  ollama: readOllama,
};
