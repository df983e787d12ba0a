/** Text that is not an import: blocks and spans of code. */
const CODE = /^(`{3,}|~{3,})[\s\S]*?^\1[^\n]*$|(`+)[^\n]*?\2/gmu;

/** `@path` at the start of a line or after a space, as Claude Code and Gemini CLI have it. */
const IMPORT = /(?<=^|\s)@((?:~\/|\.{1,2}\/|\/)?[\w][\w./-]*[\w]|~\/[\w./-]*[\w])/gmu;

/** The paths that the text of an instructions file imports, in order, each once. */
export function importsIn(text: string): readonly string[] {
  const prose = text.replace(CODE, '');
  return [...new Set([...prose.matchAll(IMPORT)].map(([, path = '']) => path))];
}
