import type { JsonObject } from '../../conversation/conversation.ts';
import { objectsOf } from '../raw.ts';
import type { Check } from '../service.ts';

/** Refuses a conversation that ends with a message of the assistant. */
export const refusePrefill: Check = ({ body }) =>
  objectsOf(body['messages']).at(-1)?.['role'] === 'assistant'
    ? {
        message:
          'This model does not support assistant message prefill. The conversation must end with a user message.',
      }
    : undefined;

const MAX_CACHE_MARKS = 4;

/** Refuses more than four marks for the cache in tools, system and messages. */
export const limitCacheMarks: Check = ({ body }) => {
  const messages = objectsOf(body['messages']).flatMap(({ content }) => objectsOf(content));
  const nested = messages.flatMap(({ content }) => objectsOf(content));
  const marks = [body, ...objectsOf(body['tools']), ...objectsOf(body['system']), ...messages, ...nested].filter(
    hasMark,
  );
  const found = marks.length;
  if (found <= MAX_CACHE_MARKS) return undefined;
  return { message: `A maximum of ${MAX_CACHE_MARKS} blocks with cache_control may be provided. Found ${found}.` };
};

function hasMark(block: JsonObject): boolean {
  return block['cache_control'] !== undefined && block['cache_control'] !== null;
}
