import type { JsonObject, ReplyToolCall } from '../conversation.ts';
import { isJsonObject } from '../is-json-object.ts';

/**
 * The arguments of a call for protocols that send them as an object; nothing where they are no JSON object. A tool that
 * takes a plain text gets it as `input`.
 */
export function argumentsObject({ input, arguments: text }: ReplyToolCall): JsonObject | undefined {
  if (input === 'text') return { input: text };
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
