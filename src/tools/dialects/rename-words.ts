import type { DialectTool } from './claude-tools.ts';

/** A line of a file in a message, with its number. Files have these words, too. */
const QUOTED_LINE = /^\d+\t/;

/** A name with `_` in it that is not part of a path. A full stop may end the sentence. */
const WORD = /(?<![\w./\\-])[a-z]+_[a-z_]+(?![\w/\\-]|\.\w)/g;

/**
 * A text of ours for the model about our tool `tool`, with the names of the dialect: those of the tools, and of the
 * parameters of this one. Quoted lines, and words that are part of a path, stay as they are.
 */
export function renameWords(text: string, tool: string, rows: readonly DialectTool[]): string {
  const names = new Map<string, string>();
  for (const row of rows) {
    if (!names.has(row.tool)) names.set(row.tool, row.name);
    if (row.tool !== tool) continue;
    for (const [name, own] of Object.entries(row.parameters ?? {})) {
      if (typeof own === 'string') names.set(own, name);
    }
  }
  const rename = (line: string): string => line.replace(WORD, (word) => names.get(word) ?? word);
  return text
    .split('\n')
    .map((line) => (QUOTED_LINE.test(line) ? line : rename(line)))
    .join('\n');
}
