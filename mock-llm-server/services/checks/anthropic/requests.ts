import type { JsonObject } from '../../../conversation/conversation.ts';
import { isJsonObject } from '../../../conversation/json.ts';
import { listOf, objectOf, objectsOf, oncePerBody, textOf } from '../../raw.ts';
import type { Check, Violation } from '../../service.ts';
import { firstOf, isSet, ofTools, refuseIf } from '../fields.ts';
import {
  FOREIGN_IN_MESSAGES,
  MESSAGES_PARAMETERS,
  refuseParameters,
  refuseUnknownParameters,
  TOOL_FIELDS,
} from '../foreign-fields.ts';
import { faultOfSchema, findSchema } from '../tools.ts';
import { findInBlocks } from './blocks.ts';

/** Refuses an order of messages that only later models accept. */
export const refuseOldOrder: Check = ({ body: { messages, tools } }) => {
  const list = objectsOf(messages);
  if (list[0]?.['role'] === 'assistant') return { message: 'messages: first message must use the "user" role' };
  const { role, content } = list.at(-1) ?? {};
  if (role !== 'assistant' || objectsOf(tools).length === 0 || objectsOf(content).some(isCall)) return undefined;
  return {
    message:
      'Your API request included an `assistant` message in the final position, which would pre-fill the `assistant` response. When using tools, pre-filling the `assistant` response is not supported.',
  };
};

/** The last block of an answer that waits for its continuation: a tool of the server, or a summary. */
const PAUSE = /^(?:server|mcp)_tool_use$|_tool_result$|^compaction$/;

/** Refuses a conversation that ends with a message of the assistant, unless that waits for its continuation. */
export const refusePrefill: Check = ({ body }) => {
  const { role, content } = objectsOf(body['messages']).at(-1) ?? {};
  if (role !== 'assistant' || PAUSE.test(textOf(objectsOf(content).at(-1)?.['type']))) return undefined;
  return {
    message: 'This model does not support assistant message prefill. The conversation must end with a user message.',
  };
};

const MAX_CACHE_MARKS = 4;

/** Refuses more than four marks for the cache in tools, system and messages. */
export const limitCacheMarks: Check = ({ body }) => {
  let length = 0;
  const count = (block: JsonObject): undefined => {
    if (isSet(block['cache_control'])) length += 1;
  };
  for (const block of [body, ...objectsOf(body['tools']), ...objectsOf(body['system'])]) count(block);
  findInBlocks({ body }, count);
  if (length <= MAX_CACHE_MARKS) return undefined;
  return { message: `A maximum of ${MAX_CACHE_MARKS} blocks with cache_control may be provided. Found ${length}.` };
};

const isBlank = (text: unknown): boolean => typeof text === 'string' && text !== '' && text.trim() === '';

/** Refuses a text of white space alone, and an empty one in `system`. Recordings show that one beside a call is accepted. */
export const refuseBlankText: Check = ({ body }) => {
  const system = objectsOf(body['system']);
  if (system.some(({ text }) => text === '')) return { message: 'system: text content blocks must be non-empty' };
  const isInSystem = system.some(({ text }) => isBlank(text));
  if (!isInSystem && !objectsOf(body['messages']).some(hasBlankText)) return undefined;
  return { message: `${isInSystem ? 'system' : 'messages'}: text content blocks must contain non-whitespace text` };
};

function hasBlankText({ content }: JsonObject): boolean {
  if (typeof content === 'string') return isBlank(content);
  const blocks = objectsOf(content);
  return blocks.some(({ type, text }) => type === 'text' && isBlank(text)) && !blocks.some(isCall);
}

const isCall = ({ type }: JsonObject): boolean => type === 'tool_use';

/** Refuses white space at the end of an answer that the model is to continue. */
export const refuseTrailingSpace: Check = ({ body }) => {
  const last = objectsOf(body['messages']).at(-1);
  if (last?.['role'] !== 'assistant') return undefined;
  const { content } = last;
  const text = typeof content === 'string' ? content : objectsOf(content).at(-1)?.['text'];
  if (typeof text !== 'string' || text === text.trimEnd()) return undefined;
  return { message: 'messages: final assistant content cannot end with trailing whitespace' };
};

/** The tools whose schemas the client states, with their paths. */
const customTools = oncePerBody((body) =>
  objectsOf(body['tools']).flatMap((tool, index) => {
    const { type } = tool;
    return isSet(type) && type !== 'custom' ? [] : [[`tools.${index}.custom`, tool] as const];
  }),
);

/** Refuses the first tool of the client for which there is a reason. */
function refuseTool(reason: (tool: JsonObject, path: string) => string | undefined): Check {
  return ofTools(({ body }) => {
    for (const [path, tool] of customTools(body)) {
      const message = reason(tool, path);
      if (message !== undefined) return { message };
    }
    return undefined;
  });
}

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;

/** Refuses the name of a tool with other characters, or with more than 128. */
export const refuseClaudeToolName = refuseTool(({ name }, path) =>
  TOOL_NAME.test(textOf(name)) ? undefined : `${path}.name: String should match pattern '${TOOL_NAME.source}'`,
);

/** Refuses a tool whose schema is absent or not of the type object. */
export const refuseSchemaType = refuseTool(({ input_schema: schema }, path) => {
  if (!isSet(schema)) return `${path}.input_schema: Field required`;
  const { type } = objectOf(schema);
  if (!isSet(type)) return `${path}.input_schema.type: Field required`;
  if (type !== 'object') return `${path}.input_schema.type: Input should be 'object'`;
  const { properties } = objectOf(schema);
  if (!isSet(properties) || isJsonObject(properties)) return undefined;
  return `${path.replace(/^tools\.\d+$/, '$&.custom')}.input_schema.properties: Input should be a valid dictionary`;
});

export const refuseTopAlternatives = refuseTool(({ input_schema: schema }, path) =>
  ['oneOf', 'allOf', 'anyOf'].some((key) => isSet(objectOf(schema)[key]))
    ? `${path}.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`
    : undefined,
);

const PROPERTY_KEY = /^[a-zA-Z0-9_.-]{1,64}$/;

/** Refuses keys of properties with other characters, or with more than 64. */
export const refusePropertyKeys = refuseTool(({ input_schema: schema }, path) =>
  Object.keys(objectOf(objectOf(schema)['properties'])).some((key) => !PROPERTY_KEY.test(key))
    ? `${path}.input_schema.properties: Property keys should match pattern '${PROPERTY_KEY.source}'`
    : undefined,
);

/** Refuses schemas of older drafts: a boolean `exclusiveMinimum`, a list as `items`, `required` in a property. */
export const refuseOldDraft = refuseTool(({ input_schema: schema }, path) => {
  const { properties, required, ...rest } = objectOf(schema);
  // The API reads null as absent in these two.
  const read = { ...rest, ...(isSet(properties) && { properties }), ...(isSet(required) && { required }) };
  if ((faultOfSchema(read) ?? findSchema(read, ({ items }) => Array.isArray(items))) === undefined) return undefined;
  return `${path}.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12). Learn more about tool use at https://docs.claude.com/en/docs/tool-use.`;
});

/** The ranks of Claude, the weakest first. The models of the first one cannot advise. */
const RANKS = [/haiku/, /sonnet-4|claude-3-/, /sonnet|opus-4-(?:[0-6]\b|20)/, /opus/, /fable|mythos/];

/** Refuses an advisor of a lower rank than that of the model, or of another maker. */
export const refuseWeakAdvisor: Check = ({ body, model }) => {
  const rank = (name: string) => RANKS.findIndex((pattern) => pattern.test(name));
  for (const [index, { type, model: advisor }] of objectsOf(body['tools']).entries()) {
    const name = textOf(advisor);
    if (
      !textOf(type).startsWith('advisor_') ||
      (/^claude-/.test(name) && (rank(name) < 0 || rank(name) >= Math.max(rank(model), 1)))
    )
      continue;
    return {
      message: `tools.${index}.model: '${name}' cannot be used as an advisor when the request model is '${model}'.`,
    };
  }
  return undefined;
};

/** Refuses a tool in the form of OpenAI. */
export const refuseForeignTool: Check = ({ body }) => {
  const index = objectsOf(body['tools']).findIndex(({ type }) => type === 'function');
  if (index === -1) return undefined;
  return {
    message: `tools.${index}: Input tag 'function' found using 'type' does not match any of the expected tags: 'bash_20250124', 'custom', 'text_editor_20250124', 'text_editor_20250429', 'text_editor_20250728', 'web_search_20250305'`,
  };
};

/** Refuses a choice of a tool that the request does not offer. */
export const refuseUnknownClaudeChoice: Check = ({ body }) => {
  const { type, name } = objectOf(body['tool_choice']);
  if (type !== 'tool' || objectsOf(body['tools']).some((tool) => tool['name'] === name)) return undefined;
  return { message: `Tool '${textOf(name)}' not found in provided tools` };
};

export const refuseClaudeChoiceWithoutTools: Check = ({ body }) =>
  isSet(body['tool_choice']) && listOf(body['tools']).length === 0
    ? {
        message: `tool_choice.${textOf(objectOf(body['tool_choice'])['type'])} may only be specified while providing tools`,
      }
    : undefined;

const MIN_BUDGET = 1024;

/** Refuses a budget of thinking below 1,024 tokens, or not below `max_tokens`. */
export const limitBudget: Check = ({ body, headers }) => {
  const { type, budget_tokens: budget } = objectOf(body['thinking']);
  if (type !== 'enabled' || typeof budget !== 'number') return undefined;
  if (budget < MIN_BUDGET) {
    return { message: `thinking.enabled.budget_tokens: Input should be greater than or equal to ${MIN_BUDGET}` };
  }
  const { max_tokens: max } = body;
  // With interleaved thinking the budget is that of all answers of a turn.
  if (typeof max !== 'number' || max > budget || headers['anthropic-beta']?.includes('interleaved')) return undefined;
  return {
    message:
      '`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation at ' +
      'https://docs.claude.com/en/docs/build-with-claude/extended-thinking#max-tokens-and-context-window-size',
  };
};

/** Refuses a temperature beside `top_p`. */
export const refuseBothSamplings: Check = ({ body }) =>
  isSet(body['temperature']) && isSet(body['top_p'])
    ? { message: '`temperature` and `top_p` cannot both be specified for this model. Please use only one.' }
    : undefined;

/** Refuses a temperature other than 1 while the model thinks. */
export const refuseTemperatureWithThinking: Check = ({ body }) => {
  const { temperature } = body;
  const { type } = objectOf(body['thinking']);
  if ((type !== 'enabled' && type !== 'adaptive') || typeof temperature !== 'number' || temperature === 1)
    return undefined;
  return {
    message:
      '`temperature` may only be set to 1 when thinking is enabled or in adaptive mode. Please consult our documentation ' +
      'at https://platform.claude.com/docs/en/build-with-claude/extended-thinking',
  };
};

/** Claude Code sets the effort of single messages: @anthropic-ai/claude-code 2.1.329, behind a beta header. */
const MESSAGE_FIELDS = ['role', 'content', 'output_config'];

/** Refuses fields of a message that the API does not have. */
export const refuseMessageFields: Check = ({ body }) => {
  for (const [index, message] of objectsOf(body['messages']).entries()) {
    const extra = Object.keys(message).find((key) => !MESSAGE_FIELDS.includes(key));
    if (extra !== undefined) return extraInput(`messages.${index}.${extra}`);
  }
  return undefined;
};

/** The violation of a field that the API does not have. */
export function extraInput(path: string): Violation {
  return { message: `${path}: Extra inputs are not permitted` };
}

/** Refuses a forced call while `thinking` is `enabled`. */
export function refuseForcedThought(violation: Violation): Check {
  return refuseIf(
    ({ thinking, tool_choice: choice }) =>
      objectOf(thinking)['type'] === 'enabled' && ['any', 'tool'].includes(textOf(objectOf(choice)['type'])),
    violation,
  );
}

/** Refuses half a character of two UTF-16 units: a client has cut a text within it. */
export function refuseHalfCharacters(describe: (at: number) => Violation): Check {
  return ({ body }) => {
    if (!hasHalfCharacter(body)) return undefined;
    // A half is an escape in JSON, a whole character is not.
    return describe(Math.max(JSON.stringify(body).search(/\\ud[89a-f][0-9a-f]{2}/), 0));
  };
}

function hasHalfCharacter(value: unknown): boolean {
  if (typeof value === 'string') return !value.isWellFormed();
  if (Array.isArray(value)) return value.some(hasHalfCharacter);
  if (!isJsonObject(value)) return false;
  // Object.values() would copy each object.
  for (const key in value) if (hasHalfCharacter(value[key])) return true;
  return false;
}

/** Refuses parameters that the API does not have. */
export const refuseForeignParameters = firstOf([
  refuseParameters(FOREIGN_IN_MESSAGES, extraInput),
  refuseUnknownParameters(MESSAGES_PARAMETERS, extraInput),
]);

/** Refuses fields of a tool that the API does not have. */
export const refuseToolFields = refuseTool((tool, path) => {
  const extra = Object.keys(tool).find((key) => !TOOL_FIELDS.has(key));
  return extra === undefined ? undefined : extraInput(`${path}.${extra}`).message;
});

/** Refuses a history with calls or results in a request that offers no tools. */
export function refuseClaudeHistoryWithoutTools(violation: Violation): Check {
  return ({ body }) => {
    if (listOf(body['tools']).length > 0) return undefined;
    const blocks = objectsOf(body['messages']).flatMap(({ content }) => objectsOf(content));
    return blocks.some(({ type }) => type === 'tool_use' || type === 'tool_result') ? violation : undefined;
  };
}

/** Refuses an input of a call that is no object. */
export const refuseCallInput: Check = ({ body }) => {
  for (const [index, { content }] of objectsOf(body['messages']).entries()) {
    for (const [position, { type, input }] of objectsOf(content).entries()) {
      if (type !== 'tool_use' || isJsonObject(input)) continue;
      const path = `messages.${index}.content.${position}.tool_use.input`;
      return { message: `${path}: ${input === undefined ? 'Field required' : 'Input should be a valid dictionary'}` };
    }
  }
  return undefined;
};
