import type { ServiceName } from '../../mock-llm-server/conversation/conversation.ts';
import { createScenarioSet } from '../../mock-llm-server/scenario/prepare.ts';
import { createMockServer } from '../../mock-llm-server/server/app.ts';

type Json = Readonly<Record<string, unknown>>;

/** The services that have Chat Completions, with a usual model of each. */
const MODELS: Readonly<Partial<Record<ServiceName, string>>> = {
  openai: 'gpt-4.1',
  azure: 'gpt-4.1',
  gemini: 'gemini-2.5-flash',
  ollama: 'qwen3',
  openrouter: 'openai/gpt-4.1',
  deepseek: 'deepseek-v4-flash',
  moonshot: 'kimi-k2.6',
  zai: 'glm-5.2',
  dashscope: 'qwen3-max',
  mistral: 'mistral-medium-latest',
  groq: 'llama-3.3-70b-versatile',
  cerebras: 'gpt-oss-120b',
  xai: 'grok-4.3',
  together: 'Qwen/Qwen3-Coder-480B-A35B-Instruct-FP8',
  fireworks: 'accounts/fireworks/models/kimi-k2p6',
  copilot: 'gpt-4.1',
  vllm: 'Qwen/Qwen3-8B',
  sglang: 'Qwen/Qwen3-8B',
  llamacpp: 'Qwen3-8B',
  lmstudio: 'qwen/qwen3-8b',
  litellm: 'gpt-4.1',
};

/** Services whose models think unless a request says no, and then need their reasoning back. */
const THINKING: readonly string[] = ['deepseek', 'moonshot'];

const user: Json = { role: 'user', content: 'go' };
const system: Json = { role: 'system', content: 'You help.' };
const answer: Json = { role: 'assistant', content: 'Hi.' };
const parameters = { type: 'object', properties: {} };
const tool = (name = 'read', schema: Json = parameters) => ({
  type: 'function',
  function: { name, parameters: schema },
});
const tools = [tool()];
/** An id that every service takes. */
const ID = 'aB3dE6gH9';
const call = (args: string, id: string) => ({ id, type: 'function', function: { name: 'read', arguments: args } });
const turn = (fields: Json = {}, args = '{}', id = ID): readonly Json[] => [
  { role: 'assistant', content: 'I read.', tool_calls: [call(args, id)], ...fields },
  { role: 'tool', tool_call_id: id, content: 'done' },
];
const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
const messages = (...more: readonly Json[]) => ({ messages: [user, ...more] });
const format = { name: 'out', schema: { ...parameters, required: [], additionalProperties: false } };

/** Requests that agents send, with the rest of the body of a chat completion. */
const FEATURES: readonly (readonly [feature: string, fields: Json])[] = [
  ['a picture', { messages: [{ role: 'user', content: [{ type: 'text', text: 'go' }, picture] }] }],
  ['a message of the role `developer`', { messages: [{ role: 'developer', content: 'You help.' }, user] }],
  ['a system message after the user', messages(answer, system, user)],
  ['no message of the user', { messages: [system, answer] }],
  ['a last message of the assistant', messages(answer)],
  ['an empty answer', messages({ role: 'assistant', content: '' }, user)],
  ['`content: null` beside calls', { tools, ...messages(...turn({ content: null })) }],
  ['arguments that are not JSON', { tools, ...messages(...turn({}, '{"a')) }],
  ['the id `call_1` of a call', { tools, ...messages(...turn({}, '{}', 'call_1')) }],
  ['`reasoning_content` in an answer', { tools, ...messages(...turn({ reasoning_content: 'Hm.' })) }],
  ['a message of the user after a result', { tools, ...messages(...turn(), user) }],
  [
    'parts as a result',
    {
      tools,
      ...messages(turn()[0] ?? {}, { role: 'tool', tool_call_id: ID, content: [{ type: 'text', text: 'done' }] }),
    },
  ],
  ['calls in a request without tools', messages(...turn())],
  ['an empty list of tools', { ...messages(), tools: [] }],
  ['129 tools', { ...messages(), tools: Array.from({ length: 129 }, (_, index) => tool(`tool_${index}`)) }],
  ['a property without a type', { ...messages(), tools: [tool('read', { type: 'object', properties: { a: {} } })] }],
  ['`tool_choice: "required"`', { ...messages(), tools, tool_choice: 'required' }],
  ['a named `tool_choice`', { ...messages(), tools, tool_choice: { type: 'function', function: { name: 'read' } } }],
  ['`tool_choice` without tools', { ...messages(), tool_choice: 'auto' }],
  [
    'the format `json_object`',
    { messages: [{ role: 'user', content: 'go, in JSON' }], response_format: { type: 'json_object' } },
  ],
  ['the format `json_schema`', { ...messages(), response_format: { type: 'json_schema', json_schema: format } }],
  [
    'a format of JSON beside tools',
    {
      messages: [{ role: 'user', content: 'go, in JSON' }],
      tools,
      response_format: { type: 'json_schema', json_schema: format },
    },
  ],
  ['`max_completion_tokens`', { ...messages(), max_completion_tokens: 99 }],
  ['`top_k`', { ...messages(), top_k: 4 }],
  ['`temperature: 0.5`', { ...messages(), temperature: 0.5 }],
  ['`reasoning_effort: "high"`', { ...messages(), reasoning_effort: 'high', thinking: undefined }],
  ['`presence_penalty: 0`', { ...messages(), presence_penalty: 0 }],
];

/** A feature with the services whose answer to it is an error. */
export interface FeatureRow {
  readonly feature: string;
  readonly refusing: readonly string[];
}

/** Tries each feature with each service. */
export async function tryFeatures(): Promise<readonly FeatureRow[]> {
  const app = createMockServer({ scenarios: { ...createScenarioSet([]), defaultResponse: '{}' } });
  const headers = { 'editor-version': 'vscode/1.106.3' };
  const rows: FeatureRow[] = [];
  for (const [feature, fields] of FEATURES) {
    const refusing: string[] = [];
    for (const [service, model] of Object.entries(MODELS)) {
      const thinking = THINKING.includes(service) ? { type: 'disabled' } : undefined;
      const body = JSON.stringify({ model, stream: true, thinking, ...fields });
      const path = `/as/${service}${service === 'azure' ? '/openai' : ''}/v1/chat/completions`;
      const { status, headers: sent } = await app.request(path, { method: 'POST', headers, body });
      // A forced call needs a scenario, which is no matter of the service.
      if (status >= 400 && sent.get('x-mock-rule') !== null) refusing.push(service);
    }
    rows.push({ feature, refusing });
  }
  return rows;
}

/** The table of features and the services that refuse them, for docs/services.md. */
export async function featureTable(): Promise<string> {
  const rows = await tryFeatures();
  return [
    '| Request | Refused by |',
    '| --- | --- |',
    ...rows.map(
      ({ feature, refusing }) => `| ${feature} | ${refusing.map((name) => `\`${name}\``).join(', ') || 'none'} |`,
    ),
    '',
    'DeepSeek and Moonshot AI were asked without thinking. The models:',
    '',
    '| Service | Model |',
    '| --- | --- |',
    ...Object.entries(MODELS).map(([service, model]) => `| \`${service}\` | \`${model}\` |`),
  ].join('\n');
}
