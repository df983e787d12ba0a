import type { FinishReason, Reply } from '../../conversation/conversation.ts';
import { fieldsOf } from '../anthropic/reply.ts';
import {
  type BlockEncoders,
  type BlockEvents,
  blockFrames,
  type EncodedBlock,
  encodeBlocks,
  encodeWhole,
} from '../blocks/block-frames.ts';
import { openaiCitation } from '../blocks/blocks.ts';
import { argumentsObject } from '../encode.ts';
import { createResponseId } from '../openai/shared.ts';
import { splitIntoWords } from '../pieces.ts';
import type { Frame } from '../wire.ts';

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

export function encodeInteractionFrames(reply: Reply, split = splitIntoWords): Frame[] {
  const { id, object, model } = encodeHead(reply);
  const status = 'in_progress';
  return [
    { kind: 'open', bytes: encodeEvent('interaction.created', { interaction: { id, status, object, model } }) },
    { kind: 'open', bytes: encodeEvent('interaction.status_update', { interaction_id: id, status }) },
    ...blockFrames(encodeSteps(reply), reply, split, EVENTS),
    { kind: 'finish', bytes: encodeEvent('interaction.completed', { interaction: encodeEnd(reply) }) },
    { kind: 'close', bytes: DONE },
  ];
}

/** The last frame of a stream. */
const DONE = 'event: done\ndata: [DONE]\n\n';

const EVENTS: BlockEvents = {
  start: (index, step) => encodeEvent('step.start', { index, step }),
  delta: (index, delta) => encodeEvent('step.delta', { index, delta }),
  stop: (index) => encodeEvent('step.stop', { index }),
};

function encodeSteps(reply: Reply): readonly EncodedBlock[] {
  return encodeBlocks(reply, 'gemini-interactions', ENCODERS);
}

const ENCODERS: BlockEncoders = {
  // A request without summaries gets the signature of a thought alone.
  reasoning({ text, signature: own }, { digest }) {
    const signature = own ?? Buffer.from(digest, 'hex').toString('base64');
    return {
      whole: { signature, ...(text !== '' && { summary: [{ text, type: 'text' }] }), type: 'thought' },
      start: { type: 'thought' },
      kind: 'reasoning',
      text,
      delta: (piece) => ({ content: { text: piece, type: 'text' }, type: 'thought_summary' }),
      lastDeltas: [{ signature, type: 'thought_signature' }],
    };
  },
  text({ text, citations }) {
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
  },
  call(call) {
    const { id, name, arguments: text } = call;
    const head = { id, type: 'function_call', name };
    return {
      whole: { ...head, arguments: argumentsObject(call) ?? fieldsOf(text) },
      start: { ...head, arguments: {} },
      kind: 'arguments',
      text,
      delta: (piece) => ({ arguments: piece, type: 'arguments_delta' }),
    };
  },
  serverTool({ name, input, result }, { digest }, index) {
    const id = `${digest.slice(0, 7)}${index}`;
    const call = encodeWhole({ id, type: `${name}_call`, arguments: input });
    return result === undefined ? [call] : [call, encodeWhole({ call_id: id, type: `${name}_result`, result })];
  },
  raw: encodeWhole,
};

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

function encodeEvent(name: string, fields: object): string {
  return `event: ${name}\ndata: ${JSON.stringify({ ...fields, event_type: name })}\n\n`;
}
