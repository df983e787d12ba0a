import { refuseClaudeHistoryWithoutTools } from '../checks/anthropic.ts';
import {
  refuseBlankBlock,
  refuseEmptyContent,
  refuseEmptyError,
  refuseHistoryWithoutToolConfig,
  refuseJsonResult,
} from '../checks/converse.ts';
import type { Rule, Service } from '../service.ts';
import { shareRules } from '../share-rules.ts';
import { anthropic } from './anthropic.ts';

const CONVERSE = ['bedrock-converse'] as const;

/** The rules of the operations Converse and ConverseStream. */
const CONVERSE_RULES: readonly Rule[] = [
  {
    id: 'bedrock/converse-blank-text',
    protocols: CONVERSE,
    refuses: 'an empty text, or white space at the start of a message',
    accepts: 'a text with a word, and white space after it',
    source: 'https://github.com/aws-samples/bedrock-engineer/issues/8',
    date: '2025-02-25',
    check: refuseBlankBlock,
  },
  {
    id: 'bedrock/converse-empty-content',
    protocols: CONVERSE,
    refuses: 'a message without content',
    accepts: 'a message with a text',
    source: 'https://github.com/archestra-ai/archestra/pull/4220',
    date: '2026-04-30',
    check: refuseEmptyContent,
  },
  {
    id: 'bedrock/converse-json-result',
    protocols: CONVERSE,
    refuses: 'a result with `json` that is no object',
    accepts: 'an object, or the same as text',
    source: 'https://github.com/sigoden/aichat/pull/1550',
    date: '2026-09-09',
    check: refuseJsonResult,
  },
  {
    id: 'bedrock/converse-empty-error',
    protocols: CONVERSE,
    refuses: 'a result with the status `error` without content',
    accepts: 'one with a text',
    source: 'https://github.com/aws-samples/sample-multi-agent-orchestration-chat-on-agentcore/issues/15',
    date: '2026-06-01',
    check: refuseEmptyError,
  },
  {
    id: 'bedrock/converse-history-without-tools',
    protocols: CONVERSE,
    refuses: 'calls and results in a request without `toolConfig`',
    accepts: 'the same request with the tools',
    source: 'https://github.com/langgenius/dify/issues/16421',
    date: '2025-03-21',
    check: refuseHistoryWithoutToolConfig,
  },
];

/** Amazon Bedrock: Converse, and the wire of Anthropic. */
export const bedrock: Service = {
  name: 'bedrock',
  title: 'Amazon Bedrock',
  rules: [
    ...CONVERSE_RULES,
    ...shareRules('bedrock', anthropic.rules, ['foreign-tool', 'message-fields']),
    {
      id: 'bedrock/history-without-tools',
      protocols: ['anthropic-messages'],
      refuses: 'calls and results in a request without tools',
      accepts: 'the same request with the tools',
      source: 'https://github.com/langgenius/dify/issues/16421',
      date: '2025-03-21',
      check: refuseClaudeHistoryWithoutTools({
        message: 'The toolConfig field must be defined when using toolUse and toolResult content blocks.',
      }),
    },
  ],
};
