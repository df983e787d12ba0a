/** Yielded by a rule once no continuation can make the text valid. The rule is not resumed after it. */
export const REJECTED = 'rejected';

/** The "character" after the last one. */
export const END = '';

/**
 * A rule of a grammar: reads characters that the caller passes in, one at a time. It begins with its first character
 * read, and reads one character beyond its end.
 */
export type Rule<Result = void> = Generator<typeof REJECTED | undefined, Result, string>;

/** The characters that the rules of a grammar have read. */
export class Characters {
  /** The current character. */
  char = END;
  private text = '';

  *next(): Rule {
    this.char = yield;
    this.text += this.char;
  }

  *reject(): Generator<typeof REJECTED, never, string> {
    for (;;) yield REJECTED;
  }

  *require(condition: boolean): Rule {
    if (!condition) yield* this.reject();
  }

  *expect(text: string): Rule {
    for (const char of text) {
      yield* this.require(this.char === char);
      yield* this.next();
    }
  }

  *space(): Rule {
    while (/^\s$/.test(this.char)) yield* this.next();
  }

  /** The position of the current character. */
  get position(): number {
    return this.text.length - this.char.length;
  }

  /** The text from a position to before the current character. */
  since(start: number): string {
    return this.text.slice(start, this.position);
  }
}

const MAX_NESTING = 64;
const MAX_NAME_LENGTH = 64;
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** Reads any JSON value. */
export function* readJson(characters: Characters, nesting = 0): Rule {
  yield* characters.require(nesting < MAX_NESTING);
  switch (characters.char) {
    case '{':
      return yield* readItems(characters, '}', () => readMember(characters, nesting + 1));
    case '[':
      return yield* readItems(characters, ']', () => readJson(characters, nesting + 1));
    case '"':
      return yield* readString(characters);
    case 't':
      return yield* characters.expect('true');
    case 'f':
      return yield* characters.expect('false');
    case 'n':
      return yield* characters.expect('null');
    default:
      return yield* readNumber(characters);
  }
}

/** Reads the items of a list or the members of an object, with the brackets. */
export function* readItems(characters: Characters, close: string, item: () => Rule): Rule {
  yield* characters.next();
  yield* characters.space();
  if (characters.char === close) return yield* characters.next();
  for (;;) {
    yield* item();
    yield* characters.space();
    if (characters.char !== ',') break;
    yield* characters.next();
    yield* characters.space();
  }
  yield* characters.expect(close);
}

/** Reads a name and the character that ends it, one of `ends`. */
export function* readName(characters: Characters, ends = '>'): Rule<string> {
  const start = characters.position;
  while (characters.char === END || !ends.includes(characters.char)) {
    yield* characters.require(/^[\w.-]$/.test(characters.char) && characters.position - start < MAX_NAME_LENGTH);
    yield* characters.next();
  }
  const name = characters.since(start);
  yield* characters.next();
  return name;
}

/** Reads a key of an object, with its colon and the space around it, and returns it in quotes. */
export function* readKey(characters: Characters): Rule<string> {
  const start = characters.position;
  yield* readString(characters);
  const key = characters.since(start);
  yield* characters.space();
  yield* characters.expect(':');
  yield* characters.space();
  return key;
}

function* readMember(characters: Characters, nesting: number): Rule {
  yield* readKey(characters);
  yield* readJson(characters, nesting);
}

function* readNumber(characters: Characters): Rule {
  let number = '';
  while (/^[-+.\deE]$/.test(characters.char)) {
    number += characters.char;
    yield* characters.next();
  }
  yield* characters.require(NUMBER.test(number));
}

function* readString(characters: Characters): Rule {
  yield* characters.expect('"');
  while (characters.char !== '"') {
    yield* characters.require(characters.char >= ' ');
    if (characters.char === '\\') yield* readEscape(characters);
    yield* characters.next();
  }
  yield* characters.next();
}

/** Reads an escape sequence up to its last character. */
function* readEscape(characters: Characters): Rule {
  yield* characters.next();
  yield* characters.require(/^["\\/bfnrtu]$/.test(characters.char));
  if (characters.char !== 'u') return;
  for (let digit = 0; digit < 4; digit += 1) {
    yield* characters.next();
    yield* characters.require(/^[\da-f]$/i.test(characters.char));
  }
}
