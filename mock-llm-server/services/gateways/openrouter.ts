import { OPENROUTER_FORM } from '../answer-forms.ts';
import { isSet, limitNumber, refuseIf } from '../checks/fields.ts';
import { RESERVED_WORD_RULE } from '../cloud/bedrock/bedrock.ts';
import { OPENAI_HISTORY_RULES } from '../cloud/openai-history.ts';
import { OPENROUTER_VALUE_RULES } from '../forms/gateways.ts';
import { listOf, objectOf, objectsOf, textOf } from '../raw.ts';
import { claudeBehind } from '../relay/claude.ts';
import { GPT, gptInChat, gptTools } from '../relay/openai.ts';
import { relayRules } from '../relay/relay.ts';
import type { Service, Violation } from '../service.ts';
import { rulesOf, shareRules } from '../share-rules.ts';
import { MAKER_RULES, ofProvider } from './openrouter-makers.ts';

const CHAT = ['openai-chat'] as const;

/** The words before an error of Gemini for an answer without its reasoning: https://github.com/hotovo/aider-desk/issues/513 */
const KEEP_DETAILS =
  'Gemini models require OpenRouter reasoning details to be preserved in each request. Please refer to our docs: ' +
  'https://openrouter.ai/docs/guides/best-practices/reasoning-tokens#preserving-reasoning-blocks.';

/** The error of Anthropic, which OpenRouter hands on. */
const ofAnthropic = ({ message }: Violation): Violation =>
  ofProvider('Anthropic', { type: 'error', error: { type: 'invalid_request_error', message } });

/** A provider of a model, and its error for an answer without reasoning. */
function withoutReasoning(model: string, index: number): readonly [provider: string, message: string] {
  if (/gemini/.test(model)) return ['Google', 'Function call is missing a thought_signature in functionCall parts.'];
  if (/kimi/.test(model)) {
    const text = 'thinking is enabled but reasoning_content is missing in assistant tool call message at index';
    return ['Moonshot AI', `${text} ${index}`];
  }
  return ['DeepSeek', 'The `reasoning_content` in the thinking mode must be passed back to the API.'];
}

/** The rules of Anthropic that hold for Claude here, by their last names. */
const CLAUDE_RULES =
  'tool-name top-alternatives property-keys schema-draft strict-schema optional-properties picture-type other-picture ' +
  'broken-picture picture-size pictures-size prefill cache-marks mark-order choice-without-tools half-character';

/** OpenRouter. */
export const openrouter: Service = {
  name: 'openrouter',
  title: 'OpenRouter',
  answers: OPENROUTER_FORM,
  rules: [
    {
      id: 'openrouter/model-prefix',
      protocols: [...CHAT, 'openai-responses', 'anthropic-messages'],
      refuses: 'a model with the name of the gateway before that of its maker, and a model of a known maker without it',
      accepts: '`google/gemini-2.5-flash`, `openrouter/auto`',
      source: 'https://github.com/RightNow-AI/openfang/issues/100',
      date: '2026-02-28',
      check: ({ model }) =>
        /^(?:openrouter\/[^/]+\/|(?:claude|gemini|deepseek|qwen|kimi|glm|grok|llama|mistral|minimax)[^/]*$)/i.test(
          model,
        )
          ? { message: `${model} is not a valid model ID` }
          : undefined,
    },
    ...OPENROUTER_VALUE_RULES,
    ...rulesOf('openrouter', {
      'one-effort': {
        refuses: '`reasoning.effort` with `reasoning.max_tokens`, and `reasoning_effort` with `reasoning`',
        accepts: 'one of them',
        source: 'https://github.com/omeryasirkucuk/amx/pull/66',
        date: '2026-05-02',
        check: ({ body: { reasoning, reasoning_effort: effort, include_reasoning: included } }) => {
          const { effort: own, max_tokens: budget } = objectOf(reasoning);
          if (isSet(own) && isSet(budget))
            return { message: 'Only one of "reasoning.effort" and "reasoning.max_tokens" can be specified' };
          return isSet(effort) && (isSet(reasoning) || isSet(included))
            ? { message: 'Only one of "reasoning" and "reasoning_effort" may be provided' }
            : undefined;
        },
      },
      'tool-without-schema': {
        models: /^claude-/,
        refuses: 'a function without `parameters`, with Claude',
        accepts: 'a schema',
        source: 'https://github.com/microsoft/vscode-copilot-release/issues/9502',
        date: '2025-06-02',
        check: ({ body }) => {
          const index = objectsOf(body['tools']).findIndex((tool) => !isSet(objectOf(tool['function'])['parameters']));
          if (index === -1) return undefined;
          return ofProvider('Amazon Bedrock', { message: `tools.${index}.custom.input_schema: Field required` });
        },
      },
      choice: {
        models: /^glm-4\.[57]/,
        refuses: 'a `tool_choice` of `required` or of a tool with models whose providers lack it: glm-4.5, glm-4.7',
        accepts: '`auto`',
        source: 'https://github.com/zed-industries/zed/issues/36094',
        date: '2025-08-13',
        check: refuseIf(({ tool_choice: choice }) => isSet(choice) && choice !== 'auto' && choice !== 'none', {
          status: 404,
          message:
            "No endpoints found that support the provided 'tool_choice' value. To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing",
        }),
      },
    }),
    ...relayRules(
      claudeBehind('openai-chat', CLAUDE_RULES, ofAnthropic),
      {
        id: 'openrouter/claude',
        models: /^claude-/,
        refuses:
          'what Claude refuses of a request: more than four parts with `cache_control`, a picture with more than 8,000 pixels on a side, a last message of the assistant from Claude 4.6 on, `tool_choice` without tools …',
        accepts: 'four parts with `cache_control`, a last message of the user',
        source: 'https://github.com/trycua/cua/issues/347',
        date: '2025-08-17',
      },
      'a tool that Claude refuses: two of one name, a name with a dot, `anyOf` at the top of a schema …',
    ),
    ...relayRules(claudeBehind('anthropic-messages', CLAUDE_RULES, ofAnthropic), {
      id: 'openrouter/claude-in-messages',
      protocols: ['anthropic-messages'],
      models: /^claude-/,
      refuses: 'the same over Messages',
      accepts: 'four parts with `cache_control`, a last message of the user',
      source: 'https://github.com/farion1231/cc-switch/issues/761',
      date: '2026-01-23',
    }),
    ...relayRules(
      gptTools(({ message, code = null, param = null }) =>
        ofProvider('Azure', { error: { message, type: 'invalid_request_error', param, code } }),
      ),
      {
        id: 'openrouter/gpt-tools',
        protocols: ['openai-chat', 'openai-responses'],
        models: GPT,
        refuses:
          'a function that the models of OpenAI refuse: a schema of another type than object, an array without `items`, a name with a dot …',
        accepts: '`{"type":"object","properties":{}}`',
        source: 'https://github.com/Jeffser/Alpaca/issues/1027',
        date: '2025-10-26',
      },
    ),
    ...relayRules(
      gptInChat('strict-format format-name', ({ message, code = null, param = null }) =>
        ofProvider('OpenAI', { error: { message, type: 'invalid_request_error', param, code } }),
      ),
      {
        id: 'openrouter/gpt-format',
        models: GPT,
        refuses: 'a strict format that the models of OpenAI refuse: an object without `additionalProperties: false` …',
        accepts: 'the same format without `strict`',
        source: 'https://github.com/dottxt-ai/outlines/issues/1666',
        date: '2025-06-28',
      },
    ),
    ...MAKER_RULES,
    ...rulesOf('openrouter', {
      'output-minimum': {
        models: /^(?:gpt-5|o\d)/,
        refuses: 'a limit of the output below 16 tokens, with the models of OpenAI that reason',
        accepts: '16',
        source: 'https://github.com/vectorize-io/hindsight/issues/58',
        date: '2025-12-19',
        check: limitNumber('max_tokens', { min: 16 }, (value) =>
          ofProvider('Azure', {
            error: {
              message: `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got ${value} instead.`,
              type: 'invalid_request_error',
              param: 'max_output_tokens',
              code: 'integer_below_min_value',
            },
          }),
        ),
      },
      'missing-reasoning': {
        models: /^(?:deepseek-v[4-9]|gemini-(?:[3-9]|\d\d)|kimi-k2(?:\.[5-9]|-thinking))/,
        refuses: 'an answer with calls and without its reasoning, with DeepSeek V4, Gemini 3 and Kimi K2.5 and later',
        accepts: 'the answer with its `reasoning_details`',
        source: 'https://github.com/dirac-run/dirac/issues/5',
        date: '2026-04-24',
        check: (request) => {
          if (objectOf(request.body['reasoning'])['enabled'] === false) return undefined;
          const { messages } = request.body;
          const index = objectsOf(messages).findIndex((message) => {
            const calls = objectsOf(message['tool_calls']);
            if (calls.length === 0 || calls.every(({ id }) => request.recall(textOf(id))?.reasoned === false))
              return false;
            return !['reasoning', 'reasoning_content', 'reasoning_details'].some((field) => isSet(message[field]));
          });
          if (index === -1) return undefined;
          const [name, message] = withoutReasoning(request.model, index);
          return name === 'Google'
            ? ofProvider(
                name,
                `${KEEP_DETAILS} Upstream error: ${JSON.stringify({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }, undefined, 2)}`,
              )
            : ofProvider(name, { error: { message, type: 'invalid_request_error' } });
        },
      },
      'format-with-tools': {
        models: /^(?:qwen3-32b|zai-glm|llama-3\.3)/,
        refuses: 'a format of JSON with tools, with models whose providers lack it: qwen3-32b, llama-3.3',
        accepts: 'one of them',
        source: 'https://github.com/openai/openai-agents-python/issues/975',
        date: '2025-06-30',
        check: ({ body: { response_format: format, tools } }) =>
          listOf(tools).length > 0 && /^json_/.test(textOf(objectOf(format)['type']))
            ? ofProvider('Cerebras', { message: '"tools" is incompatible with "response_format"' })
            : undefined,
      },
      'mandatory-reasoning': {
        protocols: ['openai-chat', 'openai-responses'],
        models: /^(?:minimax-m2|step-3\.5|gemini-3[.\d]*-(?:pro|flash)(?!-lite)|ox-alpha)/,
        refuses: 'reasoning turned off, with models that always reason: minimax-m2, step-3.5-flash, gemini-3 …',
        accepts: '`reasoning.effort: low`',
        source: 'https://github.com/musistudio/claude-code-router/issues/1229',
        date: '2026-02-24',
        check: refuseIf(
          ({ reasoning }) => objectOf(reasoning)['enabled'] === false || objectOf(reasoning)['effort'] === 'none',
          { message: 'Reasoning is mandatory for this endpoint and cannot be disabled.' },
        ),
      },
      'responses-request': {
        protocols: ['openai-responses'],
        refuses:
          'in Responses, a tool of the type `namespace` or `tool_search`, as Codex sends them, and an answer in parts without its `id`',
        accepts: 'a function, and an answer with its `id` or as a text',
        source: 'https://github.com/OpenRouterTeam/ai-sdk-provider/issues/482',
        date: '2026-04-18',
        check: refuseIf(
          ({ tools, input }) =>
            objectsOf(tools).some(({ type }) => type === 'namespace' || type === 'tool_search') ||
            objectsOf(input).some(
              ({ role, content, id }) => role === 'assistant' && Array.isArray(content) && !isSet(id),
            ),
          { message: 'Invalid Responses API request' },
        ),
      },
    }),
    ...shareRules('openrouter', [
      ...OPENAI_HISTORY_RULES.filter(({ id }) => id === 'openai/repeated-item'),
      { ...RESERVED_WORD_RULE, models: /claude/ },
    ]),
  ],
  words: [
    [/^(?:Invalid type for|Missing required parameter:) 'input.*$/s, 'Invalid Responses API request'],
    [/^Invalid 'messages': empty array.*$/s, 'Input required: specify "prompt" or "messages"'],
  ],
  encodesEverywhere: true,
  encodeError: ({ status, message, fields }) => ({ error: { message, code: status, ...fields }, user_id: 'user_mock' }),
};
