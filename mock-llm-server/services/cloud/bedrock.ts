import { extraInput, refuseClaudeHistoryWithoutTools } from '../checks/anthropic.ts';
import { refuseBetas, refuseCacheScope } from '../checks/anthropic-blocks.ts';
import {
  limitConverseOutput,
  limitDocuments,
  refuseBlankBlock,
  refuseBlankResult,
  refuseCallIds,
  refuseEmptyContent,
  refuseEmptyError,
  refuseFirstAnswer,
  refuseHistoryWithoutToolConfig,
  refuseJsonResult,
  refuseS3,
  refuseTextAfterCalls,
  refuseTextBeside,
  refuseToolSchema,
  refuseToolSpec,
  requireTurns,
} from '../checks/converse.ts';
import { refuseParameters } from '../checks/foreign-fields.ts';
import { objectsOf, textOf } from '../raw.ts';
import type { Rule, Service } from '../service.ts';
import { shareRules } from '../share-rules.ts';
import { anthropic } from './anthropic.ts';

const CONVERSE = ['bedrock-converse'] as const;

/** Betas that Bedrock never had, and those that Claude Opus 4.7 refuses. */
function isForeignBeta(beta: string, model: string): boolean {
  if (/^(?:thinking-binding-controls|advanced-tool-use|prompt-caching-scope|files-api)-/.test(beta)) return true;
  return /claude-opus-4-7/.test(model) && /^(?:claude-code|effort|tool-search-tool)-/.test(beta);
}

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
    id: 'bedrock/converse-s3',
    protocols: CONVERSE,
    models: /claude/,
    refuses: 'a document or a picture in S3, with Claude',
    accepts: 'its bytes; the same with Amazon Nova',
    source: 'https://github.com/strands-agents/harness-sdk/pull/3610',
    date: '2026-08-03',
    check: refuseS3,
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
  {
    id: 'bedrock/converse-blank-result',
    protocols: CONVERSE,
    models: /anthropic\./,
    refuses: 'an empty text in a result, with Claude',
    accepts: 'a text in the result',
    source: 'https://github.com/NousResearch/hermes-agent/issues/55092',
    date: '2026-06-29',
    check: refuseBlankResult,
  },
  {
    id: 'bedrock/converse-tool-name',
    protocols: CONVERSE,
    refuses: 'a tool whose name is empty, has other characters than letters, digits, `_` and `-`, or more than 64',
    accepts: '`read_file-2`',
    source: 'https://github.com/BerriAI/litellm/issues/19384',
    date: '2026-01-20',
    check: refuseToolSpec,
  },
  {
    id: 'bedrock/converse-schema-type',
    protocols: CONVERSE,
    refuses: 'a tool whose schema has another type than `object`, or none',
    accepts: '`{"type":"object"}`',
    source: 'https://github.com/alibaba/spring-ai-alibaba/issues/3082',
    date: '2025-11',
    check: refuseToolSchema,
  },
  {
    id: 'bedrock/converse-output',
    protocols: CONVERSE,
    models: /anthropic\./,
    refuses: 'a `maxTokens` above the limit of the model, with Claude',
    accepts: 'its limit',
    source: 'https://docs.aws.amazon.com/bedrock/latest/userguide/inference-parameters.html',
    date: '2026-11-28',
    check: limitConverseOutput,
  },
  {
    id: 'bedrock/converse-call-id',
    protocols: CONVERSE,
    refuses: 'a `toolUseId` with other characters than letters, digits, `_` and `-`',
    accepts: '`tooluse_1`',
    source: 'https://github.com/gethnet/litellm-connector-copilot/pull/101',
    date: '2026-06-17',
    check: refuseCallIds,
  },
  {
    id: 'bedrock/converse-text-after-calls',
    protocols: CONVERSE,
    models: /anthropic\./,
    refuses: 'a text after a call in one message, with Claude',
    accepts: 'the text before the call',
    source: 'https://github.com/evalstate/fast-agent/pull/668',
    date: '2026-02-05',
    check: refuseTextAfterCalls,
  },
  {
    id: 'bedrock/converse-documents',
    protocols: CONVERSE,
    refuses: 'two documents of one name, and more than five in a message',
    accepts: 'five documents, each with a name of its own',
    source: 'https://github.com/BerriAI/litellm/pull/30093',
    date: '2026-06-09',
    check: limitDocuments,
  },
  {
    id: 'bedrock/converse-first-role',
    protocols: CONVERSE,
    refuses: 'a first message of the assistant',
    accepts: 'a first message of the user',
    source: 'https://github.com/elastic/kibana/pull/246393',
    date: '2025-12-15',
    check: refuseFirstAnswer,
  },
  {
    id: 'bedrock/converse-alternation',
    protocols: CONVERSE,
    refuses: 'two neighbours of one role',
    accepts: 'the user and the assistant in turn',
    source: 'https://github.com/langgenius/dify/issues/9294',
    date: '2024-10-13',
    check: requireTurns,
  },
  {
    id: 'bedrock/converse-mixed-results',
    protocols: CONVERSE,
    models: /(?:meta\.llama|mistral\.)/,
    refuses: 'a text beside results, with Llama and Mistral',
    accepts: 'results alone; both with Claude and Nova',
    source: 'https://github.com/strands-agents/harness-sdk/issues/1223',
    date: '2025-11-21',
    check: refuseTextBeside('toolResult', 'tool result'),
  },
  {
    id: 'bedrock/converse-mixed-calls',
    protocols: CONVERSE,
    models: /meta\.llama/,
    refuses: 'a text beside calls, with Llama',
    accepts: 'calls alone; both with Claude and Nova',
    source: 'https://github.com/quarkiverse/quarkus-langchain4j/issues/1983',
    date: '2025-11-28',
    check: refuseTextBeside('toolUse', 'tool use'),
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
      id: 'bedrock/tool-name-length',
      protocols: ['anthropic-messages'],
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
    {
      id: 'bedrock/body-field',
      protocols: ['anthropic-messages'],
      refuses: '`cache_control` outside of blocks',
      accepts: '`cache_control` on a block',
      source: 'https://github.com/UKGovernmentBEIS/inspect_ai/pull/3851',
      date: '2026-05-06',
      check: refuseParameters(['cache_control'], extraInput),
    },
    {
      id: 'bedrock/cache-scope',
      protocols: ['anthropic-messages'],
      refuses: 'the field `scope` of `cache_control`',
      accepts: '`{"type":"ephemeral"}`',
      source: 'https://github.com/Wei-Shaw/claude-relay-service/pull/965',
      date: '2026-02-10',
      check: refuseCacheScope,
    },
    {
      id: 'bedrock/beta',
      protocols: ['anthropic-messages'],
      refuses: 'betas that Bedrock does not have for the model',
      accepts: '`interleaved-thinking-2025-05-14`',
      source: 'https://github.com/anthropics/claude-code/issues/49648',
      date: '2026-04-17',
      check: refuseBetas(isForeignBeta, () => ({ message: 'invalid beta flag' })),
    },
  ],
};
