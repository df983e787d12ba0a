import { parse } from 'jsonc-parser';
import type { Reply, ReplyToolCall } from '../../conversation/conversation.ts';
import { digestOf } from '../../conversation/ids.ts';
import { isJsonObject } from '../../conversation/json.ts';
import { nativeFinishOf } from '../../conversation/native-finish.ts';
import { anthropicCitation, blocksOf, type EncodableBlock } from '../blocks.ts';
import { argumentsObject, pieceFrames, streamIndexes } from '../encode.ts';
import { type PieceKind, splitIntoWords } from '../pieces.ts';
import type { Frame } from '../wire.ts';
import { type CacheCounts, countCached } from './cache-counts.ts';

/** A content block: its whole, its start in a stream, and the text that follows in deltas. */
interface EncodedBlock {
  readonly whole: object;
  readonly start: object;
  readonly kind: PieceKind;
  readonly text: string;
  delta(piece: string): object;
  readonly firstDeltas?: readonly object[];
  readonly lastDelta?: object;
}

/** The body of a reply that is not streamed. */
export function encodeAnthropicReply(reply: Reply, request?: unknown): Record<string, unknown> {
  const cache = countCached(request, reply);
  return {
    ...encodeHead(reply),
    content: encodeBlocks(reply).map(({ whole }) => whole),
    ...encodeStop(reply),
    usage: { ...encodeUsage(reply, cache, reply.usage.outputTokens), ...encodeDetails(reply) },
  };
}

/** The frames of a streamed reply. A `ping` follows the start of the first block, as at the API. */
export function encodeAnthropicFrames(reply: Reply, split = splitIntoWords, request?: unknown): Frame[] {
  const cache = countCached(request, reply);
  // The API counts the tokens that it has when it sends the first event.
  const firstTokens = Math.min(reply.usage.outputTokens, 1);
  const message = { ...encodeHead(reply), content: [], ...NO_STOP, usage: encodeUsage(reply, cache, firstTokens) };
  const ping = control('ping', {});
  const blocks = encodeBlocks(reply);
  const indexes = streamIndexes(blocks.length, reply);
  const blockFrames = blocks.flatMap(({ start, firstDeltas = [], kind, text, delta, lastDelta }, position) => {
    const index = indexes[position];
    const encodeDelta = (value: object) => encodeEvent('content_block_delta', { index, delta: value });
    const pieces = pieceFrames(kind, text, split, (piece) => encodeDelta(delta(piece)));
    return [
      control('content_block_start', { index, content_block: start }),
      ...(position === 0 ? [ping] : []),
      ...firstDeltas.map((first) => control('content_block_delta', { index, delta: first })),
      ...pieces,
      ...(lastDelta ? [control('content_block_delta', { index, delta: lastDelta })] : []),
      control('content_block_stop', { index }),
    ];
  });
  const usage = { ...encodeInput(reply, cache), output_tokens: reply.usage.outputTokens, ...encodeDetails(reply) };
  return [
    { kind: 'open', bytes: encodeEvent('message_start', { message }) },
    ...(blocks.length === 0 ? [ping] : blockFrames),
    { kind: 'finish', bytes: encodeEvent('message_delta', { delta: encodeStop(reply), usage }) },
    { kind: 'close', bytes: encodeEvent('message_stop', {}) },
  ];
}

function encodeBlocks(reply: Reply): EncodedBlock[] {
  return blocksOf(reply, 'anthropic-messages').flatMap((block, index): readonly EncodedBlock[] => {
    switch (block.type) {
      case 'reasoning':
        if (block.text === '' && block.encrypted !== undefined) {
          return [encodeWhole({ type: 'redacted_thinking', data: block.encrypted })];
        }
        return [encodeThinking(block.text, block.signature)];
      case 'text':
        // The API never sends an empty text block.
        return block.text === '' ? [] : [encodeText(block.text, block.citations.map(anthropicCitation))];
      case 'call':
        return [encodeCall(block.call)];
      case 'server_tool':
        return encodeServerTool(block, `srvtoolu_01${reply.digest.slice(0, 20)}${index}`);
      case 'raw':
        return [encodeWhole(block.item)];
      case 'grounding':
        return [];
      default:
        return block satisfies never;
    }
  });
}

/** A block that a stream has as a whole. */
function encodeWhole(whole: object): EncodedBlock {
  return { whole, start: whole, kind: 'text', text: '', delta: () => ({}) };
}

/** The call of a tool that the API runs and, in a block of its own, the result. */
function encodeServerTool(
  { name, input, result }: Extract<EncodableBlock, { type: 'server_tool' }>,
  id: string,
): EncodedBlock[] {
  const head = { type: 'server_tool_use', id, name };
  const call: EncodedBlock = {
    whole: { ...head, input },
    start: { ...head, input: {} },
    kind: 'arguments',
    text: JSON.stringify(input),
    delta: (piece) => ({ type: 'input_json_delta', partial_json: piece }),
    firstDeltas: [{ type: 'input_json_delta', partial_json: '' }],
  };
  if (result === undefined) return [call];
  return [call, encodeWhole({ type: `${name}_tool_result`, tool_use_id: id, content: result })];
}

function encodeThinking(thinking: string, signature = signThinking(thinking)): EncodedBlock {
  return {
    whole: { type: 'thinking', thinking, signature },
    start: { type: 'thinking', thinking: '', signature: '' },
    kind: 'reasoning',
    text: thinking,
    delta: (piece) => ({ type: 'thinking_delta', thinking: piece }),
    lastDelta: { type: 'signature_delta', signature },
  };
}

function encodeText(text: string, citations: readonly object[]): EncodedBlock {
  const head = { type: 'text', ...(citations.length > 0 && { citations }) };
  return {
    whole: { ...head, text },
    start: { ...head, text: '', ...(citations.length > 0 && { citations: [] }) },
    kind: 'text',
    text,
    delta: (piece) => ({ type: 'text_delta', text: piece }),
    firstDeltas: citations.map((citation) => ({ type: 'citations_delta', citation })),
  };
}

/**
 * The `input` of a body is always an object. Of arguments that are not one, it has what clients make of the pieces of a
 * stream: the fields up to the point where they break.
 */
function encodeCall(call: ReplyToolCall): EncodedBlock {
  const { id, name, arguments: text } = call;
  const head = { type: 'tool_use', id, name };
  const caller = { type: 'direct' };
  return {
    whole: { ...head, input: argumentsObject(call) ?? fieldsOf(text), caller },
    start: { ...head, input: {}, caller },
    kind: 'arguments',
    text,
    delta: (piece) => ({ type: 'input_json_delta', partial_json: piece }),
    firstDeltas: [{ type: 'input_json_delta', partial_json: '' }],
  };
}

function encodeHead({ digest, model }: Reply) {
  return { id: `msg_01${digest.slice(0, 22)}`, type: 'message', role: 'assistant', model };
}

/** The fields of an object whose JSON ends anywhere. */
export function fieldsOf(text: string): object {
  const value: unknown = parse(text);
  return isJsonObject(value) ? value : {};
}

const NO_STOP = { stop_reason: null, stop_sequence: null, stop_details: null };
const REFUSAL = {
  ...NO_STOP,
  stop_reason: 'refusal',
  stop_details: { type: 'refusal', category: null, explanation: null },
};

function encodeStop(reply: Reply): object {
  const native = nativeFinishOf(reply, 'anthropic-messages');
  if (native !== undefined) return { ...NO_STOP, stop_reason: native };
  const { finish, stopSequence } = reply;
  switch (finish) {
    case 'stop':
      if (stopSequence === undefined) return { ...NO_STOP, stop_reason: 'end_turn' };
      return { ...NO_STOP, stop_reason: 'stop_sequence', stop_sequence: stopSequence };
    case 'tool_calls':
      return { ...NO_STOP, stop_reason: 'tool_use' };
    case 'length':
      return { ...NO_STOP, stop_reason: 'max_tokens' };
    case 'content_filter':
    case 'refusal':
      return REFUSAL;
    default:
      return finish satisfies never;
  }
}

/** The input tokens. Unlike elsewhere, the cached ones are counted only by themselves. */
function encodeInput({ usage }: Reply, { read, write5m, write1h }: CacheCounts) {
  return {
    input_tokens: usage.inputTokens - read - write5m - write1h,
    cache_creation_input_tokens: write5m + write1h,
    cache_read_input_tokens: read,
  };
}

function encodeUsage(reply: Reply, cache: CacheCounts, outputTokens: number) {
  return {
    ...encodeInput(reply, cache),
    cache_creation: { ephemeral_5m_input_tokens: cache.write5m, ephemeral_1h_input_tokens: cache.write1h },
    output_tokens: outputTokens,
    service_tier: 'standard',
    inference_geo: 'not_available',
  };
}

/** Details of the output tokens, known only at the end of an answer. */
function encodeDetails({ usage }: Reply) {
  return { output_tokens_details: { thinking_tokens: usage.reasoningTokens } };
}

function control(type: string, fields: object): Frame {
  return { kind: 'control', bytes: encodeEvent(type, fields) };
}

function encodeEvent(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

/** Start of the signatures of this server, in base64 like the rest of them. */
const SIGNATURE_PREFIX = Buffer.from('mocked').toString('base64');

/** The signature of a thinking block; equal texts have equal signatures. */
export function signThinking(thinking: string): string {
  return SIGNATURE_PREFIX + Buffer.from(digestOf('thinking', thinking), 'hex').toString('base64');
}

/** Reports whether this server made a signature. */
export function isOwnSignature(signature: string): boolean {
  return signature.startsWith(SIGNATURE_PREFIX);
}

/** Signatures of other services have characters that base64 does not have, as JSON with encrypted content. */
const FOREIGN = /[\s"{}|:]|^$/;

/** The signatures of Claude begin with the tag of a field and the two bytes of a length above 127, in base64. */
const OF_CLAUDE = /^E[g-v][A-Za-z0-9+/]{60,}=*$/;

/**
 * Reports whether a signature fits a text. With Claude, those of other servers are accepted if they have the form of
 * Anthropic's; with other models, if they could be in base64.
 */
export function isSignatureOf(signature: string, thinking: string, model: string): boolean {
  if (isOwnSignature(signature)) return signature === signThinking(thinking);
  return /claude/i.test(model) ? OF_CLAUDE.test(signature) : !FOREIGN.test(signature);
}
