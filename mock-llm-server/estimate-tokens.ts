const BYTES_PER_TOKEN = 4;

/** How many tokens a text is taken for: four bytes are one. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}
