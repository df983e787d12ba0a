import { messageOf } from '../../agent/errors.ts';
import type { JsonObject, JsonValue } from '../../agent/ports/json.ts';
import { isJsonObject } from '../../text/json/json.ts';

/** The answer of a tool: a text for the model, of a result or of a failure. */
export interface ToolAnswer {
  readonly isFailure: boolean;
  readonly text: string;
}

/**
 * Reads the standard output of a tool. The text is that of `result` or `results`, of `error` in a failure, or the whole
 * JSON if it has more fields, so that nothing is lost. A failure is `"success": false`, an `error` without a `success`,
 * or an output that is not JSON.
 */
export function readAnswer(stdout: string): ToolAnswer {
  if (stdout.trim() === '') return { isFailure: true, text: 'It printed nothing; a tool prints its result as JSON.' };
  let value: JsonValue;
  try {
    value = JSON.parse(stdout);
  } catch (error) {
    return { isFailure: true, text: `Its output is not valid JSON (${messageOf(error)}):\n${stdout}` };
  }
  if (!isJsonObject(value)) return { isFailure: false, text: textOf(value) };
  const { success, ...answer } = value;
  const isFailure = success === false || (success === undefined && !isEmpty(answer['error']));
  return { isFailure, text: answerText(answer) };
}

/** The text of the only field with content, or the JSON of all fields. */
function answerText(answer: JsonObject): string {
  const said = Object.entries(answer).filter(([, value]) => !isEmpty(value));
  const [only] = said;
  if (only === undefined) return textOf(answer['result'] ?? answer['results'] ?? '(no result)');
  const [key, value] = only;
  const isText = said.length === 1 && ['result', 'results', 'error'].includes(key);
  return isText ? textOf(value) : textOf(Object.fromEntries(said));
}

function isEmpty(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '';
}

/** A string as it is, anything else as JSON in lines, so that a part of it can be read. */
function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 1);
}
