/** A step of a page: a file to save, or a command with its expected output. */
export type PageStep =
  | { readonly type: 'file'; readonly name: string; readonly content: string }
  | { readonly type: 'command'; readonly words: readonly string[]; readonly output: string | undefined };

/** A block after a paragraph that names a file with "as `NAME`" is that file; `sh` blocks are one command each. */
export function readSteps(page: string): readonly PageStep[] {
  const blocks = [...page.matchAll(/(?:as\s`([^`]+)`:\n\n)?^```(\w+)\n([\s\S]*?)^```$/gm)];
  return blocks.flatMap(([, name, language, content = ''], index): PageStep[] => {
    if (name !== undefined) return [{ type: 'file', name, content }];
    if (language !== 'sh') return [];
    const words = [...content.matchAll(/"([^"]*)"|'([^']*)'|\S+/g)].map(
      ([word, double, single]) => double ?? single ?? word,
    );
    const [, , nextLanguage, output] = blocks[index + 1] ?? [];
    return [{ type: 'command', words, output: nextLanguage === 'text' ? output : undefined }];
  });
}

/** Output without warnings, token counts and durations. */
export function withoutDetails(output: string): string {
  return output
    .replaceAll(/^(?:▌ )?(! .*|[\d,]+ tokens in, .*)\n?/gm, '')
    .replaceAll(/\(\d+\.\d s\)/g, '')
    .trim();
}

/** The table of an evaluation without tokens and times, which depend on the system prompt and on the machine. */
export function withoutMeans(output: string): string {
  return output
    .replaceAll(/\d[\d,]* tokens/g, 'N tokens')
    .replaceAll(/^( {2}.*%\s+\d\.\d\s+\d\.\d\s+\d\.\d) .* s\b/gm, '$1')
    .replaceAll(/ +/g, ' ')
    .trim();
}
