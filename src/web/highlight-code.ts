/** A part of code, with its kind if it has one: `kwd` for a keyword. */
export type ShownPart = readonly [text: string, kind?: string];

/** Longest code that is highlighted, in characters. */
const MAX_CODE = 60_000;

/** Longest piece that is highlighted at once, because the expressions of a language may take quadratic time. */
const MAX_PIECE = 3_000;

/** The parts of code in a language; `undefined` if the language is not known or the code is too long. */
export async function highlightCode(code: string, language: string): Promise<readonly ShownPart[] | undefined> {
  if (code.length > MAX_CODE) return undefined;
  // The library is loaded with the first block of code.
  const { highlightLines } = await import('../terminal/markdown/highlight.ts');
  const parts: ShownPart[] = [];
  for (const piece of piecesOf(code)) {
    const plain = [{ parts: [{ text: piece, kind: undefined }] }];
    const lines = piece.length > MAX_PIECE ? plain : highlightLines(piece, language);
    if (lines === undefined) return undefined;
    for (const [index, line] of lines.entries()) {
      if (index > 0) parts.push(['\n']);
      for (const { text, kind } of line.parts) parts.push(kind === undefined ? [text] : [text, kind]);
    }
  }
  return parts;
}

/** Pieces of whole lines, of which only single long lines are longer than the maximum. */
function piecesOf(code: string): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const line of code.split(/(?<=\n)/)) {
    if (piece !== '' && piece.length + line.length > MAX_PIECE) {
      pieces.push(piece);
      piece = '';
    }
    piece += line;
  }
  return [...pieces, piece];
}
