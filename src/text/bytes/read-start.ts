/** The start of a text in UTF-8 whose bytes arrive in parts, up to about `max` characters, or to where it was cut. */
export async function readStart(parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, max: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const bytes of parts) {
      text += decoder.decode(bytes, { stream: true });
      if (text.length > max) break;
    }
  } catch {
    // The caller has something that says more than the cut, or reports the abort.
  }
  return text;
}
