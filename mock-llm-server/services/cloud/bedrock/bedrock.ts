import { refuseBetas, refuseCacheScope } from '../../checks/anthropic/blocks.ts';
import { extraInput, refuseClaudeHistoryWithoutTools } from '../../checks/anthropic/requests.ts';
import { refuseIf } from '../../checks/fields.ts';
import { refuseParameters } from '../../checks/foreign-fields.ts';
import { objectsOf, textOf } from '../../raw.ts';
import type { Rule, Service } from '../../service.ts';
import { rulesOver, shareRules } from '../../share-rules.ts';
import { anthropic } from '../anthropic/anthropic.ts';
import { CONVERSE_RULES } from './converse.ts';
import { CONVERSE_MODEL_RULES } from './converse-models.ts';

const FOREIGN_BETAS =
  /^(?:thinking-binding-controls|advanced-tool-use|prompt-caching-scope|files-api|oauth|fast-mode|redact-thinking|token-efficient-tools-2026)-/;

/** Betas that Bedrock never had, and those that Claude Opus 4.7 refuses. */
function isForeignBeta(beta: string, model: string): boolean {
  if (FOREIGN_BETAS.test(beta)) return true;
  return /claude-opus-4-7/.test(model) && /^(?:claude-code|effort|tool-search-tool)-/.test(beta);
}

/** Resellers of Claude refuse a block with which Claude Code names its version, and which Anthropic itself takes. */
export const RESERVED_WORD_RULE: Rule = {
  id: 'bedrock/reserved-word',
  protocols: ['anthropic-messages'],
  refuses: 'a system prompt with `x-anthropic-billing-header`',
  accepts: 'any other one',
  source: 'https://github.com/anthropics/claude-code/issues/24168',
  date: '2026-02-08',
  check: refuseIf(({ system = '' }) => JSON.stringify(system).includes('x-anthropic-billing-header'), {
    message: 'x-anthropic-billing-header is a reserved keyword and may not be used in the system prompt.',
  }),
};

/** Amazon Bedrock: Converse, and the wire of Anthropic. */
export const bedrock: Service = {
  name: 'bedrock',
  title: 'Amazon Bedrock',
  rules: [
    ...CONVERSE_RULES,
    ...CONVERSE_MODEL_RULES,
    ...shareRules('bedrock', anthropic.rules, ['foreign-tool', 'message-fields', 'model-prefix', 'mark-time']),
    RESERVED_WORD_RULE,
    ...rulesOver('bedrock', ['anthropic-messages'], {
      'tool-name-length': {
        refuses: 'a tool whose name has more than 64 characters',
        accepts: '64 characters',
        source: 'https://github.com/bitrise-io/bitrise-mcp/issues/27',
        date: '2025-11-12',
        check: ({ body }) => {
          const names = objectsOf(body['tools']).map(({ name }) => textOf(name).length);
          const index = names.findIndex((length) => length > 64);
          if (index === -1) return undefined;
          return {
            message: `Malformed input request: #/tools/${index}/name: expected maxLength: 64, actual: ${names[index]}, please reformat your input and try again.`,
          };
        },
      },
      'history-without-tools': {
        refuses: 'calls and results in a request without tools',
        accepts: 'the same request with the tools',
        source: 'https://github.com/langgenius/dify/issues/16421',
        date: '2025-03-21',
        check: refuseClaudeHistoryWithoutTools({
          message: 'The toolConfig field must be defined when using toolUse and toolResult content blocks.',
        }),
      },
      'body-field': {
        refuses: '`cache_control` outside of blocks',
        accepts: '`cache_control` on a block',
        source: 'https://github.com/UKGovernmentBEIS/inspect_ai/pull/3851',
        date: '2026-05-06',
        check: refuseParameters(['cache_control'], extraInput),
      },
      'cache-scope': {
        refuses: 'the field `scope` of `cache_control`',
        accepts: '`{"type":"ephemeral"}`',
        source: 'https://github.com/Wei-Shaw/claude-relay-service/pull/965',
        date: '2026-02-10',
        check: refuseCacheScope,
      },
      beta: {
        refuses: 'betas that Bedrock does not have for the model',
        accepts: '`interleaved-thinking-2025-05-14`',
        source: 'https://github.com/anthropics/claude-code/issues/49648',
        date: '2026-04-17',
        check: refuseBetas(isForeignBeta, () => ({ message: 'invalid beta flag' })),
      },
    }),
  ],
};
