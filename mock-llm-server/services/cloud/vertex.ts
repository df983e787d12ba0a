import type { JsonObject } from '../../conversation/conversation.ts';
import { refuseBetas } from '../checks/anthropic/blocks.ts';
import { extraInput } from '../checks/anthropic/requests.ts';
import { refuseMessage } from '../checks/chat-messages.ts';
import { isSet, refuseIf } from '../checks/fields.ts';
import { refuseParameters } from '../checks/foreign-fields.ts';
import {
  refuseFieldsBesideAnyOf,
  refuseFunctionsBeside,
  refuseGeminiFaults,
  refuseOtherRoots,
  refuseUntypedProperty,
} from '../checks/gemini.ts';
import { refuseNoBudget, refuseOtherLevels } from '../checks/gemini-thinking.ts';
import { objectOf, objectsOf, textOf } from '../raw.ts';
import type { Check, Service } from '../service.ts';
import { rulesOver, shareRules } from '../share-rules.ts';
import { anthropic } from './anthropic/anthropic.ts';
import { BEFORE_3, geminiApi } from './gemini.ts';
import { refuseFileType } from './gemini-parts.ts';

/** A check with another error text. */
const reworded =
  (check: Check, message: string): Check =>
  (request) =>
    check(request) && { message };

/** Betas that only Anthropic's own API has, of any date. */
const FOREIGN_BETAS =
  /^(?:effort|adaptive-thinking|tool-search-tool|web-search|advanced-tool-use|tool-examples|prompt-caching-scope|oauth|pdfs|structured-outputs|fast-mode|redact-thinking|advisor-tool)-/;

/** True for a request with the tool for which the beta of web search stands: https://github.com/BerriAI/litellm/issues/16269. */
function searchesWeb({ tools }: JsonObject): boolean {
  return objectsOf(tools).some(({ type }) => textOf(type).startsWith('web_search_'));
}

/** Vertex AI, over the wires of Gemini and Anthropic. Its dialect of schemas has more fields than Gemini's. */
export const vertex: Service = {
  name: 'vertex',
  title: 'Vertex AI',
  rules: [
    ...rulesOver('vertex', ['gemini'], {
      beta: {
        protocols: ['anthropic-messages'],
        refuses:
          'betas that Vertex AI does not have: effort, adaptive thinking, tool search, web search without its tool, advanced tools and their examples, scopes of the cache, OAuth, PDF files, structured outputs …',
        accepts: '`interleaved-thinking-2025-05-14`',
        source: 'https://github.com/anthropics/claude-agent-sdk-typescript/issues/307',
        date: '2026-04-27',
        check: refuseBetas(
          (beta, _model, body) => FOREIGN_BETAS.test(beta) && !(beta.startsWith('web-search-') && searchesWeb(body)),
          (betas) => ({
            message:
              `Unexpected value(s) ${betas.map((beta) => `\`${beta}\``).join(', ')} for the \`anthropic-beta\` header. ` +
              'Please consult our documentation at docs.anthropic.com or try again without the header.',
          }),
        ),
      },
      'web-search': {
        protocols: ['anthropic-messages'],
        refuses: 'the tool for web searches without its beta',
        accepts: 'the tool with `anthropic-beta: web-search-2025-03-05`',
        source: 'https://github.com/ax-llm/ax/pull/457',
        date: '2025-11-28',
        check: ({ body, headers }) => {
          const index = objectsOf(body['tools']).findIndex(({ type }) => textOf(type).startsWith('web_search_'));
          const betas = `${headers['anthropic-beta']} ${JSON.stringify(body['anthropic_beta'])}`;
          if (index === -1 || betas.includes('web-search-')) return undefined;
          return {
            message: `tools.${index}: Input tag '${textOf(objectsOf(body['tools'])[index]?.['type'])}' found using 'type' does not match any of the expected tags: 'bash_20250124', 'custom', 'text_editor_20250124', 'text_editor_20250429', 'text_editor_20250728'`,
          };
        },
      },
      'body-field': {
        protocols: ['anthropic-messages'],
        refuses: '`cache_control` and `diagnostics` outside of blocks',
        accepts: '`cache_control` on a block',
        source: 'https://github.com/langchain-ai/langchain-google/issues/1612',
        date: '2026-02-24',
        check: refuseParameters(['cache_control', 'diagnostics'], extraInput),
      },
      'output-config': {
        protocols: ['anthropic-messages'],
        models: /claude-(?:sonnet|opus|haiku)-4-5/,
        refuses: '`output_config.format` with Claude 4.5',
        accepts: 'none',
        source: 'https://github.com/anthropics/claude-code/issues/37746',
        date: '2026-03-23',
        check: refuseIf(({ output_config: config }) => isSet(objectOf(config)['format']), extraInput('output_config')),
      },
      'empty-text': {
        refuses: 'an empty text',
        accepts: 'a text',
        source: 'https://github.com/yym68686/uni-api/issues/120',
        date: '2025-05-16',
        check: refuseIf(
          ({ contents }) =>
            objectsOf(contents)
              .flatMap(({ parts }) => objectsOf(parts))
              .some((part) => part['text'] === '' && Object.keys(part).length === 1),
          {
            message:
              'Unable to submit request because it must have a text parameter. Add a text parameter and try again. Learn more: https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/gemini',
          },
        ),
      },
      'message-shape': {
        refuses: 'a field that its messages do not have, and a value of another type',
        accepts: 'the fields of its messages, and `additionalProperties` in a schema',
        source: 'https://github.com/decolua/9router/issues/1081',
        date: '2026-05-13',
        check: refuseGeminiFaults('vertex'),
      },
      'root-type': {
        refuses: 'a function whose `parameters` have another type than `OBJECT`, or none',
        accepts: '`{"type":"OBJECT","properties":{}}`, or no parameters',
        source: 'https://github.com/dyad-sh/dyad/issues/2300',
        date: '2026-01-22',
        check: refuseOtherRoots,
      },
      'untyped-property': {
        refuses: 'a property without a type, such as `{"enum":["a"]}`',
        accepts: '`{"type":"STRING","enum":["a"]}`',
        source: 'https://github.com/google-gemini/gemini-cli/issues/4400',
        date: '2025-07-17',
        check: refuseUntypedProperty,
      },
      'any-of': {
        refuses: 'a description, a default or another field beside `anyOf` in a schema',
        accepts: '`anyOf` alone',
        source: 'https://github.com/anomalyco/opencode/issues/15795',
        date: '2026-03-03',
        check: refuseFieldsBesideAnyOf,
      },
      'mixed-tools': {
        models: BEFORE_3,
        refuses: 'functions beside a retrieval or Google Search, before Gemini 3',
        accepts: 'one kind',
        source: 'https://github.com/googleapis/nodejs-agentplatform/issues/426',
        date: '2024-09-17',
        check: refuseFunctionsBeside(
          ['retrieval', 'googleSearch', 'googleSearchRetrieval'],
          'Multiple tools are supported only when they are all search tools.',
        ),
      },
      'text-beside-calls': {
        protocols: ['openai-chat'],
        models: /^gemini-3\.(?:6-flash|5-flash-lite)/,
        refuses: 'a text beside calls in an answer over Chat Completions, with Gemini 3.6 Flash and 3.5 Flash-Lite',
        accepts: 'calls alone; the same with Gemini 3.1',
        source: 'https://github.com/NousResearch/hermes-agent/issues/69231',
        date: '2026-07-24',
        check: refuseMessage(
          ({ role, content, tool_calls: calls }) =>
            role === 'assistant' && objectsOf(calls).length > 0 && typeof content === 'string' && content !== '',
          () => ({ message: 'Request contains an invalid argument.' }),
        ),
      },
      'file-type': {
        refuses: 'a file of a type that the models do not read, such as `application/json`',
        accepts: '`image/png`',
        source: 'https://github.com/agno-agi/agno/issues/3964',
        date: '2025-07-23',
        check: refuseFileType(
          (type) =>
            `Unable to submit request because it has a mimeType parameter with value ${type}, which is not supported. Update the mimeType and try again. Learn more: https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/gemini`,
        ),
      },
      publisher: {
        models: /^claude-/,
        refuses: 'a model of Anthropic over the wire of Gemini',
        accepts: 'a model of Google; the same model over the wire of Anthropic',
        source: 'https://github.com/langchain-ai/deepagents/issues/4485',
        date: '2026-07-04',
        check: ({ model }) => ({
          message: `${model.replace(/^.*\//, '')} is not supported in the generateContent API.`,
          code: 'FAILED_PRECONDITION',
        }),
      },
      'no-budget': {
        models: /^gemini-2\.5-pro/,
        refuses: '`thinkingBudget: 0` with gemini-2.5-pro',
        accepts: '128; 0 with gemini-2.5-flash',
        source: 'https://github.com/earendil-works/pi/issues/3460',
        date: '2026-04-20',
        check: reworded(
          refuseNoBudget,
          'Unable to submit request because The model does not support setting thinking_budget to 0.',
        ),
      },
      'thinking-level': {
        refuses: 'a `thinkingLevel` that the model does not have: all before Gemini 3, `MEDIUM` with gemini-3-pro',
        accepts: '`thinkingBudget` before Gemini 3, `LOW` with gemini-3-pro',
        source: 'https://github.com/juspay/neurolink/pull/1707',
        date: '2026-07-15',
        check: refuseOtherLevels((level) => {
          const link = 'https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/gemini';
          return `Unable to submit request because thinking_level${level} is not supported by this model.${level && ` Learn more: ${link}`}`;
        }),
      },
    }),
    ...shareRules('vertex', geminiApi.rules, [
      'message-shape',
      'mixed-tools',
      'penalty',
      'too-many-functions',
      'no-budget',
      'file-type',
      'cached-content',
      'thinking-level',
    ]),
    ...shareRules('vertex', anthropic.rules, ['foreign-tool', 'model-prefix', 'mark-time']),
  ],
};
