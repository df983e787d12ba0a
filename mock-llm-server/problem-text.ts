/** What is wrong and what to do about it, as the one text that a schema has for both: in a line each. */
export function problemText(reason: string, fix: string): string {
  return `${reason}\n${fix}`;
}

/** The two parts of a `problemText`; a text of one line says nothing of what to do. */
export function readProblemText(text: string): { readonly reason: string; readonly fix: string } {
  const [reason = '', fix = ''] = text.split('\n', 2);
  return { reason, fix };
}
