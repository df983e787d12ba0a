import { errorText } from './error-text.ts';
import { parseJson } from './parse-json.ts';

/** Why a text is no JSON, in the words of the engine; nothing where it is. */
export function whyNotJson(text: string): string | undefined {
  try {
    parseJson(text);
    return undefined;
  } catch (error) {
    return errorText(error);
  }
}
