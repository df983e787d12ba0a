import { problemText } from './problems.ts';

/** Something wrong with a JSON text. Lines and columns count from 1; `text` is a `problemText`. */
export interface JsonFault {
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

/** An object or a list that is not closed yet. */
interface Frame {
  readonly close: '}' | ']';
  /** The fields so far, and where their names stand; nothing in a list. */
  readonly keys: Map<string, number> | undefined;
}

interface Token {
  readonly text: string;
  readonly position: number;
  readonly type: 'sign' | 'string' | 'scalar';
}

type Expected = 'value' | 'item' | 'first item' | 'key' | 'first key' | 'colon' | 'comma' | 'nothing';

interface Scan {
  readonly text: string;
  readonly open: Frame[];
  readonly twice: JsonFault[];
  expected: Expected;
  /** Where the last comma stands. */
  comma: number;
}

const SPACE = /[ \t\r\n]*/y;
// Characters of a text are named from a space on, as control characters may not stand in one.
const TOKEN =
  /([{}[\],:])|("[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})[ !#-[\]-\uffff]*)*")|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

/**
 * What keeps a text from being JSON, in the same words on every version of Node, or else every field that an object has
 * twice, which `JSON.parse` does not mind. Takes texts of any depth. Pure.
 */
export function scanJson(text: string): JsonFault[] {
  const scan: Scan = { text, open: [], twice: [], expected: 'value', comma: 0 };
  let position = skipSpace(text, 0);
  while (position < text.length || scan.expected !== 'nothing') {
    const token = readToken(text, position);
    if (token === undefined) return [faultAt(text, position, explainCharacter(text, position, scan.open))];
    const fault = take(token, scan);
    if (fault !== undefined) return [fault];
    position = skipSpace(text, position + token.text.length);
  }
  return scan.twice;
}

function skipSpace(text: string, position: number): number {
  SPACE.lastIndex = position;
  return position + (SPACE.exec(text)?.[0].length ?? 0);
}

function readToken(text: string, position: number): Token | undefined {
  TOKEN.lastIndex = position;
  const [token, sign, quoted] = TOKEN.exec(text) ?? [];
  if (token === undefined) return undefined;
  const other = quoted === undefined ? 'scalar' : 'string';
  return { text: token, position, type: sign === undefined ? other : 'sign' };
}

/** Goes on by one token, or says why it must not stand there. */
function take(token: Token, scan: Scan): JsonFault | undefined {
  const { expected } = scan;
  const frame = scan.open.at(-1);
  if (token.text === frame?.close && MAY_END.includes(expected)) return takeEnd(token, scan);
  const refuse = (explanation: Explanation) => faultAt(scan.text, token.position, explanation);
  switch (expected) {
    case 'key':
    case 'first key':
      if (token.type !== 'string') return refuse([`${token.text} stands where a field belongs`, FIELD_FIX]);
      takeKey(token, scan, frame);
      return undefined;
    case 'value':
    case 'item':
    case 'first item':
      return takeValue(token, scan) ? undefined : refuse(explainMissingValue(token));
    case 'colon':
      if (token.text !== ':') return refuse(['a colon is missing before this', COLON_FIX]);
      scan.expected = 'value';
      return undefined;
    case 'comma':
      if (token.text !== ',') return refuse(explainMissingComma(token, frame));
      scan.comma = token.position;
      scan.expected = frame?.keys === undefined ? 'item' : 'key';
      return undefined;
    case 'nothing':
      return refuse(['something follows the end', 'take out what stands behind the last }']);
    default:
      return expected satisfies never;
  }
}

/** Where the end of an object or a list may stand, or a comma was one too many. */
const MAY_END: readonly Expected[] = ['first item', 'first key', 'item', 'key', 'comma'];

function takeEnd(token: Token, scan: Scan): JsonFault | undefined {
  if (scan.expected === 'item' || scan.expected === 'key') {
    return faultAt(scan.text, scan.comma, [`a comma stands before ${token.text}`, 'take the comma out']);
  }
  scan.open.pop();
  endValue(scan);
  return undefined;
}

function takeKey({ text: quoted, position }: Token, scan: Scan, frame: Frame | undefined): void {
  const name = String(JSON.parse(quoted));
  const first = frame?.keys?.get(name);
  if (first === undefined) frame?.keys?.set(name, position);
  else {
    const lines = [first, position].map((place) => `line ${placeOf(scan.text, place).line}`).join(' and ');
    const explanation = [`the field ${quoted} is there twice, in ${lines}`, 'take one of the two out'] as const;
    scan.twice.push(faultAt(scan.text, position, explanation));
  }
  scan.expected = 'colon';
}

/** Whether the token is a value or begins one. */
function takeValue({ text: token, type }: Token, scan: Scan): boolean {
  if (type !== 'sign') endValue(scan);
  else if (token === '{') {
    scan.open.push({ close: '}', keys: new Map() });
    scan.expected = 'first key';
  } else if (token === '[') {
    scan.open.push({ close: ']', keys: undefined });
    scan.expected = 'first item';
  } else return false;
  return true;
}

function endValue(scan: Scan): void {
  scan.expected = scan.open.length === 0 ? 'nothing' : 'comma';
}

/** What is wrong, and what to do about it. */
type Explanation = readonly [reason: string, fix: string];

const FIELD_FIX = 'write the name of a field in double quotes';
const COLON_FIX = 'write a : behind the name of a field';

function explainMissingValue({ text }: Token): Explanation {
  return [`${text} stands where a value belongs`, 'write a value there, or take the sign out'];
}

function explainMissingComma({ text }: Token, frame: Frame | undefined): Explanation {
  if (text === '}' || text === ']')
    return [`${text} stands where ${frame?.close} belongs`, `write ${frame?.close} instead`];
  return ['a comma is missing before this', 'put a comma between the two'];
}

/** What no token begins with. */
function explainCharacter(text: string, position: number, open: readonly Frame[]): Explanation {
  const character = text[position];
  if (character === undefined) {
    const missing = open.map(({ close }) => close).reverse();
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

function faultAt(text: string, position: number, [reason, fix]: Explanation): JsonFault {
  return { ...placeOf(text, position), text: problemText(reason, fix) };
}

function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - start + 1 };
}
