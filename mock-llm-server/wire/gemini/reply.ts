import type { JsonObject, Reply, ReplyToolCall } from '../../conversation/conversation.ts';
import { parseCallId } from '../../conversation/ids.ts';
import { argumentsObject, reasoningTokensOf } from '../encode.ts';
import { type SplitPieces, splitIntoWords } from '../pieces.ts';
import type { Frame } from '../wire.ts';

interface Part {
  readonly text?: string;
  readonly thought?: true;
  readonly thoughtSignature?: string;
  readonly functionCall?: { readonly id?: string | undefined; readonly name: string; readonly args: JsonObject };
}

const FINISH: Readonly<Record<Reply['finish'], string>> = {
  stop: 'STOP',
  tool_calls: 'STOP',
  length: 'MAX_TOKENS',
  content_filter: 'SAFETY',
};

/** The body of an answer that is not streamed. */
export function encodeGeminiReply(reply: Reply): object {
  const { reasoning, content } = reply;
  const calls = encodeCalls(reply);
  const parts: Part[] = [
    ...(reasoning === undefined ? [] : [{ text: reasoning, thought: true as const }]),
    ...(content === undefined ? [] : [{ text: content, ...(calls.length === 0 && signatureOf(reply)) }]),
    ...calls,
  ];
  const whole = { content: { ...(parts.length > 0 && { parts }), role: 'model' }, ...finishOf(reply), index: 0 };
  return { candidates: [whole], ...encodeTail(reply, fullUsage(reply)) };
}

/**
 * The frames of a streamed answer, each a whole response with a piece of the answer in it; the last has the reason of
 * the end and all of the usage. `array`: they are the members of one JSON array instead of server-sent events.
 */
export function encodeGeminiFrames(reply: Reply, array: boolean, split: SplitPieces = splitIntoWords): Frame[] {
  const tail = encodeTail(reply, {
    promptTokenCount: reply.usage.inputTokens,
    totalTokenCount: reply.usage.inputTokens,
  });
  const piece = (kind: Frame['kind'], part: Part) => ({
    kind,
    value: { candidates: [{ content: { parts: [part], role: 'model' }, index: 0 }], ...tail },
  });
  const calls = encodeCalls(reply);
  const end = { text: '', ...(calls.length === 0 && signatureOf(reply)) };
  const last = { content: { parts: [end], role: 'model' }, ...finishOf(reply), index: 0 };
  const pieces = [
    ...split(reply.reasoning ?? '', 'reasoning').map((text) => piece('reasoning', { text, thought: true })),
    ...split(reply.content ?? '', 'text').map((text) => piece('text', { text })),
    ...calls.map((part) => piece('arguments', part)),
    { kind: 'finish' as const, value: { candidates: [last], ...encodeTail(reply, fullUsage(reply)) } },
  ];
  if (!array) return pieces.map(({ kind, value }) => ({ kind, bytes: `data: ${JSON.stringify(value)}\r\n\r\n` }));
  const members = pieces.map(({ kind, value }, index) => {
    return { kind, bytes: `${index === 0 ? '[' : ',\r\n'}${JSON.stringify(value)}` };
  });
  return [...members, { kind: 'close', bytes: ']\n' }];
}

/** Models before Gemini 3 give their calls no ids and sign only what they thought about. */
function isOlder(model: string): boolean {
  return /^gemini-[12](?!\d)/.test(model);
}

/** What clients must send back with the first call, or with the last text: the trace of what the model thought. */
function signatureOf({ digest, model, reasoning }: Reply): { readonly thoughtSignature?: string } {
  if (reasoning === undefined && isOlder(model)) return {};
  return { thoughtSignature: Buffer.from(digest, 'hex').toString('base64') };
}

/** Nothing where one of the calls is malformed: the API then sends none. */
function encodeCalls(reply: Reply): Part[] {
  if (findMalformed(reply) !== undefined) return [];
  return reply.toolCalls.map((call, index) => {
    const { id, name } = call;
    const isStated = id === undefined || parseCallId(id) === undefined;
    const args = argumentsObject(call) ?? {};
    const functionCall = { ...((isStated || !isOlder(reply.model)) && { id }), name, args };
    return { functionCall, ...(index === 0 && signatureOf(reply)) };
  });
}

function findMalformed({ toolCalls }: Reply): ReplyToolCall | undefined {
  return toolCalls.find((call) => argumentsObject(call) === undefined);
}

function finishOf(reply: Reply): { readonly finishReason: string; readonly finishMessage?: string } {
  const malformed = findMalformed(reply);
  if (malformed === undefined) return { finishReason: FINISH[reply.finish] };
  const finishMessage = `Malformed function call: ${malformed.name}(${malformed.arguments})`;
  return { finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage };
}

function fullUsage(reply: Reply) {
  const { inputTokens, outputTokens } = reply.usage;
  const thoughts = reasoningTokensOf(reply);
  return {
    promptTokenCount: inputTokens,
    candidatesTokenCount: outputTokens - thoughts,
    ...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
    totalTokenCount: inputTokens + outputTokens,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: inputTokens }],
  };
}

function encodeTail({ model, digest }: Reply, usageMetadata: object) {
  const responseId = Buffer.from(digest.slice(0, 34), 'hex').toString('base64url');
  return { usageMetadata, modelVersion: model, responseId };
}
