import type { JsonObject } from '../../conversation/conversation.ts';
import { isReasonedId } from '../../conversation/ids.ts';
import { objectsOf, textOf } from '../raw.ts';
import type { Check, Violation } from '../service.ts';
import { readThinking } from '../thinking.ts';
import { isSet } from './fields.ts';

/** The start of the ids of items that the API generated, by type. */
const ID_STARTS: ReadonlyMap<unknown, string> = new Map([
  ['function_call', 'fc'],
  ['reasoning', 'rs'],
  ['message', 'msg'],
  ['custom_tool_call', 'ctc'],
]);

/** Refuses the first item of the input for which the condition holds. */
export function refuseItem(
  condition: (item: JsonObject, index: number, items: readonly JsonObject[]) => boolean,
  describe: (index: number, item: JsonObject) => Violation,
): Check {
  return ({ body }) => {
    const items = objectsOf(body['input']);
    const index = items.findIndex(condition);
    const found = items[index];
    return found === undefined ? undefined : describe(index, found);
  };
}

/**
 * Refuses calls after the last message of the user that no reasoning precedes in their answer, unless this server sent
 * them so. Recordings of pydantic-ai show that earlier ones may lack it.
 */
export function requireReasoningItem(violation: Violation): Check {
  return ({ body, recall }) => {
    const items = objectsOf(body['input']);
    let hasReasoning = false;
    for (const { type, call_id: id } of items.slice(items.findLastIndex((item) => item['role'] === 'user') + 1)) {
      if (type === 'reasoning') hasReasoning = true;
      else if (type === 'function_call_output') hasReasoning = false;
      else if (type === 'function_call' && !hasReasoning && recall(textOf(id))?.reasoned !== false) return violation;
    }
    return undefined;
  };
}

/** Refuses the id of an item that another kind of item, or another service, generated. */
export const refuseItemId: Check = refuseItem(
  ({ type, id, role }) => {
    const start = ID_STARTS.get(type ?? (role === 'assistant' ? 'message' : undefined));
    return start !== undefined && typeof id === 'string' && id !== '' && !id.startsWith(start);
  },
  (index, { type = 'message', id }) => ({
    message: `Invalid 'input[${index}].id': '${textOf(id)}'. Expected an ID that begins with '${ID_STARTS.get(type)}'.`,
    param: `input[${index}].id`,
    code: 'invalid_value',
  }),
);

const MAX_ITEM_ID = 64;
const ITEM_ID = /^[a-zA-Z0-9_-]+$/;

/** Refuses an id of an item that is too long, or has other characters than the API generates. */
export const refuseIdForm: Check = refuseItem(
  ({ id }) => typeof id === 'string' && (id.length > MAX_ITEM_ID || !ITEM_ID.test(id)),
  (index, item) => {
    const [param, id] = [`input[${index}].id`, textOf(item['id'])];
    if (id.length > MAX_ITEM_ID) return tooLong(param, MAX_ITEM_ID, id.length);
    return {
      message: `Invalid '${param}': '${id}'. Expected an ID that contains letters, numbers, underscores, or dashes, but this value contained additional characters.`,
      param,
      code: 'invalid_value',
    };
  },
);

/** The digest of an answer of this server in its encrypted reasoning. */
function digestIn(text: string): string | undefined {
  return /^[0-9a-f]{48,}$/.exec(Buffer.from(text.slice('gAAAAAB'.length), 'base64url').toString())?.[0];
}

/** Refuses encrypted reasoning that the API did not encrypt, as its own begins in one way, or that of another item. */
export const refuseForeignReasoning: Check = ({ body }) => {
  for (const { type, encrypted_content: text, id } of objectsOf(body['input'])) {
    if (type !== 'reasoning' || typeof text !== 'string' || text === '') continue;
    const code = 'invalid_encrypted_content';
    if (!text.startsWith('gAAAA')) {
      const start = `The encrypted content ${text.slice(0, 4)}... could not be verified. Reason: Encrypted content could not be decrypted or parsed`;
      return { message: `${start}${id === undefined ? '' : ` (${textOf(id)})`}.`, code };
    }
    const digest = digestIn(text);
    if (digest === undefined || !isSet(id) || textOf(id).startsWith(`rs_${digest.slice(0, 40)}`)) continue;
    const reason = 'Encrypted content item_id did not match the target item id.';
    return { message: `The encrypted content for item ${textOf(id)} could not be verified. Reason: ${reason}`, code };
  }
  return undefined;
};

/** Refuses a reasoning item that its answer does not follow: an answer of the API has an id, a call is no output. */
export const refuseLoneReasoning: Check = refuseItem(
  ({ type, id }, index, items) => {
    if ((type !== 'reasoning' && type !== 'item_reference') || !textOf(id).startsWith('rs_')) return false;
    const next = items[index + 1];
    if (next === undefined) return true;
    const { type: nextType = 'message' } = next;
    if (nextType === 'message') return next['role'] !== 'assistant' || !next['id'];
    return textOf(nextType).endsWith('_output');
  },
  (_index, { id }) => ({
    message: `Item '${textOf(id)}' of type 'reasoning' was provided without its required following item.`,
    param: 'input',
  }),
);

/** Refuses a call or a message with the id of its stored item if the reasoning before it in its answer is missing. */
export const refuseDroppedReasoning: Check = ({ protocol, body, model, recall }) => {
  if (body['store'] === false || ['previous_response_id', 'conversation'].some((field) => isSet(body[field]))) {
    return undefined;
  }
  if (!/^(?:o\d|gpt-5|codex)/.test(model) || readThinking(protocol, body, model) === 'off') return undefined;
  let isReasoned = false;
  for (const { type, id, call_id: call, role } of objectsOf(body['input'])) {
    const ownId = /^msg_(.*)$/.exec(textOf(id))?.[1];
    if (ownId !== undefined && !isReasoned && isReasonedId(ownId)) {
      return {
        message: `Item '${textOf(id)}' of type 'message' was provided without its required 'reasoning' item: 'rs_${ownId}'.`,
        param: 'input',
      };
    }
    if (type === 'reasoning' || type === 'item_reference') isReasoned = true;
    else if (type !== 'function_call' && role !== 'assistant') isReasoned = false;
    else if (type === 'function_call' && !isReasoned && isSet(id) && recall(textOf(call))?.reasoned) {
      return {
        message: `Item '${textOf(id)}' of type 'function_call' was provided without its required preceding item of type 'reasoning'.`,
        param: 'input',
      };
    }
  }
  return undefined;
};

/** Refuses the id of a call that is longer than the API allows. */
export function limitCallId(max: number): Check {
  return refuseItem(
    ({ call_id: id }) => typeof id === 'string' && id.length > max,
    (index, { call_id: id }) => tooLong(`input[${index}].call_id`, max, textOf(id).length),
  );
}

/** The API's error for a text that is too long. */
export function tooLong(param: string, max: number, length: number): Violation {
  return {
    message:
      `Invalid '${param}': string too long. Expected a string with maximum length ${max}, but got a string with ` +
      `length ${length} instead.`,
    param,
    code: 'string_above_max_length',
  };
}

/** The API's error for a list that is too long. */
export const tooMany = (param: string, max: number, length: number): Violation => ({
  message: `Invalid '${param}': array too long. Expected an array with maximum length ${max}, but got an array with length ${length} instead.`,
  param,
  code: 'array_above_max_length',
});

/** Refuses an item whose id an item before it has. */
export const refuseRepeatedItem: Check = refuseItem(
  ({ id, type }, index, items) =>
    typeof id === 'string' &&
    id !== '' &&
    items.findIndex((other) => other['id'] === id && other['type'] === type) < index,
  (_index, { id }) => ({
    message: `Duplicate item found with id ${textOf(id)}. Remove duplicate items from your input and try again.`,
    param: 'input',
  }),
);

/** Refuses reasoning that only the API could have stored, in a request that stores nothing. */
export const refuseUnstoredItem: Check = (request) => {
  if (request.body['store'] !== false || isSet(request.body['previous_response_id'])) return undefined;
  return findUnstored(request);
};

const findUnstored = refuseItem(
  ({ type, id, encrypted_content: text }) =>
    textOf(id).startsWith('rs_') && (type === 'item_reference' || (type === 'reasoning' && !isSet(text))),
  (_index, { id }) => ({
    status: 404,
    message:
      `Item with id '${textOf(id)}' not found. Items are not persisted when \`store\` is set to false. Try again with ` +
      '`store` set to true, or remove this item from your input.',
    param: 'input',
  }),
);
