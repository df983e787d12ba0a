export interface GitSetting {
  /** Its section, without the subsection, and its key, in lower case: `core.hookspath`. */
  readonly name: string;
  /** Without quotes, escapes and comments. */
  readonly value: string;
}

/** A setting, or another line that is no comment, such as a switch without a value, behind the name of its section. */
type GitLine = GitSetting | { readonly name: string; readonly value?: never };

const ESCAPED: Readonly<Record<string, string>> = { '\n': '', n: '\n', t: '\t', b: '\b' };

/** The settings with values of a configuration, in its order, as git reads them. Ignores what git cannot read. Pure. */
export function gitSettings(text: string): readonly GitSetting[] {
  return gitLines(text).flatMap((line) => (line.value === undefined ? [] : [line]));
}

/** The settings of a configuration, in its order, as git reads them, with the lines that are none. Pure. */
export function gitLines(text: string): readonly GitLine[] {
  const source = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const lines: GitLine[] = [];
  let section = '';
  // A space, a header, the start of a setting with a value, or a line that is none of these
  const part =
    /[ \t\r\n]+|\[([a-z0-9-]*)(?![a-z0-9-])[^\n"\]]*(?:"(?:[^"\\\n]|\\[^\n])*"[^\n"\]]*)?\]|([a-z][a-z0-9-]*)[ \t]*=|[^\n]+/giy;
  for (let found = part.exec(source); found !== null; found = part.exec(source)) {
    const [read, header, key] = found;
    if (header !== undefined) section = header.toLowerCase();
    else if (key === undefined) {
      if (/^[^#;\s]/.test(read)) lines.push({ name: `${section}.${read.trim()}` });
    } else {
      const { value, end } = readValue(source, part.lastIndex);
      lines.push({ name: `${section}.${key.toLowerCase()}`, value });
      part.lastIndex = end;
    }
  }
  return lines;
}

/** The value that starts at an index, and the index of its end. Spaces around it count only within quotes. */
function readValue(source: string, from: number): { readonly value: string; readonly end: number } {
  let value = '';
  let length = 0;
  let isQuoted = false;
  let index = from;
  for (; index < source.length; index += 1) {
    const char = source.charAt(index);
    if (char === '\n' || (!isQuoted && (char === '#' || char === ';'))) break;
    const isSpace = !isQuoted && (char === ' ' || char === '\t' || char === '\r');
    if (char === '"') isQuoted = !isQuoted;
    else if (char === '\\') {
      index += 1;
      const escaped = source.charAt(index);
      value += ESCAPED[escaped] ?? escaped;
    } else if (!isSpace || value !== '') value += char;
    if (!isSpace) length = value.length;
  }
  // For git, a value ends at its first zero byte.
  return { value: value.slice(0, length).replace(/\0.*/s, ''), end: index };
}
