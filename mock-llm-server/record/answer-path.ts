/**
 * Ends of the paths of answers, and what precedes them on this server: gateways and proxies put their own path before.
 */
const PATHS: readonly (readonly [end: RegExp, start: string])[] = [
  [/\/chat\/completions$/, '/v1'],
  [/\/responses$/, '/v1'],
  // Below a thread, messages are those of OpenAI's Assistants.
  [/(?<!\/threads\/[^/]+)\/messages$/, '/v1'],
  [/\/projects\/[^/]+\/locations\/.*\/models\/[^/]+:(?:streamR|r)awPredict$/, '/v1'],
  [/\/models\/[^/]+:(?:generateContent|streamGenerateContent)$/, '/v1beta'],
  [/\/interactions$/, '/v1beta'],
  [/\/api\/(?:chat|generate)$/, ''],
  [/\/model\/.+\/(?:converse(?:-stream)?|invoke(?:-with-response-stream)?)$/, ''],
];

/** The path on this server of a request for an answer; `undefined` for a path without an end of such a request. */
export function localPathOf(path: string): string | undefined {
  for (const [end, start] of PATHS) {
    const match = end.exec(path);
    if (match !== null) return `${start}${match[0]}`;
  }
  return undefined;
}
