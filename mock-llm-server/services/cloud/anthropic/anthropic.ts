import { refuseBetaFields, refuseMarkOrder } from '../../checks/anthropic/blocks.ts';
import {
  limitCacheMarks,
  refuseBlankText,
  refuseCallInput,
  refuseClaudeChoiceWithoutTools,
  refuseClaudeToolName,
  refuseForeignParameters,
  refuseForeignTool,
  refuseHalfCharacters,
  refuseMessageFields,
  refuseOldDraft,
  refuseOldOrder,
  refusePrefill,
  refusePropertyKeys,
  refuseSchemaType,
  refuseToolFields,
  refuseTopAlternatives,
  refuseTrailingSpace,
  refuseUnknownClaudeChoice,
  refuseWeakAdvisor,
} from '../../checks/anthropic/requests.ts';
import type { Rule, Service } from '../../service.ts';
import { rulesOver } from '../../share-rules.ts';
import { ANTHROPIC_BLOCK_RULES } from './blocks.ts';
import { ANTHROPIC_MARK_RULES } from './marks.ts';
import { ANTHROPIC_PARAMETER_RULES, ANTHROPIC_SHAPE_RULE, SINCE_4_6 } from './parameters.ts';
import { ANTHROPIC_SCHEMA_RULES } from './schemas.ts';

const MESSAGES = ['anthropic-messages'] as const;
const MESSAGE_RULES: readonly Rule[] = rulesOver('anthropic', MESSAGES, {
  prefill: {
    models: SINCE_4_6,
    refuses: 'a last message of the assistant, with Claude 4.6 and later',
    accepts:
      'a last message of the user, and an answer that pauses at a tool of the server; the same with Claude 4.5 and earlier',
    source: 'https://github.com/langchain-ai/deepagents/issues/1585',
    date: '2026-03-04',
    check: refusePrefill,
  },
  'first-role': {
    models: /^(?:[a-z]+\.)*claude-(?:3-(?!7)|2|instant)/,
    refuses: 'a first message of the assistant, and a last one in a request with tools, with Claude 3.5 and earlier',
    accepts: 'a first and a last message of the user; both of the assistant with Claude 4.5',
    source: 'https://github.com/browser-use/browser-use/issues/187',
    date: '2025-01-08',
    check: refuseOldOrder,
  },
  'cache-marks': {
    refuses: 'more than four blocks with `cache_control`',
    accepts: 'four blocks with `cache_control`',
    source: 'https://github.com/tghamm/Anthropic.SDK/issues/50',
    date: '2024-09-26',
    check: limitCacheMarks,
  },
  'blank-text': {
    refuses: 'a text of white space alone, also in `system`, and an empty one there',
    accepts: 'a text with a word and white space; white space beside a call',
    source: 'https://github.com/anthropics/claude-code/issues/23096',
    date: '2026-02-04',
    check: refuseBlankText,
  },
  'trailing-space': {
    refuses: 'white space at the end of a last message of the assistant',
    accepts: 'the same message without it, with Claude 4.5 and earlier',
    source: 'https://github.com/tailcallhq/forgecode/issues/1872',
    date: '2025-11-08',
    check: refuseTrailingSpace,
  },
  'message-fields': {
    refuses: 'a message with another field than `role`, `content` and `output_config`',
    accepts: 'these fields; Claude Code 2.1.329 sends all three',
    source: 'https://github.com/RooCodeInc/Roo-Code/issues/11429',
    date: '2026-02-12',
    check: refuseMessageFields,
  },
  'half-character': {
    refuses: 'half a surrogate pair in a text: `"\\ud83d"`',
    accepts: 'the whole character',
    source: 'https://github.com/anthropics/claude-code/issues/4503',
    date: '2025-07-26',
    check: refuseHalfCharacters((at) => ({
      message: `The request body is not valid JSON: no low surrogate in string: line 1 column ${at + 1} (char ${at})`,
    })),
  },
  'foreign-parameter': {
    only: true,
    refuses:
      'parameters of OpenAI: `reasoning_effort`, `stop`, `response_format`, `parallel_tool_calls`, `extra_body` …',
    accepts: '`stop_sequences`, `output_config`',
    source: 'https://github.com/Aider-AI/aider/issues/4404',
    date: '2025-08-04',
    check: refuseForeignParameters,
  },
  'beta-field': {
    only: true,
    refuses:
      '`context_management` or `mcp_servers` with other betas alone, and other fields of the former than `edits`',
    accepts: 'the same with `anthropic-beta: context-management-2025-06-27`',
    source: 'https://github.com/anthropics/claude-code/issues/21612',
    date: '2026-02-24',
    check: refuseBetaFields,
  },
  'mark-order': {
    refuses: 'a `cache_control` of an hour after one of five minutes',
    accepts: 'the one of an hour first',
    source: 'https://github.com/cnighswonger/claude-code-cache-fix/issues/44',
    date: '2026-04-19',
    check: refuseMarkOrder,
  },
  'call-input': {
    refuses: 'a `tool_use` whose `input` is not an object',
    accepts: '`input: {}`',
    source: 'https://github.com/anthropics/claude-code/issues/6696',
    date: '2025-08-28',
    check: refuseCallInput,
  },
});

const TOOL_RULES: readonly Rule[] = rulesOver('anthropic', MESSAGES, {
  'foreign-tool': {
    refuses: 'a tool in the form of OpenAI, `{"type":"function","function":{…}}`',
    accepts: '`{"name":"read","input_schema":{"type":"object"}}`',
    source:
      'https://github.com/pydantic/pydantic-ai/blob/main/tests/models/cassettes/test_bedrock/test_anthropic_bedrock_count_tokens_rejects_server_tools.yaml',
    date: '2026-08-22',
    check: refuseForeignTool,
  },
  'tool-field': {
    only: true,
    refuses: 'a tool with a field that the API does not have, such as `parameters`',
    accepts: '`description`, `cache_control`, `strict`',
    source: 'https://github.com/Wei-Shaw/claude-relay-service/issues/667',
    date: '2025-11-15',
    check: refuseToolFields,
  },
  'tool-name': {
    refuses: 'a tool whose name has other characters than letters, digits, `_` and `-`, or more than 128',
    accepts: '`read_file-2`',
    source: 'https://github.com/modelcontextprotocol/modelcontextprotocol/issues/1345',
    date: '2025-08-14',
    check: refuseClaudeToolName,
  },
  'schema-type': {
    refuses: 'an `input_schema` that is absent, lacks `type: object`, or whose `properties` are not an object',
    accepts: '`{"type":"object"}`',
    source: 'https://github.com/Kilo-Org/kilocode/issues/12238',
    date: '2026-07-15',
    check: refuseSchemaType,
  },
  'top-alternatives': {
    refuses: '`anyOf`, `oneOf` or `allOf` at the top of an `input_schema`',
    accepts: '`anyOf` in a property',
    source: 'https://github.com/anthropics/claude-code/issues/710',
    date: '2025-04-04',
    check: refuseTopAlternatives,
  },
  'property-keys': {
    refuses: 'a property whose key has other characters than letters, digits, `_`, `.` and `-`, or more than 64',
    accepts: '`file_path`',
    source: 'https://github.com/freee/freee-mcp/issues/15',
    date: '2025-07-12',
    check: refusePropertyKeys,
  },
  'schema-draft': {
    refuses:
      'a schema of an older draft: a list as `items`, a boolean `exclusiveMinimum` or `required`, an unknown type',
    accepts: 'the same in JSON Schema 2020-12: `prefixItems`, a number',
    source: 'https://github.com/moonrepo/moon/issues/2396',
    date: '2026-03-06',
    check: refuseOldDraft,
  },
  advisor: {
    refuses: 'a tool `advisor_20260301` whose model ranks below that of the request, is a Haiku or has a prefix',
    accepts: '`claude-opus-4-7` for `claude-sonnet-4-6`, `claude-opus-4-8` and itself',
    source: 'https://github.com/anthropics/claude-code/issues/67764',
    date: '2026-06-12',
    check: refuseWeakAdvisor,
  },
  'unknown-choice': {
    refuses: 'a `tool_choice` of a tool that is not offered',
    accepts: 'one that is',
    source: 'https://platform.claude.com/docs/en/agents-and-tools/tool-use/',
    date: '2025-06',
    check: refuseUnknownClaudeChoice,
  },
  'choice-without-tools': {
    refuses: '`tool_choice` without `tools`',
    accepts: '`tool_choice` with `tools`',
    source:
      'https://github.com/microsoft/autogen/blob/main/python/packages/autogen-ext/src/autogen_ext/models/anthropic/_anthropic_client.py',
    date: '2026-11-28',
    check: refuseClaudeChoiceWithoutTools,
  },
});

/** Anthropic's own API. */
export const anthropic: Service = {
  name: 'anthropic',
  title: 'Anthropic',
  owns: /^claude-/,
  rules: [
    ANTHROPIC_SHAPE_RULE,
    ...MESSAGE_RULES,
    ...ANTHROPIC_BLOCK_RULES,
    ...TOOL_RULES,
    ...ANTHROPIC_PARAMETER_RULES,
    ...ANTHROPIC_SCHEMA_RULES,
    ...ANTHROPIC_MARK_RULES,
  ],
};
