import { unsupportedParameter } from '../cloud/openai-parameters.ts';
import type { RawRequest, Violation } from '../service.ts';
import type { Lacks } from './lacks.ts';

const notEnabled =
  (ability: string) =>
  ({ model }: RawRequest): Violation => ({ message: `${ability} is not enabled for models/${model}` });

const withoutTools = ({ path }: RawRequest): Violation => ({
  message: `This model doesn't support tool use${path.endsWith('-stream') ? ' in streaming mode' : ''}.`,
});

/** The models that lack an ability at the services of large makers. */
export const CLOUD_LACKS: Lacks = {
  'openai/picture': {
    models: [
      /^(?:gpt-(?:3\.5|4(?:-0613|-32k|$))|o1-(?:mini|preview)|o3-mini)/,
      'gpt-3.5, gpt-4, o1-preview, o1-mini and o3-mini',
    ],
    source: ['https://github.com/SillyTavern/SillyTavern/pull/3470', '2025-02-13'],
    says: { message: 'Invalid content type. image_url is only supported by certain models.', param: 'messages' },
  },
  'openai/needed-sound': {
    lacks: 'textAlone',
    models: [/^gpt-(?:4o-(?:mini-)?)?audio/, 'gpt-4o-audio-preview and gpt-audio'],
    source: ['https://github.com/CherryHQ/cherry-studio/issues/1179', '2025-02-08'],
    says: {
      message: 'This model requires that either input content or output modality contain audio.',
      param: 'model',
      code: 'invalid_value',
    },
  },
  'openai/parallel-calls': {
    models: [/^o\d/, 'o1, o3 and o4 in Chat Completions'],
    source: ['https://github.com/tensorzero/tensorzero/issues/2805', '2025-07-14'],
    says: unsupportedParameter('parallel_tool_calls'),
  },
  'openai/stop': {
    models: [
      /^(?:o3(?!-mini)|o4|gpt-5(?:\.[12])?(?:-mini|-nano|-pro)?(?:-20\d\d-|$)|gpt-(?:5\.[5-9]|[6-9]))/,
      'o3, o4, gpt-5, 5.1 and 5.2, and gpt-5.5 and later',
    ],
    source: ['https://github.com/OpenHands/software-agent-sdk/issues/1062', '2025-09-09'],
    says: unsupportedParameter('stop'),
  },
  'azure/no-effort': {
    lacks: 'effort',
    protocols: ['openai-responses'],
    models: [/^deepseek-/i, 'DeepSeek over Responses'],
    source: ['https://github.com/earendil-works/pi/issues/9645', '2026-09-15'],
    says: unsupportedParameter('reasoning.effort'),
  },
  'azure/no-responses': {
    lacks: 'responses',
    protocols: ['openai-responses'],
    models: [/^kimi-/i, 'Kimi'],
    source: ['https://github.com/anomalyco/opencode/issues/12949', '2026-02-23'],
    says: { message: 'This model is not supported by the Responses API.' },
  },
  'gemini/tools': {
    models: [/^gemma-3/, 'Gemma 3'],
    source: ['https://github.com/BerriAI/litellm/issues/10313', '2025-04-25'],
    says: notEnabled('Function calling'),
  },
  'gemini/system': {
    models: [/^gemma-3/, 'Gemma 3'],
    source: ['https://github.com/0xPlaygrounds/rig/issues/788', '2025-09-08'],
    says: notEnabled('Developer instruction'),
  },
  'gemini/json': {
    models: [/^gemini-2\.5-flash-image/, 'gemini-2.5-flash-image'],
    source: ['https://github.com/google-gemini/cookbook/issues/1028', '2025-11-05'],
    says: { message: 'JSON mode is not enabled for this model' },
  },
  'gemini/thoughts': {
    models: [/^gemini-2\.(?:0-flash-.*image-generation|5-flash-image)/, 'the models of pictures before Gemini 3'],
    source: ['https://github.com/lobehub/lobehub/issues/7985', '2025-05-27'],
    says: notEnabled('Thinking'),
  },
  'vertex/no-thoughts': {
    lacks: 'thoughts',
    models: [/^gemini-2\.(?:0-flash(?!-thinking)|5-flash-lite)/, 'gemini-2.0-flash and gemini-2.5-flash-lite'],
    source: ['https://github.com/anomalyco/opencode/issues/18243', '2026-03-19'],
    says: {
      message:
        'Unable to submit request because Thinking_config.include_thoughts is only enabled when thinking is enabled.. Learn more: https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/gemini',
    },
  },
  'vertex/least-thinking': {
    lacks: 'leastThinking',
    models: [/^gemini-3\.[78]-flash/, 'gemini-3.7-flash and gemini-3.8-flash'],
    source: ['https://github.com/earendil-works/pi/issues/9535', '2026-09-12'],
    says: { message: 'Thinking level is unsupported: THINKING_LEVEL_MINIMAL' },
  },
  'bedrock/converse-nova-reasoning': {
    lacks: 'novaReasoning',
    models: [/amazon\.nova-(?:micro|lite|pro|premier)-v1/, 'Nova 1'],
    source: ['https://github.com/UKGovernmentBEIS/inspect_ai/issues/5301', '2026-09-08'],
    says: {
      message:
        'The model returned the following errors: Malformed input request: the provided reasoning config value is invalid, please reformat your input and try again.',
    },
  },
  'bedrock/converse-no-tools': {
    lacks: 'tools',
    models: [
      /deepseek\.r1|titan-text|meta\.llama(?:[23]-\d+b|3-2-(?:1|3|11)b)|mistral-7b|mixtral-8x7b/,
      'DeepSeek-R1, Titan Text, Llama 2 and 3, the small ones of Llama 3.2, Mistral 7B and Mixtral',
    ],
    source: ['https://github.com/danny-avila/LibreChat/issues/6304', '2025-03-12'],
    says: withoutTools,
  },
  'bedrock/converse-streamed-tools': {
    lacks: 'streamedTools',
    models: [/meta\.llama(?:3-[1-3]|4)|palmyra/, 'Llama 3.1 to 4 and Palmyra'],
    source: ['https://github.com/earendil-works/pi/issues/3739', '2026-04-26'],
    says: withoutTools,
  },
  'bedrock/converse-system': {
    lacks: 'system',
    models: [/titan-text|mistral-7b|mixtral-8x7b/, 'Titan Text, Mistral 7B and Mixtral'],
    source: ['https://github.com/567-labs/instructor/issues/1753', '2025-07-29'],
    says: {
      message:
        "This model doesn't support system messages. Try again without a system message or use a model that supports system messages.",
    },
  },
  'bedrock/converse-result-picture': {
    lacks: 'resultPicture',
    models: [/^(?!.*(?:anthropic\.|amazon\.nova|meta\.llama4|^arn:))/, 'other models than Claude, Nova and Llama 4'],
    source: ['https://github.com/anomalyco/opencode/issues/49443', '2026-09-17'],
    says: { message: "This model doesn't support the image field for user messages. Remove image and try again." },
  },
};
