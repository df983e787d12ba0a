import type { FinishReason, JsonObject, Reply, ReplyToolCall } from '../../conversation/conversation.ts';
import { BYTES_PER_TOKEN } from '../../conversation/estimate-tokens.ts';
import { parseCallId } from '../../conversation/ids.ts';
import { nativeFinishOf } from '../../conversation/native-finish.ts';
import { blocksOf, type EncodableBlock } from '../blocks/blocks.ts';
import { argumentsObject, endsEarly, PLACEHOLDER, quoterFor, sentArguments } from '../encode.ts';
import { type PieceKind, splitIntoWords } from '../pieces.ts';
import type { Frame } from '../wire.ts';

interface Part {
  readonly text?: string;
  readonly thought?: true;
  readonly thoughtSignature?: string;
  readonly executableCode?: unknown;
  readonly codeExecutionResult?: unknown;
  readonly toolCall?: object;
  readonly toolResponse?: object;
  readonly functionCall?: { readonly id?: string | undefined; readonly name: string; readonly args: JsonObject };
}

/** The API has one reason for answers that it withholds, and none for a model that refuses. */
const FINISH: Readonly<Record<FinishReason, string>> = {
  stop: 'STOP',
  tool_calls: 'STOP',
  length: 'MAX_TOKENS',
  content_filter: 'SAFETY',
  refusal: 'SAFETY',
};

const QUOTED = JSON.stringify(PLACEHOLDER);

/** The body of a reply that is not streamed, with so many candidates of the same content. */
export function encodeGeminiReply(reply: Reply, candidates = 1): object {
  const calls = encodeCalls(reply);
  const parts = blocksOf(reply, 'gemini').flatMap((block) => {
    const isLast = calls.length === 0 && block.type === 'text';
    return partsOf(block, calls).map((part) => ({ ...part, ...(isLast && signatureOf(reply)) }));
  });
  const called = calls.length > 0 && !isBefore2Point5(reply.model) && CALLED;
  const finish = { ...called, ...finishOf(reply), ...groundingOf(reply) };
  const whole = { content: { ...(parts.length > 0 && { parts }), role: 'model' }, ...finish };
  return { candidates: repeat(whole, candidates), ...encodeTail(reply, encodeUsage(reply, candidates)) };
}

/** The parts of a block. The grounding of an answer belongs to its candidate. */
function partsOf(block: EncodableBlock, calls: readonly Part[]): readonly Part[] {
  switch (block.type) {
    case 'reasoning':
      return block.text === '' ? [] : [{ text: block.text, thought: true, ...signed(block) }];
    case 'text':
      return [{ text: block.text }];
    case 'call':
      return calls.slice(block.index, block.index + 1);
    case 'server_tool': {
      const { name, input, result } = block;
      if (name === 'code_execution') {
        return [{ executableCode: input }, ...(result === undefined ? [] : [{ codeExecutionResult: result }])];
      }
      const toolType = name.toUpperCase();
      const response = result === undefined ? [] : [{ toolResponse: { toolType, response: result } }];
      return [{ toolCall: { toolType, args: input } }, ...response];
    }
    case 'raw':
      return [block.item];
    case 'grounding':
      return [];
    default:
      return block satisfies never;
  }
}

function signed({ signature }: { readonly signature?: string }): Pick<Part, 'thoughtSignature'> {
  return signature === undefined ? {} : { thoughtSignature: signature };
}

/** The sources of an answer. */
function groundingOf({ blocks = [] }: Reply): object {
  const block = blocks.findLast(({ type }) => type === 'grounding');
  return block?.type === 'grounding' ? { groundingMetadata: block.metadata } : {};
}

/** The candidates of a response, which differ only in their index. */
function repeat(candidate: object, count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({ ...candidate, index }));
}

/** The form of a streamed reply: server-sent events or, with `array`, the items of a JSON array. */
export interface GeminiForm {
  readonly array: boolean;
  readonly candidates?: number;
}

export function encodeGeminiFrames(reply: Reply, form: GeminiForm, split = splitIntoWords): Frame[] {
  const { array, candidates = 1 } = form;
  const encode = (value: object) =>
    array ? `,\r\n${JSON.stringify(value)}` : `data: ${JSON.stringify(value)}\r\n\r\n`;
  const encodePart = (part: Part, usage: unknown) =>
    encode({
      candidates: repeat({ content: { parts: [part], role: 'model' } }, candidates),
      ...encodeTail(reply, usage),
    });
  const count = countPieces(reply, candidates);
  const calls = encodeCalls(reply);
  const end = { text: '', ...(calls.length === 0 && signatureOf(reply)) };
  const last = { content: { parts: [end], role: 'model' }, ...finishOf(reply), ...groundingOf(reply) };
  const tail = encodeTail(reply, encodeUsage(reply, candidates));
  // As in `pieceFrames`, only the parts that differ between frames are encoded for each: the piece and two counts.
  const pieces = (kind: 'reasoning' | 'text', text: string, more: Part): Frame[] => {
    if (text === '') return [];
    const usage = usageWith(reply, { ...count(kind, 0), [kind]: PLACEHOLDER, total: PLACEHOLDER });
    const parts = encodePart({ text: PLACEHOLDER, ...more }, usage).split(QUOTED);
    const [beforeTotal, after] = parts.splice(-2);
    const quote = quoterFor(text);
    const isAscii = Buffer.byteLength(text) === text.length;
    return split(text, kind).map((piece) => {
      const counts = count(kind, isAscii ? piece.length : Buffer.byteLength(piece));
      return {
        kind,
        bytes: `${parts.join(quote(piece))}${counts[kind]}${beforeTotal}${counts.total}${after}`,
      };
    });
  };
  const callFrame = (part: Part, index: number): Frame => {
    const { name = '', arguments: text = '' } = reply.toolCalls[index] ?? {};
    return {
      kind: 'arguments',
      bytes: encodePart(part, usageWith(reply, count('arguments', Buffer.byteLength(name + text)))),
    };
  };
  const frames: Frame[] = [
    ...blocksOf(reply, 'gemini').flatMap((block): readonly Frame[] => {
      if (block.type === 'text') return pieces('text', block.text, {});
      if (block.type === 'reasoning') return pieces('reasoning', block.text, { thought: true, ...signed(block) });
      const parts = partsOf(block, calls);
      if (block.type === 'call') return parts.map((part) => callFrame(part, block.index));
      return parts.map((part) => ({ kind: 'control', bytes: encodePart(part, usageWith(reply, count('text', 0))) }));
    }),
    { kind: 'finish', bytes: encode({ candidates: repeat(last, candidates), ...tail }) },
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

/** Field of answers with calls that are not streamed, since Gemini 2.5. */
const CALLED = { finishMessage: 'Model generated function call(s).' };

function isBefore2Point5(model: string): boolean {
  return /^gemini-(?:1|2\.0)/.test(model);
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

/** The whole calls of a reply; none if one of them is malformed, as at the API. */
function encodeCalls(reply: Reply): Part[] {
  if (findMalformed(reply) !== undefined) return [];
  return reply.toolCalls.flatMap((call, index) => {
    const { id, name } = call;
    const isExplicit = id === undefined || parseCallId(id) === undefined;
    const args = sentArguments(call, reply);
    if (args === undefined) return [];
    const functionCall = { ...((isExplicit || !isBefore3(reply.model)) && { id }), name, args };
    return { functionCall, ...(index === 0 && signatureOf(reply)) };
  });
}

/** A call with arguments that are not a JSON object, unless the answer ended before its last word. */
function findMalformed(reply: Reply): ReplyToolCall | undefined {
  if (endsEarly(reply)) return undefined;
  return reply.toolCalls.find((call) => argumentsObject(call) === undefined);
}

function finishOf(reply: Reply): { readonly finishReason: string; readonly finishMessage?: string } {
  const malformed = findMalformed(reply);
  if (malformed === undefined) return { finishReason: nativeFinishOf(reply, 'gemini') ?? FINISH[reply.finish] };
  const finishMessage = `Malformed function call: ${malformed.name}(${malformed.arguments})`;
  return { finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage };
}

/** The usage of a response to the end of the reply. */
function encodeUsage(reply: Reply, candidates: number) {
  const { inputTokens, outputTokens, reasoningTokens } = reply.usage;
  const total = inputTokens + outputTokens * candidates;
  return usageWith(reply, {
    text: (outputTokens - reasoningTokens) * candidates,
    reasoning: reasoningTokens * candidates,
    total,
  });
}

function usageWith(
  { usage }: Reply,
  { text, reasoning, total }: Readonly<Record<'text' | 'reasoning' | 'total', unknown>>,
) {
  const { inputTokens, cachedTokens } = usage;
  return {
    promptTokenCount: inputTokens,
    ...(cachedTokens > 0 && { cachedContentTokenCount: cachedTokens }),
    candidatesTokenCount: text,
    ...(reasoning !== 0 && { thoughtsTokenCount: reasoning }),
    totalTokenCount: total,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: inputTokens }],
    ...(cachedTokens > 0 && { cacheTokensDetails: [{ modality: 'TEXT', tokenCount: cachedTokens }] }),
  };
}

/** Returns a function that counts the bytes of a piece and returns the tokens of all candidates up to it. */
function countPieces(reply: Reply, candidates: number) {
  const { inputTokens, outputTokens, reasoningTokens } = reply.usage;
  let thoughtBytes = 0;
  let bytes = 0;
  return (kind: PieceKind, length: number) => {
    if (kind === 'reasoning') thoughtBytes += length;
    else bytes += length;
    const thoughts = Math.min(Math.ceil(thoughtBytes / BYTES_PER_TOKEN), reasoningTokens);
    const text = Math.min(Math.ceil(bytes / BYTES_PER_TOKEN), outputTokens - reasoningTokens) * candidates;
    const reasoning = (kind === 'reasoning' ? thoughts : reasoningTokens) * candidates;
    return { text, reasoning, total: inputTokens + text + reasoning };
  };
}

function encodeTail({ model, digest }: Reply, usageMetadata: unknown) {
  const responseId = Buffer.from(digest.slice(0, 34), 'hex').toString('base64url');
  return { usageMetadata, modelVersion: model, responseId };
}
