import type { JsonObject } from '../../../conversation/conversation.ts';
import { converseBlocksOf, refuseConverseBlock, refuseTextBeside } from '../../checks/converse.ts';
import { isSet, refuseIf } from '../../checks/fields.ts';
import { objectOf, objectsOf } from '../../raw.ts';
import { claudeBehind } from '../../relay/claude.ts';
import { relayRules } from '../../relay/relay.ts';
import type { Rule } from '../../service.ts';
import { rulesOver } from '../../share-rules.ts';
import { CONVERSE_FIELD_RULES } from './converse-fields.ts';

const CONVERSE = ['bedrock-converse'] as const;

/** The rules of Anthropic that hold for Claude behind Converse, by their last names. */
const CLAUDE_RULES =
  'top-alternatives property-keys schema-draft strict-schema optional-properties other-picture broken-picture ' +
  'picture-size pictures-size forced-thinking budget effort adaptive stop-sequence both-samplings ' +
  'temperature-with-thinking temperature thinking-budget prefill first-role trailing-space foreign-parameter beta-field cache-marks mark-order';

const MAX_FILES = 20;
/** Parts of JSON Schema that Nova does not take at the top of a schema. */
const FOREIGN_TO_NOVA = ['$defs', 'definitions', '$schema'];

/** The words for a field that the schemas of Claude 3 exclude. */
function inOlderWords(message: string): string {
  const found = /^(\w+): Extra inputs are not permitted$/.exec(message)?.[1];
  if (found === undefined) return message;
  return `Malformed input request: #: extraneous key [${found}] is not permitted, please reformat your input and try again.`;
}

/** The marks for the cache in the system prompt, the tools and the messages. */
function cachePointsOf(body: JsonObject): readonly JsonObject[] {
  const others = [body['system'], objectOf(body['toolConfig'])['tools']].flatMap(objectsOf);
  const marks = [...others, ...converseBlocksOf(body).map(([, block]) => block)].map((block) => block['cachePoint']);
  return marks.filter(isSet).map(objectOf);
}

/** The rules of the operations Converse and ConverseStream for some models. */
export const CONVERSE_MODEL_RULES: readonly Rule[] = [
  ...CONVERSE_FIELD_RULES,
  ...relayRules(
    claudeBehind('bedrock-converse', CLAUDE_RULES, ({ message }, { model }) => ({
      message: `The model returned the following errors: ${/claude-3/.test(model) ? inOlderWords(message) : message}`,
    })),
    {
      id: 'bedrock/converse-claude',
      protocols: CONVERSE,
      models: /anthropic\./,
      refuses:
        'what Claude refuses of a request: a last message of the assistant from Claude 4.6 on, both of `temperature` and `topP`, a forced call while it thinks, a field that it does not have …',
      accepts: 'a last message of the user, one sampling, `toolChoice: {"auto":{}}`',
      source: 'https://github.com/openclaw/openclaw/issues/72865',
      date: '2026-04-27',
    },
    'a tool that Claude refuses: `anyOf` at the top of its schema, a schema of an older draft, a key with a space …',
  ),
  ...rulesOver('bedrock', CONVERSE, {
    'converse-pictures': {
      models: /anthropic\.claude-3/,
      refuses: 'more than 20 pictures and documents, with Claude 3',
      accepts: '20',
      source: 'https://github.com/cline/cline/issues/1844',
      date: '2025-02-18',
      check: ({ body }) => {
        const blocks = converseBlocksOf(body).map(([, block]) => block);
        const [pictures, documents] = ['image', 'document'].map(
          (kind) => blocks.filter((block) => isSet(block[kind])).length,
        );
        if ((pictures ?? 0) + (documents ?? 0) <= MAX_FILES) return undefined;
        return {
          message: `The model returned the following errors: too many images and documents: ${pictures} + ${documents} > ${MAX_FILES}`,
        };
      },
    },
    'converse-s3': {
      models: /claude/,
      refuses: 'a document or a picture in S3, with Claude',
      accepts: 'its bytes; the same with Amazon Nova',
      source: 'https://github.com/strands-agents/harness-sdk/pull/3610',
      date: '2026-08-03',
      check: refuseConverseBlock((block, path) => {
        const kind = ['document', 'image'].find((name) =>
          isSet(objectOf(objectOf(block[name])['source'])['s3Location']),
        );
        return kind === undefined ? undefined : `${path}.${kind}.source.type: Field required`;
      }),
    },
    'converse-blank-result': {
      models: /anthropic\./,
      refuses: 'an empty text in a result, with Claude',
      accepts: 'a text in the result',
      source: 'https://github.com/NousResearch/hermes-agent/issues/55092',
      date: '2026-06-29',
      check: refuseConverseBlock(({ toolResult }) =>
        objectsOf(objectOf(toolResult)['content']).some(({ text }) => text === '')
          ? 'messages: text content blocks must be non-empty'
          : undefined,
      ),
    },
    'converse-text-after-calls': {
      models: /anthropic\./,
      refuses: 'a text after a call in one message, with Claude',
      accepts: 'the text before the call',
      source: 'https://github.com/evalstate/fast-agent/pull/668',
      date: '2026-02-05',
      check: ({ body }) => {
        for (const [index, { content }] of objectsOf(body['messages']).entries()) {
          const blocks = objectsOf(content);
          const first = blocks.findIndex(({ toolUse }) => isSet(toolUse));
          if (first === -1 || !blocks.slice(first).some(({ text }) => isSet(text))) continue;
          return {
            message: `The model returned the following errors: messages.${index}: \`tool_use\` blocks can only be followed by other \`tool_use\` blocks`,
          };
        }
        return undefined;
      },
    },
    'converse-mixed-results': {
      models: /(?:meta\.llama|mistral\.)/,
      refuses: 'a text beside results, with Llama and Mistral',
      accepts: 'results alone; both with Claude and Nova',
      source: 'https://github.com/strands-agents/harness-sdk/issues/1223',
      date: '2025-11-21',
      check: refuseTextBeside('toolResult', 'tool result'),
    },
    'converse-mixed-calls': {
      models: /meta\.llama/,
      refuses: 'a text beside calls, with Llama',
      accepts: 'calls alone; both with Claude and Nova',
      source: 'https://github.com/quarkiverse/quarkus-langchain4j/issues/1983',
      date: '2025-11-28',
      check: refuseTextBeside('toolUse', 'tool use'),
    },
    profile: {
      models:
        /^(?:anthropic\.claude-(?:3-7|(?:sonnet|opus|haiku)-[4-9])|meta\.llama(?:3-[2-9]-|4)|amazon\.nova-(?:premier|2-)|deepseek\.r1)/,
      refuses:
        'the bare id of a model that only inference profiles have: Claude 3.7 and later, Llama 3.2 and later, Nova 2, DeepSeek-R1',
      accepts: '`us.anthropic.claude-sonnet-4-6`',
      source: 'https://github.com/logancyang/obsidian-copilot/pull/2472',
      date: '2026-05-15',
      check: ({ model }) => ({
        message: `Invocation of model ID ${model} with on-demand throughput isn’t supported. Retry your request with the ID or ARN of an inference profile that contains this model.`,
      }),
    },
    'converse-cache': {
      models:
        /(?:^|\.)(?:ai21|cohere|deepseek|google|meta|minimax|mistral|moonshot(?:ai)?|nvidia|openai|qwen|writer|zai)\.|claude-3-(?:opus|sonnet|haiku)|claude-3-5-sonnet-20240620/,
      refuses: 'a `cachePoint` with other models than Claude and Nova, and with Claude 3',
      accepts: 'none; one with Claude 4',
      source: 'https://github.com/BerriAI/litellm/pull/39210',
      date: '2026-09-01',
      check: refuseIf((body) => cachePointsOf(body).length > 0, {
        status: 403,
        message:
          'You invoked an unsupported model or your request did not allow prompt caching. See the documentation for more information.',
      }),
    },
    'converse-cache-time': {
      models: /amazon\.nova/,
      refuses: 'a `cachePoint` with `ttl: 1h`, with Nova',
      accepts: '`5m`; both with Claude',
      source: 'https://github.com/LibreChat-AI/agents/pull/256',
      date: '2026-06-19',
      check: refuseIf((body) => cachePointsOf(body).some(({ ttl }) => ttl === '1h'), {
        message: 'Extended TTL prompt caching is only supported for Anthropic models',
      }),
    },
    'converse-cache-after-document': {
      models: /anthropic\./,
      refuses: 'a `cachePoint` right after a document that is no PDF, with Claude',
      accepts: 'one before the document, or after a PDF',
      source: 'https://github.com/strands-agents/harness-sdk/issues/1966',
      date: '2026-03-24',
      check: ({ body }) => {
        for (const [index, { content }] of objectsOf(body['messages']).entries()) {
          const blocks = objectsOf(content);
          const position = blocks.findIndex(({ cachePoint }, place) => {
            const { format } = objectOf(blocks[place - 1]?.['document']);
            return isSet(cachePoint) && isSet(format) && format !== 'pdf';
          });
          if (position === -1) continue;
          const path = `messages.${index}.content.${position}`;
          return { message: `The model returned the following errors: ${path}.type: Field required` };
        }
        return undefined;
      },
    },
    'converse-cache-beside-results': {
      models: /amazon\.nova/,
      refuses: 'a `cachePoint` beside results, with Nova',
      accepts: 'one beside a text; both with Claude',
      source: 'https://github.com/earendil-works/pi/issues/2053',
      date: '2026-03-11',
      check: ({ body }) => {
        const index = objectsOf(body['messages']).findIndex(({ content }) => {
          const blocks = objectsOf(content);
          return (
            blocks.some(({ cachePoint }) => isSet(cachePoint)) && blocks.some(({ toolResult }) => isSet(toolResult))
          );
        });
        if (index === -1) return undefined;
        return {
          message: `Malformed input request: #/messages/${index}/content/0: extraneous key [cachePoint] is not permitted, please reformat your input and try again.`,
        };
      },
    },
    'converse-nova-schema': {
      models: /amazon\.nova-(?:micro|lite|pro|premier)-v1/,
      refuses: '`$defs`, `definitions` or `$schema` at the top of the schema of a tool, with Nova 1',
      accepts: '`type`, `properties` and `required`; the same with Claude',
      source: 'https://github.com/lastmile-ai/mcp-agent/pull/126',
      date: '2025-04-09',
      check: ({ body }) => {
        for (const [index, { toolSpec }] of objectsOf(objectOf(body['toolConfig'])['tools']).entries()) {
          const schema = objectOf(objectOf(objectOf(toolSpec)['inputSchema'])['json']);
          const found = FOREIGN_TO_NOVA.find((key) => isSet(schema[key]));
          if (found === undefined) continue;
          return {
            message: `The model returned the following errors: Malformed input request: #/toolConfig/tools/${index}/toolSpec/inputSchema/json: extraneous key [${found}] is not permitted, please reformat your input and try again.`,
          };
        }
        return undefined;
      },
    },
  }),
];
