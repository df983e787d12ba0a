import { takeEnd } from '../truncate.ts';

/** The part of a call that has been read. */
export interface ReadPart {
  readonly name?: string;
  readonly path?: string;
  readonly size: number;
  readonly tail: string;
}

/** Names of the arguments that contain the path of a call, in the dialects of all agents. */
const PATHS: ReadonlySet<string> = new Set([
  'path',
  'file_path',
  'filePath',
  'filename',
  'notebook_path',
  'target_file',
]);

const QUOTES: readonly string[] = ['"', "'", '`'];

/** Maximum length of a name or a path, and of the end of a value, in characters. */
const MAX_LENGTH = 1_000;

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

/** The start and the end of a parameter in the markup of models that write calls as text, and the name of the tool. */
const OPEN = /<(?:[^<>\s]*parameter(?:=| name=")([\w-]+)"?[^<>]*|arg_key>([\w-]+)<\/arg_key>\s*<arg_value)>/;
const CLOSE = /\n?<\/[^<>\s]*(?:parameter|arg_value)>/;
const FUNCTION = /<(?:function=|[^<>\s]*invoke name="|tool_call>\s*)([\w-]+)|([\w-]+)\(\s*$/;

/** Maximum length of a tag that may not have arrived whole, in characters. */
const MAX_TAG = 200;

/**
 * Reads the arguments of a call whose text arrives in pieces: JSON, or what a model writes as text, which is a call in
 * JavaScript or markup.
 * The work for a piece depends on its length alone.
 */
export class WrittenCallReader {
  #mode: 'unknown' | 'json' | 'markup' = 'unknown';
  /** The text that is not read yet. */
  #unread = '';
  #name: string | undefined;
  #path: string | undefined;
  /** The end of the string that was read last, or is being read, and its size. */
  #text = '';
  #size = 0;
  #inString = false;
  #escape: string | undefined;
  #quote = '';
  /** The name of a member without quotes, as in JavaScript. */
  #word = '';
  /** The name of the member whose value follows. */
  #key: string | undefined;
  /** The member of the string; absent if it is a name itself. */
  #member: string | undefined;
  /** The last whole value. */
  #last = { text: '', size: 0 };

  /** Reads a piece, and returns what the call is so far. */
  add(piece: string): ReadPart {
    this.#read(piece);
    const isValue = this.#inString && this.#member !== undefined && this.#member !== 'name' && !PATHS.has(this.#member);
    const { text, size } = isValue ? { text: this.#text, size: this.#size } : this.#last;
    return {
      ...(this.#name !== undefined && { name: this.#name }),
      ...(this.#path !== undefined && { path: this.#path }),
      ...{ size, tail: takeEnd(text, MAX_LENGTH) },
    };
  }

  #read(piece: string): void {
    if (this.#mode === 'json') {
      for (const char of piece) this.#readCharacter(char);
      return;
    }
    this.#unread += piece;
    if (this.#mode === 'markup') this.#readMarkup();
    else this.#findMode();
  }

  #findMode(): void {
    const start = this.#unread.search(/\{|<[^<>\s]*(?:parameter|arg_key)/);
    if (start === -1) return;
    const [, tag, called] = FUNCTION.exec(this.#unread.slice(0, start)) ?? [];
    this.#name = tag ?? called;
    const text = this.#unread.slice(start);
    this.#mode = text.startsWith('{') ? 'json' : 'markup';
    this.#unread = '';
    this.#read(text);
  }

  #readMarkup(): void {
    for (;;) {
      const tag = (this.#inString ? CLOSE : OPEN).exec(this.#unread);
      if (tag === null) break;
      const [{ length }, named, key] = tag;
      this.#addText(this.#unread.slice(0, tag.index));
      this.#unread = this.#unread.slice(tag.index + length);
      if (this.#inString) this.#end();
      else this.#begin(named ?? key);
    }
    const length = this.#inString ? this.#valueLength() : Math.max(0, this.#unread.length - MAX_TAG);
    this.#addText(this.#unread.slice(0, length));
    this.#unread = this.#unread.slice(length);
  }

  /** Length of the text that belongs to the value for certain, because no tag may have begun in it. */
  #valueLength(): number {
    const { length } = this.#unread;
    const tag = this.#unread.lastIndexOf('<');
    const end = tag === -1 || length - tag > MAX_TAG ? length : tag;
    return this.#unread[end - 1] === '\n' ? end - 1 : end;
  }

  #readCharacter(char: string): void {
    if (!this.#inString) {
      if (QUOTES.includes(char)) {
        this.#begin(this.#key);
        this.#quote = char;
      } else if (char === ':') {
        this.#key = this.#word === '' ? this.#text : this.#word;
        this.#word = '';
      } else if (char === ',' || char === '{') {
        this.#key = undefined;
        this.#word = '';
      } else if (/\w/.test(char)) this.#word += char;
      return;
    }
    if (this.#escape !== undefined) {
      this.#escape += char;
      if (this.#escape.startsWith('u') && this.#escape.length < 5) return;
      this.#addText(unescaped(this.#escape));
      this.#escape = undefined;
    } else if (char === '\\') this.#escape = '';
    else if (char === this.#quote) this.#end();
    else this.#addText(char);
  }

  #begin(member: string | undefined): void {
    this.#inString = true;
    this.#member = member;
    this.#text = '';
    this.#size = 0;
  }

  #addText(given: string): void {
    if (!this.#inString) return;
    // The value of a tag begins in the next line.
    const text = this.#mode === 'markup' && this.#size === 0 ? given.replace(/^\n/, '') : given;
    this.#size += sizeOf(text);
    this.#text += text;
    if (this.#text.length > 2 * MAX_LENGTH) this.#text = takeEnd(this.#text, MAX_LENGTH);
  }

  #end(): void {
    this.#inString = false;
    if (this.#member === undefined) return;
    if (this.#member === 'name') this.#name ??= this.#text;
    else if (PATHS.has(this.#member)) this.#path ??= this.#text;
    else this.#last = { text: this.#text, size: this.#size };
  }
}

function unescaped(sequence: string): string {
  if (!sequence.startsWith('u')) return ESCAPES[sequence] ?? sequence;
  const code = Number.parseInt(sequence.slice(1), 16);
  return Number.isNaN(code) ? '\ufffd' : String.fromCharCode(code);
}

/** Bytes of UTF-8; each half of a character counts half of its four bytes. */
function sizeOf(text: string): number {
  let size = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    size += code < 0x80 ? 1 : code < 0x8_00 ? 2 : code >= 0xd8_00 && code < 0xe0_00 ? 2 : 3;
  }
  return size;
}
