/** The text with what is percent-encoded in it decoded, or as it is where that is no encoding. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
