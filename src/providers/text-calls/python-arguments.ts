import { isJsonObject, jsonOr } from '../../text/json/json.ts';
import { type Characters, END, type Rule } from './json-rules.ts';

/** An escape sequence whose meaning is certain. */
const ESCAPE = String.raw`\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|[^\sabfvxuNU\d/])`;
const DOUBLE = String.raw`"""(?:[^"\\]|${ESCAPE}|"(?!""))*"""|"(?!"")(?:[^"\\]|${ESCAPE})*"`;
/** The pattern of a string of Python without a prefix, with one or three quotes. */
export const QUOTED = `${DOUBLE}|${DOUBLE.replaceAll('"', "'")}`;

/** A string, the name of an argument, a literal, a comma behind the last item, a number, or another character of JSON. */
const TOKEN = new RegExp(
  String.raw`(${QUOTED})|([A-Za-z_]\w*)\s*=|(True|False|None|true|false|null)\b|(,\s*(?=[\]}]|$))|[-\d][\w.+-]*|[\s,:{}[\]]`,
  'gy',
);
const WORDS: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' };
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', "'": "'", '"': '"' };

/**
 * The arguments of a call of Python as JSON, if each has a name and a literal as its value; `undefined` for all else, as
 * a part of an expression is not what the model meant.
 */
export function keywordsAsJson(written: string): string | undefined {
  let json = '';
  let read = 0;
  let names = 0;
  for (const [token, quoted, name, word, end] of written.matchAll(TOKEN)) {
    read += token.length;
    if (name !== undefined) names += 1;
    if (quoted !== undefined) json += JSON.stringify(textOf(quoted));
    else if (name !== undefined) json += `"${name}":`;
    else if (end === undefined) json += WORDS[word ?? ''] ?? token;
  }
  const value = read === written.length ? jsonOr(undefined, `{${json}}`) : undefined;
  return isJsonObject(value) && Object.keys(value).length === names ? `{${json}}` : undefined;
}

/** The text of a string. An unknown escape sequence stands for itself. */
function textOf(quoted: string): string {
  const quotes = /^("|')\1\1/.test(quoted) ? 3 : 1;
  return quoted.slice(quotes, -quotes).replace(/\\(?:x(..)|u(....)|(.))/g, (all, byte, unit, char) => {
    const code: unknown = byte ?? unit;
    return code === undefined ? (ESCAPES[char] ?? all) : String.fromCharCode(Number.parseInt(String(code), 16));
  });
}

/** Reads up to the end of the arguments of a call of Python. */
export function* readKeywords(characters: Characters): Rule {
  yield* characters.require(/\w/.test(characters.char));
  while (characters.char !== ')') {
    const isText = /["']/.test(characters.char);
    yield* characters.require(isText || /[\w\s=,.:{}[\]+-]/.test(characters.char));
    yield* isText ? readQuoted(characters) : characters.next();
  }
}

/** Reads a string of Python, with one quote or three at its ends. */
function* readQuoted(characters: Characters): Rule {
  const quote = characters.char;
  let quotes = 0;
  for (; characters.char === quote && quotes < 3; quotes += 1) yield* characters.next();
  if (quotes === 2) return;
  for (let closing = 0; closing < quotes; yield* characters.next()) {
    yield* characters.require(characters.char !== END);
    closing = characters.char === quote ? closing + 1 : 0;
    if (characters.char === '\\') yield* characters.next();
  }
}
