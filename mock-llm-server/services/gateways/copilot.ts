import type { JsonObject } from '../../conversation/conversation.ts';
import type { ChatAnswerForm, ChatChoice } from '../../wire/wire.ts';
import { pictureIn } from '../abilities/needs.ts';
import { refuseCacheScope } from '../checks/anthropic/blocks.ts';
import { limitChatCallId, refuseArguments, refuseMessage } from '../checks/chat-messages.ts';
import { isSet, limitTools, refuseIf } from '../checks/fields.ts';
import { refuseParameters } from '../checks/foreign-fields.ts';
import { tooMany } from '../checks/responses.ts';
import { refuseSchema } from '../checks/tools.ts';
import { anthropic } from '../cloud/anthropic/anthropic.ts';
import { RESERVED_WORD_RULE } from '../cloud/bedrock/bedrock.ts';
import { listOf, objectOf, objectsOf, textOf } from '../raw.ts';
import type { Service } from '../service.ts';
import { rulesOf, shareRules } from '../share-rules.ts';
import { refuseOtherPlans } from './copilot-plans.ts';
import { COPILOT_RELAYS } from './copilot-relays.ts';

/**
 * Copilot passes on the reasoning of Gemini 3 in one text beside the first piece of an answer with calls. The calls of
 * Claude have a choice of their own (HKUDS/nanobot#1555), and each event of Responses has other ids (BerriAI/litellm#30071).
 */
const COPILOT_FORM: ChatAnswerForm = {
  event({ item_id: id, item, ...event }) {
    const other = (own: unknown) => `${textOf(own).slice(0, 56)}_${String(event['sequence_number'])}`;
    const { id: own } = objectOf(item);
    return {
      ...event,
      ...(isSet(id) && { item_id: other(id) }),
      ...(isSet(own) && { item: { ...objectOf(item), id: other(own) } }),
    };
  },
  shape({ head, choices, usage, digest, isStream }) {
    const isOpaque = /^gemini-(?:[3-9]|\d\d)/.test(head.model);
    const reasoning_opaque = Buffer.from(digest, 'hex').toString('base64');
    const split = isStream || !head.model.startsWith('claude') ? choices : choices.flatMap(splitCalls);
    const own = split.map(({ delta, message, ...choice }) => {
      const piece = objectOf(delta ?? message);
      const opaque = isOpaque && startsCalls(piece) ? { ...piece, reasoning_opaque } : piece;
      return { ...choice, ...(delta === undefined ? { message: opaque } : { delta: opaque }) };
    });
    return { ...head, choices: own, ...((usage !== undefined || isStream) && { usage }) };
  },
};

/** An answer with text and calls as two choices. */
function splitCalls(choice: ChatChoice): readonly ChatChoice[] {
  const { tool_calls: calls, ...text } = objectOf(choice.message);
  if (!text['content'] || listOf(calls).length === 0) return [choice];
  const called = { role: 'assistant', content: null, tool_calls: calls };
  return [
    { ...choice, message: text },
    { ...choice, message: called },
  ];
}

/** True for a piece with the start of a call: the fragments after it have no name. */
function startsCalls(piece: JsonObject): boolean {
  return objectsOf(piece['tool_calls']).some((call) => objectOf(call['function'])['name'] !== undefined);
}

/** GitHub Copilot. */
export const copilot: Service = {
  name: 'copilot',
  title: 'GitHub Copilot',
  answers: COPILOT_FORM,
  rules: [
    ...rulesOf('copilot', {
      'other-api': {
        protocols: ['openai-chat', 'openai-responses'],
        refuses:
          'models that only Responses has, such as gpt-5-codex, gpt-5.4 and grok-4.5, over Chat Completions, and others such as gpt-4.1, Claude and Gemini over Responses',
        accepts: 'gpt-4.1 over Chat Completions, gpt-5.4 over Responses',
        source: 'https://github.com/ericc-ch/copilot-api/issues/208',
        date: '2026-03-10',
        check: ({ model, protocol }) => {
          const code = 'unsupported_api_for_model';
          if (protocol === 'openai-chat' && /^gpt-5[\d.]*-codex|^gpt-5\.[4-9]|^grok-4\.[5-9]/.test(model))
            return { message: `model "${model}" is not accessible via the /chat/completions endpoint`, code };
          return protocol === 'openai-responses' && /^(?:gpt-4|claude-|gemini-)/.test(model)
            ? { message: `model ${model} is not supported via Responses API.`, code }
            : undefined;
        },
      },
      'model-prefix': {
        protocols: ['openai-chat', 'openai-responses', 'anthropic-messages'],
        refuses:
          'a model name with the prefix of a provider, and over Chat Completions one with a date or an effort: `copilot/claude-sonnet-4.5`',
        accepts: '`claude-sonnet-4.5`',
        source: 'https://github.com/mnfst/llm-gateway/issues/1258',
        date: '2026-03-24',
        check: ({ body, protocol }) =>
          (protocol === 'openai-chat' ? /\/|^claude.*-20\d{6}$|-preview-\d|-high$/ : /\//).test(textOf(body['model']))
            ? { message: 'The requested model is not supported.', param: 'model', code: 'model_not_supported' }
            : undefined,
      },
      'gemini-schema': {
        models: /^gemini/,
        refuses: 'a list of types in a schema, with Gemini',
        accepts: 'one type',
        source: 'https://github.com/github/copilot-cli/issues/4623',
        date: '2026-09-08',
        check: refuseSchema(
          ({ type }) => Array.isArray(type),
          () => ({ message: 'Bad Request' }),
        ),
      },
      'gemini-reasoning': {
        models: /^gemini-(?:[3-9]|\d\d)/,
        refuses: 'an answer with calls and without its `reasoning_opaque`, with Gemini 3',
        accepts: 'the answer with it',
        source: 'https://github.com/Joouis/agent-maestro/issues/95',
        date: '2025-11-19',
        check: refuseMessage(
          ({ tool_calls: called, reasoning_opaque: opaque }) => objectsOf(called).length > 0 && !textOf(opaque),
          () => ({ message: 'invalid request body' }),
        ),
      },
      arguments: {
        models: /^claude/,
        refuses: 'arguments of a call that are not JSON, with Claude',
        accepts: '`{}`',
        source: 'https://github.com/github/copilot.vim/issues/248',
        date: '2025-12-04',
        check: refuseArguments(() => ({
          message: 'Invalid JSON format in tool call arguments',
          code: 'invalid_tool_call_format',
        })),
      },
      'claude-effort': {
        protocols: ['anthropic-messages'],
        models: /^claude-(?:opus-4\.7|haiku-4\.5|sonnet-4(?:\.5)?$)/,
        refuses: 'an effort that the model does not have: `high` with claude-opus-4.7, any with claude-haiku-4.5',
        accepts: '`medium` with claude-opus-4.7',
        source: 'https://github.com/caozhiyuan/copilot-api/issues/218',
        date: '2026-04-27',
        check: ({ body, model }) => {
          const { effort } = objectOf(body['output_config']);
          const has = model.startsWith('claude-opus');
          if (!isSet(effort) || (has && effort === 'medium')) return undefined;
          return {
            message: has
              ? `output_config.effort "${String(effort)}" is not supported by model ${model}; supported values: [medium]`
              : `output_config.effort "${String(effort)}" was provided, but model ${model} does not support reasoning effort`,
            code: 'invalid_reasoning_effort',
          };
        },
      },
      plan: {
        protocols: ['openai-chat', 'openai-responses', 'anthropic-messages'],
        refuses:
          'a model that the plan of the token lacks, by its `sku`: Claude Sonnet on Free, Claude Opus on Pro, Claude Opus 4.6 on Pro+ …',
        accepts: '`gpt-4.1` on each plan; every model with a token that names none',
        source: 'https://github.com/github/docs/blob/main/data/tables/copilot/model-supported-plans.yml',
        date: '2026-05-29',
        check: refuseOtherPlans,
      },
    }),
    ...COPILOT_RELAYS,
    ...shareRules('copilot', anthropic.rules, ['model-prefix', 'effort']),
    ...shareRules('copilot', [RESERVED_WORD_RULE]),
    ...rulesOf('copilot', {
      'call-id-length': {
        refuses: 'the id of a call with more than 40 characters',
        accepts: '40 characters',
        source: 'https://github.com/BerriAI/litellm/issues/17343',
        date: '2025-12-02',
        check: limitChatCallId(40),
      },
      'too-many-tools': {
        protocols: ['openai-chat', 'openai-responses'],
        refuses: 'more than 128 tools',
        accepts: '128 tools',
        source: 'https://github.com/anomalyco/opencode/issues/4909',
        date: '2025-11-29',
        check: limitTools(128, (count) => ({
          message: tooMany('tools', 128, count).message,
        })),
      },
      integration: {
        protocols: ['openai-chat', 'openai-responses', 'anthropic-messages'],
        refuses:
          'neither of the headers `editor-version` and `copilot-integration-id`, the second one twice, which HTTP joins to one unknown name, and gpt-5.6 without it',
        accepts: '`editor-version: vscode/1.106.3`, `copilot-integration-id: vscode-chat`',
        source: 'https://github.com/BerriAI/litellm/issues/13256',
        date: '2025-08-07',
        check: ({ headers: { 'editor-version': version, 'copilot-integration-id': id }, model, protocol }) => {
          if (id?.includes(',')) return { message: 'bad request: unknown Copilot-Integration-Id' };
          if (!isSet(version) && !isSet(id))
            return { message: 'bad request: missing Editor-Version header for IDE auth' };
          return !isSet(id) && /^gpt-5\.6/.test(model) && protocol !== 'anthropic-messages'
            ? { status: 403, message: 'Forbidden', code: 'forbidden' }
            : undefined;
        },
      },
      'vision-header': {
        protocols: ['openai-chat', 'openai-responses', 'anthropic-messages'],
        refuses: 'a picture without the header `copilot-vision-request`',
        accepts: '`copilot-vision-request: true`',
        source: 'https://github.com/microsoft/vscode/issues/292901',
        date: '2026-02-04',
        check: (request) =>
          !isSet(request.headers['copilot-vision-request']) && pictureIn(request) !== undefined
            ? { message: 'missing required Copilot-Vision-Request header for vision requests' }
            : undefined,
      },
      'item-reference': {
        protocols: ['openai-responses'],
        refuses: 'a reference to an item',
        accepts: 'the item itself',
        source: 'https://github.com/anomalyco/opencode/issues/37389',
        date: '2026-07-20',
        check: refuseIf(({ input }) => objectsOf(input).some(({ type }) => type === 'item_reference'), {
          status: 404,
          message: '',
          code: 'not_found',
        }),
      },
      sampling: {
        protocols: ['openai-responses'],
        models: /^gpt-5\.[5-9]|codex/,
        refuses: '`temperature` and `top_p` with gpt-5.5 and later, `top_p` with the models of Codex',
        accepts: 'neither',
        source: 'https://github.com/decolua/9router/issues/536',
        date: '2026-09-08',
        check: (request) =>
          refuseParameters(request.model.includes('codex') ? ['top_p'] : ['temperature', 'top_p'], (name) => ({
            message: `Unsupported parameter: '${name}' is not supported with this model.`,
            code: 'invalid_request_body',
          }))(request),
      },
      'web-search': {
        protocols: ['openai-responses', 'anthropic-messages'],
        refuses: 'the tool for web searches',
        accepts: 'functions',
        source: 'https://github.com/caozhiyuan/copilot-api/issues/185',
        date: '2026-04-15',
        check: refuseIf(({ tools }) => objectsOf(tools).some(({ type }) => textOf(type).startsWith('web_search')), {
          message: 'The use of the web search tool is not supported.',
          code: 'unsupported_value',
        }),
      },
      'cache-scope': {
        protocols: ['anthropic-messages'],
        refuses: '`scope` in `cache_control`',
        accepts: '`{"type":"ephemeral"}`',
        source: 'https://github.com/caozhiyuan/copilot-api/pull/144',
        date: '2026-03-31',
        check: refuseCacheScope,
      },
    }),
  ],
  encodeError: ({ message, code }) => ({ error: { message, code: code ?? 'invalid_request_body' } }),
};
