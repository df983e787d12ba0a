import { refuseHistoryWithoutTools } from '../checks/chat-messages.ts';
import { isSet, refuseIf } from '../checks/fields.ts';
import { claudeBehind } from '../relay/claude.ts';
import { GPT, gptBehindResponses, gptTools } from '../relay/openai.ts';
import { type Relay, relayRules } from '../relay/relay.ts';
import type { Service, Violation } from '../service.ts';
import { rulesOf } from '../share-rules.ts';
import { refuseUnsupportedParams, unsupportedParams } from './litellm-parameters.ts';

/** The error of a provider in the words of the gateway: recording litellm-1.108.7-mock/155-msg-missing-result. */
function ofProvider(name: string, text: string, model: string, param?: string): Violation {
  const message = `litellm.BadRequestError: ${name}Exception - ${text}\n\nLiteLLM: model group '${model}' failed with the error above. No fallback was attempted.`;
  return { message, ...(param !== undefined && { param }) };
}

/** The rules of Anthropic that hold for Claude behind Chat Completions, by their last names. */
const CLAUDE_RULES =
  'tool-name top-alternatives property-keys schema-draft strict-schema optional-properties picture-type other-picture ' +
  'broken-picture picture-size pictures-size computer-tool forced-thinking budget both-samplings ' +
  'temperature-with-thinking temperature thinking-budget prefill cache-marks mark-order half-character';

const CLAUDE_RULES_IN_MESSAGES =
  'schema-type tool-field foreign-tool block-role block-fields block-type lone-server-result effort adaptive ' +
  'stop-sequence blank-text trailing-space beta-field nested-mark mark-time call-input ' +
  'unknown-choice choice-without-tools forced-call';

/** The error of Anthropic in the words of the gateway. */
const ofAnthropic: Relay['describe'] = ({ message }, { model }) =>
  ofProvider('Anthropic', JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } }), model);

/** The rules of OpenAI for Responses that the gateway keeps by itself, or of which it has its own. */
const OWN_IN_RESPONSES = 'model unknown-argument unknown-parameter moved-parameter';

const noChoice = (model: string) =>
  unsupportedParams('bedrock', ['tool_choice'], model.replace(/^bedrock\/(?:converse\/)?/, ''));

/** LiteLLM, as a gateway to other services. */
export const litellm: Service = {
  name: 'litellm',
  title: 'LiteLLM',
  rules: [
    ...rulesOf('litellm', {
      model: {
        refuses: 'no model, and a body whose `content-type` is that of a form',
        accepts: 'any model, with `content-type: application/json`',
        source: 'recording litellm-1.108.7-mock/036-chat-no-model',
        date: '2026-11-28',
        check: refuseIf(({ model }, { headers }) => !model || /form/.test(headers['content-type'] ?? ''), {
          message:
            '/chat/completions: Invalid model name passed in model=None. Call `/v1/models` to view available models for your key.',
        }),
      },
      'history-without-tools': {
        models: /^(?:bedrock|anthropic|us|eu|claude)/,
        refuses: 'calls and results in a request without tools, to models of Bedrock and Anthropic',
        accepts: 'the same request with the tools',
        source: 'https://github.com/BerriAI/litellm/blob/main/litellm/llms/bedrock/chat/converse_transformation.py',
        date: '2026-11-29',
        check: refuseHistoryWithoutTools({
          message:
            "litellm.UnsupportedParamsError: Bedrock doesn't support tool calling without `tools=` param specified. Pass `tools=` param OR set `litellm.modify_params = True` // `litellm_settings::modify_params: True` to add dummy tool to the request.",
        }),
      },
      'unsupported-parameter': {
        refuses:
          'parameters of OpenAI that the provider of the model lacks: `seed` with Claude, `reasoning_effort` with gpt-4o, `thinking` with glm-4.5-flash, `parallel_tool_calls` with Ollama … for the prefixes of 25 providers',
        accepts: '`allowed_openai_params`; any of them with `drop_params`, which a test imitates with `--allow`',
        source: 'https://github.com/BerriAI/litellm/blob/main/litellm/utils.py',
        date: '2026-11-28',
        check: refuseUnsupportedParams,
      },
      'choice-word': {
        models: /^(?:us|eu|au|apac|global|anthropic|amazon)\./,
        refuses: 'another word than `auto` and `required` as `tool_choice` with a model of Bedrock, such as `any`',
        accepts: '`required`',
        source: 'https://github.com/langchain-ai/langchain/issues/33855',
        date: '2025-11-07',
        check: ({ body: { tool_choice: choice }, model }) =>
          typeof choice === 'string' && !['auto', 'required', 'none'].includes(choice) ? noChoice(model) : undefined,
      },
      'tool-choice': {
        models: /meta\.llama/,
        refuses: '`tool_choice` with Llama on Bedrock',
        accepts: 'no `tool_choice`; the same with Claude',
        source: 'https://github.com/567-labs/instructor/issues/1390',
        date: '2025-03-11',
        check: ({ body, model }) => (isSet(body['tool_choice']) ? noChoice(model) : undefined),
      },
    }),
    ...relayRules(
      claudeBehind('openai-chat', CLAUDE_RULES, ofAnthropic),
      {
        id: 'litellm/claude',
        models: /^claude-/,
        refuses:
          'what Claude refuses of a request: a last message of the assistant from Claude 4.6 on, a picture with more than 8,000 pixels on a side, a computer tool of another generation …',
        accepts: 'a last message of the user',
        source: 'https://github.com/trycua/cua/issues/343',
        date: '2025-08-15',
      },
      'a tool that Claude refuses: two of one name, a name with a dot, `anyOf` at the top of a schema …',
    ),
    ...relayRules(
      {
        ...gptTools(({ message, param }, { model }) => ofProvider('OpenAI', message, model, param)),
        protocol: 'openai-chat',
        translate: (body) => body,
      },
      {
        id: 'litellm/gpt-tools',
        models: GPT,
        refuses: 'a function that the models of OpenAI refuse: a name with a dot, an array without `items` …',
        accepts: '`{"type":"object","properties":{}}`',
        source: 'recording litellm-1.108.7-mock/039-chat-bad-tool-name',
        date: '2026-11-28',
      },
    ),
    ...relayRules(
      gptBehindResponses(OWN_IN_RESPONSES, ({ message, code = null, param = null }, { model }) =>
        ofProvider('OpenAI', JSON.stringify({ error: { message, type: 'invalid_request_error', param, code } }), model),
      ),
      {
        id: 'litellm/gpt-in-responses',
        protocols: ['openai-responses'],
        models: GPT,
        refuses:
          'what the models of OpenAI refuse of a request: encrypted reasoning with gpt-4o, a call without its id …',
        accepts: 'encrypted reasoning with gpt-5',
        source: 'https://github.com/pydantic/pydantic-ai/issues/3326',
        date: '2025-11-04',
      },
      'a function that the models of OpenAI refuse',
    ),
    ...relayRules(
      claudeBehind('anthropic-messages', `${CLAUDE_RULES} ${CLAUDE_RULES_IN_MESSAGES}`, ofAnthropic),
      {
        id: 'litellm/claude-in-messages',
        protocols: ['anthropic-messages'],
        models: /claude/,
        refuses: 'the same over Messages, and more: a field of a beta without its header, a block of another API …',
        accepts: 'the fields and blocks of Anthropic',
        source: 'recording litellm-1.108.7-mock/155-msg-missing-result',
        date: '2026-11-28',
      },
      'the same tools over Messages',
    ),
  ],
  encodeError: ({ status, message, errorType = 'invalid_request_error', param = null }) => ({
    error: { message, type: errorType, param, code: String(status) },
  }),
};
