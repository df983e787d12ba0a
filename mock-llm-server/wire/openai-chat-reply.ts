import type { Reply } from '../conversation.ts';
import { type PieceKind, type SplitPieces, splitIntoWords } from '../split-pieces.ts';
import { pieceFrames } from './piece-frames.ts';
import { reasoningTokensOf } from './reasoning-tokens.ts';
import type { Frame } from './wire.ts';

/** The body of an answer that is not streamed. */
export function encodeChatReply(reply: Reply): Record<string, unknown> {
  const { content, toolCalls } = reply;
  const message = {
    role: 'assistant',
    content: content ?? null,
    refusal: null,
    ...(reply.reasoning !== undefined && { reasoning_content: reply.reasoning }),
    ...(toolCalls.length > 0 && { tool_calls: toolCalls.map(encodeCall) }),
  };
  return {
    ...encodeHead(reply, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason: reply.finish }],
    usage: encodeUsage(reply),
  };
}

/** The frames of a streamed answer; the last one is `[DONE]`. */
export function encodeChatFrames(reply: Reply, includeUsage: boolean, split: SplitPieces = splitIntoWords): Frame[] {
  const head = encodeHead(reply, 'chat.completion.chunk');
  const encode = (delta: object, finish: string | null = null) =>
    encodeData({
      ...head,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...(includeUsage && { usage: null }),
    });
  const pieces = (kind: PieceKind, text: string, encodePiece: (piece: string) => object) =>
    pieceFrames(kind, split(text, kind), (piece) => encode(encodePiece(piece)));
  const calls = reply.toolCalls.flatMap((call, index): readonly Frame[] => [
    { kind: 'control', bytes: encode({ tool_calls: [{ index, ...encodeCall({ ...call, arguments: '' }) }] }) },
    ...pieces('arguments', call.arguments, (piece) => ({ tool_calls: [{ index, ...encodeInput(call, piece) }] })),
  ]);
  const opening = { role: 'assistant', content: reply.content === undefined ? null : '', refusal: null };
  const usage = includeUsage ? [encodeData({ ...head, choices: [], usage: encodeUsage(reply) })] : [];
  return [
    { kind: 'open', bytes: encode(opening) },
    ...pieces('reasoning', reply.reasoning ?? '', (piece) => ({ reasoning_content: piece })),
    ...pieces('text', reply.content ?? '', (piece) => ({ content: piece })),
    ...calls,
    { kind: 'finish', bytes: encode({}, reply.finish) },
    ...[...usage, 'data: [DONE]\n\n'].map((bytes) => ({ kind: 'close', bytes }) as const),
  ];
}

function encodeHead({ digest, created, model }: Reply, object: string) {
  const id = `chatcmpl-${digest.slice(0, 29)}`;
  return { id, object, created, model, service_tier: 'default', system_fingerprint: 'fp_mock' };
}

function encodeCall({ id, name, input, arguments: text }: Reply['toolCalls'][number]) {
  if (input === 'text') return { id, type: 'custom', custom: { name, input: text } };
  return { id, type: 'function', function: { name, arguments: text } };
}

/** A piece of a call's arguments. */
function encodeInput({ input }: Reply['toolCalls'][number], piece: string) {
  return input === 'text' ? { custom: { input: piece } } : { function: { arguments: piece } };
}

function encodeUsage(reply: Reply) {
  const { inputTokens, outputTokens } = reply.usage;
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: reasoningTokensOf(reply), audio_tokens: 0 },
  };
}

function encodeData(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
