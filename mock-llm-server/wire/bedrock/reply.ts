import type { FinishReason, JsonObject, Reply } from '../../conversation/conversation.ts';
import { nativeFinishOf } from '../../conversation/native-finish.ts';
import { fieldsOf, signThinking } from '../anthropic/reply.ts';
import {
  type BlockEncoders,
  type BlockEvents,
  blockFrames,
  type EncodedBlock,
  encodeBlocks,
} from '../blocks/block-frames.ts';
import { argumentsObject, streamedArguments } from '../encode.ts';
import { splitIntoWords } from '../pieces.ts';
import type { Frame } from '../wire.ts';

/** Stop reasons. The API has none for a refusal of the model. */
const STOP: Readonly<Record<FinishReason, string>> = {
  stop: 'end_turn',
  tool_calls: 'tool_use',
  length: 'max_tokens',
  content_filter: 'content_filtered',
  refusal: 'content_filtered',
};

/** Milliseconds that every answer takes, in the metrics of the service. */
export const LATENCY = 100;

/** The body of a reply that is not streamed. */
export function encodeConverseReply(reply: Reply): object {
  const content = encodeBlocks(reply, 'bedrock-converse', ENCODERS).map(({ whole }) => whole);
  return {
    metrics: { latencyMs: LATENCY },
    output: { message: { content, role: 'assistant' } },
    stopReason: stopOf(reply),
    usage: encodeUsage(reply),
  };
}

/** The frames of a streamed reply. Blocks of text and of reasoning have no event for their start. */
export function encodeConverseFrames(reply: Reply, split = splitIntoWords): Frame[] {
  const blocks = encodeBlocks(reply, 'bedrock-converse', ENCODERS);
  const metadata = { metrics: { latencyMs: LATENCY }, usage: encodeUsage(reply) };
  return [
    { kind: 'open', bytes: encodeEvent('messageStart', { role: 'assistant' }) },
    ...blockFrames(blocks, reply, split, EVENTS),
    { kind: 'finish', bytes: encodeEvent('messageStop', { stopReason: stopOf(reply) }) },
    { kind: 'close', bytes: encodeEvent('metadata', metadata) },
  ];
}

const EVENTS: BlockEvents = {
  start: (contentBlockIndex, start) => encodeEvent('contentBlockStart', { contentBlockIndex, start }),
  delta: (contentBlockIndex, delta) => encodeEvent('contentBlockDelta', { contentBlockIndex, delta }),
  stop: (contentBlockIndex) => encodeEvent('contentBlockStop', { contentBlockIndex }),
};

const ENCODERS: BlockEncoders = {
  reasoning({ text, encrypted, signature = signThinking(text) }) {
    if (text === '' && encrypted !== undefined) {
      return encodeWhole({ reasoningContent: { redactedContent: encrypted } });
    }
    return {
      whole: { reasoningContent: { reasoningText: { signature, text } } },
      kind: 'reasoning',
      text,
      delta: (piece) => ({ reasoningContent: { text: piece } }),
      lastDeltas: [{ reasoningContent: { signature } }],
    };
  },
  text({ text, citations }) {
    const cited = citations.map(encodeCitation);
    return {
      whole: cited.length === 0 ? { text } : { citationsContent: { citations: cited, content: [{ text }] } },
      kind: 'text',
      text,
      delta: (piece) => ({ text: piece }),
      lastDeltas: cited.map((citation) => ({ citation })),
    };
  },
  call(call) {
    const { id, name, arguments: text } = call;
    const head = { name, toolUseId: id };
    return encodeCall(
      { whole: { input: argumentsObject(call) ?? fieldsOf(text), ...head }, start: head },
      streamedArguments(text),
    );
  },
  serverTool({ name, input, result }, { digest }, index) {
    const id = `tooluse_${digest.slice(0, 21)}${index}`;
    const head = { name, toolUseId: id, type: 'server_tool_use' };
    const call = encodeCall({ whole: { input, ...head }, start: head }, JSON.stringify(input));
    if (result === undefined) return [call];
    const content = [typeof result === 'string' ? { text: result } : { json: result }];
    const answer = { content, status: 'success', toolUseId: id, type: `${name}_result` };
    const start = { toolResult: { status: 'success', toolUseId: id, type: `${name}_result` } };
    return [call, { ...encodeWhole({ toolResult: answer }), start, lastDeltas: [{ toolResult: content }] }];
  },
  raw: encodeWhole,
};

/** A block that a stream has as one delta. */
function encodeWhole(whole: object): EncodedBlock {
  return { whole, kind: 'text', text: '', delta: () => ({}), lastDeltas: [whole] };
}

/** A citation of a page; one that has a type or a location is sent as it is. */
function encodeCitation(citation: JsonObject): JsonObject {
  if (citation['type'] !== undefined || citation['location'] !== undefined) return citation;
  const { url = '', title = '', quote = '' } = citation;
  return { location: { web: { url } }, sourceContent: [{ text: quote }], title };
}

function encodeCall({ whole, start }: { readonly whole: object; readonly start: object }, text: string): EncodedBlock {
  return {
    whole: { toolUse: whole },
    start: { toolUse: start },
    kind: 'arguments',
    text,
    delta: (piece) => ({ toolUse: { input: piece } }),
    ...(text === '' && { lastDeltas: [{ toolUse: { input: '' } }] }),
  };
}

function stopOf(reply: Reply): string {
  const { finish, stopSequence } = reply;
  const native = nativeFinishOf(reply, 'bedrock-converse');
  if (native !== undefined) return native;
  return finish === 'stop' && stopSequence !== undefined ? 'stop_sequence' : STOP[finish];
}

/** The counts of tokens. The cached ones are counted only by themselves, and in the total. */
function encodeUsage({ usage }: Reply) {
  const { inputTokens, cachedTokens, outputTokens } = usage;
  return {
    cacheReadInputTokens: cachedTokens,
    cacheWriteInputTokens: 0,
    inputTokens: inputTokens - cachedTokens,
    outputTokens,
    serverToolUsage: {},
    totalTokens: inputTokens + outputTokens,
  };
}

function encodeEvent(name: string, value: object): string {
  return `data: ${JSON.stringify({ [name]: value })}\n\n`;
}
