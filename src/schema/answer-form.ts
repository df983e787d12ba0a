/** The names of the wires, whose answers differ in their form, in messages. */
export const WIRE_TITLES = {
  'openai-chat': 'Chat Completions',
  'openai-responses': 'Responses',
  'anthropic-messages': 'Messages',
  gemini: 'Gemini',
  'ollama-chat': 'Ollama',
} as const;

type AnswerWire = keyof typeof WIRE_TITLES;

const GEMINI_FIELDS = ['candidates', 'promptFeedback', 'usageMetadata'] as const;

/** The values of answers by wire, each by what only they have. The first one that fits counts. */
const FORMS: readonly (readonly [AnswerWire, (value: object) => boolean])[] = [
  ['openai-chat', (value) => Array.isArray(at(value, 'choices'))],
  ['gemini', (value) => GEMINI_FIELDS.some((field) => isObject(at(value, field)))],
  ['openai-responses', (value) => kindOf(value).startsWith('response.') || at(value, 'object') === 'response'],
  ['anthropic-messages', (value) => /^(?:message_(?:start|delta|stop)|content_block_\w+)$/.test(kindOf(value))],
  ['anthropic-messages', (value) => kindOf(value) === 'message' && Array.isArray(at(value, 'content'))],
  ['ollama-chat', (value) => typeof at(value, 'done') === 'boolean' && isObject(at(value, 'message'))],
];

/** The wire that a value of an answer belongs to; `undefined` for one that any wire may have. */
export function answerWireOf(value: object): AnswerWire | undefined {
  return FORMS.find(([, fits]) => fits(value))?.[0];
}

/** The fields in which gateways hold the answer of the service behind them, as an object or as its JSON. */
const HOLDERS = [
  'data', // ClinePass
  'result', // Cloudflare Workers AI
  'body', // AWS Lambda
  'output', // DashScope
  'response', // Google Code Assist
] as const;

/** The answer within a value of a gateway, with the counts beside it; any other value as it is. */
export function unwrapped(value: object): object {
  if (answerWireOf(value) !== undefined) return value;
  const held = HOLDERS.map((holder) => at(value, holder)).map((one) => (typeof one === 'string' ? json(one) : one));
  const answer = held.filter(isObject).find((one) => answerWireOf(one) !== undefined);
  const usage = at(value, 'usage');
  return answer === undefined ? value : { ...(usage === undefined ? {} : { usage }), ...answer };
}

/** The data with which a server ends a stream. */
const END = /^"?\[?DONE\]?"?$/i;

/** True for the data with which servers end their streams. */
export function isEndMark(text: string): boolean {
  return END.test(text);
}

/** Data with which servers keep a connection open. Comments that a gateway sends as data are among them. */
const HEARTBEAT =
  /^(?::.*|"?\[?(?:ping|pong|heartbeat|keep-?alive|(?:openrouter )?processing|connected|waiting|queued|ok)\]?[.!]*"?)$/i;

/** Plain text, which is neither the beginning of JSON nor binary. */
const WORDS = /^(?=[\s\S]*\p{L}{2})[^[{"\p{Cc}\ufffd](?:[^\p{Cc}\ufffd]|\s)*$/u;

/** True for plain text in the place of JSON. */
export function isPlainText(text: string): boolean {
  return WORDS.test(text);
}

/**
 * The texts in the data of an event or a line, each of which is JSON, the mark of the end or something else; none for data
 * that only keeps a connection open. Some servers do not part their values, and some gateways frame the frames of another
 * server once more.
 */
export function textsInData(data: string): readonly string[] {
  const lines = data.split('\n');
  const isOne = lines.length === 1 || lines.slice(0, 1).every((line) => json(line) === undefined);
  return (isOne ? [data] : lines)
    .map((text) => text.trim().replace(/^(?:data:\s*)+/, ''))
    .filter((text) => text !== '' && !HEARTBEAT.test(text))
    .flatMap(apart);
}

/** The maximum number of pieces that are tried; more are no values of an answer. */
const MAX_APART = 100;

/** The objects of a text in which they follow each other without a line break; any other text as it is. */
function apart(text: string): readonly string[] {
  const pieces = text.split(/(?<=\})(?=\{)/);
  if (pieces.length === 1 || pieces.length > MAX_APART || json(text) !== undefined) return [text];
  const objects: string[] = [];
  let object = '';
  for (const piece of pieces) {
    object += piece;
    if (json(object) === undefined) continue;
    objects.push(object);
    object = '';
  }
  return object === '' ? objects : [text];
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** True for an object or an array. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function at(value: object, field: string): unknown {
  return Reflect.get(value, field);
}

function kindOf(value: object): string {
  return String(at(value, 'type'));
}
