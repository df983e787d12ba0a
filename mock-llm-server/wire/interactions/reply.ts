import type { FinishReason, Reply } from '../../conversation/conversation.ts';
import { fieldsOf } from '../anthropic/reply.ts';
import { blocksOf, type EncodableBlock, openaiCitation } from '../blocks.ts';
import { argumentsObject, pieceFrames, streamIndexes } from '../encode.ts';
import { createResponseId } from '../openai/shared.ts';
import { type PieceKind, splitIntoWords } from '../pieces.ts';
import type { Frame } from '../wire.ts';

/** A step of an answer: its whole, its start in a stream, and the text that follows in deltas. */
interface EncodedStep {
  readonly whole: object;
  readonly start: object;
  readonly kind: PieceKind;
  readonly text: string;
  delta(piece: string): object;
  readonly lastDeltas?: readonly object[];
}

/** Statuses by finish reason. The API has none for a refusal of the model. */
const STATUS: Readonly<Record<FinishReason, string>> = {
  stop: 'completed',
  tool_calls: 'requires_action',
  length: 'incomplete',
  content_filter: 'failed',
  refusal: 'completed',
};

/** The id of an interaction, which a later request can continue. */
export function createInteractionId(reply: Reply): string {
  return createResponseId(reply, 'v1_');
}

/** The body of a reply that is not streamed. */
export function encodeInteraction(reply: Reply): object {
  const { id, status, object, model, ...rest } = encodeEnd(reply);
  return { id, status, ...rest, steps: encodeSteps(reply).map(({ whole }) => whole), object, model };
}

/** The frames of a streamed reply. */
export function encodeInteractionFrames(reply: Reply, split = splitIntoWords): Frame[] {
  const steps = encodeSteps(reply);
  const indexes = streamIndexes(steps.length, reply);
  const stepFrames = steps.flatMap(({ start, kind, text, delta, lastDeltas = [] }, position): readonly Frame[] => {
    const index = indexes[position];
    const encodeDelta = (value: object) => encodeEvent('step.delta', { index, delta: value });
    return [
      control('step.start', { index, step: start }),
      ...pieceFrames(kind, text, split, (piece) => encodeDelta(delta(piece))),
      ...lastDeltas.map((last) => control('step.delta', { index, delta: last })),
      control('step.stop', { index }),
    ];
  });
  const { id, object, model } = encodeHead(reply);
  const status = 'in_progress';
  return [
    { kind: 'open', bytes: encodeEvent('interaction.created', { interaction: { id, status, object, model } }) },
    { kind: 'open', bytes: encodeEvent('interaction.status_update', { interaction_id: id, status }) },
    ...stepFrames,
    { kind: 'finish', bytes: encodeEvent('interaction.completed', { interaction: encodeEnd(reply) }) },
    { kind: 'close', bytes: DONE },
  ];
}

/** The last frame of a stream. */
const DONE = 'event: done\ndata: [DONE]\n\n';

function encodeSteps(reply: Reply): EncodedStep[] {
  return blocksOf(reply, 'gemini-interactions').flatMap((block, index): readonly EncodedStep[] => {
    switch (block.type) {
      case 'reasoning':
        return [encodeThought(block, reply)];
      case 'text':
        return block.text === '' ? [] : [encodeText(block)];
      case 'call': {
        const { id, name, arguments: text } = block.call;
        const input = argumentsObject(block.call) ?? fieldsOf(text);
        return [encodeCall({ id, type: 'function_call', name }, input, text)];
      }
      case 'server_tool':
        return encodeServerTool(block, `${reply.digest.slice(0, 7)}${index}`);
      case 'raw':
        return [encodeWhole(block.item)];
      case 'grounding':
        return [];
      default:
        return block satisfies never;
    }
  });
}

/** A step that a stream has as a whole. */
function encodeWhole(whole: object): EncodedStep {
  return { whole, start: whole, kind: 'text', text: '', delta: () => ({}) };
}

/** A thought, of which a request without summaries gets the signature alone. */
function encodeThought(
  { text, signature: own }: Extract<EncodableBlock, { type: 'reasoning' }>,
  { digest }: Reply,
): EncodedStep {
  const signature = own ?? Buffer.from(digest, 'hex').toString('base64');
  return {
    whole: { signature, ...(text !== '' && { summary: [{ text, type: 'text' }] }), type: 'thought' },
    start: { type: 'thought' },
    kind: 'reasoning',
    text,
    delta: (piece) => ({ content: { text: piece, type: 'text' }, type: 'thought_summary' }),
    lastDeltas: [{ signature, type: 'thought_signature' }],
  };
}

function encodeText({ text, citations }: Extract<EncodableBlock, { type: 'text' }>): EncodedStep {
  const annotations = citations.map((citation) => openaiCitation(citation, text));
  const cited = annotations.length > 0 && { annotations };
  return {
    whole: { content: [{ text, ...cited, type: 'text' }], type: 'model_output' },
    start: { type: 'model_output' },
    kind: 'text',
    text,
    delta: (piece) => ({ text: piece, type: 'text' }),
    lastDeltas: cited === false ? [] : [{ annotations, type: 'text_annotation_delta' }],
  };
}

function encodeCall(head: object, input: object, text: string): EncodedStep {
  return {
    whole: { ...head, arguments: input },
    start: { ...head, arguments: {} },
    kind: 'arguments',
    text,
    delta: (piece) => ({ arguments: piece, type: 'arguments_delta' }),
  };
}

/** The call of a tool that the API runs and, in a step of its own, the result. */
function encodeServerTool(
  { name, input, result }: Extract<EncodableBlock, { type: 'server_tool' }>,
  id: string,
): EncodedStep[] {
  const call = encodeWhole({ id, type: `${name}_call`, arguments: input });
  return result === undefined ? [call] : [call, encodeWhole({ call_id: id, type: `${name}_result`, result })];
}

function encodeHead(reply: Reply) {
  return { id: createInteractionId(reply), object: 'interaction', model: reply.model };
}

/** The interaction at its end, without its steps. */
function encodeEnd(reply: Reply) {
  const { id, object, model } = encodeHead(reply);
  const created = `${new Date(reply.created * 1000).toISOString().slice(0, -'.000Z'.length)}Z`;
  const times = { created, updated: created };
  const status = STATUS[reply.finish];
  return { id, status, usage: encodeUsage(reply), ...times, service_tier: 'standard', object, model };
}

function encodeUsage({ usage }: Reply) {
  const { inputTokens, cachedTokens, outputTokens, reasoningTokens } = usage;
  return {
    total_tokens: inputTokens + outputTokens,
    total_input_tokens: inputTokens,
    input_tokens_by_modality: [{ modality: 'text', tokens: inputTokens }],
    total_cached_tokens: cachedTokens,
    total_output_tokens: outputTokens - reasoningTokens,
    total_tool_use_tokens: 0,
    total_thought_tokens: reasoningTokens,
  };
}

function control(name: string, fields: object): Frame {
  return { kind: 'control', bytes: encodeEvent(name, fields) };
}

function encodeEvent(name: string, fields: object): string {
  return `event: ${name}\ndata: ${JSON.stringify({ ...fields, event_type: name })}\n\n`;
}
