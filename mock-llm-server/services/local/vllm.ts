import type { JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import { VLLM_FORM } from '../answer-forms.ts';
import { refuseMessage } from '../checks/chat-messages.ts';
import { isSet, refuseIf } from '../checks/fields.ts';
import { refuseItem } from '../checks/responses.ts';
import { refuseChoiceWithoutTools, refuseUnknownChoice, wrongChoiceWord } from '../checks/tools.ts';
import { VLLM_VALUES } from '../forms/local.ts';
import { formRules } from '../forms/stated-form.ts';
import { objectOf, objectsOf, textOf } from '../raw.ts';
import type { Rule, Service } from '../service.ts';
import { rulesOf, rulesOver, shareRules } from '../share-rules.ts';
import { templateRules } from './templates.ts';
import { refuseForeignBlocks } from './vllm-messages.ts';

const EVERY_WIRE = ['openai-chat', 'openai-responses', 'anthropic-messages'] as const;
const RECORDED = '2026-11-28';
/** The models whose templates have no tools. */
const WITHOUT_TOOLS = /gemma-?[23]|llama-?2|phi-?[23]|codellama|tinyllama/i;

const isForeign = ({ type }: JsonObject) =>
  /^(?:(?:out|in)put_text|document|file|tool_(?:use|result))$/.test(textOf(type));
const recorded = (name: string) => ({ source: `recording vllm-0.32.0/${name}`, date: RECORDED });

/** The rules of vLLM that its recordings show. */
const RECORDED_RULES: readonly Rule[] = [
  ...rulesOf('vllm', {
    'unknown-choice': {
      refuses: 'a `tool_choice` of a tool that is not offered',
      accepts: 'one that is',
      ...recorded('021-chat-tools-named-unknown'),
      check: refuseUnknownChoice(() => ({
        message:
          'The tool specified in `tool_choice` does not match any of the specified `tools` (parameter=tool_choice)',
        param: 'tool_choice',
      })),
    },
    'empty-tools': {
      refuses: 'an empty list of tools',
      accepts: 'no `tools`',
      ...recorded('023-chat-tools-empty-list'),
      check: refuseIf(({ tools }) => Array.isArray(tools) && tools.length === 0, {
        message:
          '`tools` must not be an empty array. Either provide at least one tool or omit the field entirely. (parameter=tools)',
        param: 'tools',
      }),
    },
    'choice-without-tools': {
      refuses: '`tool_choice` without `tools`',
      accepts: '`tool_choice` with `tools`',
      ...recorded('022-chat-tools-choice-without-tools'),
      check: refuseChoiceWithoutTools(
        { message: 'When using `tool_choice`, `tools` must be set. (parameter=tool_choice)', param: 'tool_choice' },
        'none',
      ),
    },
    'part-type': {
      refuses: 'a part of Responses or Messages: `output_text`, `document`, `tool_result` …',
      accepts: '`text`',
      source: 'https://github.com/langchain-ai/langchain/issues/34751',
      date: '2026-01-14',
      check: refuseMessage(
        ({ content }) => objectsOf(content).some(isForeign),
        (_, { content }) => ({
          message: `2 validation errors for ValidatorIterator\n0.ChatCompletionContentPartTextParam.type\n  Input should be 'text' [type=literal_error, input_value='${textOf(objectsOf(content).find(isForeign)?.['type'])}', input_type=str]`,
        }),
      ),
    },
  }),
  ...formRules('vllm', VLLM_VALUES, {
    shape: {
      refuses:
        'a value of another type than the server reads, such as `temperature: "hot"`, and a tool without `function`',
      accepts: '`temperature: "0.5"`, `{"type":"function","function":{…}}`',
      ...recorded('040-chat-tool-without-function'),
    },
    range: {
      refuses:
        'a `temperature` outside of 0 to 2, a `top_p` of 0 or above 1, penalties beyond 2, `max_tokens` below 1 …',
      accepts: 'a number in its range',
      ...recorded('043-chat-temperature-5'),
      protocols: EVERY_WIRE,
    },
  }),
  ...rulesOver('vllm', ['openai-responses'], {
    'foreign-block': {
      protocols: ['anthropic-messages'],
      refuses: 'a `document` and other blocks that the server does not have, and a tool without `input_schema`',
      accepts: '`text`, `image`, `tool_use`, `tool_result`, `thinking`',
      source: 'https://github.com/vllm-project/vllm/blob/main/vllm/entrypoints/anthropic/protocol.py',
      date: '2026-11-30',
      check: refuseForeignBlocks,
    },
    'harmony-choice': {
      models: /^gpt-oss/i,
      refuses: 'a `tool_choice` other than `auto` and `none` in Responses, with gpt-oss',
      accepts: '`auto`',
      source: 'https://github.com/vllm-project/vllm/issues/53626',
      date: '2026-08-24',
      check: refuseIf(({ tool_choice: choice }) => isSet(choice) && choice !== 'auto' && choice !== 'none', {
        status: 501,
        message: "Only 'auto' or 'none' tool_choice is supported in response API with Harmony",
        errorType: 'NotImplementedError',
      }),
    },
    'answer-item': {
      refuses: 'an answer in parts without its `type`',
      accepts: 'the same with `type: message`, and a text',
      source: 'https://github.com/MiaAI-Lab/DeepSeek-v4-Flash-DSpark-2x-DGX-Spark/issues/138',
      date: '2026-08-25',
      check: refuseItem(
        ({ type, role, content }) =>
          !isSet(type) && role === 'assistant' && objectsOf(content).some((part) => part['type'] === 'output_text'),
        () => ({
          message:
            "2 validation errors:\n  {'type': 'string_type', 'loc': ('body', 'input', 'str'), 'msg': 'Input should be a valid string'}",
        }),
      ),
    },
    'encrypted-reasoning': {
      refuses: 'reasoning with `encrypted_content`',
      accepts: 'reasoning with its text',
      ...recorded('115-resp-history-reasoning'),
      check: refuseItem(
        ({ type, encrypted_content: text }) => type === 'reasoning' && isSet(text),
        () => ({ message: 'Encrypted content is not supported. (parameter=input)', param: 'input' }),
      ),
    },
  }),
];

const TOOL_PARSER = {
  protocols: ['openai-chat', 'anthropic-messages'],
  source: 'https://github.com/vllm-project/vllm/issues/9986',
  date: '2024-11-04',
  check: refuseIf(
    ({ tools, tool_choice: choice = 'auto' }) =>
      objectsOf(tools).length > 0 && (choice === 'auto' || objectOf(choice)['type'] === 'auto'),
    { message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set' },
  ),
  accepts: '`tool_choice: "required"`',
} satisfies Omit<Rule, 'id' | 'refuses'>;

export const PARSER_RULES: readonly Rule[] = rulesOf('vllm', {
  'listed-content': {
    models: /gpt-oss/i,
    refuses: 'an empty list as the content of an answer with calls, with gpt-oss',
    accepts: '`content: null`',
    source: 'https://github.com/0xPlaygrounds/rig/issues/1362',
    date: '2026-02-05',
    check: refuseMessage(
      ({ role, content }) => role === 'assistant' && Array.isArray(content) && content.length === 0,
      () => ({
        message:
          '1 validation error for Message\ncontent.0\n  Input should be a valid dictionary or instance of Content [type=model_type, input_value=ValidatorIterator(index=0), input_type=ValidatorIterator]',
      }),
    ),
  },
  'needed-flag': {
    refuses: '`stream_options` in a request that is not streamed, `top_logprobs` without `logprobs`',
    accepts: '`stream_options` with `stream: true`',
    source: 'https://github.com/vllm-project/vllm/blob/main/vllm/entrypoints/openai/chat_completion/protocol.py',
    date: '2026-11-28',
    check: ({ body: { stream, stream_options: options, logprobs, top_logprobs: top } }) => {
      if (isSet(options) && stream !== true)
        return { message: 'Stream options can only be defined when `stream=True`.' };
      if (!isSet(top) || top === 0 || logprobs === true) return undefined;
      return { message: 'when using `top_logprobs`, `logprobs` must be set to true.' };
    },
  },
  'choice-word': {
    refuses: 'another word than `none`, `auto` and `required` as `tool_choice`, and an object without `function`',
    accepts: '`required`, `{"type":"function","function":{"name":"read"}}`',
    source: 'https://github.com/vllm-project/vllm/blob/main/vllm/entrypoints/openai/chat_completion/protocol.py',
    date: '2026-11-28',
    check: (request) => {
      const { tool_choice: choice } = request.body;
      const rest =
        '! Correct usage: `{"type": "function", "function": {"name": "my_function"}}` (parameter=tool_choice.function)';
      if (isJsonObject(choice) && !isJsonObject(choice['function']))
        return {
          message: `Invalid value for \`function\`: \`None\` in \`tool_choice\`${rest}`,
          param: 'tool_choice.function',
        };
      const word = wrongChoiceWord(request);
      return word === undefined
        ? undefined
        : {
            message: `Invalid value for \`tool_choice\`: ${word}! Only named tools, "none", "auto" or "required" are supported.`,
          };
    },
  },
  'tool-parser': {
    ...TOOL_PARSER,
    models: WITHOUT_TOOLS,
    refuses: 'tools with a model for which a server has no parser of calls (Gemma, Llama 2, Phi)',
    accepts: 'tools with qwen3',
  },
});

/** vLLM. */
export const vllm: Service = {
  name: 'vllm',
  title: 'vLLM',
  ignores: 'history',
  answers: VLLM_FORM,
  rules: [...RECORDED_RULES, ...PARSER_RULES, ...templateRules('vllm', (message) => ({ message }))],
  words: [
    [
      /^Missing required parameter: '(\w+)'\.$/,
      "1 validation error:\n  {'type': 'missing', 'loc': 'body.$1', 'msg': 'Field required', 'input': '<dict of 1 items>'}",
    ],
    [
      /^(?:Missing required parameter|Invalid type for|Invalid value for (?!`)).*$/s,
      '1 validation error for Message: Input should be a valid dictionary or instance of Content',
    ],
  ],
  encodeError: ({ status, message, errorType = 'BadRequestError', param = null }) => ({
    error: { message, type: errorType, param, code: status },
  }),
};

/** vLLM as it starts without an option: calls need `--enable-auto-tool-choice` and the name of a parser. */
export const vllmWithoutParser: Service = {
  ...vllm,
  name: 'vllm-without-parser',
  title: 'vLLM without a parser of calls',
  rules: [
    ...shareRules('vllm-without-parser', vllm.rules, ['tool-parser']),
    { ...TOOL_PARSER, id: 'vllm-without-parser/tool-parser', refuses: 'tools, unless `tool_choice` forces a call' },
  ],
};
