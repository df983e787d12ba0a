/** The text with control characters and line separators spelled out (`\\u{a}`), so that it stays one line of a log. */
export function escapeControls(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`);
}
