/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>;

/** Raw requests for a rule: the refused one, and its nearest neighbour that the service accepts. */
export interface RuleCase {
  /** Without the prefix of the service. */
  readonly path: string;
  readonly refused: Json;
  /** The path of the accepted request, if it differs. */
  readonly acceptedPath?: string;
  readonly accepted: Json;
  /** A part of the message as the service words it. */
  readonly says: string;
  /** Headers of the refused request beside the usual ones; an empty one is left out. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The status of the refusal, 400 by default. */
  readonly status?: number;
}

/** The path of Chat Completions. */
export const CHAT = '/v1/chat/completions';
/** The path of Responses. */
export const RESPONSES = '/v1/responses';
/** The path of Anthropic Messages. */
export const MESSAGES = '/v1/messages';

/** The body of a chat completion that begins with a prompt. */
export function chat(model: string, fields: Json = {}, ...more: readonly Json[]): Json {
  return { model, messages: [user('go'), ...more], ...fields };
}

/** A message of the user. */
export function user(content: unknown = 'go'): Json {
  return { role: 'user', content };
}

/** An answer with calls that have these ids. */
export function calls(ids: readonly string[], fields: Json = {}): Json {
  const tool_calls = ids.map((id) => ({ id, type: 'function', function: { name: 'read', arguments: '{}' } }));
  return { role: 'assistant', content: '', tool_calls, ...fields };
}

/** The result of a call. */
export function result(tool_call_id: string, content: unknown = 'ok'): Json {
  return { role: 'tool', tool_call_id, content };
}

/** A list of functions in the form of Chat Completions. */
export function functions(count: number): readonly Json[] {
  return Array.from({ length: count }, (_, index) => functionTool({}, `tool_${index}`));
}

/** A function in the form of Chat Completions. */
export function functionTool(parameters: Json = {}, name = 'read', fields: Json = {}): Json {
  return {
    type: 'function',
    function: { name, parameters: { type: 'object', properties: {}, ...parameters }, ...fields },
  };
}

/** A case over Chat Completions. */
export function chatCase(
  model: string,
  refused: ChatFields,
  accepted: ChatFields,
  says: string,
  status?: number,
): RuleCase {
  return {
    path: CHAT,
    refused: bodyOf(model, refused),
    accepted: bodyOf(model, accepted),
    says,
    ...(status && { status }),
  };
}

/** A case over Responses. */
export const responses = (model: string, refused: Json, accepted: Json, says: string): RuleCase => ({
  path: RESPONSES,
  refused: { model, input: 'go', ...refused },
  accepted: { model, input: 'go', ...accepted },
  says,
});
/** A case over Messages. */
export const messages = (model: string, refused: Json, accepted: Json, says: string): RuleCase => ({
  path: MESSAGES,
  refused: { model, max_tokens: 2048, messages: [user()], ...refused },
  accepted: { model, max_tokens: 2048, messages: [user()], ...accepted },
  says,
});

/** A history over Messages with a call and a result that have these fields. */
export const calledBefore = (fields: Json = {}, result: Json = { content: 'ok' }): readonly Json[] => [
  user(),
  { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: {}, ...fields }] },
  user([{ type: 'tool_result', tool_use_id: 'toolu_1', ...result }]),
];

/** A history over Messages with a result of this content, and the tool. */
export const resultWith = (content: unknown) => ({
  messages: calledBefore({}, { content }),
  tools: [{ name: 'read', input_schema: { type: 'object', properties: {} } }],
});

/** Fields of a chat completion; `more` are the messages after the prompt, `model` replaces the one of the case. */
export interface ChatFields {
  readonly more?: readonly Json[];
  readonly [field: string]: unknown;
}

function bodyOf(model: string, { more = [], ...fields }: ChatFields): Json {
  return { model, messages: [user('go'), ...more], ...fields };
}

/** An answer with one call that has this id and these arguments, and its result. */
export function callAndResult(id: string, fields: Json = {}, text = '{}'): readonly Json[] {
  const call = { id, type: 'function', function: { name: 'read', arguments: text } };
  return [{ role: 'assistant', content: '', tool_calls: [call], ...fields }, result(id)];
}

/** A picture in a message of the user. */
export const PICTURE = user([
  { type: 'text', text: 'go' },
  { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
]);
