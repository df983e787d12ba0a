import type { Plugin } from 'rolldown';

/**
 * Writes the chunks in ASCII: a single other character doubles the memory of a file, and the time that a start takes to
 * read it.
 */
export const asciiChunks: Plugin = {
  name: 'ascii-chunks',
  // The bundler itself prints strings without escapes, after it has rendered the chunks.
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = toAscii(file.code);
  },
};

/**
 * Code with escapes instead of the characters that are not ASCII, in strings, templates and regular expressions. Comments
 * keep their meaning. Throws where an escape would mean something else: after a backslash, and in a raw template.
 */
export function toAscii(code: string): string {
  const problem = /\\[^\0-\x7f]|\.raw`[^`]*[^\0-\x7f]/.exec(code);
  if (problem !== null) throw new Error(`write this character as an escape: ${problem[0]}`);
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
