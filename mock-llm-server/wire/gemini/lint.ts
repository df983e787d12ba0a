import { badRequest } from '../body.ts';
import type { WireError } from '../wire.ts';
import type { GeminiContent } from './request.ts';

/** Models that require signatures. */
const NEEDS_SIGNATURES = /^gemini-(?:[3-9]|\d\d)/;

/** The errors that the API would answer with, although the request could be read. */
export function lintGeminiRequest(model: string, contents: readonly GeminiContent[]): WireError[] {
  const empty = contents.findIndex(({ parts }) => parts.length === 0);
  const errors: WireError[] = [];
  if (empty !== -1) {
    const path = `contents[${empty}].parts`;
    errors.push(badRequest(`* GenerateContentRequest.${path}: contents.parts must not be empty.\n`, path));
  }
  const unsigned = NEEDS_SIGNATURES.test(model) ? findUnsignedCall(contents) : undefined;
  return unsigned === undefined ? errors : [...errors, unsigned];
}

/**
 * Finds an answer without a signature on its first call. Only answers after the last text of the user need one. The
 * content of a signature is not checked.
 */
function findUnsignedCall(contents: readonly GeminiContent[]): WireError | undefined {
  const start = contents.findLastIndex(
    ({ role, parts }) => role !== 'model' && parts.length > 0 && parts.every((part) => !part.functionResponse),
  );
  for (const [index, content] of contents.entries()) {
    const previous = contents[index - 1];
    if (index < start || content.role !== 'model') continue;
    if (previous?.role === 'model' && previous.parts.some((part) => part.functionCall)) continue;
    const first = content.parts.find((part) => part.functionCall);
    if (first?.functionCall && !first.thoughtSignature) return missingSignature(first.functionCall.name, index);
  }
  return undefined;
}

function missingSignature(name: string, index: number): WireError {
  return badRequest(
    'Function call is missing a thought_signature in functionCall parts. This is required for tools to work ' +
      'correctly, and missing thought_signature may lead to degraded model performance. Additional data, function ' +
      `call \`default_api:${name}\` , position ${index + 1}. Please refer to ` +
      'https://ai.google.dev/gemini-api/docs/thought-signatures for more details.',
  );
}
