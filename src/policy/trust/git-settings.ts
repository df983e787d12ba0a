/** One setting in a configuration of git. */
export interface GitSetting {
  /** Its section, without the subsection, and its key, in lower case: `core.hookspath`. */
  readonly name: string;
  /** Without quotes, escapes and comments. */
  readonly value: string;
}

const ESCAPED: Readonly<Record<string, string>> = { '\n': '', n: '\n', t: '\t', b: '\b' };

/** The settings with values of a configuration, in its order, as git reads them. Ignores what git cannot read. Pure. */
export function gitSettings(text: string): readonly GitSetting[] {
  const source = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const settings: GitSetting[] = [];
  let section = '';
  // A space, the begin of a header or of a setting, or a line that is none of these
  const start = /\s+|\[\s*([\w-]*)|([a-z][a-z0-9-]*)[ \t]*=|[^\n]+/iy;
  for (let found = start.exec(source); found !== null; found = start.exec(source)) {
    const [, header, key] = found;
    const from = start.lastIndex;
    if (header !== undefined) {
      section = header.toLowerCase();
      start.lastIndex = endOf(source, from, ']') + 1;
    } else if (key !== undefined) {
      start.lastIndex = endOf(source, from, '#;');
      const value = plainValue(source.slice(from, start.lastIndex));
      settings.push({ name: `${section}.${key.toLowerCase()}`, value });
    }
  }
  return settings;
}

/** The index of the first of `ends` outside of quotes, or else of the end of the line. A backslash continues a line. */
function endOf(source: string, from: number, ends: string): number {
  let isQuoted = false;
  for (let index = from; index < source.length; index += 1) {
    const char = source.charAt(index);
    if (char === '\\') index += 1;
    else if (char === '"') isQuoted = !isQuoted;
    else if (char === '\n' || (!isQuoted && ends.includes(char))) return index;
  }
  return source.length;
}

function plainValue(written: string): string {
  return written
    .replaceAll(/\\./gs, (pair) => (pair === '\\\n' ? '' : pair))
    .trim()
    .replaceAll(/"|\\(.)/gs, (_, escaped: string = '') => ESCAPED[escaped] ?? escaped);
}
