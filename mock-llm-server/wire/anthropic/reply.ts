import { parse } from 'jsonc-parser';
import type { Reply } from '../../conversation/conversation.ts';
import { digestOf } from '../../conversation/ids.ts';
import { isJsonObject } from '../../conversation/json.ts';
import { nativeFinishOf } from '../../conversation/native-finish.ts';
import {
  type BlockEncoders,
  type BlockEvents,
  blockFrames,
  type EncodedBlock,
  encodeBlocks,
  encodeWhole,
} from '../blocks/block-frames.ts';
import { anthropicCitation } from '../blocks/blocks.ts';
import { argumentsObject, streamedArguments } from '../encode.ts';
import { splitIntoWords } from '../pieces.ts';
import type { Frame } from '../wire.ts';
import { type CacheCounts, countCached } from './cache-counts.ts';

/** The body of a reply that is not streamed. */
export function encodeAnthropicReply(reply: Reply, request?: unknown): Record<string, unknown> {
  const cache = countCached(request, reply);
  return {
    ...encodeHead(reply),
    content: encodeBlocks(reply, 'anthropic-messages', ENCODERS).map(({ whole }) => whole),
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
  const ping: Frame = { kind: 'control', bytes: encodeEvent('ping', {}) };
  const blocks = encodeBlocks(reply, 'anthropic-messages', ENCODERS);
  const usage = { ...encodeInput(reply, cache), output_tokens: reply.usage.outputTokens, ...encodeDetails(reply) };
  return [
    { kind: 'open', bytes: encodeEvent('message_start', { message }) },
    ...(blocks.length === 0 ? [ping] : blockFrames(blocks, reply, split, EVENTS, [ping])),
    { kind: 'finish', bytes: encodeEvent('message_delta', { delta: encodeStop(reply), usage }) },
    { kind: 'close', bytes: encodeEvent('message_stop', {}) },
  ];
}

const EVENTS: BlockEvents = {
  start: (index, block) => encodeEvent('content_block_start', { index, content_block: block }),
  delta: (index, delta) => encodeEvent('content_block_delta', { index, delta }),
  stop: (index) => encodeEvent('content_block_stop', { index }),
};

const ENCODERS: BlockEncoders = {
  reasoning({ text, encrypted, signature = signThinking(text) }) {
    if (text === '' && encrypted !== undefined) return encodeWhole({ type: 'redacted_thinking', data: encrypted });
    return {
      whole: { type: 'thinking', thinking: text, signature },
      start: { type: 'thinking', thinking: '', signature: '' },
      kind: 'reasoning',
      text,
      delta: (piece) => ({ type: 'thinking_delta', thinking: piece }),
      lastDeltas: [{ type: 'signature_delta', signature }],
    };
  },
  text({ text, citations }) {
    const cited = citations.map(anthropicCitation);
    const head = { type: 'text', ...(cited.length > 0 && { citations: cited }) };
    return {
      whole: { ...head, text },
      start: { ...head, text: '', ...(cited.length > 0 && { citations: [] }) },
      kind: 'text',
      text,
      delta: (piece) => ({ type: 'text_delta', text: piece }),
      firstDeltas: cited.map((citation) => ({ type: 'citations_delta', citation })),
    };
  },
  call(call) {
    const { id, name, arguments: text } = call;
    const head = { type: 'tool_use', id, name };
    // Of arguments that are not an object, it has what clients make of the pieces of a stream: the fields up to the
    // point where they break.
    const input = argumentsObject(call) ?? fieldsOf(text);
    return encodeCall(head, input, streamedArguments(text), { caller: { type: 'direct' } });
  },
  serverTool({ name, input, result }, { digest }, index) {
    const id = `srvtoolu_01${digest.slice(0, 20)}${index}`;
    const call = encodeCall({ type: 'server_tool_use', id, name }, input, JSON.stringify(input));
    if (result === undefined) return [call];
    return [call, encodeWhole({ type: `${name}_tool_result`, tool_use_id: id, content: result })];
  },
  raw: encodeWhole,
};

/** The call of a tool. The `input` of a body is always an object. */
function encodeCall(head: object, input: object, text: string, end: object = {}): EncodedBlock {
  return {
    whole: { ...head, input, ...end },
    start: { ...head, input: {}, ...end },
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
