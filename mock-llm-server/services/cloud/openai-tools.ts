import { isSet, limitList, limitTools } from '../checks/fields.ts';
import {
  refuseArrayWithoutItems,
  refuseFaultySchema,
  refuseLooseFormat,
  refuseLooseFunction,
  refuseNoProperties,
  refusePattern,
  refuseRootType,
  refuseUnspokenJson,
} from '../checks/openai-schemas.ts';
import { tooLong, tooMany } from '../checks/responses.ts';
import { refuseToolName } from '../checks/tools.ts';
import { listOf, objectOf } from '../raw.ts';
import type { Rule } from '../service.ts';
import { rulesOver } from '../share-rules.ts';

const BOTH = ['openai-chat', 'openai-responses'] as const;
const TOOL_NAME = /^[a-zA-Z0-9_-]+$/;

/** The rules of tools, formats and lists. */
export const OPENAI_TOOL_RULES: readonly Rule[] = rulesOver('openai', BOTH, {
  'too-many-tools': {
    refuses: 'more than 128 tools',
    accepts: '128 tools',
    source: 'https://github.com/vishalmysore/Tools4AI/issues/16',
    date: '2024-05-15',
    check: limitTools(128, (count) => tooMany('tools', 128, count)),
  },
  'tool-name': {
    refuses: 'a function whose name has more than 64 characters or others than letters, digits, `_` and `-`',
    accepts: '`read_file-2`, 64 characters',
    source: 'https://github.com/Vortiago/mcp-azure-devops/pull/30',
    date: '2025-06-08',
    check: refuseToolName(/^[a-zA-Z0-9_-]{1,64}$/, ({ path, name }) =>
      TOOL_NAME.test(name)
        ? tooLong(`${path}.name`, 64, name.length)
        : {
            message: `Invalid '${path}.name': string does not match pattern. Expected a string that matches the pattern '${TOOL_NAME.source}'.`,
            param: `${path}.name`,
            code: 'invalid_value',
          },
    ),
  },
  'root-type': {
    refuses: 'a function whose schema is not an object, or has `anyOf`, `oneOf`, `allOf`, `enum` or `not` at the top',
    accepts: '`{"type":"object","properties":{}}`',
    source: 'https://github.com/vercel/ai/issues/7005',
    date: '2025-06-30',
    check: refuseRootType,
  },
  schema: {
    refuses: 'an invalid JSON Schema: `required: null`, `exclusiveMinimum: true`, a text as a property',
    accepts: '`required: []`, `exclusiveMinimum: 0`',
    source: 'https://github.com/home-assistant/core/issues/181322',
    date: '2026-09-04',
    check: refuseFaultySchema,
  },
  pattern: {
    refuses: 'a `pattern` with an escape or a group that Python lacks: `\\p{L}`, `\\u{1F600}`, `(?<name>`',
    accepts: '`(?=`, `(?<!`, `\\u00e9`',
    source: 'https://github.com/Alishahryar1/free-claude-code/issues/1730',
    date: '2026-09-09',
    check: refusePattern,
  },
  'array-items': {
    refuses: 'an array without `items` in the schema of a function',
    accepts: 'an array with `items: {}`',
    source: 'https://github.com/mark3labs/mcphost/issues/35',
    date: '2025-04-24',
    check: refuseArrayWithoutItems,
  },
  'no-properties': {
    refuses: 'a function whose parameters have no `properties`',
    accepts: '`{"type":"object","properties":{}}`, or no parameters',
    source: 'https://github.com/github/github-mcp-server/issues/1548',
    date: '2025-12-07',
    only: true,
    check: refuseNoProperties,
  },
  'strict-function': {
    refuses:
      'a strict function with an object that lacks `additionalProperties: false` or whose `required` does not name just its properties, or with `allOf`, `oneOf` or `not`',
    accepts: 'the same function without `strict`',
    source: 'https://github.com/lastmile-ai/openai-agents-mcp/issues/2',
    date: '2025-03-14',
    check: refuseLooseFunction,
  },
  'strict-format': {
    refuses:
      'a strict format with an object that lacks `additionalProperties: false` or whose `required` does not name just its properties, or with `allOf`, `oneOf` or `not`',
    accepts: 'the same format without `strict`',
    source: 'https://github.com/moeru-ai/xsai/issues/145',
    date: '2025-05-05',
    check: refuseLooseFormat,
  },
  'without-tools': {
    protocols: ['openai-chat'],
    refuses: '`tool_choice` or `parallel_tool_calls` without `tools`',
    accepts: 'the same with `tools`',
    source: 'https://github.com/dapr/dapr-agents/issues/248',
    date: '2025-11-02',
    check: ({ body }) => {
      const param = ['tool_choice', 'parallel_tool_calls'].find((name) => isSet(body[name]));
      if (param === undefined || listOf(body['tools']).length > 0) return undefined;
      return { message: `Invalid value for '${param}': '${param}' is only allowed when 'tools' are specified.`, param };
    },
  },
  'format-by-model': {
    protocols: BOTH,
    refuses:
      'the format `json_object` with the first models of GPT-4 and GPT-3.5, and `json_schema` with gpt-4-turbo, gpt-3.5, chatgpt-4o-latest and the first gpt-4o, too',
    accepts: '`json_object` with gpt-4-turbo, both with gpt-4o',
    source: 'https://github.com/mrwadams/stride-gpt/issues/19',
    date: '2024-05-22',
    models: /^(?:gpt-(?:3\.?5|4(?:-|$)|4o-2024-05-13)|chatgpt-4o)/,
    check: ({ protocol, body, model }) => {
      const isChat = protocol === 'openai-chat';
      const { type } = objectOf(isChat ? body['response_format'] : objectOf(body['text'])['format']);
      const isOld = /^gpt-(?:4(?:-32k)?(?:-0[36]\d\d)?|3\.?5-turbo(?:-16k)?-0[36]\d\d)$/.test(model);
      if (type !== 'json_schema' && !(type === 'json_object' && isOld)) return undefined;
      const param = isChat ? 'response_format' : 'text.format';
      return { message: `Invalid parameter: '${param}' of type '${type}' is not supported with this model.`, param };
    },
  },
  'json-word': {
    refuses: 'the format `json_object` if no message contains the word JSON',
    accepts: 'a message that says JSON',
    source: 'https://github.com/ultimatejimmy/xray.koplugin/issues/33',
    date: '2026-05-09',
    check: refuseUnspokenJson,
  },
  'stop-count': {
    protocols: ['openai-chat'],
    refuses: 'more than four stop sequences',
    accepts: 'four',
    source: 'https://github.com/continuedev/continue/issues/1572',
    date: '2024-06-26',
    check: limitList('stop', 4, (count) => tooMany('stop', 4, count)),
  },
});
