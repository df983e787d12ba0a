import type { JsonObject } from '../../conversation/conversation.ts';
import { isSet } from '../checks/fields.ts';
import { fieldOf } from '../checks/gemini.ts';
import { thinkingOf } from '../checks/gemini-thinking.ts';
import { functionsOf } from '../checks/tools.ts';
import { listOf, objectOf, objectsOf, textOf } from '../raw.ts';
import type { RawRequest } from '../service.ts';

/** Finds what a request needs of a model: the name of a parameter, or the index of a message. */
type Find = (request: RawRequest) => string | undefined;

const EXTRA_FIELDS = 'additionalModelRequestFields';
const when =
  (isNeeded: (request: RawRequest) => boolean): Find =>
  (request) =>
    isNeeded(request) ? '' : undefined;
const parameter =
  (...names: readonly string[]): Find =>
  ({ body }) =>
    names.find((name) => isSet(body[name]));

/** The abilities of models: the requests that need them, in words, and as they are found over all protocols. */
export const NEEDS: Readonly<Record<string, readonly [words: string, find: Find]>> = {
  tools: ['tools', when(hasTools)],
  streamedTools: ['tools in a stream', when((request) => request.path.endsWith('-stream') && hasTools(request))],
  system: ['a system prompt', when(hasSystem)],
  picture: ['a picture', pictureIn],
  resultPicture: ['a picture in the result of a call', when(hasResultPicture)],
  textAlone: ['neither a sound nor an answer in sound', when(isTextAlone)],
  effort: ['a reasoning effort', when((request) => isSet(effortOf(request)))],
  thinking: ['`think: true` or a reasoning effort', when(asksToThink)],
  thoughts: ['`includeThoughts: true` without a budget', when(asksForThoughts)],
  json: ['a format of JSON', when(({ body }) => /json/.test(formatOf(body)))],
  'json-schema': ['the format `json_schema`', when(({ body }) => formatOf(body) === 'json_schema')],
  'parallel-calls': ['`parallel_tool_calls`', parameter('parallel_tool_calls')],
  penalties: ['`presence_penalty` and `frequency_penalty`', parameter('presence_penalty', 'frequency_penalty')],
  stop: ['`stop`', parameter('stop')],
  'reasoning-format': ['`reasoning_format`', parameter('reasoning_format')],
  oneCall: ['`parallel_tool_calls: false`', when(({ body }) => body['parallel_tool_calls'] === false)],
  'strict-model': ['strict functions', when((request) => functionsOf(request).some(({ strict }) => strict))],
  novaReasoning: ['`reasoningConfig`', when(({ body }) => isSet(objectOf(body[EXTRA_FIELDS])['reasoningConfig']))],
  responses: ['a request', () => ''],
  leastThinking: ['the thinking level `MINIMAL`', when((request) => /^minimal$/i.test(levelOf(request)))],
};

function hasTools({ protocol, body }: RawRequest): boolean {
  return protocol === 'bedrock-converse' ? isSet(body['toolConfig']) : listOf(body['tools']).length > 0;
}

function hasSystem({ body }: RawRequest): boolean {
  return listOf(body['system']).length > 0 || isSet(fieldOf(body, 'systemInstruction'));
}

function isTextAlone({ body }: RawRequest): boolean {
  const parts = objectsOf(body['messages']).flatMap(({ content }) => objectsOf(content));
  return !listOf(body['modalities']).includes('audio') && !parts.some(({ type }) => type === 'input_audio');
}

function effortOf({ body }: RawRequest): unknown {
  return body['reasoning_effort'] ?? objectOf(body['reasoning'])['effort'];
}

function asksToThink(request: RawRequest): boolean {
  const effort = effortOf(request);
  return (isSet(request.body['think']) && request.body['think'] !== false) || (isSet(effort) && effort !== 'none');
}

function asksForThoughts(request: RawRequest): boolean {
  const thinking = thinkingOf(request);
  return fieldOf(thinking, 'includeThoughts') === true && !fieldOf(thinking, 'thinkingBudget');
}

function levelOf(request: RawRequest): string {
  return textOf(fieldOf(thinkingOf(request), 'thinkingLevel'));
}

function formatOf(body: JsonObject): string {
  const ofGemini = fieldOf(objectOf(fieldOf(body, 'generationConfig')), 'responseMimeType');
  return textOf(objectOf(body['response_format'])['type'] ?? ofGemini);
}

const PICTURES = new Set<unknown>(['image_url', 'input_image', 'image']);

/** The index of the first message or item with a picture, also in a result. */
export function pictureIn({ protocol, body }: Pick<RawRequest, 'protocol' | 'body'>): string | undefined {
  const index = objectsOf(body[protocol === 'openai-responses' ? 'input' : 'messages']).findIndex(hasPicture);
  return index === -1 ? undefined : String(index);
}

function hasPicture({ content, output, images }: JsonObject): boolean {
  const isPicture = (part: JsonObject) => PICTURES.has(part['type']) || isSet(part['image']) || hasPicture(part);
  return listOf(images).length > 0 || [...objectsOf(content), ...objectsOf(output)].some(isPicture);
}

function hasResultPicture({ body }: RawRequest): boolean {
  const blocks = objectsOf(body['messages']).flatMap(({ content }) => objectsOf(content));
  return blocks.some(({ toolResult }) => hasPicture(objectOf(toolResult)));
}
