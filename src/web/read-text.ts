/** Largest body of a request, in bytes. */
const MAX_BODY = 1_000_000;

/**
 * Reads the body of a request, with or without its length in the headers; `undefined` if it is longer than 1 MB.
 * `hono/body-limit` copies a request without a length, which fails for those of `@hono/node-server`.
 */
export async function readText(request: Request): Promise<string | undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY) return undefined;
  const decoder = new TextDecoder();
  let size = 0;
  let text = '';
  // A loop over the body would destroy the connection at its early end, and with it the answer.
  const reader = request.body?.getReader();
  for (let step = await reader?.read(); step?.done === false; step = await reader?.read()) {
    size += step.value.byteLength;
    if (size > MAX_BODY) return undefined;
    text += decoder.decode(step.value, { stream: true });
  }
  return text + decoder.decode();
}
