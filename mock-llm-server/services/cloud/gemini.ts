import { GEMINI_FORM } from '../answer-forms.ts';
import { refuseParameters } from '../checks/foreign-fields.ts';
import {
  limitTemperature,
  refuseCallOrder,
  refuseFunctionName,
  refuseJsonWithFunctions,
  refuseMisplacedFields,
  refuseMixedTools,
  refuseNamelessResults,
  refuseSameNames,
  refuseTypeLists,
  refuseUnknownNames,
} from '../checks/gemini.ts';
import {
  refuseForeignTools,
  refuseNoBudget,
  refuseThinkingLevel,
  requireChatSignatures,
} from '../checks/gemini-thinking.ts';
import type { Service } from '../service.ts';

const GEMINI = ['gemini'] as const;
/** Parameters of other services that the endpoint for Chat Completions does not have. */
const FOREIGN_IN_GEMINI_CHAT = [
  'prompt_cache_key',
  'metadata',
  'store',
  'reasoning',
  'top_k',
  'thinking',
  'enable_thinking',
];
/** The models before Gemini 3. */
const BEFORE_3 = /^gemini-[12]/;

/** Google's Gemini API. */
export const geminiApi: Service = {
  name: 'gemini',
  title: 'Gemini',
  answers: GEMINI_FORM,
  owns: /^gemini-/,
  rules: [
    {
      id: 'gemini/schema-fields',
      protocols: GEMINI,
      refuses:
        'fields of JSON Schema that its dialect lacks in `parameters`: `additionalProperties`, `$schema`, `const`, `oneOf`, `exclusiveMinimum` …',
      accepts: 'the same in `parametersJsonSchema`',
      source: 'https://github.com/openswarm-ai/openswarm/issues/24',
      date: '2026-03',
      check: refuseUnknownNames,
    },
    {
      id: 'gemini/type-list',
      protocols: GEMINI,
      refuses: 'a list of types in `parameters`',
      accepts: 'one type, and `nullable`',
      source: 'https://ai.google.dev/api/caching#Schema',
      date: '2025-06',
      check: refuseTypeLists,
    },
    {
      id: 'gemini/schema-types',
      protocols: GEMINI,
      refuses:
        '`properties` on a type that is no object, an array without `items`, `items` elsewhere, `enum` of other types than string, `required` of an unknown property',
      accepts: 'each of them where it belongs',
      source: 'https://github.com/cline/cline/issues/7339',
      date: '2025-11',
      check: refuseMisplacedFields,
    },
    {
      id: 'gemini/function-name',
      protocols: GEMINI,
      refuses: 'a function whose name begins with a digit, has other characters, or more than 64',
      accepts: '`read_file`',
      source: 'https://github.com/cline/cline/issues/7339',
      date: '2025-11',
      check: refuseFunctionName,
    },
    {
      id: 'gemini/same-names',
      protocols: GEMINI,
      refuses: 'two functions of one name',
      accepts: 'two names',
      source: 'https://ai.google.dev/gemini-api/docs/function-calling',
      date: '2025-06',
      check: refuseSameNames,
    },
    {
      id: 'gemini/result-name',
      protocols: GEMINI,
      refuses: 'a `functionResponse` without the name of its function',
      accepts: 'its name',
      source: 'https://github.com/nextlevelbuilder/goclaw-docs/issues/54',
      date: '2026-06',
      check: refuseNamelessResults,
    },
    {
      id: 'gemini/unknown-parameter',
      protocols: ['openai-chat'],
      refuses: '`prompt_cache_key`, `store`, `metadata`, `reasoning`, `top_k` … in Chat Completions',
      accepts: '`reasoning_effort`',
      source: 'https://github.com/leookun/cursor-byok/issues/112',
      date: '2026-06-02',
      check: refuseParameters(FOREIGN_IN_GEMINI_CHAT, (name) => ({
        message: `Invalid JSON payload received. Unknown name "${name}": Cannot find field.`,
      })),
    },
    {
      id: 'gemini/call-order',
      protocols: GEMINI,
      refuses: 'a function call at the start, or right after another content of the model',
      accepts: 'a function call after the user or after a response',
      source: 'https://github.com/google-gemini/gemini-cli/issues/11814',
      date: '2025-10-23',
      check: refuseCallOrder,
    },
    {
      id: 'gemini/json-with-functions',
      protocols: GEMINI,
      models: BEFORE_3,
      refuses: '`responseMimeType: application/json` with functions, before Gemini 3',
      accepts: 'one of them, or both with Gemini 3',
      source: 'https://github.com/symfony/ai/issues/1777',
      date: '2026-03-16',
      check: refuseJsonWithFunctions,
    },
    {
      id: 'gemini/mixed-tools',
      protocols: GEMINI,
      models: BEFORE_3,
      refuses: 'functions beside Google Search or code execution, before Gemini 3',
      accepts: 'one kind, or both with Gemini 3',
      source: 'https://github.com/lobehub/lobehub/pull/7463',
      date: '2025-04-18',
      check: refuseMixedTools,
    },
    {
      id: 'gemini/temperature',
      protocols: GEMINI,
      refuses: 'a temperature below 0 or above 2',
      accepts: '2',
      source:
        'https://github.com/open-telemetry/opentelemetry-python-contrib/blob/main/instrumentation-genai/opentelemetry-instrumentation-vertexai/tests/cassettes/test_generate_content_invalid_temperature.yaml',
      date: '2025-01',
      check: limitTemperature,
    },
    {
      id: 'gemini/no-budget',
      protocols: GEMINI,
      models: /^gemini-2\.5-pro/,
      refuses: '`thinkingBudget: 0` with gemini-2.5-pro',
      accepts: '128; 0 with gemini-2.5-flash',
      source: 'https://github.com/ChatLunaLab/chatluna/issues/519',
      date: '2025-07-21',
      check: refuseNoBudget,
    },
    {
      id: 'gemini/thinking-level',
      protocols: GEMINI,
      models: BEFORE_3,
      refuses: '`thinkingLevel` before Gemini 3',
      accepts: '`thinkingBudget`',
      source: 'https://github.com/Kilo-Org/kilocode/pull/5139',
      date: '2026-01-17',
      check: refuseThinkingLevel,
    },
    {
      id: 'gemini/foreign-tool',
      protocols: GEMINI,
      refuses: 'a tool with fields that the API does not have, as OpenAI and LangChain write them',
      accepts: '`functionDeclarations`',
      source: 'https://github.com/github/github-mcp-server/issues/1385',
      date: '2025-11',
      check: refuseForeignTools,
    },
    {
      id: 'gemini/chat-signature',
      protocols: ['openai-chat'],
      models: /^gemini-(?:[3-9]|\d\d)/,
      refuses: 'a call without its `thought_signature` in Chat Completions, with Gemini 3',
      accepts: 'the call with its `extra_content`',
      source: 'https://github.com/TokenRhythm/opensquilla/issues/225',
      date: '2026-06-08',
      check: requireChatSignatures,
    },
  ],
};
