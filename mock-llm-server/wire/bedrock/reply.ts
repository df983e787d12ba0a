import type { FinishReason, JsonObject, Reply } from '../../conversation/conversation.ts';
import { nativeFinishOf } from '../../conversation/native-finish.ts';
import { fieldsOf, signThinking } from '../anthropic/reply.ts';
import { blocksOf, type EncodableBlock } from '../blocks.ts';
import { argumentsObject, pieceFrames, streamIndexes } from '../encode.ts';
import { type PieceKind, splitIntoWords } from '../pieces.ts';
import type { Frame } from '../wire.ts';

/** A content block: its whole, its start in a stream if it has one, and the text that follows in deltas. */
interface EncodedBlock {
  readonly whole: object;
  readonly start?: object;
  readonly kind: PieceKind;
  readonly text: string;
  delta(piece: string): object;
  readonly lastDeltas?: readonly object[];
}

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
  const content = encodeBlocks(reply).map(({ whole }) => whole);
  return {
    metrics: { latencyMs: LATENCY },
    output: { message: { content, role: 'assistant' } },
    stopReason: stopOf(reply),
    usage: encodeUsage(reply),
  };
}

/** The frames of a streamed reply. Blocks of text and of reasoning have no event for their start. */
export function encodeConverseFrames(reply: Reply, split = splitIntoWords): Frame[] {
  const blocks = encodeBlocks(reply);
  const indexes = streamIndexes(blocks.length, reply);
  const blockFrames = blocks.flatMap(({ start, kind, text, delta, lastDeltas = [] }, position): readonly Frame[] => {
    const contentBlockIndex = indexes[position];
    const encodeDelta = (value: object) => encodeEvent('contentBlockDelta', { contentBlockIndex, delta: value });
    return [
      ...(start === undefined ? [] : [control('contentBlockStart', { contentBlockIndex, start })]),
      ...pieceFrames(kind, text, split, (piece) => encodeDelta(delta(piece))),
      ...lastDeltas.map((last) => control('contentBlockDelta', { contentBlockIndex, delta: last })),
      control('contentBlockStop', { contentBlockIndex }),
    ];
  });
  const metadata = { metrics: { latencyMs: LATENCY }, usage: encodeUsage(reply) };
  return [
    { kind: 'open', bytes: encodeEvent('messageStart', { role: 'assistant' }) },
    ...blockFrames,
    { kind: 'finish', bytes: encodeEvent('messageStop', { stopReason: stopOf(reply) }) },
    { kind: 'close', bytes: encodeEvent('metadata', metadata) },
  ];
}

function encodeBlocks(reply: Reply): EncodedBlock[] {
  return blocksOf(reply, 'bedrock-converse').flatMap((block, index): readonly EncodedBlock[] => {
    switch (block.type) {
      case 'reasoning':
        return [encodeReasoning(block)];
      case 'text':
        // The API never sends an empty text block.
        return block.text === '' ? [] : [encodeText(block)];
      case 'call': {
        const { id, name, arguments: text } = block.call;
        const head = { name, toolUseId: id };
        const input = argumentsObject(block.call) ?? fieldsOf(text);
        return [encodeCall({ whole: { input, ...head }, start: head }, text)];
      }
      case 'server_tool':
        return encodeServerTool(block, `tooluse_${reply.digest.slice(0, 21)}${index}`);
      case 'raw':
        return [encodeWhole(block.item)];
      case 'grounding':
        return [];
      default:
        return block satisfies never;
    }
  });
}

/** A block that a stream has as one delta. */
function encodeWhole(whole: object): EncodedBlock {
  return { whole, kind: 'text', text: '', delta: () => ({}), lastDeltas: [whole] };
}

function encodeReasoning(block: Extract<EncodableBlock, { type: 'reasoning' }>): EncodedBlock {
  const { text, encrypted, signature = signThinking(text) } = block;
  if (text === '' && encrypted !== undefined) return encodeWhole({ reasoningContent: { redactedContent: encrypted } });
  return {
    whole: { reasoningContent: { reasoningText: { signature, text } } },
    kind: 'reasoning',
    text,
    delta: (piece) => ({ reasoningContent: { text: piece } }),
    lastDeltas: [{ reasoningContent: { signature } }],
  };
}

function encodeText({ text, citations }: Extract<EncodableBlock, { type: 'text' }>): EncodedBlock {
  const cited = citations.map(encodeCitation);
  return {
    whole: cited.length === 0 ? { text } : { citationsContent: { citations: cited, content: [{ text }] } },
    kind: 'text',
    text,
    delta: (piece) => ({ text: piece }),
    lastDeltas: cited.map((citation) => ({ citation })),
  };
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
  };
}

/** The call of a tool that the service runs and, in a block of its own, the result. */
function encodeServerTool(
  { name, input, result }: Extract<EncodableBlock, { type: 'server_tool' }>,
  id: string,
): EncodedBlock[] {
  const head = { name, toolUseId: id, type: 'server_tool_use' };
  const call = encodeCall({ whole: { input, ...head }, start: head }, JSON.stringify(input));
  if (result === undefined) return [call];
  const content = [typeof result === 'string' ? { text: result } : { json: result }];
  const answer = { content, status: 'success', toolUseId: id, type: `${name}_result` };
  const start = { toolResult: { status: 'success', toolUseId: id, type: `${name}_result` } };
  const whole = encodeWhole({ toolResult: answer });
  return [call, { ...whole, start, lastDeltas: [{ toolResult: content }] }];
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

function control(name: string, value: object): Frame {
  return { kind: 'control', bytes: encodeEvent(name, value) };
}

function encodeEvent(name: string, value: object): string {
  return `data: ${JSON.stringify({ [name]: value })}\n\n`;
}
