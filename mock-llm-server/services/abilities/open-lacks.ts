import { dashScopeFault, ZAI_FAULT } from '../forms/open-models.ts';
import { objectOf, objectsOf, textOf } from '../raw.ts';
import type { RawRequest, Violation } from '../service.ts';
import type { Lacks } from './lacks.ts';

const EVERY_WIRE = ['openai-chat', 'openai-responses', 'anthropic-messages'] as const;
const XAI_WIRES = ['openai-chat', 'openai-responses'] as const;
const OLLAMA_WIRES = [...EVERY_WIRE, 'ollama'] as const;

const xaiParameter = ({ model }: RawRequest, param: string): Violation => ({
  message: `Model ${model} does not support parameter ${param.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())}.`,
});

/** The models that lack an ability at hosts, gateways and servers of open models. */
export const OPEN_LACKS: Lacks = {
  'ollama/tools': {
    protocols: OLLAMA_WIRES,
    models: [
      /^(?:gemma[23]?|llama[23]|phi[34]?(?!-mini)|codellama|llava|tinyllama|orca2|vicuna|dolphin(?:-\w+)?|starcoder2?|stablelm2?|deepseek-coder(?:-v2)?|qwen)(?::|$)|^hammer|^smollm2?:(?:135|360)m/i,
      'a model whose template has none: gemma3, llama3, phi4 …',
    ],
    source: ['https://github.com/ollama/ollama/issues/11131', '2025-06-19'],
    says: ({ model }) => ({
      message: `${model.includes('/') ? '' : 'registry.ollama.ai/library/'}${model} does not support tools`,
      errorType: 'api_error',
    }),
  },
  'ollama/thinking': {
    // Over Messages, the server takes such a request as one without thinking.
    protocols: ['openai-chat', 'ollama', 'openai-responses'],
    models: [
      /^(?:llama|gemma(?!4(?!.*qat))|mistral|qwen2|qwen3-coder|phi[34]|codellama|llava|codestral|devstral|mixtral|granite3|smollm|deepseek-coder|tinyllama|command-r|cogito)/i,
      'a model that does not think: llama3.1, qwen2.5, mistral, cogito …',
    ],
    source: ['https://github.com/Gitlawb/openclaude/issues/1371', '2026-05-26'],
    says: ({ model }) => ({ message: `"${model}" does not support thinking`, errorType: 'api_error' }),
  },
  'ollama/cloud-picture': {
    lacks: 'picture',
    protocols: OLLAMA_WIRES,
    models: [
      /^(?:glm-(?:4\.[67]|5[.\d]*)|gpt-oss|deepseek-v[34]|minimax-m2|qwen3-coder|kimi-k2)[^v]*[:-]cloud$|^deepseek-v4-pro$/i,
      'a text model of the cloud: glm-5.2:cloud, gpt-oss, deepseek-v4-pro …',
    ],
    source: ['https://github.com/ollama/ollama/issues/17301', '2026-07-22'],
    says: { message: 'this model does not support image input' },
  },
  'openrouter/model-without-tools': {
    lacks: 'tools',
    models: [
      /^(?:deepseek-r1(?!-0528)|mai-ds-r1|llama-3\.1-405b(?::|$)|gpt-5\.4-image|gemini-[\w.-]*image|flux\.|gpt-5-chat|llama-guard-|sonar(?:$|-)|lyria|chatgpt-4o|gemma-2|qwen3-235b-a22b:free|phi-)/,
      'a model that no provider offers with tools: deepseek-r1, mai-ds-r1, gpt-5-chat, llama-guard, sonar, models of pictures …',
    ],
    source: ['https://github.com/anomalyco/opencode/issues/1675', '2025-08-07'],
    says: ({ body }) => {
      const [first] = objectsOf(body['tools']);
      const name = textOf(objectOf(first?.['function'])['name'] ?? first?.['name']);
      return {
        status: 404,
        message: `No endpoints found that support tool use. Try disabling "${name}". To learn more about provider routing, visit: https://openrouter.ai/docs/guides/routing/provider-selection`,
      };
    },
  },
  'openrouter/picture': {
    models: [
      /^(?:deepseek-(?:chat|r1|v3|v4-(?:pro|flash(?!-vision))|reasoner)|qwen3-(?:coder|\d+b|235b|next)|kimi-k2(?!\.)|glm-(?:4|5(?!\.3))(?!.*v)|gpt-oss|llama-3\.[13]|mistral-(?:7b|nemo)|nemotron)/,
      'a text model: deepseek-chat, deepseek-v4-pro, glm-5, qwen3-coder, kimi-k2, gpt-oss …',
    ],
    source: ['https://github.com/NousResearch/hermes-agent/pull/23411', '2026-05-10'],
    says: { status: 404, message: 'No endpoints found that support image input' },
  },
  'deepseek/picture': {
    models: [/^(?!deepseek-flash|.*vision)/, 'another model than deepseek-flash'],
    source: ['https://github.com/1jehuang/jcode/issues/310', '2026-06-02'],
    says: (_, index) => ({
      message: `Failed to deserialize the JSON body into the target type: messages[${index}]: unknown variant \`image_url\`, expected \`text\` at line 1 column 1147`,
    }),
  },
  'zai/picture': {
    models: [/^glm-(?:4\.[5-7]|5)(?!.*v|\.3-flash)/, 'a text model: glm-4.6, glm-5 …'],
    source: ['https://github.com/dyad-sh/dyad/issues/1353', '2025-09-23'],
    says: ZAI_FAULT,
  },
  'dashscope/picture': {
    models: [/^qwen3?(?:\.\d)?-(?:max|coder)/, 'a text model: qwen3.7-max, qwen3-coder …'],
    source: ['https://github.com/openclaw/openclaw/issues/92688', '2026-06-13'],
    says: dashScopeFault(
      'The provided messages input is invalid. The error info is [Unexpected item type in content.]',
    ),
  },
  'groq/picture': {
    models: [/^(?!.*(?:llama-4|vision|scout|maverick|llava|vl))/, 'a text model'],
    source: ['https://github.com/sam3gp8/jarvis-aio/issues/17', '2026-09-05'],
    says: (_, index) => ({
      message: `messages[${index}].content must be a string`,
      param: `messages[${index}].content`,
    }),
  },
  'groq/json-schema': {
    models: [/^(?:llama-3|llama3|gemma|deepseek-r1|allam|qwen|mistral)/, 'llama-3.3, gemma2, qwen3 …'],
    source: ['https://github.com/ItzCrazyKns/Vane/issues/980', '2026-01-12'],
    says: {
      message:
        'This model does not support response format `json_schema`. See supported models at https://console.groq.com/docs/structured-outputs#supported-models',
      param: 'response_format',
    },
  },
  'groq/reasoning-format': {
    models: [/^(?:llama|gemma|allam|kimi|mistral|moonshot)/, 'models that do not reason: Llama, Kimi K2 …'],
    source: ['https://console.groq.com/docs/reasoning', '2026-11-30'],
    says: { message: '`reasoning_format` is not supported with this model', param: 'reasoning_format' },
  },
  'cerebras/parallel-calls': {
    lacks: 'oneCall',
    models: [/^gpt-oss/, 'gpt-oss'],
    source: ['https://github.com/agno-agi/agno/issues/4508', '2025-09-10'],
    says: {
      message: 'parallel_tool_calls=False is not supported by this model.',
      param: 'parallel_tool_calls',
      code: 'wrong_api_format',
    },
  },
  'cerebras/strict-model': {
    models: [/^llama/, 'Llama'],
    source: ['https://github.com/livekit/agents/pull/3134', '2025-08-12'],
    says: { message: 'Tools with strict=True are not supported by this model', code: 'wrong_api_format' },
  },
  'xai/text-model': {
    lacks: 'picture',
    protocols: XAI_WIRES,
    models: [/^grok-3/, 'grok-3'],
    source: ['https://github.com/lobehub/lobehub/pull/7360', '2025-04-10'],
    says: { message: 'The model does not support image input but some images are present in the request.' },
  },
  'xai/effort': {
    protocols: XAI_WIRES,
    models: [
      /^grok-(?:4(?!\.)|4\.20(?!.*multi-agent)|code|build|composer|3(?!-mini)|2)/,
      'grok-4, grok-4.20 and grok-code',
    ],
    source: ['https://github.com/charmbracelet/catwalk/pull/181', '2026-02-13'],
    says: (request) => xaiParameter(request, 'reasoning_effort'),
  },
  'xai/sampling': {
    lacks: 'penalties',
    protocols: XAI_WIRES,
    models: [/^grok-(?:4|3-mini|code|build|composer)/, 'grok-4 and later, grok-3-mini, grok-code and grok-build'],
    source: ['https://github.com/coaidev/coai/pull/399', '2026-04-25'],
    says: xaiParameter,
  },
  'xai/stop': {
    models: [/^grok-(?:4(?!.*non-reasoning)|3-mini|code)/, 'the models that reason'],
    source: ['https://github.com/langchain-ai/langchain/pull/38335', '2026-06-20'],
    says: xaiParameter,
  },
  'together/json-mode': {
    lacks: 'json',
    models: [
      /^(?:mistral-7b-instruct-v0\.[12]|gemma-2|qwq|deepseek-r1-distill)/i,
      'Mistral-7B-Instruct-v0.2, gemma-2 …',
    ],
    source: ['https://github.com/BerriAI/litellm/issues/6972', '2024-12-01'],
    says: { message: 'Input validation error', param: 'response_format' },
  },
  'fireworks/effort': {
    protocols: ['openai-responses'],
    models: [/^qwen3p7-plus/, 'qwen3p7-plus over Responses'],
    source: ['https://github.com/lambda-symbolics/autolith/pull/25', '2026-08-12'],
    says: { message: 'non-reasoning model does not support reasoning_effort' },
  },
  'fireworks/picture': {
    models: [/^kimi-k2-(?:instruct|thinking)/, 'kimi-k2-instruct and kimi-k2-thinking'],
    source: ['https://github.com/pydantic/pydantic-ai/issues/2424', '2025-08-05'],
    says: {
      message: 'Cannot preprocess image len(combined_imgs) = 1,\nlen(image_ranges) = 0, please provide valid images',
    },
  },
  'copilot/picture': {
    protocols: EVERY_WIRE,
    models: [/^(?:grok-code-fast-1|mai-code-1-flash-secondary)/, 'grok-code-fast-1 and mai-code-1-flash-secondary'],
    source: ['https://github.com/microsoft/vscode/issues/267488', '2025-09-19'],
    says: ({ model }) => ({ message: `model "${model}" not supported for vision`, code: '' }),
  },
  'vllm/picture': {
    protocols: EVERY_WIRE,
    models: [
      /^(?!.*(?:vl|vision|omni|multimodal|\dv))(?:tiny|qwen(?:1\.5|2(?:\.5)?|3)-(?:\d|coder|next|math)|qwq|(?:meta-)?llama-(?:2|3(?:\.[13])?)-|llama-3\.2-[13]b|mistral-7b|mixtral|mistral-nemo|deepseek-(?:[vr]\d|coder)|gpt-oss|phi-[34]-mini|glm-4(?:\.[5-7]|-9b)|gemma-(?:2|3-(?:1b|270m))|kimi-k2-|minimax-m[12]|smollm|olmo)/i,
      'a text model: Qwen3, Llama 3.1 and 3.3, DeepSeek, gpt-oss, Mistral 7B …',
    ],
    source: ['recording vllm-0.32.0/085-chat-image', '2026-11-28'],
    says: ({ model }) => ({ message: `${model} is not a multimodal model` }),
  },
  'llamacpp/picture': {
    protocols: EVERY_WIRE,
    models: [/^/, 'a server without a projector'],
    source: ['recording llamacpp-11434-scripted/085-chat-image', '2026-11-28'],
    says: {
      status: 500,
      message: 'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj',
      errorType: 'server_error',
    },
  },
};
