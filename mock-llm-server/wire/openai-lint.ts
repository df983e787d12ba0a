import { invalid } from './openai-errors.ts';
import type { WireError } from './wire.ts';

const NAME = /^[a-zA-Z0-9_-]+$/;

/** What OpenAI says to the name of a tool that has other characters than it takes: a name from MCP with a dot. */
export function lintToolName(name: string, param: string): WireError[] {
  if (NAME.test(name)) return [];
  const message =
    `Invalid '${param}': string does not match pattern. Expected a string that matches the pattern ` +
    "'^[a-zA-Z0-9_-]+$'.";
  return [{ ...invalid(message, param), code: 'invalid_value' }];
}

/** What OpenAI says to a text that is longer than it takes: an id that another provider made. */
export function lintLength(text: string, limit: number, param: string): WireError[] {
  if (text.length <= limit) return [];
  const message =
    `Invalid '${param}': string too long. Expected a string with maximum length ${limit}, but got a string with ` +
    `length ${text.length} instead.`;
  return [{ ...invalid(message, param), code: 'string_above_max_length' }];
}

/** What OpenAI says to a list that must not be empty. */
export function lintEmpty(list: readonly unknown[], param: string): WireError[] {
  if (list.length > 0) return [];
  const message = `Invalid '${param}': empty array. Expected an array with minimum length 1, but got an empty array instead.`;
  return [{ ...invalid(message, param), code: 'empty_array' }];
}
