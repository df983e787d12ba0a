import type { Frame } from './wire.ts';

/** What no text holds by chance. */
const PLACE = '\u0001piece\u0001';

/**
 * Makes the frames that differ in one text only: `encode` writes one with any text in its place. The rest of the frame
 * is written once, which is most of what a stream costs.
 */
export function pieceFrames(
  kind: Frame['kind'],
  pieces: readonly string[],
  encode: (piece: string) => string,
): readonly Frame[] {
  if (pieces.length === 0) return [];
  const parts = encode(PLACE).split(JSON.stringify(PLACE));
  const [before = '', after = ''] = parts;
  if (parts.length !== 2) return pieces.map((piece) => ({ kind, bytes: encode(piece) }));
  return pieces.map((piece) => ({ kind, bytes: `${before}${JSON.stringify(piece)}${after}` }));
}
