import type { JsonObject, NativeAnswer } from '../../conversation/conversation.ts';
import { isJsonObject, tryJson } from '../../conversation/json.ts';
import { type DecodedBlock, objectIn, objectsIn, textIn } from './decoded-answer.ts';

/** The items of the Responses API that are decoded as calls. */
const CALL_ITEMS = new Set(['function_call', 'custom_tool_call', 'shell_call', 'local_shell_call', 'apply_patch_call']);

/**
 * The blocks of an answer in order; undefined if they say no more than its reasoning, its text and its calls, in this
 * order, or if its protocol has no blocks. Pure.
 */
export function decodeBlocks(native: NativeAnswer | undefined): readonly DecodedBlock[] | undefined {
  const blocks = native === undefined ? [] : readBlocks(native).filter(isSaying);
  return isPlain(blocks) ? undefined : blocks;
}

function readBlocks({ protocol, events, body }: NativeAnswer): DecodedBlock[] {
  switch (protocol) {
    case 'anthropic-messages':
      return (events === undefined ? objectsIn(body['content']) : anthropicContent(events)).map(readAnthropic);
    case 'openai-responses':
      return (events === undefined ? objectsIn(body['output']) : responsesOutput(events)).flatMap(readItem);
    case 'bedrock-converse':
      return (events === undefined ? bedrockContent(body) : bedrockBlocks(events)).map(readBedrock);
    case 'gemini':
      return readGemini(events ?? [body]);
    case 'gemini-interactions':
      return (events === undefined ? objectsIn(body['steps']) : interactionSteps(events)).flatMap(readInteraction);
    case 'openai-chat':
    case 'ollama':
      return [];
    default:
      return protocol satisfies never;
  }
}

/** False for a text without a word. */
function isSaying(block: DecodedBlock): boolean {
  return block.type !== 'text' || block.text !== '' || block.citations.length > 0;
}

/** True for at most one reasoning, then at most one text, then calls. */
function isPlain(blocks: readonly DecodedBlock[]): boolean {
  const order = blocks.map(({ type }) => ['reasoning', 'text', 'call'].indexOf(type));
  return (
    order.every((rank, index) => rank !== -1 && rank >= (order[index - 1] ?? 0)) &&
    order.filter((rank) => rank === 0).length <= 1 &&
    order.filter((rank) => rank === 1).length <= 1 &&
    blocks.every((block) => block.type !== 'text' || block.citations.length === 0)
  );
}

/** The content of a message of Anthropic from its events. */
function anthropicContent(events: readonly JsonObject[]): readonly JsonObject[] {
  const blocks = new Map<unknown, Record<string, unknown>>();
  for (const { type, index, content_block: start, delta } of events) {
    if (type === 'content_block_start') blocks.set(index, { ...objectIn(start) });
    const block = blocks.get(index);
    if (type !== 'content_block_delta' || block === undefined || !isJsonObject(delta)) continue;
    for (const field of ['text', 'thinking', 'signature'] as const) {
      if (typeof delta[field] === 'string') block[field] = `${String(block[field] ?? '')}${delta[field]}`;
    }
    if (typeof delta['partial_json'] === 'string') block['input'] = tryJson(delta['partial_json']) ?? block['input'];
    if (delta['citation'] !== undefined) block['citations'] = [...objectsIn(block['citations']), delta['citation']];
  }
  return [...blocks.values()];
}

function readAnthropic(block: JsonObject): DecodedBlock {
  const { type, text, thinking, signature, data, citations } = block;
  switch (type) {
    case 'text':
      return { type: 'text', text: textIn(text) ?? '', citations: objectsIn(citations) };
    case 'thinking':
      return { type: 'reasoning', text: textIn(thinking) ?? '', signature: textIn(signature), encrypted: undefined };
    case 'redacted_thinking':
      return { type: 'reasoning', text: '', signature: undefined, encrypted: textIn(data) };
    case 'tool_use':
      return { type: 'call' };
    default:
      return { type: 'raw', item: block };
  }
}

function bedrockContent(body: JsonObject): readonly JsonObject[] {
  return objectsIn(objectIn(objectIn(body['output'])['message'])['content']);
}

/** The content of a message of Bedrock from its events. Only blocks of calls and results have a start. */
function bedrockBlocks(events: readonly JsonObject[]): readonly JsonObject[] {
  const blocks = new Map<unknown, Record<string, unknown>>();
  for (const { contentBlockStart, contentBlockDelta } of events) {
    const { contentBlockIndex: index, start, delta } = objectIn(contentBlockStart ?? contentBlockDelta);
    if (index === undefined) continue;
    const block = blocks.get(index) ?? { ...objectIn(start) };
    blocks.set(index, block);
    const { text, reasoningContent, citation } = objectIn(delta);
    if (typeof text === 'string') block['text'] = `${String(block['text'] ?? '')}${text}`;
    if (isJsonObject(reasoningContent)) {
      const { reasoningText } = objectIn(block['reasoningContent']);
      const before = textIn(objectIn(reasoningText)['text']) ?? '';
      const whole = { ...objectIn(reasoningText), ...reasoningContent };
      const reasoning = { ...whole, text: before + (textIn(reasoningContent['text']) ?? '') };
      block['reasoningContent'] = { reasoningText: reasoning, redactedContent: reasoningContent['redactedContent'] };
    }
    if (citation !== undefined) block['citations'] = [...objectsIn(block['citations']), citation];
  }
  return [...blocks.values()];
}

function readBedrock(block: JsonObject): DecodedBlock {
  const { text, toolUse, reasoningContent, citations } = block;
  if (typeof text === 'string') return { type: 'text', text, citations: objectsIn(citations) };
  if (isJsonObject(toolUse) && toolUse['type'] !== 'server_tool_use') return { type: 'call' };
  if (!isJsonObject(reasoningContent)) return { type: 'raw', item: block };
  const { text: reasoning, signature } = objectIn(reasoningContent['reasoningText']);
  const encrypted = textIn(reasoningContent['redactedContent']);
  return { type: 'reasoning', text: textIn(reasoning) ?? '', signature: textIn(signature), encrypted };
}

/** The items of a response from its events: those that are done, or those of the last response. */
function responsesOutput(events: readonly JsonObject[]): readonly JsonObject[] {
  const done = events.flatMap(({ type, item }) => (type === 'response.output_item.done' ? objectsIn([item]) : []));
  return done.length > 0 ? done : objectsIn(objectIn(events.at(-1)?.['response'])['output']);
}

function readItem(item: JsonObject): DecodedBlock[] {
  const { type, content, summary, encrypted_content: encrypted } = item;
  if (type === 'message') {
    return objectsIn(content).map(({ text, refusal, annotations }) => {
      return { type: 'text', text: textIn(text) ?? textIn(refusal) ?? '', citations: objectsIn(annotations) };
    });
  }
  if (type === 'reasoning') {
    const parts = [...objectsIn(summary), ...objectsIn(content)].flatMap(({ text }) => textIn(text) ?? []);
    return [{ type: 'reasoning', text: parts.join('\n\n'), signature: undefined, encrypted: textIn(encrypted) }];
  }
  return CALL_ITEMS.has(String(type)) ? [{ type: 'call' }] : [{ type: 'raw', item }];
}

/** The steps of an interaction from its events. */
function interactionSteps(events: readonly JsonObject[]): readonly JsonObject[] {
  const steps = new Map<unknown, Record<string, unknown>>();
  for (const { event_type: type, index, step: start, delta } of events) {
    if (type === 'step.start') steps.set(index, { ...objectIn(start) });
    const step = steps.get(index);
    if (type !== 'step.delta' || step === undefined || !isJsonObject(delta)) continue;
    const { text, content, signature, annotations } = delta;
    if (typeof text === 'string') step['content'] = [...objectsIn(step['content']), { text }];
    if (isJsonObject(content)) step['summary'] = [...objectsIn(step['summary']), content];
    if (typeof signature === 'string') step['signature'] = signature;
    if (annotations !== undefined) step['content'] = [...objectsIn(step['content']), { annotations }];
  }
  return [...steps.values()];
}

function readInteraction(step: JsonObject): DecodedBlock[] {
  const { type, content, summary, signature } = step;
  if (type === 'function_call') return [{ type: 'call' }];
  if (type === 'thought') {
    const text = objectsIn(summary).map((part) => textIn(part['text']) ?? '');
    return [{ type: 'reasoning', text: text.join(''), signature: textIn(signature), encrypted: undefined }];
  }
  const parts = objectsIn(content);
  // A picture has no text.
  const isText = parts.every((part) => part['type'] === 'text' || part['text'] !== undefined || part['annotations']);
  if (type !== 'model_output' || !isText) return [{ type: 'raw', item: step }];
  const citations = parts.flatMap(({ annotations }) => objectsIn(annotations));
  return [{ type: 'text', text: parts.map(({ text }) => textIn(text) ?? '').join(''), citations }];
}

function readGemini(values: readonly JsonObject[]): DecodedBlock[] {
  const blocks: DecodedBlock[] = [];
  let grounding: JsonObject | undefined;
  for (const value of values) {
    const [candidate = {}] = objectsIn(value['candidates']);
    if (isJsonObject(candidate['groundingMetadata'])) grounding = candidate['groundingMetadata'];
    for (const part of objectsIn(objectIn(candidate['content'])['parts'])) {
      const block = readPart(part);
      const last = blocks.at(-1);
      if (block.type === 'text' && last?.type === 'text') {
        blocks[blocks.length - 1] = { ...last, text: last.text + block.text };
      } else if (block.type === 'reasoning' && last?.type === 'reasoning' && last.signature === undefined) {
        blocks[blocks.length - 1] = { ...block, text: last.text + block.text };
      } else if (block.type !== 'text' || block.text !== '') blocks.push(block);
    }
  }
  const metadata = grounding !== undefined && Object.keys(grounding).length > 0 ? grounding : undefined;
  return metadata === undefined ? blocks : [...blocks, { type: 'grounding', metadata }];
}

function readPart(part: JsonObject): DecodedBlock {
  const { text, thought, functionCall, thoughtSignature } = part;
  if (isJsonObject(functionCall)) return { type: 'call' };
  if (typeof text !== 'string') return { type: 'raw', item: part };
  if (thought !== true) return { type: 'text', text, citations: [] };
  return { type: 'reasoning', text, signature: textIn(thoughtSignature), encrypted: undefined };
}
