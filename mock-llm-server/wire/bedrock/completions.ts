import type { FinishReason, JsonObject, Reply } from '../../conversation/conversation.ts';
import { isJsonObject, tryJson } from '../../conversation/json.ts';
import { badRequest } from '../body.ts';
import type { Frame, ReadRequest, WireError } from '../wire.ts';
import { openConverse } from './converse.ts';
import { LATENCY } from './reply.ts';

/** The end of a completion, in the words of a maker, with its counts. */
interface Completed {
  readonly stop: string;
  readonly input: number;
  readonly output: number;
  readonly prompt: string;
  /** The messages of the request before the prompt, in the words of the maker. */
  readonly history: readonly unknown[];
}

/** The form in which the models of a maker complete a text, before its chat models. */
interface Form {
  /** True for a body in this form. */
  fits(model: string, body: JsonObject): boolean;
  /** The reasons for an end: by itself, and at the limit. */
  readonly stops: readonly [stop: string, length: string];
  whole(text: string, end: Completed): object;
  /** A piece of a stream; undefined for models that do not stream. */
  readonly piece?: (text: string, end: Completed) => object;
  /** The last piece, which has no text of its own. */
  readonly last?: (end: Completed, text: string) => object;
}

/** The fields of an imported model that do not depend on the answer. */
const IMPORTED = {
  object: 'text_completion',
  id: '',
  created: 0,
  model: '/opt/ml/model',
  system_fingerprint: '3.0.1-native',
} as const;

const FORMS: readonly Form[] = [
  // Amazon Titan
  {
    fits: (_model, { inputText }) => typeof inputText === 'string',
    stops: ['FINISH', 'LENGTH'],
    whole: (outputText, { stop, input, output }) => ({
      inputTextTokenCount: input,
      results: [{ tokenCount: output, outputText, completionReason: stop }],
    }),
    piece: (outputText, { input }) => ({
      outputText,
      index: 0,
      totalOutputTextTokenCount: null,
      completionReason: null,
      inputTextTokenCount: input,
    }),
    last: ({ stop, input, output }) => ({
      outputText: '',
      index: 0,
      totalOutputTextTokenCount: output,
      completionReason: stop,
      inputTextTokenCount: input,
    }),
  },
  // Claude 2
  {
    fits: (_model, { max_tokens_to_sample: limit }) => limit !== undefined,
    stops: ['stop_sequence', 'max_tokens'],
    whole: (completion, { stop }) => ({ completion, stop_reason: stop, stop: stopText(stop) }),
    piece: (completion) => ({ completion, stop_reason: null, stop: null }),
    last: ({ stop }) => ({ completion: '', stop_reason: stop, stop: stopText(stop) }),
  },
  // Meta Llama
  {
    fits: (model, { max_gen_len: limit }) => limit !== undefined || /(?:^|[./])meta\./.test(model),
    stops: ['stop', 'length'],
    whole: (generation, { stop, input, output }) => ({
      generation,
      prompt_token_count: input,
      generation_token_count: output,
      stop_reason: stop,
    }),
    piece: (generation) => ({ generation, prompt_token_count: null, generation_token_count: 1, stop_reason: null }),
    last: ({ stop, output }) => ({
      generation: '',
      prompt_token_count: null,
      generation_token_count: output,
      stop_reason: stop,
    }),
  },
  // Mistral
  {
    fits: (model) => /(?:^|[./])mistral\./.test(model),
    stops: ['stop', 'length'],
    whole: (text, { stop }) => ({ outputs: [{ text, stop_reason: stop }] }),
    piece: (text) => ({ outputs: [{ text, stop_reason: null }] }),
    last: ({ stop }) => ({ outputs: [{ text: '', stop_reason: stop }] }),
  },
  // AI21 Jurassic-2
  {
    fits: (model) => /(?:^|[./])ai21\.j2-/.test(model),
    stops: ['endoftext', 'length'],
    whole: (text, { stop, prompt }) => ({
      id: 1234,
      prompt: { text: prompt, tokens: tokensOf(prompt) },
      completions: [
        {
          data: { text, tokens: tokensOf(text) },
          finishReason: stop === 'length' ? { reason: stop, length: tokensOf(text).length } : { reason: stop },
        },
      ],
    }),
  },
  // Cohere Command R
  {
    fits: (_model, { message }) => typeof message === 'string',
    stops: ['COMPLETE', 'MAX_TOKENS'],
    whole: encodeChat,
    piece: (text) => ({ event_type: 'text-generation', is_finished: false, text }),
    last: (end, text) => ({
      event_type: 'stream-end',
      finish_reason: end.stop,
      is_finished: true,
      response: encodeChat(text, end),
    }),
  },
  // Cohere Command
  {
    fits: (model) => /(?:^|[./])cohere\./.test(model),
    stops: ['COMPLETE', 'MAX_TOKENS'],
    whole: (text, { stop, prompt }) => ({
      id: 'completion',
      prompt,
      generations: [{ id: 'generation', text, finish_reason: stop }],
    }),
    piece: (text) => ({ index: 0, is_finished: false, text }),
    last: ({ stop }) => ({ finish_reason: stop, is_finished: true }),
  },
  // DeepSeek R1
  {
    fits: (model) => /(?:^|[./])deepseek\./.test(model),
    stops: ['stop', 'length'],
    whole: (text, { stop }) => ({ choices: [{ text, stop_reason: stop }] }),
    piece: (text) => ({ choices: [{ index: 0, text, stop_reason: null }] }),
    last: ({ stop }) => ({ choices: [{ index: 0, text: '', stop_reason: stop }] }),
  },
  // Imported models, and those of endpoints, in the form of OpenAI's completions
  {
    fits: (model) => /:(?:imported-model|endpoint)\//.test(model),
    stops: ['stop', 'length'],
    whole: (text, { stop, input, output }) => ({
      ...IMPORTED,
      choices: [{ index: 0, text, logprobs: null, finish_reason: stop }],
      usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
    }),
    piece: (text) => ({ ...IMPORTED, choices: [{ index: 0, text, logprobs: null, finish_reason: null }] }),
    last: ({ stop }) => ({ ...IMPORTED, choices: [{ index: 0, text: '', logprobs: null, finish_reason: stop }] }),
  },
];

/** The words of a text as tokens. */
function tokensOf(text: string): object[] {
  return [...text.matchAll(/\s*\S+/g)].map(({ 0: token, index: start }) => ({
    generatedToken: { token: token.replace(/^\s+/, '\u2581'), logprob: 0, raw_logprob: 0 },
    topTokens: null,
    textRange: { start, end: start + token.length },
  }));
}

/** An answer of Command R, with the whole chat. */
function encodeChat(text: string, { stop, prompt, history }: Completed): object {
  return {
    response_id: 'response',
    text,
    generation_id: 'generation',
    chat_history: [...history, { role: 'USER', message: prompt }, { role: 'CHATBOT', message: text }],
    finish_reason: stop,
  };
}

/** The chat of a request to Command R before its message, as messages of the Converse API. */
function messagesOf(history: readonly unknown[]): object[] {
  return history.filter(isJsonObject).flatMap(({ role, message }) => {
    if (typeof message !== 'string' || (role !== 'USER' && role !== 'CHATBOT')) return [];
    return [{ role: role === 'USER' ? 'user' : 'assistant', content: [{ text: message }] }];
  });
}

/** The sequence at which Claude 2 stops by itself. */
function stopText(stop: string): string | null {
  return stop === 'stop_sequence' ? '\n\nHuman:' : null;
}

/** Reads a request to complete a text, as models had them before chats; undefined for another body. */
export function readCompletion(model: string, body: JsonObject, stream: boolean): ReadRequest | WireError | undefined {
  const { prompt = body['inputText'] ?? body['message'], textGenerationConfig: settings, preamble } = body;
  // The tools of Command R have a form of their own.
  const form =
    typeof prompt === 'string' && body['tools'] === undefined ? FORMS.find(({ fits }) => fits(model, body)) : undefined;
  if (form === undefined || typeof prompt !== 'string') return undefined;
  if (stream && form.piece === undefined) return badRequest('The model is unsupported for streaming.');
  const history: readonly unknown[] = Array.isArray(body['chat_history']) ? body['chat_history'] : [];
  const { maxTokenCount, stopSequences } = isJsonObject(settings) ? settings : {};
  const { max_tokens, max_gen_len, max_tokens_to_sample, maxTokens, stop, stop_sequences } = body;
  const text = prompt.replace(/^\s*Human:\s*/, '').replace(/\s*Assistant:\s*$/, '');
  const inferenceConfig = {
    maxTokens: maxTokenCount ?? max_tokens ?? max_gen_len ?? max_tokens_to_sample ?? maxTokens,
    stopSequences: stopSequences ?? stop ?? stop_sequences ?? body['stopSequences'],
  };
  const messages = [...messagesOf(history), { role: 'user', content: [{ text }] }];
  const system = typeof preamble === 'string' ? { system: [{ text: preamble }] } : {};
  const converse = { messages, ...system, inferenceConfig };
  const endOf = ({ finish, usage }: Reply): Completed => {
    const isCut: Readonly<Partial<Record<FinishReason, boolean>>> = { length: true };
    const stop = form.stops[isCut[finish] ? 1 : 0];
    return { stop, input: usage.inputTokens, output: usage.outputTokens, prompt, history };
  };
  const read = openConverse(model, JSON.stringify(converse), stream);
  if (read.type === 'error') return read;
  return {
    ...read,
    encode: (reply) => form.whole(reply.content ?? '', endOf(reply)),
    frames: (reply, split) =>
      read.frames(reply, split).flatMap((frame) => encodeFrame(frame, reply.content ?? '', form, endOf(reply))),
  };
}

/** The frame of a maker for one of the Converse API: only texts and the end have one. */
function encodeFrame(frame: Frame, text: string, { piece, last }: Form, end: Completed): readonly Frame[] {
  if (piece === undefined || last === undefined) return [];
  const encode = (value: object) => ({ ...frame, bytes: `data: ${JSON.stringify(value)}\n\n` });
  if (frame.kind === 'text') return [encode(piece(textIn(frame.bytes), end))];
  if (frame.kind !== 'finish') return [];
  const { input: inputTokenCount, output: outputTokenCount } = end;
  const counts = { inputTokenCount, outputTokenCount, invocationLatency: LATENCY, firstByteLatency: LATENCY };
  return [encode({ ...last(end, text), 'amazon-bedrock-invocationMetrics': counts })];
}

/** The text of an event of the Converse API. */
function textIn(bytes: string): string {
  const event = tryJson(bytes.replace(/^(?:event: .*\n)?data: /, ''));
  const delta =
    isJsonObject(event) && isJsonObject(event['contentBlockDelta']) ? event['contentBlockDelta']['delta'] : {};
  return isJsonObject(delta) ? String(delta['text'] ?? '') : '';
}
