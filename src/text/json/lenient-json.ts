import { isJsonObject, jsonOr, nestsDeeper } from './json.ts';

/** The JSON that was read, and whether it can end where the text ends: a number might go on. */
interface Read {
  readonly json: string;
  readonly isWhole: boolean;
}

/** Thrown inside this module for a text whose meaning is not certain. */
const UNCERTAIN = new Error('uncertain');

const MAX_NESTING = 64;

/** Levels of arrays and objects in arguments. A model that repeats a bracket writes thousands. */
const MAX_LEVELS = 100;

/** White space, also as an escape sequence, and comments, up to the next character that counts. */
const SPACE = /(?:\s|\\[nrt]|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*/y;
const BARE_KEY = /[A-Za-z_$][\w$]*/y;
const BARE_VALUE = /[-+.\w]+/y;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

/** The literals of JSON and of Python. */
const LITERALS: ReadonlyMap<string, string> = new Map([
  ...['true', 'false', 'null'].map((word) => [word, word] as const),
  ...[['True', 'true'] as const, ['False', 'false'] as const, ['None', 'null'] as const],
]);

/** An opening quote, also a token of Gemma and Kimi, between which a backslash escapes nothing. */
const QUOTE = /["'\u201c]|<(?:\|"\|?|escape)>/y;

/** The fence of Markdown around a whole text. */
const FENCE = /^\s*`{3}(?:json)?[ \t]*\n([\s\S]*?)\n?[ \t]*`{3}\s*$/;

/** Text that models write after an object: a bracket too many, a semicolon, special tokens and tags of their templates. */
const REST = /(?:[\s}\];]|<\|[\w ]+\|>|<\/[\w:|｜]+>)*/y;
/** A special token that a server leaves ahead of an object, or more braces than its own, which no JSON has. */
const MARK = /^\s*(?:\[ARGS\]|<\|[\w ]+\|>|\{\s*(?=\{))*/;

/**
 * The arguments of a call: mistakes whose meaning is certain become valid JSON, and of a text that is nested too deep for
 * code that recurses, only the start is left, which is no JSON.
 */
export function repairArguments(text: string): string {
  if (nestsDeeper(text, MAX_LEVELS)) return text.slice(0, MAX_LEVELS);
  return text.trim() === '' || isJsonObject(jsonOr(undefined, text)) ? text : (readLenientObject(text) ?? text);
}

/**
 * The JSON object that a model meant by a text that is not valid JSON, as valid JSON; `undefined` where that is not
 * certain. These mistakes are certain: other quotes, keys without quotes, literals of Python, a comma too many, comments,
 * line breaks and unknown escapes in strings, brackets that are missing behind a whole value or are too many, a fence, the
 * same object twice, behind beginnings of it or beside an empty one, and an object in a JSON string. A string without its
 * end is a text that was cut, and a quote inside of a string may end it: both are refused.
 */
export function readLenientObject(text: string): string | undefined {
  try {
    return readObjects(FENCE.exec(text)?.[1] ?? text.replace(MARK, ''));
  } catch (error) {
    if (error === UNCERTAIN) return lastOfGrowing(text);
    throw error;
  }
}

/**
 * The last one of objects, each but the last of which is a beginning of the next: the arguments of a server that sends
 * with each piece all that has come before (DeepSeek behind Qianfan). `undefined` if it may be one in a string instead.
 */
function lastOfGrowing(text: string): string | undefined {
  let start = 0;
  for (let next = text.indexOf('{', 1); next !== -1; next = text.indexOf('{', next + 1)) {
    if (!text.startsWith(text.slice(start, next), next)) continue;
    if (/:\s*"$/.test(text.slice(start, next))) return undefined;
    start = next;
  }
  const last = text.slice(start);
  return start > 0 && isJsonObject(jsonOr(undefined, last)) ? last : undefined;
}

function readObjects(text: string): string {
  const reader = new Reader(text);
  let object = '{}';
  for (reader.skip(); reader.char !== ''; reader.takeAll(REST)) {
    const next = objectIn(reader.value(0).json);
    if (object !== '{}' && next !== '{}' && object !== next) throw UNCERTAIN;
    if (next !== '{}') object = next;
  }
  return object;
}

/** The object that a value stands for: itself, the one in a string, or no arguments. */
function objectIn(json: string): string {
  if (json.startsWith('{')) return json;
  if (json === 'null' || json === '""') return '{}';
  if (!json.startsWith('"')) throw UNCERTAIN;
  return readObjects(String(JSON.parse(json)));
}

class Reader {
  private at = 0;

  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** The current character; empty at the end. */
  get char(): string {
    return this.text.charAt(this.at);
  }

  skip(): void {
    this.takeAll(SPACE);
  }

  takeAll(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const [found = ''] = pattern.exec(this.text) ?? [];
    this.at += found.length;
    return found;
  }

  value(nesting: number): Read {
    if (nesting > MAX_NESTING) throw UNCERTAIN;
    if (this.char === '{') return this.items('{', '}', () => this.member(nesting + 1));
    if (this.char === '[') return this.items('[', ']', () => this.value(nesting + 1));
    const quote = this.takeAll(QUOTE);
    if (quote !== '') return { json: this.string(quote), isWhole: true };
    const word = this.takeAll(BARE_VALUE);
    const literal = LITERALS.get(word);
    if (literal !== undefined) return { json: literal, isWhole: true };
    if (!NUMBER.test(word)) throw UNCERTAIN;
    return { json: word, isWhole: false };
  }

  /** The items between two brackets. The closing one may be missing before that of the outer one, or at the end. */
  private items(open: string, close: string, item: () => Read): Read {
    this.at += open.length;
    const items: string[] = [];
    for (;;) {
      this.skip();
      if (this.char === close) break;
      const { json, isWhole } = item();
      items.push(json);
      this.skip();
      if (this.char === close) break;
      if (this.char === '' ? isWhole : /[}\]]/.test(this.char))
        return { json: `${open}${items}${close}`, isWhole: true };
      if (this.char !== ',') throw UNCERTAIN;
      this.at += 1;
    }
    this.at += close.length;
    return { json: `${open}${items}${close}`, isWhole: true };
  }

  private member(nesting: number): Read {
    const quote = this.takeAll(QUOTE);
    const key = quote === '' ? `"${this.takeAll(BARE_KEY)}"` : this.string(quote);
    this.skip();
    if (this.char !== ':') throw UNCERTAIN;
    this.at += 1;
    this.skip();
    const { json, isWhole } = this.value(nesting);
    return { json: `${key}:${json}`, isWhole };
  }

  /** A string, from behind its opening quote. */
  private string(open: string): string {
    const close = open === '\u201c' ? '\u201d' : open;
    let json = '"';
    for (; !this.text.startsWith(close, this.at); this.at += 1) {
      if (this.char === '') throw UNCERTAIN;
      const isEscape = this.char === '\\' && open.length === 1;
      json += isEscape ? this.escape() : JSON.stringify(this.char).slice(1, -1);
    }
    this.at += close.length;
    return `${json}"`;
  }

  /** An escape sequence, up to its last character. An unknown one is a backslash and what follows, as in `"\d+"`. */
  private escape(): string {
    const start = this.at;
    this.at += 1;
    if (/^["\\/bfnrt]$/.test(this.char)) return `\\${this.char}`;
    if (this.char === "'") return this.char;
    if (this.char !== 'u') {
      if (/^[x\d\n]?$/.test(this.char)) throw UNCERTAIN;
      return `\\\\${this.char}`;
    }
    const code = this.text.slice(start, start + 6);
    if (!/^\\u[\da-f]{4}$/i.test(code)) throw UNCERTAIN;
    this.at += 4;
    return code;
  }
}
