import { GEMINI_FORM } from '../answer-forms.ts';
import { FOREIGN_IN_CHAT, refuseParameters } from '../checks/foreign-fields.ts';
import {
  limitFunctions,
  limitOutput,
  refuseCallOrder,
  refuseChoiceWithoutFunctions,
  refuseEmptyObject,
  refuseFunctionName,
  refuseGeminiFaults,
  refuseJsonWithFunctions,
  refuseMisplacedFields,
  refuseMixedTools,
  refuseNamelessResults,
  refuseSameNames,
  requireResponses,
} from '../checks/gemini.ts';
import {
  limitTemperature,
  limitThinkingBudget,
  refuseBudgetAndLevel,
  refuseNoBudget,
  refuseOtherLevels,
  refuseThinkingBudget,
  requireChatSignatures,
} from '../checks/gemini-thinking.ts';
import { objectsOf } from '../raw.ts';
import { geminiBehindChat } from '../relay/gemini.ts';
import { relayRules, rulesNamed } from '../relay/relay.ts';
import type { Rule, Service } from '../service.ts';
import { rulesOf, rulesOver } from '../share-rules.ts';
import { GEMINI_PART_RULES } from './gemini-parts.ts';

const GEMINI = ['gemini'] as const;
/** Parameters of other services that the endpoint for Chat Completions does not have. */
const FOREIGN_IN_GEMINI_CHAT = [
  ...['prompt_cache_key', 'metadata', 'store', 'reasoning', 'google'],
  ...FOREIGN_IN_CHAT.filter((name) => name !== 'extra_body'),
];
const unknownName = (name: string) => ({
  message: `Invalid JSON payload received. Unknown name "${name}": Cannot find field.`,
});
/** The models before Gemini 3. */
export const BEFORE_3 = /^gemini-[12]/;

/** The rules of both endpoints. */
const RULES: readonly Rule[] = [
  ...rulesOver('gemini', GEMINI, {
    'message-shape': {
      refuses:
        'a field that its messages do not have, and a value of another type: `additionalProperties`, `$schema`, `const`, a list of types or `"string"` as a property in `parameters`, a tool as OpenAI writes it, `temperature: "warm"`, a result that is no object, a signature or a file that is not Base64 …',
      accepts: 'its fields in camel and in snake case; any `parametersJsonSchema`; both alphabets of Base64',
      source: 'https://github.com/openswarm-ai/openswarm/issues/24',
      date: '2026-05-06',
      check: refuseGeminiFaults('gemini'),
    },
    'empty-object': {
      models: /^gemini-(?:1\.|2\.0-flash-exp|2\.5-pro-exp)/,
      refuses: 'an object without properties in `parameters`, before Gemini 2.5',
      accepts: 'a property; none with Gemini 2.5',
      source: 'https://github.com/microsoft/autogen/issues/4878',
      date: '2025-01-02',
      check: refuseEmptyObject,
    },
    'schema-types': {
      refuses:
        '`properties` on a type that is not an object, an array without `items`, `items` elsewhere, `enum` of another type than string or of none, the format `enum` without values, a property without a type, `required` of an unknown property',
      accepts: 'each of them where it belongs',
      source: 'https://github.com/cline/cline/issues/7339',
      date: '2025-11-06',
      check: refuseMisplacedFields,
    },
    'output-limit': {
      refuses: 'a `maxOutputTokens` below 1 or above 65,536 (8,192 before Gemini 2.5)',
      accepts: '8,192',
      source: 'https://ai.google.dev/gemini-api/docs/models',
      date: '2026-11-28',
      check: limitOutput,
    },
    'function-name': {
      refuses: 'a function whose name begins with a digit, has other characters, or more than 64',
      accepts: '`read_file`',
      source: 'https://github.com/cline/cline/issues/7339',
      date: '2025-11-06',
      check: refuseFunctionName,
    },
    'too-many-functions': {
      refuses: 'more than 512 functions',
      accepts: '512',
      source: 'https://github.com/google-gemini/gemini-cli/issues/19083',
      date: '2026-02-14',
      check: limitFunctions,
    },
    'same-names': {
      refuses: 'two functions of one name',
      accepts: 'two names',
      source: 'https://github.com/ai-dashboad/flutter-skill/issues/32',
      date: '2026-03-20',
      check: refuseSameNames,
    },
    'result-name': {
      refuses: 'a `functionResponse` without the name of its function',
      accepts: 'its name',
      source: 'https://github.com/openclaw/openclaw/issues/12832',
      date: '2026-02-09',
      check: refuseNamelessResults,
    },
    'unknown-parameter': {
      protocols: ['openai-chat'],
      refuses: '`prompt_cache_key`, `store`, `metadata`, `reasoning`, `top_k`, `google` … in Chat Completions',
      accepts: '`reasoning_effort`, `extra_body: {"google":{…}}`',
      source: 'https://github.com/leookun/cursor-byok/issues/112',
      date: '2026-06-02',
      check: refuseParameters(FOREIGN_IN_GEMINI_CHAT, unknownName),
    },
    penalty: {
      protocols: ['openai-chat'],
      refuses: '`frequency_penalty` and `presence_penalty` in Chat Completions',
      accepts: 'the same at Vertex AI',
      source: 'https://github.com/sleepydeer666/RPGBox/issues/2',
      date: '2026-08-29',
      check: refuseParameters(['frequency_penalty', 'presence_penalty'], unknownName),
    },
    'call-order': {
      refuses: 'a function call in a turn at the start',
      accepts: 'one in a turn after the user or after a response, also after a text in a content of its own',
      source: 'https://github.com/google-gemini/gemini-cli/issues/11814',
      date: '2025-10-23',
      check: refuseCallOrder,
    },
    'missing-responses': {
      models: /^gemini-[3-9]/,
      refuses: 'a message of the user right after calls without a response to them, with Gemini 3',
      accepts: 'the message beside the responses',
      source: 'https://github.com/microsoft/vscode/issues/299295',
      date: '2026-03-04',
      check: requireResponses,
    },
    'json-with-functions': {
      models: BEFORE_3,
      refuses: '`responseMimeType: application/json` with functions, before Gemini 3',
      accepts: 'one of them, or both with Gemini 3',
      source: 'https://github.com/symfony/ai/issues/1777',
      date: '2026-03-16',
      check: refuseJsonWithFunctions,
    },
    'mixed-tools': {
      models: /^gemini-/,
      refuses:
        'functions beside Google Search or code execution: before Gemini 3, and since then without `includeServerSideToolInvocations`',
      accepts: 'one kind, or both with `toolConfig: {"includeServerSideToolInvocations":true}`',
      source: 'https://github.com/cloudwego/eino-ext/issues/761',
      date: '2026-04-06',
      check: refuseMixedTools,
    },
    'choice-without-functions': {
      refuses:
        'a mode of `functionCallingConfig` in a request without tools, and before Gemini 3 in one without functions',
      accepts: 'the same with a function, and the mode `NONE`',
      source: 'https://github.com/tailcallhq/forgecode/issues/1404',
      date: '2025-08-17',
      check: refuseChoiceWithoutFunctions,
    },
    'temperature-range': {
      refuses: 'a temperature below 0 or above 2',
      accepts: '2',
      source:
        'https://github.com/open-telemetry/opentelemetry-python-contrib/blob/main/instrumentation-genai/opentelemetry-instrumentation-vertexai/tests/cassettes/test_generate_content_invalid_temperature.yaml',
      date: '2026-11-29',
      check: limitTemperature,
    },
    'no-budget': {
      models: /^gemini-2\.5-pro/,
      refuses: '`thinkingBudget: 0` with gemini-2.5-pro',
      accepts: '128; 0 with gemini-2.5-flash',
      source: 'https://github.com/ChatLunaLab/chatluna/issues/519',
      date: '2025-07-21',
      check: refuseNoBudget,
    },
    'thinking-range': {
      refuses: 'a `thinkingBudget` outside the range of the model: 128 to 32,768 with gemini-2.5-pro',
      accepts: '1,024, or -1',
      source: 'https://ai.google.dev/gemini-api/docs/thinking',
      date: '2026-11-28',
      check: limitThinkingBudget,
    },
    'budget-and-level': {
      models: /^gemini-[3-9]/,
      refuses: '`thinkingBudget` with `thinkingLevel`',
      accepts: 'one of them',
      source: 'https://ai.google.dev/gemini-api/docs/gemini-3',
      date: '2025-11-18',
      check: refuseBudgetAndLevel,
    },
    'thinking-level': {
      refuses:
        'a `thinkingLevel` that the model does not have: all before Gemini 3, `MEDIUM` with gemini-3-pro and Gemma 4, `MINIMAL` with gemini-3.1-pro',
      accepts: '`thinkingBudget` before Gemini 3, `LOW` with gemini-3-pro',
      source: 'https://github.com/Kilo-Org/kilocode/pull/5139',
      date: '2026-01-17',
      check: refuseOtherLevels((level) => `Thinking level${level} is not supported for this model.`),
    },
    'gemma-budget': {
      models: /^gemma-/,
      refuses: '`thinkingBudget` with Gemma',
      accepts: 'none',
      source: 'https://github.com/aduermael/herm/issues/23',
      date: '2026-04-11',
      check: refuseThinkingBudget,
    },
  }),
  ...GEMINI_PART_RULES,
  ...rulesOf('gemini', {
    'two-kinds': {
      protocols: ['gemini'],
      models: BEFORE_3,
      refuses: 'one tool with two kinds: `{"googleSearch":{},"urlContext":{}}`, before Gemini 3',
      accepts: 'two tools with a kind each',
      source: 'https://github.com/vercel/ai/pull/9451',
      date: '2025-10-14',
      check: ({ body }) => {
        const index = objectsOf(body['tools']).findIndex((tool) => Object.keys(tool).length > 1);
        const names = Object.keys(objectsOf(body['tools'])[index] ?? {}).map((name) =>
          name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        );
        const rule = `one_of 'tool_type' has more than one initialized field: ${names.join(', ')}`;
        return index === -1 ? undefined : { message: `* tools[${index}].tool_type: ${rule}\n` };
      },
    },
    'chat-signature': {
      models: /^gemini-(?:[3-9]|\d\d)/,
      refuses: 'a call without its `thought_signature` in Chat Completions, with Gemini 3',
      accepts: 'the call with its `extra_content`',
      source: 'https://github.com/TokenRhythm/opensquilla/issues/225',
      date: '2026-06-08',
      check: requireChatSignatures,
    },
  }),
];

/** The rules that hold for a chat once it is written in the protocol of Gemini, by their last names. */
const BEHIND_CHAT = ['function-name', 'same-names', 'call-order', 'missing-responses'];

/** Google's Gemini API. */
export const geminiApi: Service = {
  name: 'gemini',
  title: 'Gemini',
  answers: GEMINI_FORM,
  owns: /^gemini-/,
  rules: [
    ...RULES,
    ...relayRules(
      geminiBehindChat(rulesNamed(RULES, 'gemini', BEHIND_CHAT), ({ message }) => ({ message })),
      {
        id: 'gemini/in-chat',
        refuses: 'two functions of one name, a name that begins with a digit, or a call right after a system message',
        accepts: 'a call after a message of the user',
        source: 'https://github.com/editor-code-assistant/eca/issues/247',
        date: '2025-12-28',
      },
    ),
  ],
};
