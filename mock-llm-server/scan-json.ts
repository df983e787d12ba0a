import { problemText } from './problem-text.ts';

/** Something wrong with a JSON text. Lines and columns count from 1; `text` is a `problemText`. */
export interface JsonFault {
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

interface Frame {
  readonly close: '}' | ']';
  /** The fields so far, and where their names stand; nothing in a list. */
  readonly keys: Map<string, number> | undefined;
}

type Expected = 'value' | 'item' | 'first item' | 'key' | 'first key' | 'colon' | 'comma' | 'nothing';

const SPACE = /[ \t\r\n]*/y;
// Characters of a text are named from a space on, as control characters may not stand in one.
const TOKEN =
  /([{}[\],:])|("[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})[ !#-[\]-\uffff]*)*")|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

/**
 * What keeps a text from being JSON, in the same words on every version of Node, or else every field that an object has
 * twice, which `JSON.parse` does not mind. Takes texts of any depth. Pure.
 */
export function scanJson(text: string): JsonFault[] {
  const twice: JsonFault[] = [];
  const stack: Frame[] = [];
  let expected: Expected = 'value';
  let position = 0;
  let comma = 0;
  const fault = (offset: number, reason: string, fix: string): JsonFault => {
    return { ...placeOf(text, offset), text: problemText(reason, fix) };
  };
  while (true) {
    position = skipSpace(text, position);
    if (position === text.length && expected === 'nothing') return twice;
    TOKEN.lastIndex = position;
    const [token, sign, quoted] = TOKEN.exec(text) ?? [];
    if (token === undefined) return [fault(position, ...explainCharacter(text, position, stack))];
    const isClosing = sign === '}' || sign === ']';
    const frame = stack.at(-1);
    if (isClosing && (expected === 'item' || expected === 'key') && frame?.close === sign) {
      return [fault(comma, `a comma stands before ${sign}`, 'take the comma out')];
    }
    const isEnd = isClosing && frame?.close === sign && ['first item', 'first key', 'comma'].includes(expected);
    if (isEnd) stack.pop();
    else if (expected === 'key' || expected === 'first key') {
      if (quoted === undefined) return [fault(position, `${token} stands where a field belongs`, FIELD_FIX)];
      const name: unknown = JSON.parse(quoted);
      const first = frame?.keys?.get(String(name));
      if (first === undefined) frame?.keys?.set(String(name), position);
      else {
        const lines = `line ${placeOf(text, first).line} and line ${placeOf(text, position).line}`;
        twice.push(fault(position, `the field ${quoted} is there twice, in ${lines}`, 'take one of the two out'));
      }
      expected = 'colon';
    } else if (expected === 'colon') {
      if (sign !== ':')
        return [fault(position, 'a colon is missing before this', 'write a : behind the name of a field')];
      expected = 'value';
    } else if (expected === 'comma') {
      if (sign !== ',') return [fault(position, ...explainMissingComma(token, isClosing, frame))];
      comma = position;
      expected = frame?.keys === undefined ? 'item' : 'key';
    } else if (expected === 'nothing') {
      return [fault(position, 'something follows the end', 'take out what stands behind the last }')];
    } else if (sign === '{' || sign === '[') {
      stack.push(sign === '{' ? { close: '}', keys: new Map() } : { close: ']', keys: undefined });
      expected = sign === '{' ? 'first key' : 'first item';
    } else if (sign !== undefined) {
      return [fault(position, `${sign} stands where a value belongs`, 'write a value there, or take the sign out')];
    }
    position += token.length;
    if (isEnd || (sign === undefined && ['value', 'item', 'first item'].includes(expected))) {
      expected = stack.length === 0 ? 'nothing' : 'comma';
    }
  }
}

const FIELD_FIX = 'write the name of a field in double quotes';

function skipSpace(text: string, position: number): number {
  SPACE.lastIndex = position;
  return position + (SPACE.exec(text)?.[0].length ?? 0);
}

function explainMissingComma(token: string, isClosing: boolean, frame: Frame | undefined): [string, string] {
  if (isClosing) return [`${token} stands where ${frame?.close} belongs`, `write ${frame?.close} instead`];
  return ['a comma is missing before this', 'put a comma between the two'];
}

/** What no token begins with. */
function explainCharacter(text: string, position: number, stack: readonly Frame[]): [string, string] {
  const character = text[position];
  if (character === undefined) {
    const missing = stack.map(({ close }) => close).reverse();
    const end =
      missing.length === 0 ? 'write {"scenarios": [ … ]}' : `close what is open: ${missing.slice(0, 20).join('')}`;
    return ['the text ends too early', end];
  }
  if (character === '"') {
    return ['a text does not end, or has a wrong escape', 'close it with "; write a line end as \\n and a \\ as \\\\'];
  }
  if (character === "'") return ['a text stands in single quotes', 'use double quotes'];
  if (/^\/[/*]/.test(text.slice(position, position + 2)) || character === '#') {
    return ['JSON has no comments', 'take it out, or write the file as YAML'];
  }
  const [word] = /^[\w$.+-]+/.exec(text.slice(position, position + 40)) ?? [];
  if (word !== undefined) return [`${word} is no value`, 'put a text in double quotes'];
  return [`${JSON.stringify(character)} stands where JSON has nothing like it`, 'take it out'];
}

function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - start + 1 };
}
