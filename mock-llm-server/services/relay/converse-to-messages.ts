import type { JsonObject } from '../../conversation/conversation.ts';
import { tryJson } from '../../conversation/json.ts';
import { isSet } from '../checks/fields.ts';
import { objectOf, objectsOf, oncePerBody, setFields, textOf } from '../raw.ts';

/** A body of Converse as the service writes it for Claude. */
export const converseToMessages = oncePerBody((body: JsonObject): JsonObject => {
  const { maxTokens, temperature, topP, stopSequences } = objectOf(body['inferenceConfig']);
  const { reasoning_config: older, ...own } = objectOf(body['additionalModelRequestFields']);
  return setFields({
    max_tokens: maxTokens ?? 64_000,
    temperature,
    top_p: topP,
    stop_sequences: stopSequences,
    system: isSet(body['system']) ? writeBlocks(body['system']) : undefined,
    messages: objectsOf(body['messages']).map(({ role, content }) => ({ role, content: writeBlocks(content) })),
    ...writeConverseTools(body),
    thinking: older,
    output_config: writeFormat(body),
    ...own,
  });
});

/** The format of the answer, whose schema is a text here. */
function writeFormat({ outputConfig }: JsonObject): JsonObject | undefined {
  const { type, structure } = objectOf(objectOf(outputConfig)['textFormat']);
  const { schema } = objectOf(objectOf(structure)['jsonSchema']);
  return isSet(schema) ? { format: { type, schema: tryJson(textOf(schema)) } } : undefined;
}

/** The tools of a body and their choice, without the rest of it. */
export function writeConverseTools(body: JsonObject): JsonObject {
  const { tools, toolChoice } = objectOf(body['toolConfig']);
  const list = writeMarked(tools, ({ toolSpec }) => writeTool(objectOf(toolSpec)));
  const { auto, any, tool } = objectOf(toolChoice);
  const named = isSet(tool) ? { type: 'tool', name: objectOf(tool)['name'] } : undefined;
  return setFields({
    tools: list.length === 0 ? undefined : list,
    tool_choice: isSet(auto) ? { type: 'auto' } : isSet(any) ? { type: 'any' } : named,
  });
}

function writeTool({ name, inputSchema, strict }: JsonObject): JsonObject {
  return setFields({ name, input_schema: objectOf(inputSchema)['json'], strict });
}

const writeBlocks = (content: unknown): readonly JsonObject[] => writeMarked(content, writeBlock);

/** The members of a list. A mark for the cache belongs to the one before it. */
function writeMarked(list: unknown, write: (member: JsonObject) => JsonObject): readonly JsonObject[] {
  const members: JsonObject[] = [];
  for (const member of objectsOf(list)) {
    const { type: _type, ...mark } = objectOf(member['cachePoint']);
    const last = members.at(-1);
    if (!isSet(member['cachePoint'])) members.push(write(member));
    else if (last !== undefined)
      members[members.length - 1] = { ...last, cache_control: { type: 'ephemeral', ...mark } };
  }
  return members;
}

function writeBlock({ text, image, toolUse, toolResult, reasoningContent }: JsonObject): JsonObject {
  if (isSet(text)) return { type: 'text', text };
  if (isSet(image)) return { type: 'image', source: writeSource(objectOf(image)) };
  if (isSet(toolUse)) {
    const { toolUseId: id, name, input } = objectOf(toolUse);
    return { type: 'tool_use', id, name, input };
  }
  if (isSet(toolResult)) {
    const { toolUseId, content } = objectOf(toolResult);
    return { type: 'tool_result', tool_use_id: toolUseId, content: writeBlocks(content) };
  }
  const { reasoningText } = objectOf(reasoningContent);
  if (!isSet(reasoningText)) return { type: isSet(reasoningContent) ? 'redacted_thinking' : 'document' };
  const { text: thinking, signature } = objectOf(reasoningText);
  return { type: 'thinking', thinking, signature };
}

function writeSource({ format, source }: JsonObject): JsonObject {
  return { type: 'base64', media_type: `image/${textOf(format)}`, data: objectOf(source)['bytes'] };
}
