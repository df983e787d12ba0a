import { callAndResult, chat, chatCase, functionTool, type Json, type RuleCase, responses, user } from './case.ts';

const tools = [functionTool()];
const items = (...list: readonly Json[]) => ({ input: [user('go'), ...list] });
const said = (type: string) => ({ role: 'assistant', content: [{ type, text: 'Hi.' }] });
const message = (id: string) => ({ type: 'message', id, ...said('output_text') });
const reasoning = (fields: Json) => ({ type: 'reasoning', id: 'rs_1', summary: [], ...fields });
const AZURE = '/openai/deployments/gpt-4/chat/completions';

/** The cases of parameters and items of OpenAI, Azure and Gemini. */
export const CLOUD_PARAMETER_CASES: Readonly<Record<string, RuleCase>> = {
  'openai/sampling': chatCase(
    'o4-mini',
    { top_p: 0.9 },
    { top_p: 1, presence_penalty: 0 },
    "Unsupported parameter: 'top_p' is not supported with this model.",
  ),
  'openai/parallel-calls': chatCase(
    'o3-mini',
    { tools, parallel_tool_calls: false },
    { tools },
    "Unsupported parameter: 'parallel_tool_calls' is not supported with this model.",
  ),
  'openai/effort': responses(
    'gpt-5.1',
    { reasoning: { effort: 'minimal' } },
    { reasoning: { effort: 'none' } },
    "Unsupported value: 'minimal' is not supported with the 'gpt-5.1' model. Supported values are: 'none', 'low', 'medium', and 'high'.",
  ),
  'openai/combination': chatCase(
    'gpt-4o',
    { stream_options: { include_usage: true } },
    { stream_options: { include_usage: true }, stream: true },
    "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
  ),
  'openai/empty-tools': chatCase('gpt-4o', { tools: [] }, {}, "[] is too short - 'tools'"),
  'openai/repeated-item': responses(
    'gpt-4o',
    items(message('msg_4'), user('and?'), message('msg_4')),
    items(message('msg_4'), user('and?'), message('msg_5')),
    'Duplicate item found with id msg_4. Remove duplicate items from your input and try again.',
  ),
  'openai/unstored-item': {
    ...responses(
      'gpt-5',
      { store: false, ...items(reasoning({}), message('msg_1'), user('and?')) },
      { store: false, ...items(reasoning({ encrypted_content: 'gAAAAABo' }), message('msg_1'), user('and?')) },
      "Item with id 'rs_1' not found. Items are not persisted when `store` is set to false.",
    ),
    status: 404,
  },
  'azure/path': {
    path: '/chat/completions',
    refused: chat('own-model'),
    acceptedPath: `${AZURE}?api-version=2024-10-21`,
    accepted: chat('own-model'),
    says: 'Resource not found',
    status: 404,
  },
  'openai/unknown-argument': {
    path: '/v1/chat/completions',
    refused: chat('own-model', { tool_choise: 'auto' }),
    accepted: chat('own-model', { temperature: 0 }),
    says: "Unknown parameter: 'tool_choise'. Did you mean 'tool_choice'?",
  },
  'azure/api-version': {
    path: `${AZURE}?api-version=2023-05-15`,
    refused: chat('gpt-4', { tools }),
    accepted: chat('gpt-4', { temperature: 0 }),
    says: 'Unrecognized request argument supplied: tools',
  },
  'gemini/no-budget': thinking(
    'gemini-2.5-pro',
    { thinkingBudget: 0 },
    { thinkingBudget: 128 },
    'Budget 0 is invalid.',
  ),
  'gemini/gemma-budget': thinking(
    'gemma-4-31b-it',
    { thinkingBudget: 1024 },
    { includeThoughts: false },
    'Thinking budget is not supported for this model.',
  ),
  'gemini/thinking-level': thinking(
    'gemini-2.5-flash',
    { thinkingLevel: 'high' },
    { thinkingBudget: 0 },
    'Thinking level is not supported for this model.',
  ),
  'gemini/chat-signature': {
    ...chatCase(
      'gemini-3.1-pro-preview',
      { tools, more: callAndResult('function-call-1') },
      { tools, more: signed('function-call-1') },
      'Function call is missing a thought_signature in functionCall parts.',
    ),
    path: '/v1beta/openai/chat/completions',
  },
};

function thinking(model: string, refused: Json, accepted: Json, says: string): RuleCase {
  const body = (thinkingConfig: Json) => ({
    contents: [{ role: 'user', parts: [{ text: 'x' }] }],
    generationConfig: { thinkingConfig },
  });
  return { path: `/v1beta/models/${model}:generateContent`, refused: body(refused), accepted: body(accepted), says };
}

/** A call with its signature, and its result. */
function signed(id: string): readonly Json[] {
  const call = { id, type: 'function', function: { name: 'read', arguments: '{}' } };
  const extra_content = { google: { thought_signature: 'c2lnbmVk' } };
  return [
    { role: 'assistant', content: '', tool_calls: [{ ...call, extra_content }] },
    { role: 'tool', tool_call_id: id, content: 'ok' },
  ];
}

/** The cases of gateways. */
export const GATEWAY_CASES: Readonly<Record<string, RuleCase>> = {
  'copilot/model-prefix': chatCase(
    'copilot/claude-sonnet-4.5',
    {},
    { model: 'claude-sonnet-4.5' },
    'The requested model is not supported.',
  ),
  'openrouter/model-without-tools': {
    ...chatCase(
      'deepseek/deepseek-r1:free',
      { tools },
      {},
      'No endpoints found that support tool use. Try disabling "read". To learn more about provider routing',
      404,
    ),
    path: '/api/v1/chat/completions',
  },
  'openrouter/mandatory-reasoning': {
    ...chatCase(
      'minimax/minimax-m2.5',
      { reasoning: { enabled: false } },
      { reasoning: { effort: 'low' } },
      'Reasoning is mandatory for this endpoint and cannot be disabled.',
    ),
    path: '/api/v1/chat/completions',
  },
  'litellm/unsupported-parameter': chatCase(
    'zai/glm-4.5-flash',
    { thinking: { type: 'enabled' }, seed: 1 },
    { thinking: { type: 'enabled' }, n: 1, allowed_openai_params: ['thinking'] },
    "litellm.UnsupportedParamsError: zai does not support parameters: ['seed', 'thinking'], for model=glm-4.5-flash.",
  ),
};
