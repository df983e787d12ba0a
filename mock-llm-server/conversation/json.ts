import { errorText } from '../text.ts';
import type { JsonObject } from './conversation.ts';

/** Whether a value of a JSON text is an object: no list, and not null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `JSON.parse`, whose `SyntaxError` quotes nothing of the text: cut out of it, half a key would not be seen as one. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SyntaxError(errorText(error).replace(QUOTE, '$1 in JSON'));
  }
}

/** What follows the character at fault. */
const QUOTE = /^(Unexpected token '[\s\S]'), [\s\S]*$/;
