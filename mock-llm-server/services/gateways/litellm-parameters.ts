import { isSet } from '../checks/fields.ts';
import { ALWAYS_REASONING } from '../cloud/openai-parameters.ts';
import type { Check, Violation } from '../service.ts';

const OWN_OF_OPENAI = 'store verbosity prediction modalities safety_identifier prompt_cache_key';
const LOGS = 'logprobs top_logprobs';
const PENALTIES = 'frequency_penalty presence_penalty';
const REASONING = 'reasoning_effort thinking';
const OF_CLAUDE = `${PENALTIES} seed logit_bias n ${LOGS} ${OWN_OF_OPENAI}`;
const OF_GEMINI = `logit_bias ${OWN_OF_OPENAI.replace(' modalities', '')}`;

/**
 * The parameters of OpenAI that the gateway does not pass on to models whose names match, and the name of the provider.
 * They are those that `get_optional_params` of litellm 1.108.7 refuses for one model of each row without `drop_params`.
 */
const UNSUPPORTED: readonly (readonly [model: RegExp, provider: string, params: string])[] = [
  [/^(?:openai\/)?gpt-4/, 'openai', `${REASONING} verbosity`],
  [/^(?:openai\/)?gpt-5(?![.\d]*-chat)/, 'openai', 'stop thinking prediction modalities'],
  [/^(?:openai\/)?o\d/, 'openai', `${LOGS} thinking verbosity`],
  [/^openai\//, 'openai', 'thinking verbosity'],
  [/^azure\/gpt-4/, 'azure', `${REASONING} service_tier verbosity safety_identifier`],
  [/^azure\/gpt-5-chat/, 'azure', 'thinking'],
  [/^azure\/gpt-5/, 'azure', `stop thinking prediction modalities ${PENALTIES} logit_bias ${LOGS}`],
  [/^(?:anthropic\/)?claude-(?:3-(?!7)|instant|2)/, 'anthropic', `${OF_CLAUDE} ${REASONING}`],
  [/^(?:anthropic\/)?claude-/, 'anthropic', OF_CLAUDE],
  [/^bedrock\/(?:converse\/)?(?!.*claude)/, 'bedrock', `${OF_CLAUDE} ${REASONING}`],
  [/^bedrock\//, 'bedrock', `${OF_CLAUDE} web_search_options`],
  [/^vertex_ai\/claude/, 'vertex_ai', `${OF_CLAUDE} service_tier`],
  [/^vertex_ai\//, 'vertex_ai', OF_GEMINI],
  [/^gemini\/gemini-2\.0/, 'gemini', `${OF_GEMINI} top_logprobs ${REASONING}`],
  [/^gemini\//, 'gemini', `${OF_GEMINI} top_logprobs`],
  [
    /^zai\/glm-4\.5-/,
    'zai',
    `${OF_CLAUDE} parallel_tool_calls response_format ${REASONING} max_completion_tokens service_tier`,
  ],
  [
    /^zai\//,
    'zai',
    `${OF_CLAUDE} parallel_tool_calls response_format reasoning_effort max_completion_tokens service_tier`,
  ],
  [/^deepinfra\//, 'deepinfra', `seed ${LOGS} parallel_tool_calls thinking service_tier ${OWN_OF_OPENAI}`],
  [
    /^ollama(?:_chat)?\//,
    'ollama_chat',
    `presence_penalty logit_bias n ${LOGS} parallel_tool_calls thinking service_tier ${OWN_OF_OPENAI}`,
  ],
  [/^groq\/(?!openai|qwen)/, 'groq', `${REASONING} verbosity`],
  [/^groq\//, 'groq', 'thinking verbosity'],
  [/^mistral\//, 'mistral', `${PENALTIES} logit_bias n ${LOGS} ${REASONING} service_tier ${OWN_OF_OPENAI}`],
  [/^xai\//, 'xai', `stop ${REASONING} service_tier ${OWN_OF_OPENAI}`],
  [/^(?:together_ai|moonshot|lm_studio|huggingface|github)\//, '', `${REASONING} verbosity`],
  [/^(?:deepseek|openrouter|hosted_vllm)\//, '', 'verbosity'],
  [/^dashscope\//, 'dashscope', 'thinking verbosity'],
  [/^fireworks_ai\//, 'fireworks_ai', 'thinking store verbosity modalities safety_identifier'],
  [
    /^cerebras\//,
    'cerebras',
    `${PENALTIES} logit_bias n ${LOGS} parallel_tool_calls thinking service_tier ${OWN_OF_OPENAI}`,
  ],
  [
    /^perplexity\//,
    'perplexity',
    `seed logit_bias n stop ${LOGS} tools tool_choice parallel_tool_calls thinking service_tier ${OWN_OF_OPENAI}`,
  ],
  [
    /^cohere\//,
    'cohere',
    `logit_bias ${LOGS} parallel_tool_calls response_format ${REASONING} service_tier ${OWN_OF_OPENAI}`,
  ],
  [/^nvidia_nim\//, 'nvidia_nim', `logit_bias n ${LOGS} ${REASONING} service_tier ${OWN_OF_OPENAI}`],
  // Names of model groups, with the provider that a report names.
  [/^(?:minimax|glm|laguna)/, 'openai', 'reasoning_effort'],
];

const WORDS = UNSUPPORTED.map(([model, provider, params]) => [model, provider, params.split(' ')] as const);
/** The sampling parameters that models of OpenAI refuse if they always reason. They accept `temperature: 1`. */
const SAMPLING = ['top_p', 'presence_penalty', 'frequency_penalty', 'logit_bias'];

/** Refuses parameters of OpenAI that the gateway does not pass on to a model. */
export const refuseUnsupportedParams: Check = ({ body, model }) => {
  const found = WORDS.find(([pattern]) => pattern.test(model));
  const name = model.replace(/^.*\//, '');
  const asked = [...(found?.[2] ?? []), ...(ALWAYS_REASONING.test(name) ? SAMPLING : [])];
  const { allowed_openai_params: allowed = [] } = body;
  // LangChain sends `n: 1` as the default.
  const unsupported = asked.filter(
    (param) =>
      isSet(body[param]) &&
      !(param === 'n' && body[param] === 1) &&
      !(Array.isArray(allowed) && allowed.includes(param)),
  );
  if (unsupported.length === 0) return undefined;
  const prefix = /^([a-z_]+)\//.exec(model)?.[1] ?? 'openai';
  return unsupportedParams(
    found?.[1] || prefix,
    unsupported,
    found && prefix !== 'openai' ? model.replace(/^[a-z_]+\//, '') : name,
  );
};

/** The error for parameters that a provider does not have. */
export function unsupportedParams(provider: string, params: readonly string[], model: string): Violation {
  const listed = `[${params.map((param) => `'${param}'`).join(', ')}]`;
  return {
    message:
      `litellm.UnsupportedParamsError: ${provider} does not support parameters: ${listed}, for model=${model}. To drop ` +
      'these, set `litellm.drop_params=True` or for proxy:\n\n`litellm_settings:\n drop_params: true`\n. \n If you want ' +
      `to use these params dynamically send allowed_openai_params=${listed} in your request.`,
  };
}
