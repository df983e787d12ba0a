import { isJsonObject } from '../../../conversation/json.ts';
import { describeConverseFaults } from '../../../wire/bedrock/shape.ts';
import { converseBlocksOf, limitConverseOutput, limitDocuments, refuseConverseBlock } from '../../checks/converse.ts';
import { isSet, refuseIf } from '../../checks/fields.ts';
import { listOf, objectOf, objectsOf } from '../../raw.ts';
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
    check: ({ body }) => {
      const message = describeConverseFaults(body);
      return message === undefined ? undefined : { message };
    },
  },
  'converse-blank-text': {
    refuses: 'an empty text, or white space at the start of a message',
    accepts: 'a text with a word, and white space after it',
    source: 'https://github.com/aws-samples/bedrock-engineer/issues/8',
    date: '2025-02-25',
    check: refuseConverseBlock(({ text }, path) =>
      text === '' || (typeof text === 'string' && text.trim() === '' && path.endsWith('.content.0'))
        ? `The text field in the ContentBlock object at ${path} is blank. Add text to the text field, and try again.`
        : undefined,
    ),
  },
  'converse-empty-content': {
    refuses: 'a message without content',
    accepts: 'a message with a text',
    source: 'https://github.com/archestra-ai/archestra/pull/4220',
    date: '2026-04-30',
    check: ({ body }) => {
      const index = objectsOf(body['messages']).findIndex(
        ({ content }) => Array.isArray(content) && content.length === 0,
      );
      if (index === -1) return undefined;
      return {
        message:
          `The content field in the Message object at messages.${index} is empty. Add a ContentBlock object to the ` +
          'content field and try again.',
      };
    },
  },
  'converse-json-result': {
    refuses: 'a result with `json` that is not an object',
    accepts: 'an object, or the same as text',
    source: 'https://github.com/sigoden/aichat/pull/1550',
    date: '2026-09-09',
    check: refuseConverseBlock(({ toolResult }, path) => {
      const position = objectsOf(objectOf(toolResult)['content']).findIndex(
        ({ json }) => json !== undefined && !isJsonObject(json),
      );
      if (position === -1) return undefined;
      const where = `${path}.toolResult.content.${position}.json`;
      return `The format of the value at ${where} is invalid. Provide a json object for the field and try again.`;
    }),
  },
  'converse-empty-error': {
    refuses: 'a result with the status `error` without content',
    accepts: 'one with a text',
    source: 'https://github.com/aws-samples/sample-multi-agent-orchestration-chat-on-agentcore/issues/15',
    date: '2026-06-01',
    check: refuseConverseBlock(({ toolResult }, path) => {
      const { status, content } = objectOf(toolResult);
      if (status !== 'error' || listOf(content).length > 0) return undefined;
      return `The content field at ${path}.toolResult cannot be empty when status value is error.`;
    }),
  },
  'converse-history-without-tools': {
    refuses: 'calls and results in a request without `toolConfig`',
    accepts: 'the same request with the tools',
    source: 'https://github.com/langgenius/dify/issues/16421',
    date: '2025-03-21',
    check: refuseIf(
      (body) =>
        !isSet(body['toolConfig']) &&
        converseBlocksOf(body).some(([, { toolUse, toolResult }]) => isSet(toolUse) || isSet(toolResult)),
      { message: 'The toolConfig field must be defined when using toolUse and toolResult content blocks.' },
    ),
  },
  'converse-schema-type': {
    refuses: 'a tool whose schema has another type than `object`, or none',
    accepts: '`{"type":"object"}`',
    source: 'https://github.com/cognitect-labs/aws-api/issues/272',
    date: '2025-07-08',
    check: ({ body }) => {
      for (const [index, { toolSpec }] of objectsOf(objectOf(body['toolConfig'])['tools']).entries()) {
        const { json } = objectOf(objectOf(toolSpec)['inputSchema']);
        if (!isJsonObject(json) || json['type'] === 'object') continue;
        const path = `toolConfig.tools.${index}.toolSpec.inputSchema.json.type`;
        return { message: `The value at ${path} must be one of the following: object.` };
      }
      return undefined;
    },
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
    check: refuseIf(({ messages }) => objectsOf(messages)[0]?.['role'] === 'assistant', {
      message:
        'A conversation must start with a user message. Try again with a conversation that starts with a user message.',
    }),
  },
  'converse-call-of-user': {
    refuses: 'a call in a message of the user',
    accepts: 'one of the assistant',
    source: 'https://github.com/strands-agents/harness-sdk/issues/1160',
    date: '2025-11-09',
    check: ({ body }) =>
      objectsOf(body['messages']).some(
        ({ role, content }) => role === 'user' && objectsOf(content).some(({ toolUse }) => isSet(toolUse)),
      )
        ? { message: 'User messages cannot contain tool uses. Please remove the tool uses and try again.' }
        : undefined,
  },
  'converse-alternation': {
    refuses: 'two neighbours of one role',
    accepts: 'the user and the assistant in turn',
    source: 'https://github.com/langgenius/dify/issues/9294',
    date: '2024-10-13',
    check: refuseIf(
      ({ messages }) => objectsOf(messages).some(({ role }, index, all) => role === all[index - 1]?.['role']),
      {
        message:
          'A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.',
      },
    ),
  },
  'converse-no-arguments': {
    refuses: 'a call whose `input` is no object',
    accepts: '`{}`',
    source: 'https://github.com/kagent-dev/kagent/issues/1870',
    date: '2026-05-15',
    check: refuseConverseBlock(({ toolUse }, path) => {
      const { input } = objectOf(toolUse);
      if (input === undefined || isJsonObject(input)) return undefined;
      if (input === null || input === '') return `The value at ${path}.toolUse.input is empty.`;
      return `The format of the value at ${path}.toolUse.input is invalid. Provide a json object for the field and try again.`;
    }),
  },
  'converse-lone-cache-point': {
    refuses: 'a message with nothing but a `cachePoint`',
    accepts: 'one after a text',
    source: 'https://github.com/anomalyco/opencode/issues/45620',
    date: '2026-08-27',
    check: ({ body }) =>
      objectsOf(body['messages']).some(({ content }) => {
        const blocks = objectsOf(content);
        return blocks.length > 0 && blocks.every(({ cachePoint }) => isSet(cachePoint));
      })
        ? { message: 'There is nothing available to cache. Please remove the invalid cache point and try again.' }
        : undefined,
  },
  'converse-cache-after-reasoning': {
    refuses: 'a `cachePoint` right after reasoning',
    accepts: 'one after a text',
    source: 'https://github.com/anomalyco/opencode/issues/36517',
    date: '2026-07-12',
    check: ({ body }) => {
      const isWrong = objectsOf(body['messages']).some(({ content }) =>
        objectsOf(content).some(
          ({ cachePoint }, position, blocks) => isSet(cachePoint) && isSet(blocks[position - 1]?.['reasoningContent']),
        ),
      );
      return isWrong
        ? {
            message:
              'Cache point cannot be inserted after reasoning block. Please remove the invalid cache point and try again.',
          }
        : undefined;
    },
  },
});
