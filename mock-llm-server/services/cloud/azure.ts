import { AZURE_FORM } from '../answer-forms.ts';
import { firstOf, isSet } from '../checks/fields.ts';
import { FOREIGN_IN_CHAT, refuseParameters } from '../checks/foreign-fields.ts';
import { refuseItem } from '../checks/responses.ts';
import { objectsOf, textOf } from '../raw.ts';
import { relayRules, UNCHANGED } from '../relay/relay.ts';
import { type Check, holdsFor, type Service } from '../service.ts';
import { rulesOf, shareRules } from '../share-rules.ts';
import { anthropic } from './anthropic/anthropic.ts';
import { openai } from './openai.ts';

/** Parameters with the first version of the API that has them: https://learn.microsoft.com/azure/ai-services/openai/reference */
const SINCE: Readonly<Record<string, string>> = {
  functions: '2023-07-01',
  tool_choice: '2023-12-01',
  tools: '2023-12-01',
  stream_options: '2024-09-01',
  max_completion_tokens: '2024-09-01',
};

/** Refuses parameters that came after the `api-version` of the request. */
const refuseNewParameters: Check = ({ body, query }) => {
  const version = query['api-version']?.slice(0, '2024-01-01'.length) ?? '';
  if (!/^20\d\d-/.test(version)) return undefined;
  const found = Object.entries(SINCE).flatMap(([name, since]) => (isSet(body[name]) && version < since ? [name] : []));
  if (found.length === 0) return undefined;
  return { message: `Unrecognized request argument${found.length > 1 ? 's' : ''} supplied: ${found.join(', ')}` };
};

/** Refuses o1 in a version before its first one: https://github.com/Azure-Samples/azure-search-openai-demo/issues/2496 */
const refuseOlderModel: Check = ({ query: { 'api-version': version = '' }, model }) =>
  /^o1(?:-2024|$)/.test(model) && /^20\d\d-/.test(version) && version < '2024-12-01'
    ? { code: 'BadRequest', message: 'Model o1 is enabled only for api versions 2024-12-01-preview and later' }
    : undefined;

/** Refuses a version that the API does not have, and none below a path that needs it. */
const refuseVersion: Check = ({ query, path, isNamed }) => {
  const { 'api-version': version } = query;
  if (version !== undefined) {
    const isDated = /^20\d\d-\d\d-\d\d(?:-preview)?$/.test(version);
    const isKnown = /\/v1\//.test(path) ? !isDated : isDated;
    if (!isKnown) return { code: 'BadRequest', message: 'API version not supported' };
    const isOlder = path === '/openai/responses' && version < '2025-03-01';
    const since = 'Azure OpenAI Responses API is enabled only for api-version 2025-03-01-preview and later';
    return isOlder ? { code: 'BadRequest', message: since } : undefined;
  }
  return isNamed && path === '/openai/responses'
    ? { code: 'BadRequest', message: 'Missing required query parameter: api-version' }
    : undefined;
};

/** Betas and tools of Anthropic may be known here at another time. */
const UNKNOWN_HERE = ['foreign-tool', 'model-prefix', 'mark-time', 'beta-field'];
const CLAUDE_RULES = anthropic.rules.filter(
  (rule) => holdsFor(rule, 'anthropic-messages') && !UNKNOWN_HERE.includes(rule.id.replace('anthropic/', '')),
);

/** Azure OpenAI, which has the models of OpenAI under names that its users choose. */
export const azure: Service = {
  name: 'azure',
  title: 'Azure OpenAI',
  answers: AZURE_FORM,
  rules: [
    ...rulesOf('azure', {
      'api-version': {
        protocols: ['openai-chat', 'openai-responses'],
        refuses:
          'an `api-version` before parameters or a model: `tools` before 2023-12-01, `max_completion_tokens` before 2024-09-01, o1 before 2024-12-01, Responses before 2025-03-01; below `/openai/v1` any date; if the service is named, one that is no date, and none below `/openai/responses`',
        accepts: '`api-version=2025-04-01-preview`',
        source: 'https://github.com/hotovo/aider-desk/issues/460',
        date: '2025-11-01',
        check: firstOf([refuseOlderModel, refuseNewParameters, refuseVersion]),
      },
      'responses-only': {
        models: /^(?:gpt-5[.\d]*-(?:codex|pro)|o[13]-pro)/,
        refuses: 'a model that only Responses has: gpt-5-codex, gpt-5-pro, o3-pro …',
        accepts: 'the same model over Responses',
        source: 'https://github.com/QuantumNous/new-api/issues/3097',
        date: '2026-03-03',
        check: ({ model }) => ({
          code: 'OperationNotSupported',
          message: `The chatCompletion operation does not work with the specified model, ${model}. Please choose different model and try again.`,
        }),
      },
      'responses-lite': {
        protocols: ['openai-responses'],
        refuses: 'a tool of the type `namespace` with the header `x-openai-internal-codex-responses-lite`',
        accepts: 'the same without the header; functions and custom tools with it',
        source: 'https://github.com/openai/codex/issues/31870',
        date: '2026-07-10',
        check: ({ headers, body }) =>
          headers['x-openai-internal-codex-responses-lite'] === 'true' &&
          objectsOf(body['tools']).some(({ type }) => !['function', 'custom', 'tool_search'].includes(textOf(type)))
            ? {
                message:
                  'X-OpenAI-Internal-Codex-Responses-Lite only supports function tools, custom tools, and client-executed tool search.',
                param: 'tools',
                code: 'unsupported_value',
              }
            : undefined,
      },
      'null-status': {
        protocols: ['openai-responses'],
        refuses: 'an item with `status: null`',
        accepts: '`status: completed`',
        source: 'https://github.com/microsoft/agent-framework/issues/4576',
        date: '2026-03-10',
        check: refuseItem(
          ({ type, status }) => type !== 'reasoning' && status === null,
          (index) => ({
            code: 'invalid_payload',
            message: `Invalid payload: Value is 'null' but should be 'string' at /input/${index}/status`,
          }),
        ),
      },
      'unrecognized-argument': {
        refuses: 'parameters of other services in Chat Completions: `top_k`, `thinking`, `chat_template_kwargs` …',
        accepts: '`reasoning_effort`',
        source: 'https://github.com/langgenius/dify-official-plugins/issues/2263',
        date: '2025-12-16',
        check: refuseParameters(FOREIGN_IN_CHAT, (name) => ({
          message: `Unrecognized request argument supplied: ${name}`,
        })),
      },
    }),
    ...rulesOf('azure', {
      'claude-in-chat': {
        protocols: ['openai-chat', 'openai-responses'],
        models: /^claude-/,
        refuses: 'Claude over the protocols of OpenAI',
        accepts: 'the same model below `/anthropic/v1/messages`',
        source: 'https://github.com/theopenco/llmgateway/pull/3233',
        date: '2026-07-25',
        check: () => ({ status: 404, code: 'api_not_supported', message: 'Requested API is currently not supported' }),
      },
    }),
    ...relayRules(
      { protocol: 'anthropic-messages', rules: CLAUDE_RULES, ...UNCHANGED, describe: (violation) => violation },
      {
        id: 'azure/claude',
        protocols: ['anthropic-messages'],
        models: /^claude-/,
        refuses: 'what Anthropic refuses over Messages, which serves Claude here',
        accepts: 'what Anthropic accepts, also its own tools',
        source: 'https://platform.claude.com/docs/en/build-with-claude/claude-in-microsoft-foundry',
        date: '2026-12-01',
      },
      'a tool that Anthropic refuses',
    ),
    // A deployment with the name gpt-4 may be of a later version.
    ...shareRules('azure', openai.rules, ['unknown-argument', 'responses-only', 'format-by-model']),
  ],
};
