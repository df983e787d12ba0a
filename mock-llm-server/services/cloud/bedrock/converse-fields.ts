import { isSet } from '../../checks/fields.ts';
import { namesIn } from '../../checks/foreign-fields.ts';
import { objectOf } from '../../raw.ts';
import type { Check, Rule } from '../../service.ts';
import { rulesOver } from '../../share-rules.ts';

/** The fields of Chat Completions as gpt-oss has them here, in the order of the answer. */
const OSS_FIELDS = [
  'messages model store reasoning_effort metadata frequency_penalty logit_bias logprobs top_logprobs max_tokens',
  'max_completion_tokens n modalities prediction audio presence_penalty response_format seed service_tier stop stream',
  'stream_options temperature top_p tools tool_choice parallel_tool_calls user function_call functions',
];
/** Those of Qwen and DeepSeek V3. */
const OPEN_FIELDS = [
  'audio frequency_penalty function_call functions include_reasoning logit_bias logprobs max_completion_tokens',
  'max_tokens messages metadata modalities model n parallel_tool_calls prediction presence_penalty prompt_cache_key',
  'reasoning_effort response_format safety_identifier seed service_tier stop store stream stream_options temperature',
  'text tool_choice tools top_k top_logprobs top_p user verbosity web_search_options',
];

/** Models with the fields that they have, and their words for another one. */
const MODELS: readonly (readonly [models: RegExp, fields: ReadonlySet<string>, words: (name: string) => string])[] = [
  [
    /openai\.gpt-oss/,
    namesIn([...OSS_FIELDS, 'reasoning']),
    (name) => unreadable(`${name}: unknown field`, name, OSS_FIELDS),
  ],
  [/openai\.gpt-/, namesIn(['reasoning text verbosity service_tier prompt_cache_key']), unknownParameter],
  [/qwen\.|deepseek\.v3/, namesIn(OPEN_FIELDS), (name) => writeError(unreadable('unknown variant', name, OPEN_FIELDS))],
  [/deepseek\.r1/, new Set(), () => 'Validation Error'],
];

function unreadable(fault: string, name: string, fields: readonly string[]): string {
  const known = [...namesIn(fields)].map((field) => `\`${field}\``).join(', ');
  return `Failed to deserialize the JSON body into the target type: ${fault} \`${name}\`, expected one of ${known} at line 1 column 445`;
}

const writeError = (message: string) =>
  JSON.stringify({ code: 'validation_error', message, param: null, type: 'invalid_request_error' });

function unknownParameter(name: string): string {
  const message = `Unknown parameter: '${name}'.`;
  return JSON.stringify({ error: { code: 'unknown_parameter', message, param: name, type: 'invalid_request_error' } });
}

/** Refuses a field that a model does not have beside those of Converse. */
const refuseModelField: Check = ({ model, body }) => {
  const [, fields, words] = MODELS.find(([models]) => models.test(model)) ?? [];
  const wrong = Object.keys(objectOf(body['additionalModelRequestFields'])).find((name) => fields?.has(name) === false);
  if (wrong === undefined || words === undefined) return undefined;
  return { message: `The model returned the following errors: ${words(wrong)}` };
};

/** Refuses a forced call with models that cannot be forced. */
const refuseForcedCall: Check = ({ body }) => {
  const { any, tool } = objectOf(objectOf(body['toolConfig'])['toolChoice']);
  const kind = isSet(any) ? 'any' : 'tool';
  if (!isSet(any) && !isSet(tool)) return undefined;
  const field = `toolConfig.toolChoice.${kind}`;
  return { message: `This model doesn't support the ${field} field. Remove ${field} and try again.` };
};

/** Refuses the sampling of models that reason, and the stop sequences of Qwen. */
const refuseSampling: Check = ({ body, model }) => {
  const config = objectOf(body['inferenceConfig']);
  const names = model.includes('qwen.') ? ['stopSequences'] : ['temperature', 'topP'];
  const field = names.find((name) => isSet(config[name]));
  return field === undefined
    ? undefined
    : { message: `This model doesn't support the ${field} field. Remove ${field} and try again.` };
};

export const CONVERSE_FIELD_RULES: readonly Rule[] = rulesOver('bedrock', ['bedrock-converse'], {
  'converse-forced-call': {
    models: /meta\.llama|cohere\.|ai21\./,
    refuses: '`any` and `tool` in `toolChoice`, with Llama, Cohere and AI21',
    accepts: '`auto`',
    source: 'https://github.com/strands-agents/harness-sdk/issues/1241',
    date: '2025-11-25',
    check: refuseForcedCall,
  },
  'converse-sampling': {
    models: /xai\.grok|openai\.gpt-[6-9]|qwen\./,
    refuses: '`temperature` and `topP`, with Grok and GPT-6; `stopSequences` with Qwen',
    accepts: '`maxTokens` alone; both with gpt-oss',
    source: 'https://github.com/NousResearch/hermes-agent/issues/111043',
    date: '2026-09-14',
    check: refuseSampling,
  },
  'model-id': {
    models: /^(?:claude|nova|llama|gpt)-/,
    refuses: 'the name of a model without that of its provider: `claude-sonnet-4-6`',
    accepts: '`us.anthropic.claude-sonnet-4-6`',
    source: 'https://github.com/komputer-ai/komputer-ai/pull/141',
    date: '2026-04-21',
    check: () => ({ message: 'The provided model identifier is invalid.' }),
  },
  'converse-model-field': {
    models: /openai\.gpt-|qwen\.|deepseek\./,
    refuses:
      'a field in `additionalModelRequestFields` that the model does not have: `thinking` with models of OpenAI, Qwen and DeepSeek, `reasoning_effort` with gpt-5.6',
    accepts: '`reasoning_effort` with gpt-oss, `reasoning` with gpt-5.6',
    source: 'https://github.com/BerriAI/litellm/issues/13959',
    date: '2025-08-26',
    check: refuseModelField,
  },
});
