import type { Reply, ReplyToolCall } from '../../conversation/conversation.ts';
import { digestOf } from '../../conversation/ids.ts';
import { argumentsObject, pieceFrames, streamIndexes } from '../encode.ts';
import { type PieceKind, splitIntoWords } from '../pieces.ts';
import type { Frame } from '../wire.ts';

/** A content block: its whole, its start in a stream, and the text that follows in deltas. */
interface EncodedBlock {
  readonly whole: object;
  readonly start: object;
  readonly kind: PieceKind;
  readonly text: string;
  delta(piece: string): object;
  readonly firstDelta?: object;
  readonly lastDelta?: object;
}

/** The body of a reply that is not streamed. */
export function encodeAnthropicReply(reply: Reply): Record<string, unknown> {
  return {
    ...encodeHead(reply),
    content: encodeBlocks(reply).map(({ whole }) => whole),
    ...encodeStop(reply.finish),
    usage: encodeUsage(reply, reply.usage.outputTokens),
  };
}

/** The frames of a streamed reply. A `ping` follows the start of the first block, as at the API. */
export function encodeAnthropicFrames(reply: Reply, split = splitIntoWords): Frame[] {
  const message = { ...encodeHead(reply), content: [], ...encodeStop(null), usage: encodeUsage(reply, 0) };
  const ping = control('ping', {});
  const blocks = encodeBlocks(reply);
  const indexes = streamIndexes(blocks.length, reply);
  const blockFrames = blocks.flatMap(({ start, firstDelta, kind, text, delta, lastDelta }, position) => {
    const index = indexes[position];
    const encodeDelta = (value: object) => encodeEvent('content_block_delta', { index, delta: value });
    const pieces = pieceFrames(kind, text, split, (piece) => encodeDelta(delta(piece)));
    return [
      control('content_block_start', { index, content_block: start }),
      ...(position === 0 ? [ping] : []),
      ...(firstDelta ? [control('content_block_delta', { index, delta: firstDelta })] : []),
      ...pieces,
      ...(lastDelta ? [control('content_block_delta', { index, delta: lastDelta })] : []),
      control('content_block_stop', { index }),
    ];
  });
  const { inputTokens, outputTokens } = reply.usage;
  const usage = { input_tokens: inputTokens, ...NO_CACHE, output_tokens: outputTokens };
  return [
    { kind: 'open', bytes: encodeEvent('message_start', { message }) },
    ...(blocks.length === 0 ? [ping] : blockFrames),
    { kind: 'finish', bytes: encodeEvent('message_delta', { delta: encodeStop(reply.finish), usage }) },
    { kind: 'close', bytes: encodeEvent('message_stop', {}) },
  ];
}

function encodeBlocks({ reasoning, content, toolCalls }: Reply): EncodedBlock[] {
  return [
    ...(reasoning === undefined ? [] : [encodeThinking(reasoning)]),
    // The API never sends an empty text block.
    ...(content === undefined || content === '' ? [] : [encodeText(content)]),
    ...toolCalls.map(encodeCall),
  ];
}

function encodeThinking(thinking: string): EncodedBlock {
  const signature = signThinking(thinking);
  return {
    whole: { type: 'thinking', thinking, signature },
    start: { type: 'thinking', thinking: '', signature: '' },
    kind: 'reasoning',
    text: thinking,
    delta: (piece) => ({ type: 'thinking_delta', thinking: piece }),
    lastDelta: { type: 'signature_delta', signature },
  };
}

function encodeText(text: string): EncodedBlock {
  return {
    whole: { type: 'text', text },
    start: { type: 'text', text: '' },
    kind: 'text',
    text,
    delta: (piece) => ({ type: 'text_delta', text: piece }),
  };
}

/** Arguments that are not a JSON object become a string in the body, which has no other place for them. */
function encodeCall(call: ReplyToolCall): EncodedBlock {
  const { id, name, arguments: text } = call;
  const head = { type: 'tool_use', id, name };
  return {
    whole: { ...head, input: argumentsObject(call) ?? text },
    start: { ...head, input: {} },
    kind: 'arguments',
    text,
    delta: (piece) => ({ type: 'input_json_delta', partial_json: piece }),
    firstDelta: { type: 'input_json_delta', partial_json: '' },
  };
}

function encodeHead({ digest, model }: Reply) {
  return { id: `msg_01${digest.slice(0, 22)}`, type: 'message', role: 'assistant', model };
}

function encodeStop(finish: Reply['finish'] | null) {
  const reason = finish === 'tool_calls' ? 'tool_use' : 'end_turn';
  return { stop_reason: finish && reason, stop_sequence: null, stop_details: null };
}

const NO_CACHE = { cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

function encodeUsage({ usage }: Reply, outputTokens: number) {
  return {
    input_tokens: usage.inputTokens,
    ...NO_CACHE,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
    output_tokens: outputTokens,
    service_tier: 'standard',
  };
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

/** Reports whether a signature fits a text. Signatures of other servers are accepted unless they are empty. */
export function isSignatureOf(signature: string, thinking: string): boolean {
  return signature.startsWith(SIGNATURE_PREFIX) ? signature === signThinking(thinking) : signature !== '';
}
