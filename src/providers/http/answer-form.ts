import type { Wire } from '../wires.ts';
import { fieldOf, isObject, jsonIn } from './server-error.ts';

const GEMINI_FIELDS = ['candidates', 'promptFeedback', 'usageMetadata'] as const;

/** The values of answers by wire, each by what only they have. The first one that fits counts. */
const FORMS: readonly (readonly [Wire, (value: object) => boolean])[] = [
  ['openai-chat', (value) => Array.isArray(fieldOf(value, 'choices'))],
  ['gemini', (value) => GEMINI_FIELDS.some((field) => isObject(fieldOf(value, field)))],
  ['openai-responses', (value) => kindOf(value).startsWith('response.') || fieldOf(value, 'object') === 'response'],
  ['anthropic-messages', (value) => /^(?:message_(?:start|delta|stop)|content_block_\w+)$/.test(kindOf(value))],
  ['anthropic-messages', (value) => kindOf(value) === 'message' && Array.isArray(fieldOf(value, 'content'))],
  ['ollama-chat', (value) => typeof fieldOf(value, 'done') === 'boolean' && isObject(fieldOf(value, 'message'))],
];

/** The wire that a value of an answer belongs to; `undefined` for one that any wire may have. */
export function wireOf(value: unknown): Wire | undefined {
  return isObject(value) ? FORMS.find(([, fits]) => fits(value))?.[0] : undefined;
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
  if (wireOf(value) !== undefined) return value;
  const held = HOLDERS.map((holder) => fieldOf(value, holder)).map((one) =>
    typeof one === 'string' ? jsonIn(one) : one,
  );
  const answer = held.filter(isObject).find((one) => wireOf(one) !== undefined);
  const usage = fieldOf(value, 'usage');
  return answer === undefined ? value : { ...(usage === undefined ? {} : { usage }), ...answer };
}

function kindOf(value: object): string {
  const kind = fieldOf(value, 'type');
  return typeof kind === 'string' ? kind : '';
}
