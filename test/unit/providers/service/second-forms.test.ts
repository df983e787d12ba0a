import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../../../src/agent/ports/language-model.ts';
import type { Message } from '../../../../src/agent/ports/messages.ts';
import type { FetchRequest } from '../../../../src/providers/http/fetch-stream.ts';
import { inServiceForm } from '../../../../src/providers/service/in-service-form.ts';
import { nearestEffort } from '../../../../src/providers/service/nearest-effort.ts';
import type { ServiceRules } from '../../../../src/providers/service/service-rules.ts';
import { rulesFor } from '../../../../src/providers/service/services.ts';
import type { WireOptions } from '../../../../src/providers/wire-options.ts';
import { loadWire, type Wire } from '../../../../src/providers/wires.ts';
import { collect, failureOf } from '../../../support/contracts/language-model.ts';
import { createManualClock } from '../../../support/fakes/manual-clock.ts';
import type { ScriptedAnswer } from '../../../support/fakes/scripted-model.ts';
import { anthropicAnswer } from '../../../support/wires/anthropic-wire.ts';
import { wireAnswer } from '../../../support/wires/chat-completion-wire.ts';
import { geminiAnswer } from '../../../support/wires/gemini-wire.ts';
import { ollamaAnswer } from '../../../support/wires/ollama-wire.ts';
import { responsesAnswer } from '../../../support/wires/responses-wire.ts';

const never = new AbortController().signal;
const ANSWERS: Readonly<Record<Wire, (answer: ScriptedAnswer, path: string) => Response>> = {
  'openai-chat': wireAnswer,
  'openai-responses': responsesAnswer,
  'anthropic-messages': anthropicAnswer,
  gemini: geminiAnswer,
  'ollama-chat': ollamaAnswer,
};

interface Setting extends Partial<Pick<WireOptions, 'temperature' | 'reasoningEffort' | 'maxTokens'>> {
  readonly wire?: Wire;
  readonly model?: string;
  readonly rules?: Partial<ServiceRules>;
}

/** A model whose server refuses the first requests with these errors, and the bodies that it got. */
async function refusing(setting: Setting, ...refusals: readonly (readonly [status: number, body: object | string])[]) {
  const { wire = 'openai-chat', model = 'm', rules = {}, ...settings } = setting;
  const bodies: string[] = [];
  const left = [...refusals];
  const fetch = async (url: string, { body }: FetchRequest) => {
    const path = new URL(url).pathname;
    if (wire === 'ollama-chat' && path !== '/v1/api/chat')
      return new Response('{}', { headers: { 'content-type': 'application/json' } });
    bodies.push(body ?? '');
    const refusal = left.shift();
    if (refusal === undefined) return ANSWERS[wire]({ text: 'Yes.' }, path);
    const text = typeof refusal[1] === 'string' ? refusal[1] : JSON.stringify(refusal[1]);
    return new Response(text, { status: refusal[0], headers: { 'content-type': 'application/json' } });
  };
  const options: WireOptions = {
    provider: 'acme',
    label: 'The server',
    endpoint: 'http://localhost/v1',
    model,
    maxTokens: 32_000,
    timeoutMs: 60_000,
    clock: createManualClock(),
    fetch,
    ...settings,
  };
  const created = inServiceForm(
    await loadWire(wire),
    options,
    { ...rulesFor(wire, options.endpoint, model), ...rules },
    async () => options.maxTokens,
  );
  return { model: created, bodies };
}

const user = (content: string): Message => ({ role: 'user', content });
const stateOf = (wire: Wire, items: readonly object[]) =>
  ({ model: `acme/${wire}/m`, items: JSON.parse(JSON.stringify(items)) }) as const;
const called = (wire: Wire, items: readonly object[] = []): Message => ({
  role: 'assistant',
  content: '',
  toolCalls: [{ id: 'call_1', name: 'read_file', arguments: '{}' }],
  ...(items.length > 0 && { providerState: stateOf(wire, items) }),
});
const result: Message = { role: 'tool', toolCallId: 'call_1', content: 'text', isError: false };
const tool = (name: string) => ({
  name,
  description: name,
  parameters: { type: 'object', properties: {} },
  effect: 'read' as const,
});
const asks = (wire: Wire, items: readonly object[] = [], more: readonly Message[] = []): ModelRequest => ({
  system: 'Be brief.',
  messages: [user('go'), called(wire, items), result, ...more],
  tools: [tool('read_file'), tool('fancy_tool')],
});
const reasoned = [{ type: 'message_fields', fields: { reasoning_content: 'hm' } }];

interface Row extends Setting {
  readonly name: string;
  /** A public report that has the words. */
  readonly source: string;
  readonly status?: number;
  readonly error: object | string;
  readonly request?: ModelRequest;
  /** In the first request and not in the second, or the other way round. */
  readonly before?: string;
  readonly after?: string;
}

const openAi = (message: string, code: string | null = null) => ({
  error: { message, type: 'invalid_request_error', param: null, code },
});

const claude = (message: string) => ({ type: 'error', error: { type: 'invalid_request_error', message } });
const google = (message: string) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } });
const vllm = (message: string) => ({ object: 'error', message, type: 'BadRequestError', code: 400 });
const llamaCpp = (message: string) => ({ error: { code: 500, message, type: 'server_error' } });

/** A request whose call has this id. */
function withId(id: string): ModelRequest {
  const messages: readonly Message[] = [
    user('go'),
    { role: 'assistant', content: '', toolCalls: [{ id, name: 'read_file', arguments: '{}' }] },
    { role: 'tool', toolCallId: id, content: 'text', isError: false },
  ];
  return { ...asks('openai-chat'), messages };
}

/** A tool with a keyword that tells the model little. */
const FORMATTED = {
  ...tool('fancy_tool'),
  parameters: { type: 'object', properties: { url: { type: 'string', format: 'uri' } } },
};

const ROWS: readonly Row[] = [
  {
    name: 'Cerebras refuses reasoning_content',
    source: 'https://github.com/QwenLM/qwen-code/issues/11045',
    error: {
      message:
        "messages.2.assistant.reasoning_content: property 'messages.2.assistant.reasoning_content' is unsupported",
      type: 'invalid_request_error',
      param: 'validation_error',
      code: 'wrong_api_format',
    },
    request: asks('openai-chat', reasoned),
    before: '"reasoning_content":"hm"',
  },
  {
    name: 'DeepSeek behind a gateway wants reasoning back by another name',
    source: 'https://github.com/lidge-jun/opencodex/issues/5421',
    error: { error: { message: 'The reasoning_text in the thinking mode must be passed back to the API.' } },
    request: asks('openai-chat'),
    after: '"reasoning_content":""',
  },
  {
    name: 'Bedrock refuses thinking without a signature',
    source: 'https://github.com/can1357/oh-my-pi/pull/10486',
    wire: 'anthropic-messages',
    error: {
      type: 'error',
      error: {
        type: 'ValidationException',
        message: 'The model returned the following errors: messages.1.content.0.thinking.signature: Field required',
      },
    },
    request: asks('anthropic-messages', [{ type: 'thinking', thinking: 'hm', signature: '' }, { type: 'call_place' }]),
    before: '"thinking":"hm"',
  },
  {
    name: 'Moonshot counts an empty text as missing',
    source: 'https://github.com/continuedev/continue/pull/11806',
    rules: { missingReasoning: '' },
    error: openAi('thinking is enabled but reasoning_content is missing in assistant tool call message at index 2'),
    before: '"reasoning_content":""',
    after: '"reasoning_content":" "',
  },
  {
    name: 'OpenAI does not know encrypted reasoning any more',
    source: 'https://github.com/openai/codex/issues/8119',
    wire: 'openai-responses',
    error: openAi('The encrypted content gAAA...c90= could not be verified.', 'invalid_encrypted_content'),
    request: asks('openai-responses', [{ type: 'reasoning', summary: [], encrypted_content: 'gAAAc90=' }]),
    before: 'gAAAc90=',
  },
  {
    name: 'a model without encrypted reasoning',
    source: 'https://github.com/openai/openai-agents-python/issues/1129',
    wire: 'openai-responses',
    error: openAi('Encrypted content is not supported with this model.'),
    before: 'reasoning.encrypted_content',
  },
  {
    name: 'Anthropic refuses a signature',
    source: 'https://github.com/anthropics/claude-code/issues/10199',
    wire: 'anthropic-messages',
    error: claude('messages.1.content.0: Invalid `signature` in `thinking` block'),
    request: asks('anthropic-messages', [{ type: 'thinking', thinking: 'hm', signature: 'EqQB' }]),
    before: 'EqQB',
  },
  {
    name: 'Gemini refuses a signature',
    source: 'https://github.com/diegosouzapw/OmniRoute/issues/1410',
    wire: 'gemini',
    model: 'm',
    error: google('Thought signature is not valid'),
    request: asks('gemini', [{ call: 0, thoughtSignature: 'CtkB' }]),
    before: 'CtkB',
  },
  {
    name: 'max_completion_tokens instead of max_tokens',
    source: 'https://github.com/langchain-ai/langchain/issues/25888',
    error: openAi(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      'unsupported_parameter',
    ),
    before: '"max_tokens"',
    after: '"max_completion_tokens"',
  },
  {
    name: 'max_tokens instead of max_completion_tokens',
    source: 'https://github.com/editor-code-assistant/eca/issues/231',
    rules: { limitName: 'max_completion_tokens' },
    status: 422,
    error: {
      detail: [
        {
          type: 'extra_forbidden',
          loc: ['body', 'max_completion_tokens'],
          msg: 'Extra inputs are not permitted',
          input: 32000,
        },
      ],
    },
    before: '"max_completion_tokens"',
    after: '"max_tokens"',
  },
  {
    name: 'temperature on a reasoning model of OpenAI',
    source: 'https://github.com/openai/openai-python/issues/2072',
    temperature: 0.2,
    error: openAi(
      "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
      'unsupported_value',
    ),
    before: '"temperature"',
  },
  {
    name: 'temperature on a newer Claude',
    source: 'https://platform.claude.com/docs/en/about-claude/models/whats-new',
    wire: 'anthropic-messages',
    temperature: 0.2,
    error: claude('`temperature` is deprecated for this model.'),
    before: '"temperature"',
  },
  {
    name: 'the highest effort of a model that has lower ones',
    source: 'https://github.com/microsoft/vscode/issues/301045',
    reasoningEffort: 'high',
    error: openAi(
      "Unsupported value: 'high' is not supported with the 'gpt-5-mini' model. Supported values are: 'minimal', 'low', and 'medium'.",
    ),
    before: '"reasoning_effort":"high"',
    after: '"reasoning_effort":"medium"',
  },
  {
    name: 'no effort on a model that always reasons',
    source: 'https://github.com/mistralai/mistral-vibe/issues/1117',
    reasoningEffort: 'none',
    status: 422,
    error: {
      detail: [
        {
          loc: ['body', 'reasoning_effort'],
          msg: "Input should be 'minimal', 'low', 'medium' or 'high'",
          input: 'none',
        },
      ],
    },
    after: '"reasoning_effort":"minimal"',
  },
  {
    name: 'a low effort over Responses',
    source: 'https://github.com/CortexReach/memory-lancedb-pro/issues/201',
    wire: 'openai-responses',
    reasoningEffort: 'low',
    error: openAi(
      "Unsupported value: 'low' is not supported with the 'gpt-5.1' model. Supported values are: 'none', 'medium', and 'high'.",
    ),
    after: '"effort":"medium"',
  },
  {
    name: 'thinking on a model of Ollama',
    source: 'https://github.com/ollama/ollama/issues/10960',
    wire: 'openai-chat',
    reasoningEffort: 'high',
    error: openAi('"qwen2.5:7b" does not support thinking'),
    before: '"reasoning_effort"',
  },
  {
    name: 'tools beside reasoning over chat completions',
    source: 'https://github.com/anomalyco/opencode/issues/16488',
    error: openAi(
      "Function tools with reasoning_effort are not supported for gpt-5.4 in /v1/chat/completions. Please use /v1/responses or set reasoning_effort to 'none'.",
    ),
    after: '"reasoning_effort":"none"',
  },
  {
    name: 'stream_options',
    source: 'https://github.com/BerriAI/litellm/issues/5440',
    error: {
      detail: [{ type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' }],
    },
    before: '"stream_options"',
  },
  {
    name: 'ids of Mistral',
    source: 'https://github.com/anomalyco/opencode/issues/1680',
    error: {
      object: 'error',
      message: 'Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.',
      type: 'invalid_function_call',
      param: null,
      code: '3280',
    },
    before: '"call_1"',
    after: '"c00000001"',
  },
  {
    name: 'a template that joins texts',
    source: 'https://github.com/brontoguana/krasis/issues/10',
    status: 500,
    error:
      'Chat template failed: Template render failed: invalid operation: tried to use + operator on unsupported types string and sequence (in chat:98)',
    request: asks('openai-chat', [], [user('more'), user('and more')]),
    after: '"content":"more\\n\\nand more"',
  },
  {
    name: 'Azure, a content that must be a text',
    source: 'https://github.com/danny-avila/LibreChat/issues/3111',
    error: openAi("Invalid type for 'messages[0].content': expected a string, but got an array instead"),
    request: asks('openai-chat', [], [user('more'), user('and more')]),
    after: '"content":"more\\n\\nand more"',
  },
  {
    name: 'a null content',
    source: 'https://github.com/docker/docker-agent/issues/63',
    error: openAi("Invalid value for 'content': expected a string, got null."),
    before: '"content":null',
    after: '"content":""',
  },
  {
    name: 'a message of the user behind a result on Mistral',
    source: 'https://github.com/aaif-goose/goose/issues/5998',
    error: {
      object: 'error',
      message: "Unexpected role 'user' after role 'tool'",
      type: 'invalid_request_message_order',
      param: null,
      code: '3230',
    },
    request: asks('openai-chat', [], [user('remember')]),
    after: '{"role":"assistant","content":"I have read the results."},{"role":"user","content":"remember"}',
  },
  {
    name: 'a system message that is not the first',
    source: 'https://github.com/vllm-project/vllm/issues/41114',
    error: vllm('System message must be at the beginning.'),
    request: asks('openai-chat', [], [{ role: 'user', content: 'file', file: 'a.md', reminder: true }, user('look')]),
    before: '{"role":"system","content":"file"}',
    after: 'file\\n\\nlook',
  },
  {
    name: 'a schema that OpenAI refuses, by the name of the tool',
    source: 'https://github.com/digitalocean-labs/mcp-digitalocean/issues/265',
    error: openAi(
      "Invalid schema for function 'fancy_tool': In context=('properties', 'AppSlugs'), array schema missing items.",
      'invalid_function_parameters',
    ),
    before: 'fancy_tool',
  },
  {
    name: 'a schema that Anthropic refuses, by its number',
    source: 'https://github.com/anthropics/claude-code/issues/586',
    wire: 'anthropic-messages',
    error: claude(
      'tools.1.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12).',
    ),
    before: 'fancy_tool',
  },
  {
    name: 'a schema that Gemini refuses, by its number',
    source: 'https://github.com/anomalyco/opencode/issues/11889',
    wire: 'gemini',
    error: google(
      '* GenerateContentRequest.tools[0].function_declarations[1].parameters.properties[x].items: missing field.',
    ),
    before: 'fancy_tool',
  },
  {
    name: 'more tools than OpenAI takes',
    source: 'https://github.com/cgoinglove/better-chatbot/issues/197',
    error: openAi(
      "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 130 instead.",
    ),
    request: { ...asks('openai-chat'), tools: Array.from({ length: 130 }, (_, index) => tool(`tool${index}`)) },
    before: 'tool128',
  },
  {
    name: 'too many tools, without a number',
    source: 'https://github.com/microsoft/vscode/issues/290356',
    error: openAi('You may not include that many tools: too many tools in this request.'),
    request: { ...asks('openai-chat'), tools: Array.from({ length: 130 }, (_, index) => tool(`tool${index}`)) },
    before: 'tool128',
  },
  {
    name: 'prompt and answer together too large for Anthropic',
    source: 'https://github.com/continuedev/continue/issues/6080',
    wire: 'anthropic-messages',
    error: claude(
      'input length and `max_tokens` exceed context limit: 188240 + 32000 > 200000, decrease input length or `max_tokens` and try again',
    ),
    after: '"max_tokens":11760',
  },
  {
    name: 'the same over Responses',
    source: 'https://github.com/microsoft/vscode/issues/261232',
    wire: 'openai-responses',
    error: openAi('Your organization must be verified to stream this model. Please go to: https://…'),
    before: '"stream":true',
    after: '"stream":false',
  },
  {
    name: 'a model of OpenAI that does not stream',
    source: 'https://github.com/didalgolab/ai-intellij-plugin/issues/33',
    error: openAi(
      "Unsupported value: 'stream' does not support true with this model. Only the default (false) value is supported.",
      'unsupported_value',
    ),
    after: '"stream":false',
  },
  {
    name: 'Bedrock does not stream calls of some models',
    source: 'https://github.com/brave/brave-browser/issues/52955',
    error: openAi("litellm.BadRequestError: This model doesn't support tool use in streaming mode."),
    after: '"stream":false',
  },
  {
    name: 'an older llama.cpp does not stream calls',
    source: 'https://github.com/danny-avila/LibreChat/issues/7408',
    status: 500,
    error: llamaCpp('Cannot use tools with stream'),
    after: '"stream":false',
  },
  {
    name: 'an older Ollama does not stream calls',
    source: 'https://github.com/ollama/ollama/pull/7750',
    wire: 'ollama-chat',
    error: { error: 'streaming is not supported with tools' },
    before: '"stream":true',
    after: '"stream":false',
  },
  {
    name: 'a template without a system role, on the wire of Ollama',
    source: 'https://github.com/BerriAI/litellm/issues/4377',
    wire: 'ollama-chat',
    error: { error: 'System role not supported' },
    before: '"role":"system"',
    after: 'Be brief.\\n\\ngo',
  },
  {
    name: 'Gemma without a system instruction',
    source: 'https://github.com/0xPlaygrounds/rig/issues/788',
    wire: 'gemini',
    error: google('Developer instruction is not enabled for models/gemma-3-27b-it'),
    before: '"systemInstruction"',
    after: 'Be brief.\\n\\ngo',
  },
  {
    name: 'Gemma over chat completions',
    source: 'https://github.com/microsoft/vscode/issues/258088',
    error: JSON.stringify([google('Developer instruction is not enabled for models/gemma-3-27b-it')]),
    before: '"role":"system"',
  },
  {
    name: 'a template that takes one call of an answer only',
    source: 'https://github.com/unslothai/unsloth/pull/7426',
    status: 500,
    error: llamaCpp('This model only supports single tool-calls at once!'),
    request: {
      ...asks('openai-chat'),
      messages: [
        user('go'),
        {
          role: 'assistant',
          content: 'Both.',
          toolCalls: ['a', 'b'].map((id) => ({ id, name: 'read_file', arguments: '{}' })),
        },
        { role: 'tool', toolCallId: 'a', content: 'one', isError: false },
        { role: 'tool', toolCallId: 'b', content: 'two', isError: false },
      ],
    },
    before: '"tool_call_id":"a","content":"one"},{"role":"tool"',
    after: '"tool_call_id":"a","content":"one"},{"role":"assistant"',
  },
  {
    name: 'a backend without an output limit',
    source: 'https://github.com/RayBytes/ChatMock/issues/103',
    wire: 'openai-responses',
    error: { detail: 'Unsupported parameter: max_output_tokens' },
    before: 'max_output_tokens',
  },
  {
    name: 'a backend without an output limit, over chat completions',
    source: 'https://github.com/askalf/dario/pull/1142',
    error: { detail: 'Unsupported parameter: max_output_tokens' },
    before: '"max_tokens"',
  },
  {
    name: 'cache marks of texts',
    source: 'https://github.com/Mirascope/mirascope/issues/618',
    wire: 'anthropic-messages',
    error: claude('messages.0.content.0.text.cache_control: Extra inputs are not permitted'),
    before: 'cache_control',
  },
  {
    // As LiteLLM 1.108.7 answers for a server of Gemini at an address of its own.
    name: 'cache marks that a gateway writes to a cache of Gemini',
    source: 'https://github.com/BerriAI/litellm/issues/34872',
    wire: 'anthropic-messages',
    status: 404,
    error: {
      type: 'error',
      error: {
        type: 'not_found_error',
        message:
          'litellm.NotFoundError: GeminiException - {"error":{"code":404,"message":"Unknown request URL: POST /v1beta/models/mock-model:cachedContents.","status":"NOT_FOUND"}}\n\nLiteLLM: model group \'gemini\' failed with the error above. No fallback was attempted.',
      },
    },
    before: 'cache_control',
  },
  {
    name: 'an id with other characters before Claude on Copilot',
    source: 'https://github.com/earendil-works/pi/issues/198',
    error: openAi("messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"),
    request: withId('functions.read_file:0'),
    before: 'functions.read_file:0',
    after: 'functions_read_file_0',
  },
  {
    name: 'thinking, behind a call of another model',
    source: 'https://github.com/anomalyco/opencode/issues/3077',
    wire: 'anthropic-messages',
    reasoningEffort: 'high',
    error: claude(
      'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable `thinking`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking',
    ),
    before: '"thinking":{',
  },
  {
    name: 'earlier thinking, in a request without it',
    source: 'https://github.com/tailcallhq/forgecode/issues/1853',
    wire: 'anthropic-messages',
    error: claude(
      'messages.1.content.0: When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`. To use thinking blocks, enable `thinking` in your request.',
    ),
    request: asks('anthropic-messages', [{ type: 'thinking', thinking: 'hm', signature: 'EqQB' }]),
    before: 'EqQB',
  },
  {
    name: 'summaries of reasoning, for organizations that OpenAI does not know',
    source: 'https://github.com/continuedev/continue/issues/12031',
    wire: 'openai-responses',
    reasoningEffort: 'high',
    error: {
      error: {
        message:
          'Your organization must be verified to generate reasoning summaries. Please go to: https://platform.openai.com/settings/organization/general and click on Verify Organization.',
        type: 'invalid_request_error',
        param: 'reasoning.summary',
        code: 'unsupported_value',
      },
    },
    before: '"effort":"high","summary":"auto"',
    after: '"reasoning":{"effort":"high"}',
  },
  {
    name: 'thoughts of a model whose thinking is off',
    source: 'https://github.com/rbb-dev/Open-WebUI-OpenRouter-pipe',
    wire: 'gemini',
    model: 'gemini-2.5-flash-lite',
    error: google(
      'Unable to submit request because Thinking_config.include_thoughts is only enabled when thinking is enabled.',
    ),
    before: 'thinkingConfig',
  },
  {
    name: 'ids of calls on Vertex AI',
    source: 'https://github.com/looplj/axonhub/issues/874',
    wire: 'gemini',
    error: google(
      'Invalid JSON payload received. Unknown name "id" at \'contents[1].parts[0].function_call\': Cannot find field.\nInvalid JSON payload received. Unknown name "id" at \'contents[2].parts[0].function_response\': Cannot find field.',
    ),
    before: '"id":"call_1"',
    after: '{"functionResponse":{"name":"read_file"',
  },
  {
    name: 'results without the name of their tool',
    source: 'https://github.com/pydantic/pydantic-ai/issues/1879',
    error: JSON.stringify([
      google('* GenerateContentRequest.contents[2].parts[0].function_response.name: Name cannot be empty.\n'),
    ]),
    after: '"tool_call_id":"call_1","name":"read_file"',
  },
  {
    name: 'a format that OpenAI does not know, without losing the tool',
    source: 'https://github.com/can1357/oh-my-pi/issues/206',
    error: openAi(
      "Invalid schema for function 'fancy_tool': In context=('properties', 'url'), 'uri' is not a valid format.",
    ),
    request: { ...asks('openai-chat'), tools: [tool('read_file'), FORMATTED] },
    before: '"format":"uri"',
    after: '"properties":{"url":{"type":"string"}}',
  },
  {
    name: 'names of tools without saying which',
    source: 'https://github.com/microsoft/vscode-copilot-release/issues/7928',
    error: openAi('Invalid function name. Must be alphanumeric (a-z, A-Z, 0-9) or underscores (_).'),
    request: { ...asks('openai-chat'), tools: [tool('a-b'), tool('a.b')] },
    before: '"name":"a-b"',
    after: '"name":"tool_a_b_2"',
  },
  {
    name: 'the description of a tool that is too long',
    source: 'https://github.com/probelabs/probe/issues/9',
    error: openAi(
      "Invalid 'tools[0].function.description': string too long. Expected a string with maximum length 1024, but got a string with length 1104 instead.",
    ),
    request: { ...asks('openai-chat'), tools: [{ ...tool('fancy_tool'), description: 'a'.repeat(1104) }] },
    before: 'a'.repeat(1025),
    after: `"${'a'.repeat(1024)}"`,
  },
  {
    name: 'a blank text beside calls on Bedrock',
    source: 'https://github.com/vercel/ai/issues/14612',
    rules: { emptyContent: 'blank' },
    error: openAi(
      'The text field in the ContentBlock object at messages.1.content.0 is blank. Add text to the text field, and try again.',
    ),
    request: {
      ...asks('openai-chat'),
      messages: [
        user('go'),
        { role: 'assistant', content: '\n\n', toolCalls: [{ id: 'call_1', name: 'read_file', arguments: '{}' }] },
        result,
      ],
    },
    before: '"content":"\\n\\n"',
    after: '"content":null',
  },
];

describe('the rules of a service on each wire', () => {
  it.each(['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini', 'ollama-chat'] as const)(
    '%s: temperature, effort and the length of an answer',
    async (wire) => {
      const settings = {
        wire,
        temperature: 0.25,
        reasoningEffort: 'high',
        maxTokens: 7_777,
        model: wire === 'gemini' ? 'gemini-3-pro' : 'm',
      } as const;
      const bodyWith = async (rules: Partial<ServiceRules>) => {
        const { model, bodies } = await refusing({ ...settings, rules });
        await collect(model.stream({ ...asks(wire), messages: [user('go')] }, never));
        return bodies[0];
      };
      expect(await bodyWith({})).toMatch(/0\.25|thinking/);
      expect(await bodyWith({})).toContain('7777');
      expect(await bodyWith({ sendsTemperature: false })).not.toContain('0.25');
      expect(await bodyWith({ effort: 'left out' })).not.toMatch(/reasoning"|thinking"|thinkingConfig|effort/);
      expect(await bodyWith({ effort: 'none' })).not.toContain('high');
    },
  );
});

describe('a refused request', () => {
  it.each(ROWS)('is sent once more in another form: $name', async (row) => {
    const {
      wire = 'openai-chat',
      status = 400,
      error,
      request = asks(wire),
      before,
      after,
      name: _name,
      source,
      ...rest
    } = row;
    expect(source).toMatch(/^https:\/\//);
    const { model, bodies } = await refusing({ wire, ...rest }, [status, error]);
    const events = await collect(model.stream(request, never));
    expect(events.map(({ type }) => type)).toEqual(['retry', 'text_delta', 'finish']);
    const [first, second] = bodies;
    if (before !== undefined) {
      expect(first).toContain(before);
      expect(second).not.toContain(before);
    }
    if (after !== undefined) {
      expect(first).not.toContain(after);
      expect(second).toContain(after);
    }
  });

  it('loses a tool only if a plainer schema does not help', async () => {
    const error = openAi("Invalid schema for function 'fancy_tool': no.");
    const { model, bodies } = await refusing({}, [400, error], [400, error]);
    const request = { ...asks('openai-chat'), tools: [tool('read_file'), FORMATTED] };
    await collect(model.stream(request, never));
    expect(bodies.map((body) => [body.includes('fancy_tool'), body.includes('format')])).toEqual([
      [true, true],
      [true, false],
      [false, false],
    ]);
  });

  it('says in one line why, and what the next request does without', async () => {
    const { model } = await refusing({ temperature: 1 }, [400, openAi('Only the default temperature is supported.')]);
    const [event] = await collect(model.stream(asks('openai-chat'), never));
    expect(event).toMatchObject({
      type: 'retry',
      delayMs: 0,
      message:
        'The server refused the request (400: Only the default temperature is supported). The request is sent again without llm.temperature.',
    });
  });

  it('is sent in that form at once the next time', async () => {
    const { model, bodies } = await refusing({ temperature: 1 }, [400, openAi('temperature is not supported')]);
    await collect(model.stream(asks('openai-chat'), never));
    await collect(model.stream(asks('openai-chat'), never));
    expect(bodies.map((body) => body.includes('temperature'))).toEqual([true, false, false]);
  });

  it('is not remembered before it has worked', async () => {
    const refusal = [400, openAi('temperature is not supported')] as const;
    const { model, bodies } = await refusing({ temperature: 1 }, refusal, [503, openAi('Busy.')], refusal);
    expect(await failureOf(model.stream(asks('openai-chat'), never))).toMatchObject({ code: 'overloaded' });
    await collect(model.stream(asks('openai-chat'), never));
    expect(bodies.map((body) => body.includes('temperature'))).toEqual([true, false, true, false]);
  });

  it('may need several changes, one after the other', async () => {
    const { model, bodies } = await refusing(
      { temperature: 1, reasoningEffort: 'high' },
      [400, openAi('temperature is not supported')],
      [400, openAi('Unknown parameter: reasoning_effort')],
      [400, openAi('Extra inputs are not permitted: stream_options')],
    );
    const events = await collect(model.stream(asks('openai-chat'), never));
    expect(events.map(({ type }) => type)).toEqual(['retry', 'retry', 'retry', 'text_delta', 'finish']);
    expect(bodies.at(-1)).not.toMatch(/temperature|reasoning_effort|stream_options/);
  });

  it('never gets a form a second time, when a server refuses each', async () => {
    const refusals = Array.from({ length: 20 }, (_, index) => {
      const message = index % 2 === 0 ? 'content: null is not a string' : 'content must be non-empty';
      return [400, openAi(message)] as const;
    });
    const { model, bodies } = await refusing({}, ...refusals);
    expect(await failureOf(model.stream(asks('openai-chat'), never))).toMatchObject({ code: 'bad_request' });
    expect(bodies).toHaveLength(2);
    await failureOf(model.stream(asks('openai-chat'), never));
    expect(bodies.length).toBeLessThanOrEqual(4);
  });

  it('keeps the length of an answer that the server allows always, and not that of one request', async () => {
    const cap = await refusing({}, [
      400,
      openAi('max_tokens is too large: 32000. This model supports at most 16384 completion tokens.'),
    ]);
    await collect(cap.model.stream(asks('openai-chat'), never));
    await collect(cap.model.stream(asks('openai-chat'), never));
    expect(cap.bodies.map((body) => JSON.parse(body).max_tokens)).toEqual([32_000, 16_384, 16_384]);
    const room = await refusing({}, [
      402,
      {
        error: {
          message:
            'This request requires more credits, or fewer max_tokens. You requested up to 32000 tokens, but can only afford 1234.',
          code: 402,
        },
      },
    ]);
    await collect(room.model.stream(asks('openai-chat'), never));
    await collect(room.model.stream(asks('openai-chat'), never));
    expect(room.bodies.map((body) => JSON.parse(body).max_tokens)).toEqual([32_000, 1_234, 32_000]);
  });

  it.each([
    ['a wrong key', 401, openAi('temperature: invalid key')],
    [
      'a conversation that is too long',
      400,
      openAi(
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
        'context_length_exceeded',
      ),
    ],
    ['something else', 400, openAi('No.')],
    ['a schema of no tool in particular', 400, openAi('Invalid schema.')],
    ['a schema of a tool that is not there', 400, openAi('tools.9.custom.input_schema: invalid')],
    ['a file that was not named', 400, openAi('Unsupported template')],
    ['signatures, when none was sent', 400, openAi('Invalid signature')],
    ['too many tools, when there are few', 400, openAi('too many tools: at most 128')],
    ['the description of a tool, when none is long', 400, openAi('tools[0].function.description: too long')],
    ['the name of a tool that is not there', 400, openAi("Invalid 'tools[9].function.name': string too long.")],
    [
      'a call without its result, when there is none',
      400,
      openAi('tool_use ids were found without tool_result blocks'),
    ],
    ['an empty content, when there is none', 400, openAi('content is required')],
    ['an empty content that is not blank', 400, openAi('content must be non-empty')],
    ['parallel calls, when there are none', 400, openAi('This model only supports single tool-calls at once!')],
    ['reasoning, when none was sent', 400, openAi("property 'reasoning_content' is unsupported")],
  ])('stays refused for %s', async (_name, status, error) => {
    const { model, bodies } = await refusing({ temperature: 1 }, [status, error]);
    const request = { ...asks('openai-chat'), messages: [user('go')] };
    await failureOf(model.stream(request, never));
    expect(bodies).toHaveLength(1);
  });
});

it.each([
  ['high', 'reasoning_effort must be one of none or default', undefined],
  ['high', 'thinking budget must be lower than the max output tokens', undefined],
  ['high', "reasoning_effort must be 'low'", 'low'],
  ['high', 'reasoning_effort must be one of [none low medium]', 'medium'],
  ['high', 'effort "high" is not supported; supported values: [medium]', 'medium'],
  ['max', 'valid effort levels: none, low, or default', 'low'],
  ['medium', 'reasoning effort: supported values are low|high', 'high'],
  ['none', "reasoning_effort must be one of 'low' and 'high'", 'low'],
  ['high', 'service_tier: supported values are default|low', undefined],
] as const)('takes the level nearest to %s from %j: %s', (effort, error, nearest) => {
  expect(nearestEffort(effort, error)).toBe(nearest);
});
