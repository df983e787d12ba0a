import type { JsonObject, Reply, ReplyToolCall } from '../../conversation/conversation.ts';
import { parseCallId } from '../../conversation/ids.ts';
import { argumentsObject, pieceFrames, reasoningTokensOf } from '../encode.ts';
import { splitIntoWords } from '../pieces.ts';
import type { Frame } from '../wire.ts';

interface Part {
  readonly text?: string;
  readonly thought?: true;
  readonly thoughtSignature?: string;
  readonly functionCall?: { readonly id?: string | undefined; readonly name: string; readonly args: JsonObject };
}

/** The body of a reply that is not streamed. */
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

/** The frames of a streamed reply: server-sent events or, with `array`, the items of a JSON array. */
export function encodeGeminiFrames(reply: Reply, array: boolean, split = splitIntoWords): Frame[] {
  const { inputTokens } = reply.usage;
  const tail = encodeTail(reply, { promptTokenCount: inputTokens, totalTokenCount: inputTokens });
  const encode = (value: object) =>
    array ? `,\r\n${JSON.stringify(value)}` : `data: ${JSON.stringify(value)}\r\n\r\n`;
  const encodePart = (part: Part) =>
    encode({ candidates: [{ content: { parts: [part], role: 'model' }, index: 0 }], ...tail });
  const calls = encodeCalls(reply);
  const end = { text: '', ...(calls.length === 0 && signatureOf(reply)) };
  const last = { content: { parts: [end], role: 'model' }, ...finishOf(reply), index: 0 };
  const pieces = (kind: 'reasoning' | 'text', text: string, more: Part) =>
    pieceFrames(kind, text, split, (piece) => encodePart({ text: piece, ...more }));
  const frames: Frame[] = [
    ...pieces('reasoning', reply.reasoning ?? '', { thought: true }),
    ...pieces('text', reply.content ?? '', {}),
    ...calls.map((part) => ({ kind: 'arguments', bytes: encodePart(part) }) as const),
    { kind: 'finish', bytes: encode({ candidates: [last], ...encodeTail(reply, fullUsage(reply)) }) },
  ];
  if (!array) return frames;
  // The first item follows the bracket, all others a comma.
  const open = (frame: Frame, index: number) =>
    index === 0 ? { ...frame, bytes: frame.bytes.replace(',\r\n', '[') } : frame;
  return [...frames.map(open), { kind: 'close', bytes: ']\n' }];
}

/** The frame of an error after `sent` others, and the end of the array. */
export function encodeGeminiFailure(error: object, array: boolean, sent: number): string {
  const json = JSON.stringify(error);
  return array ? `${sent === 0 ? '[' : ',\r\n'}${json}]\n` : `data: ${json}\r\n\r\n`;
}

/** Models before Gemini 3 give calls no ids and add signatures only after thinking. */
function isBefore3(model: string): boolean {
  return /^gemini-[12](?!\d)/.test(model);
}

/** The signature that clients must send back with the first call or the last text. */
function signatureOf({ digest, model, reasoning }: Reply): { readonly thoughtSignature?: string } {
  if (reasoning === undefined && isBefore3(model)) return {};
  return { thoughtSignature: Buffer.from(digest, 'hex').toString('base64') };
}

/** The calls of a reply; none if one of them is malformed, as at the API. */
function encodeCalls(reply: Reply): Part[] {
  if (findMalformed(reply) !== undefined) return [];
  return reply.toolCalls.map((call, index) => {
    const { id, name } = call;
    const isExplicit = id === undefined || parseCallId(id) === undefined;
    const args = argumentsObject(call) ?? {};
    const functionCall = { ...((isExplicit || !isBefore3(reply.model)) && { id }), name, args };
    return { functionCall, ...(index === 0 && signatureOf(reply)) };
  });
}

function findMalformed({ toolCalls }: Reply): ReplyToolCall | undefined {
  return toolCalls.find((call) => argumentsObject(call) === undefined);
}

function finishOf(reply: Reply): { readonly finishReason: string; readonly finishMessage?: string } {
  const malformed = findMalformed(reply);
  if (malformed === undefined) return { finishReason: 'STOP' };
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
