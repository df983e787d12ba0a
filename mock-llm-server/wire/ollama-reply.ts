import type { Reply, ReplyToolCall } from '../conversation.ts';
import { type SplitPieces, splitIntoWords } from '../split-pieces.ts';
import { argumentsObject } from './call-arguments.ts';
import type { Frame } from './wire.ts';

/** What of a request shows in its answer. */
export interface OllamaSettings {
  readonly think: boolean;
  /** How many tokens of the request the model can have seen. */
  readonly contextLength: number;
}

const NANOSECONDS_A_READ_TOKEN = 1_000_000;
const NANOSECONDS_A_WRITTEN_TOKEN = 20_000_000;
const NANOSECONDS_TO_LOAD = 50_000_000;

/** The body of an answer that is not streamed. */
export function encodeOllamaReply(reply: Reply, settings: OllamaSettings): object {
  const { text, calls } = divide(reply);
  const thinking = settings.think ? reply.reasoning : undefined;
  const message = {
    role: 'assistant',
    content: text,
    ...(thinking !== undefined && { thinking }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  return encodeEnd(reply, message, settings);
}

/** The lines of a streamed answer; the last has the reason of the end and the counts. */
export function encodeOllamaFrames(
  reply: Reply,
  settings: OllamaSettings,
  split: SplitPieces = splitIntoWords,
): Frame[] {
  const { text, calls } = divide(reply);
  const head = encodeHead(reply);
  const line = (kind: Frame['kind'], message: object) =>
    encodeLine(kind, { ...head, message: { role: 'assistant', ...message }, done: false });
  const thinking = settings.think ? (reply.reasoning ?? '') : '';
  return [
    ...split(thinking, 'reasoning').map((piece) => line('reasoning', { content: '', thinking: piece })),
    ...split(text, 'text').map((piece) => line('text', { content: piece })),
    ...calls.map((call) => line('arguments', { content: '', tool_calls: [call] })),
    encodeLine('finish', encodeEnd(reply, { role: 'assistant', content: '' }, settings)),
  ];
}

/** A call whose arguments are no JSON object cannot be sent as one: Ollama leaves what it cannot read in the text. */
function divide({ content, toolCalls }: Reply) {
  const calls: object[] = [];
  const texts = [content ?? ''];
  for (const call of toolCalls) {
    const args = argumentsObject(call);
    if (args === undefined) texts.push(spellOut(call));
    else calls.push({ id: call.id, function: { index: calls.length, name: call.name, arguments: args } });
  }
  return { text: texts.join(''), calls };
}

function spellOut({ name, arguments: text }: ReplyToolCall): string {
  return `{"name": ${JSON.stringify(name)}, "arguments": ${text}}`;
}

function encodeHead({ model, created }: Reply) {
  return { model, created_at: new Date(created * 1000).toISOString() };
}

function encodeEnd(reply: Reply, message: object, { contextLength }: OllamaSettings): object {
  const { inputTokens, outputTokens } = reply.usage;
  const promptTokens = Math.min(inputTokens, contextLength);
  const promptDuration = promptTokens * NANOSECONDS_A_READ_TOKEN;
  const duration = outputTokens * NANOSECONDS_A_WRITTEN_TOKEN;
  return {
    ...encodeHead(reply),
    message,
    done: true,
    done_reason: reply.finish === 'length' ? 'length' : 'stop',
    total_duration: NANOSECONDS_TO_LOAD + promptDuration + duration,
    load_duration: NANOSECONDS_TO_LOAD,
    prompt_eval_count: promptTokens,
    prompt_eval_duration: promptDuration,
    eval_count: outputTokens,
    eval_duration: duration,
  };
}

function encodeLine(kind: Frame['kind'], value: object): Frame {
  return { kind, bytes: `${JSON.stringify(value)}\n` };
}
