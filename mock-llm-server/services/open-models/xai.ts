import { isJsonObject } from '../../conversation/json.ts';
import { refuseArguments, refuseMessage, refuseNullContent } from '../checks/chat-messages.ts';
import { isSet, limitTools, refuseIf } from '../checks/fields.ts';
import { refuseItem } from '../checks/responses.ts';
import { refuseChoiceWithoutTools, refuseFaults, refuseFunction } from '../checks/tools.ts';
import { XAI_VALUES } from '../forms/open-models.ts';
import { formRules } from '../forms/stated-form.ts';
import { objectOf, objectsOf, textOf } from '../raw.ts';
import type { Service } from '../service.ts';
import { rulesOf } from '../share-rules.ts';
import { XAI_FORM } from './answer-forms.ts';

const BOTH = ['openai-chat', 'openai-responses'] as const;
/** The items that the service reads. */
const ITEM_TYPES =
  /^(?:message|reasoning|item_reference|compaction|(?:function|web_search|x_search|file_search|code_interpreter|mcp)_call(?:_output)?)$/;

function isEmptyList(content: unknown): boolean {
  return Array.isArray(content) && content.length === 0;
}

/** True for a schema whose root is a choice of schemas of which one does not say by itself that it is an object. */
function isLooseUnion(schema: unknown): boolean {
  const { anyOf, oneOf } = objectOf(schema);
  return [...objectsOf(anyOf), ...objectsOf(oneOf)].some(({ type }) => type !== 'object');
}

/** xAI's own API. */
export const xai: Service = {
  name: 'xai',
  title: 'xAI',
  owns: /^grok-/,
  answers: XAI_FORM,
  rules: [
    ...rulesOf('xai', {
      'root-union': {
        protocols: ['openai-chat', 'openai-responses'],
        refuses: '`anyOf` or `oneOf` at the root of a schema, with a branch that is not `type: object` itself',
        accepts: 'branches of which each has `type: object`',
        source: 'https://github.com/router-for-me/CLIProxyAPI/issues/4397',
        date: '2026-07-17',
        check: refuseFunction(({ schema, name }) => {
          const rule = 'must be an object type (root schema is an anyOf/oneOf union with a non-object branch)';
          return isLooseUnion(schema) ? { message: `${name}: tool parameter root ${rule}` } : undefined;
        }),
      },
      'tool-field': {
        protocols: ['openai-responses'],
        refuses: '`external_web_access` in the tool `web_search`',
        accepts: '`{"type":"web_search"}`',
        source: 'https://github.com/lidge-jun/opencodex/issues/2240',
        date: '2026-08-21',
        check: ({ body }) =>
          objectsOf(body['tools']).some((tool) => tool['type'] === 'web_search' && 'external_web_access' in tool)
            ? { message: 'Argument not supported: external_web_access' }
            : undefined,
      },
    }),
    {
      id: 'xai/live-search',
      protocols: BOTH,
      refuses: '`search_parameters`, and a tool of the type `live_search`',
      accepts: 'the tool `web_search` in Responses',
      source: 'https://docs.x.ai/docs/guides/live-search',
      date: '2026-07-20',
      check: refuseIf(
        ({ search_parameters: search, tools }) =>
          isSet(search) || objectsOf(tools).some(({ type }) => type === 'live_search'),
        { status: 410, message: 'Live search is deprecated. Please switch to the Agent Tools API' },
      ),
    },
    ...formRules('xai', XAI_VALUES, {
      shape: {
        refuses: 'a value of another type than the API reads: `temperature: "hot"`, a tool without `function` …',
        accepts: '`temperature: 0.5`',
        source: 'https://github.com/Usagi-org/ai-goofish-monitor/issues/57',
        date: '2025-07-24',
      },
      range: {
        refuses: 'a `temperature` outside of 0 to 2, a `top_p` outside of 0 to 1, `top_logprobs` above 8, `n: 0` …',
        accepts: '`temperature: 2`',
        source: 'https://docs.x.ai/docs/api-reference#chat-completions',
        date: '2026-11-30',
      },
    }),
    ...rulesOf('xai', {
      picture: {
        refuses: 'a picture in base64 that is neither JPEG nor PNG',
        accepts: '`data:image/png;base64,…`',
        source: 'https://github.com/cline/cline/issues/4883',
        date: '2025-07-14',
        check: refuseMessage(
          ({ content }) =>
            objectsOf(content).some(({ image_url: picture }) =>
              /^data:(?!image\/(?:png|jpe?g);)/.test(textOf(objectOf(picture)['url'])),
            ),
          () => ({
            message: 'Invalid request content: Downloaded response does not contain a valid JPG or PNG image.',
          }),
        ),
      },
      'stream-options': {
        refuses: '`stream_options` in a request that is not streamed',
        accepts: 'the same with `stream: true`',
        source: 'https://github.com/n8n-io/n8n/issues/14483',
        date: '2025-04-09',
        check: refuseIf(({ stream, stream_options: options }) => isSet(options) && stream !== true, {
          message: 'Argument not supported: stream_options',
        }),
      },
      'null-content': {
        refuses: '`content: null` or none beside calls',
        accepts: '`content: ""` beside calls',
        source: 'https://github.com/langchain-ai/langchain/issues/34140',
        date: '2025-11-30',
        check: refuseNullContent(() => ({ message: 'Each message must have at least one content element.' }), {
          beside: 'calls',
        }),
      },
      'empty-content': {
        refuses: 'an empty text in a message of the system or the user',
        accepts: 'a text',
        source: 'https://github.com/n8n-io/n8n/issues/14797',
        date: '2025-04-22',
        check: refuseMessage(
          ({ role, content }) => (role === 'system' || role === 'user') && (content === '' || isEmptyList(content)),
          () => ({ message: 'Each message must have at least one content element.' }),
        ),
      },
      arguments: {
        refuses: 'arguments of a call that are not JSON',
        accepts: '`{}`',
        source: 'https://github.com/spiceai/spiceai/issues/4734',
        date: '2025-02-10',
        check: refuseArguments((_text, _index, id) => ({
          message: `The arguments to a tool_call with ID '${id}' are not a valid JSON string. Parsing error: Error("EOF while parsing a value", line: 1, column: 0)`,
        })),
      },
      'one-text': {
        models: /^grok-(?:2(?!-vision)|beta)/,
        refuses: 'two texts in a message, with grok-2',
        accepts: 'one text',
        source: 'https://github.com/nocmt/LLMSearchPlus/issues/2',
        date: '2025-02-21',
        check: refuseMessage(
          ({ content }) => Array.isArray(content) && content.length > 1,
          () => ({ message: 'The model expects a single `text` element per message.' }),
        ),
      },
      instructions: {
        protocols: ['openai-responses'],
        refuses: '`instructions` with `previous_response_id`',
        accepts: 'one of them',
        source: 'https://github.com/10-X-eng/vibecad/issues/4',
        date: '2026-07-13',
        check: refuseIf(({ instructions, previous_response_id: previous }) => isSet(instructions) && isSet(previous), {
          message: 'Argument not supported: instructions and previous_response_id together',
        }),
      },
      schema: {
        protocols: BOTH,
        refuses: 'an invalid JSON Schema: `required: null`',
        accepts: '`required: []`',
        source: 'https://github.com/IBM/AssetOpsBench/issues/457',
        date: '2026-07-16',
        check: refuseFaults(({ text, path }) => {
          const fault = text.replace(/^None/, 'null').replace(/'(\w+)'$/, '"$1"');
          return {
            message: `Invalid request content: Schema validation failed: [standard_violation] ${path}: ${fault}`,
          };
        }),
      },
      item: {
        protocols: ['openai-responses'],
        refuses:
          'an item of an unknown type, such as `custom_tool_call`, reasoning with `content: null`, and a picture with an object as `image_url`',
        accepts: 'messages, reasoning, calls and their outputs',
        source: 'https://github.com/Wei-Shaw/sub2api/issues/4237',
        date: '2026-07-14',
        check: refuseItem(
          ({ type = 'message', content }) =>
            (type === 'reasoning' && content === null) ||
            objectsOf(content).some(({ image_url: picture }) => isJsonObject(picture)) ||
            !ITEM_TYPES.test(String(type)),
          () => ({
            status: 422,
            message:
              'Failed to deserialize the JSON body into the target type: data did not match any variant of untagged enum ModelInput',
          }),
        ),
      },
      'encrypted-reasoning': {
        protocols: ['openai-responses'],
        refuses: 'reasoning with `encrypted_content` and without `summary`',
        accepts: '`summary: []`',
        source: 'https://github.com/chenyme/grok2api/pull/689',
        date: '2026-07-18',
        check: refuseItem(
          ({ type, summary, encrypted_content: text }) => type === 'reasoning' && isSet(text) && !isSet(summary),
          () => ({
            message: 'Could not decode the compaction blob. Ensure it is unmodified from the compact response.',
          }),
        ),
      },
      choice: {
        protocols: ['openai-responses'],
        refuses: 'an object as `tool_choice` that names no function, such as `{"type":"web_search"}`',
        accepts: '`{"type":"function","name":"read"}`',
        source: 'https://github.com/router-for-me/CLIProxyAPI/issues/4718',
        date: '2026-07-31',
        check: refuseIf(({ tool_choice: choice }) => isJsonObject(choice) && choice['type'] !== 'function', {
          status: 422,
          message:
            'Failed to deserialize the JSON body into the target type: data did not match any variant of untagged enum ModelToolChoice',
        }),
      },
      'empty-item': {
        protocols: ['openai-responses'],
        refuses: 'a message without a text and without parts in Responses',
        accepts: 'a message with a text',
        source: 'https://github.com/NousResearch/hermes-agent/issues/30310',
        date: '2026-05-22',
        check: refuseItem(
          ({ type = 'message', content }) => type === 'message' && (content === '' || isEmptyList(content)),
          () => ({ message: 'Invalid request content: Each message must have at least one content element.' }),
        ),
      },
      'retired-model': {
        protocols: BOTH,
        models: /^grok-(?:vision-beta|2-latest)$/,
        refuses: 'a model that is no longer served: grok-2-latest, grok-vision-beta',
        accepts: 'grok-4.3',
        source: 'https://github.com/definableai/definable.ai/issues/73',
        date: '2026-02-26',
        check: ({ model }) => ({ message: `Model not found: ${model}` }),
      },
      'choice-without-tools': {
        refuses: 'a `tool_choice` without tools',
        accepts: 'the same with tools',
        source: 'https://github.com/livekit/agents/issues/3114',
        date: '2025-08-08',
        check: refuseChoiceWithoutTools(
          { message: 'Invalid request content: A tool_choice was set on the request but no tools were specified.' },
          'none',
        ),
      },
      'too-many-tools': {
        protocols: ['openai-chat', 'openai-responses'],
        refuses: 'more than 200 tools',
        accepts: '200 tools',
        source: 'https://github.com/anomalyco/opencode/issues/28911',
        date: '2026-05-22',
        check: limitTools(200, (count) => ({
          message: `Maximum tools limit reached. ${count} tools have been provided but the maximum is 200.`,
        })),
      },
      'always-thinks': {
        protocols: BOTH,
        models: /^grok-4\.[56]/,
        refuses: 'the effort `none` with grok-4.5 and grok-4.6, which always think',
        accepts: '`low`, and `none` with grok-4.3',
        source: 'https://github.com/NousResearch/hermes-agent/pull/60887',
        date: '2026-07-08',
        check: ({ model, body: { reasoning_effort: effort = null, reasoning } }) =>
          (effort ?? objectOf(reasoning)['effort']) === 'none'
            ? { message: `Model ${model} does not support reasoning effort none.` }
            : undefined,
      },
      'message-name': {
        refuses: '`name` in a message of another role than the user',
        accepts: '`name` in a message of the user',
        source: 'https://github.com/BerriAI/litellm/issues/9720',
        date: '2025-04-03',
        check: refuseMessage(
          ({ role, name }) => isSet(name) && (role === 'system' || role === 'assistant'),
          () => ({ message: "Only messages of role 'user' can have a name." }),
        ),
      },
    }),
  ],
  encodeError: ({ status, message, code }) => ({
    code: status === 429 || status >= 500 ? code : 'Client specified an invalid argument',
    error: message,
  }),
};
