import { expect, it } from 'vitest';
import { RULES } from '../../../../mock-llm-server/services/services.ts';

/**
 * The mechanisms that make agents fail in production although their tests pass: each with the rules by which a test on
 * this server fails, too. `caseOf` has a refused request and an accepted neighbour for each of them.
 */
const MECHANISMS: readonly (readonly [mechanism: string, rules: string])[] = [
  ['tools on Chat Completions unless the effort is none', 'openai/tools-while-reasoning openai/tools-with-effort'],
  ['a model that only Responses has', 'copilot/responses-only'],
  ['ids of nine letters and digits', 'mistral/call-id'],
  ['a message of the user behind a result', 'mistral/user-after-tool'],
  ['a wrong path', 'openai/path azure/path'],
  ['calls without results', 'gemini/missing-responses vertex/missing-responses'],
  ['a long tool name', 'openai/tool-name-length azure/tool-name-length bedrock/tool-name-length'],
  ['documents of one name', 'bedrock/converse-documents'],
  ['roles must alternate', 'vllm/alternation sglang/alternation llamacpp/alternation lmstudio/alternation'],
  ['no content beside calls', 'xai/null-content'],
  ['an array without items', 'openai/array-items azure/array-items gemini/schema-types'],
  ['schemas of older drafts', 'anthropic/schema-draft'],
  ['parameters without a type', 'moonshot/schema-dialect moonshot/root-type'],
  ['encrypted reasoning of another service', 'openai/encrypted-reasoning'],
  ['history with calls, request without tools', 'litellm/history-without-tools bedrock/history-without-tools'],
  ['reasoning must go back', 'deepseek/missing-reasoning moonshot/missing-reasoning'],
  ['reasoning must not go back', 'groq/reasoning-field cerebras/reasoning-field mistral/reasoning-field'],
  ['arguments that are not JSON', 'llamacpp/arguments dashscope/arguments ollama/arguments'],
  ['an empty message of the assistant', 'moonshot/empty-answer mistral/empty-answer'],
  ['a second system message', 'llamacpp/late-system vllm/late-system'],
  ['a picture to a text model', 'deepseek/picture vllm/picture llamacpp/picture zai/picture'],
  ['the id of an item of the wrong kind', 'openai/item-id'],
  ['an object as tool choice', 'lmstudio/choice-object'],
  ['a schema whose root is no object', 'openai/root-type anthropic/schema-type anthropic/top-alternatives'],
  ['properties of what is no object', 'gemini/schema-types'],
  ['fields that the dialect of Gemini lacks', 'gemini/message-shape'],
  ['temperature of a model that reasons', 'openai/temperature anthropic/temperature moonshot/temperature'],
  ['temperature with top_p', 'anthropic/both-samplings'],
  ['the last message is from the assistant', 'mistral/last-assistant anthropic/prefill'],
  ['more than 128 tools', 'openai/too-many-tools azure/too-many-tools copilot/too-many-tools groq/range'],
  ['a model without tools in its template', 'ollama/tools vllm/tool-parser'],
  ['a model that does not think', 'ollama/thinking'],
  ['more than four marks for the cache', 'anthropic/cache-marks'],
  ['a text of white space', 'anthropic/blank-text'],
  ['a tool name with a space', 'anthropic/tool-name openai/tool-name gemini/function-name'],
  ['a choice of a tool that is not offered', 'anthropic/unknown-choice vllm/unknown-choice sglang/unknown-choice'],
  ['a budget as long as the answer', 'anthropic/budget'],
  ['max_tokens of a model that reasons', 'openai/max-tokens azure/max-tokens'],
  ['strict tools and formats', 'openai/strict-function openai/strict-format'],
  ['a choice without tools', 'openai/choice-without-tools vllm/choice-without-tools'],
  ['parameters of other services', 'openai/unknown-parameter openai/unknown-parameter-in-responses'],
  ['parameters that moved in Responses', 'openai/moved-parameter'],
  ['parameters of OpenAI in Messages', 'anthropic/foreign-parameter'],
  ['a mark for the cache on thinking, or for another service', 'anthropic/block-fields mistral/shape'],
  ['half a character', 'anthropic/half-character'],
  ['fields of messages in items', 'openai/shape'],
  ['an empty id of an item', 'openai/item-id-characters'],
  ['the name of a call in the history', 'openai/called-name'],
  ['an output limit below 16', 'openai/shape'],
  ['minimal effort with built-in tools', 'openai/minimal-effort'],
  ['an output limit above that of the model', 'anthropic/max-tokens deepseek/output-limit'],
  ['more than 200 tools', 'xai/too-many-tools'],
  ['a result without the name of its function', 'gemini/result-name'],
  ['the mark of a failed result', 'fireworks/shape'],
  ['an empty list of calls', 'openai/empty-calls dashscope/empty-calls'],
  ['a text without a format', 'lmstudio/text-format'],
  ['json_object without the word JSON', 'openai/json-word deepseek/json-word dashscope/json-word'],
];

it.each(MECHANISMS)('%s is refused by rules of its services', (_mechanism, rules) => {
  const known = RULES.map(({ id }) => id);
  expect(rules.split(' ').filter((id) => !known.includes(id))).toEqual([]);
});
