import {
  limitConverseOutput,
  limitDocuments,
  refuseBlankBlock,
  refuseConverseFaults,
  refuseEmptyContent,
  refuseEmptyError,
  refuseFirstAnswer,
  refuseHistoryWithoutToolConfig,
  refuseJsonResult,
  refuseLoneMark,
  refuseMarkAfterReasoning,
  refuseNoArguments,
  refuseToolSchema,
  requireTurns,
} from '../../checks/converse.ts';
import type { Rule } from '../../service.ts';
import { rulesOver } from '../../share-rules.ts';

const CONVERSE = ['bedrock-converse'] as const;

/** The rules of the operations Converse and ConverseStream for all models. */
export const CONVERSE_RULES: readonly Rule[] = rulesOver('bedrock', CONVERSE, {
  'converse-shape': {
    refuses:
      'a value that the model of the service excludes: a `temperature` above 1, `maxTokens: 0`, the name of a tool with a space, a `toolUseId` with more than 64 characters, an empty description …',
    accepts: 'its values, ranges and lengths',
    source: 'https://github.com/run-llama/llama_index/pull/22775',
    date: '2026-08-21',
    check: refuseConverseFaults,
  },
  'converse-blank-text': {
    refuses: 'an empty text, or white space at the start of a message',
    accepts: 'a text with a word, and white space after it',
    source: 'https://github.com/aws-samples/bedrock-engineer/issues/8',
    date: '2025-02-25',
    check: refuseBlankBlock,
  },
  'converse-empty-content': {
    refuses: 'a message without content',
    accepts: 'a message with a text',
    source: 'https://github.com/archestra-ai/archestra/pull/4220',
    date: '2026-04-30',
    check: refuseEmptyContent,
  },
  'converse-json-result': {
    refuses: 'a result with `json` that is not an object',
    accepts: 'an object, or the same as text',
    source: 'https://github.com/sigoden/aichat/pull/1550',
    date: '2026-09-09',
    check: refuseJsonResult,
  },
  'converse-empty-error': {
    refuses: 'a result with the status `error` without content',
    accepts: 'one with a text',
    source: 'https://github.com/aws-samples/sample-multi-agent-orchestration-chat-on-agentcore/issues/15',
    date: '2026-06-01',
    check: refuseEmptyError,
  },
  'converse-history-without-tools': {
    refuses: 'calls and results in a request without `toolConfig`',
    accepts: 'the same request with the tools',
    source: 'https://github.com/langgenius/dify/issues/16421',
    date: '2025-03-21',
    check: refuseHistoryWithoutToolConfig,
  },
  'converse-schema-type': {
    refuses: 'a tool whose schema has another type than `object`, or none',
    accepts: '`{"type":"object"}`',
    source: 'https://github.com/cognitect-labs/aws-api/issues/272',
    date: '2025-07-08',
    check: refuseToolSchema,
  },
  'converse-output': {
    refuses: 'a `maxTokens` above the limit of the model, with Claude, Llama and Nova 1',
    accepts: 'its limit',
    source: 'https://docs.aws.amazon.com/bedrock/latest/userguide/inference-parameters.html',
    date: '2026-11-28',
    check: limitConverseOutput,
  },
  'converse-documents': {
    refuses: 'two documents of one name, and more than five in a message',
    accepts: 'five documents, each with a name of its own',
    source: 'https://github.com/BerriAI/litellm/pull/30093',
    date: '2026-06-09',
    check: limitDocuments,
  },
  'converse-first-role': {
    refuses: 'a first message of the assistant',
    accepts: 'a first message of the user',
    source: 'https://github.com/elastic/kibana/pull/246393',
    date: '2025-12-15',
    check: refuseFirstAnswer,
  },
  'converse-alternation': {
    refuses: 'two neighbours of one role',
    accepts: 'the user and the assistant in turn',
    source: 'https://github.com/langgenius/dify/issues/9294',
    date: '2024-10-13',
    check: requireTurns,
  },
  'converse-no-arguments': {
    refuses: 'a call whose `input` is no object',
    accepts: '`{}`',
    source: 'https://github.com/kagent-dev/kagent/issues/1870',
    date: '2026-05-15',
    check: refuseNoArguments,
  },
  'converse-lone-cache-point': {
    refuses: 'a message with nothing but a `cachePoint`',
    accepts: 'one after a text',
    source: 'https://github.com/anomalyco/opencode/issues/45620',
    date: '2026-08-27',
    check: refuseLoneMark,
  },
  'converse-cache-after-reasoning': {
    refuses: 'a `cachePoint` right after reasoning',
    accepts: 'one after a text',
    source: 'https://github.com/anomalyco/opencode/issues/36517',
    date: '2026-07-12',
    check: refuseMarkAfterReasoning,
  },
});
