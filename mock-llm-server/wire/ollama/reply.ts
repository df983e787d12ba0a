import type { Reply } from '../../conversation/conversation.ts';
import { endsEarly, pieceFrames, sentArguments, streamIndexes } from '../encode.ts';
import { splitIntoWords } from '../pieces.ts';
import type { Frame } from '../wire.ts';
import type { OllamaEndpoint } from './shape.ts';

/** The settings of a request that its reply depends on. */
export interface OllamaSettings {
  readonly endpoint: OllamaEndpoint;
  /** Tokens of the request that fit into the context window. */
  readonly contextLength: number;
}

const NANOSECONDS_PER_INPUT_TOKEN = 1_000_000;
const NANOSECONDS_PER_OUTPUT_TOKEN = 20_000_000;
const NANOSECONDS_TO_LOAD = 50_000_000;

/** The body of a reply that is not streamed. */
export function encodeOllamaReply(reply: Reply, settings: OllamaSettings): object {
  const { text, calls } = divide(reply, settings);
  const message = {
    content: text,
    ...(reply.reasoning !== undefined && { thinking: reply.reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  return encodeEnd(reply, message, settings);
}

/** The body for a request that loads or unloads the model: empty and never streamed. */
export function encodeOllamaLoad(reply: Reply, endpoint: OllamaEndpoint, reason: 'load' | 'unload'): object {
  return { ...encodeHead(reply), ...encodeMessage({ content: '' }, endpoint), done: true, done_reason: reason };
}

/** The lines of a streamed reply; the last one has the finish reason and the counts. */
export function encodeOllamaFrames(reply: Reply, settings: OllamaSettings, split = splitIntoWords): Frame[] {
  const { text, calls } = divide(reply, settings);
  const head = encodeHead(reply);
  const encode = (message: Message) =>
    encodeLine({ ...head, ...encodeMessage(message, settings.endpoint), done: false });
  return [
    ...pieceFrames('reasoning', reply.reasoning ?? '', split, (piece) => encode({ content: '', thinking: piece })),
    ...pieceFrames('text', text, split, (piece) => encode({ content: piece })),
    ...calls.map((call) => ({ kind: 'arguments', bytes: encode({ content: '', tool_calls: [call] }) }) as const),
    { kind: 'finish', bytes: encodeLine(encodeEnd(reply, { content: '' }, settings)) },
  ];
}

interface Message {
  readonly content: string;
  readonly thinking?: string;
  readonly tool_calls?: readonly object[];
}

function encodeMessage(message: Message, endpoint: OllamaEndpoint): object {
  if (endpoint === 'chat') return { message: { role: 'assistant', ...message } };
  const { content, ...rest } = message;
  return { response: content, ...rest };
}

/** The text and the calls of a reply. As in Ollama, a call after a prompt, or without a JSON object, becomes text. */
function divide(reply: Reply, { endpoint }: OllamaSettings) {
  const { content, toolCalls } = reply;
  const indexes = streamIndexes(toolCalls.length, reply);
  const calls: object[] = [];
  const texts = [content ?? ''];
  for (const call of toolCalls) {
    const args = endpoint === 'chat' ? sentArguments(call, reply) : undefined;
    if (args === undefined) {
      const text = `{"name": ${JSON.stringify(call.name)}, "arguments": ${call.arguments}`;
      const isCut = endsEarly(reply) && call === toolCalls.at(-1);
      texts.push(isCut ? text : `${text}}`);
    } else {
      calls.push({ id: call.id, function: { index: indexes[calls.length], name: call.name, arguments: args } });
    }
  }
  return { text: texts.join(''), calls };
}

function encodeHead({ model, created }: Reply) {
  return { model, created_at: new Date(created * 1000).toISOString() };
}

function encodeEnd(reply: Reply, message: Message, { contextLength, endpoint }: OllamaSettings): object {
  const { inputTokens, outputTokens } = reply.usage;
  const promptTokens = Math.min(inputTokens, contextLength);
  const promptDuration = promptTokens * NANOSECONDS_PER_INPUT_TOKEN;
  const duration = outputTokens * NANOSECONDS_PER_OUTPUT_TOKEN;
  return {
    ...encodeHead(reply),
    ...encodeMessage(message, endpoint),
    done: true,
    // The API has no reason for a filter or a refusal.
    done_reason: reply.finish === 'length' ? 'length' : 'stop',
    ...(endpoint === 'generate' && { context: [] }),
    total_duration: NANOSECONDS_TO_LOAD + promptDuration + duration,
    load_duration: NANOSECONDS_TO_LOAD,
    prompt_eval_count: promptTokens,
    prompt_eval_duration: promptDuration,
    eval_count: outputTokens,
    eval_duration: duration,
  };
}

function encodeLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
