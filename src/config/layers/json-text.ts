import type { Node, ParseErrorCode } from 'jsonc-parser';
import { ConfigError, type Position } from '../config-error.ts';

/** A path inside a JSON text: names of objects and indexes of lists. */
export type JsonPath = readonly (string | number)[];

/** Parses the text of a file, which may contain comments. Throws `ConfigError` with the position of the first error. */
export async function parseJson(source: string, text: string): Promise<unknown> {
  try {
    return JSON.parse(text);
  } catch {
    return parseWithComments(source, text);
  }
}

/** A string, or a trailing comma of a list or an object, in JSON without comments. */
const TRAILING_COMMA = /("(?:[^"\\]|\\.)*"?)|,(?=\s*[}\]])/g;

/** Parses a file of another program, which may have comments and trailing commas. Throws `ConfigError`. */
export async function parseForeignJson(source: string, text: string): Promise<unknown> {
  const { stripComments } = await import('jsonc-parser');
  const bare = stripComments(text, ' ');
  return parseJson(
    source,
    bare.replaceAll(TRAILING_COMMA, (_all, quoted: string = ' ') => quoted),
  );
}

async function parseWithComments(source: string, text: string): Promise<unknown> {
  // Loaded on demand, because start-up should not wait for it.
  const { parseTree, printParseErrorCode, stripComments } = await import('jsonc-parser');
  const errors: NonNullable<Parameters<typeof parseTree>[1]> = [];
  const isTooDeep = tryParse(() => parseTree(text, errors)) === 'too deep';
  const [first] = errors;
  if (isTooDeep) throw new ConfigError(source, 'invalid JSON with too many levels. Correct it or remove the file.');
  // JSON.parse reads the rest, because the library builds objects whose prototype a file could choose.
  if (first === undefined) return JSON.parse(stripComments(text, ' '));
  const [found = ''] = /^[}\]]/.exec(text.slice(first.offset)) ?? [];
  const isAfterComma = found !== '' && /,\s*$/.test(text.slice(0, first.offset));
  const problem = JSON_PROBLEMS[printParseErrorCode(first.error)] ?? 'unexpected character';
  const reason = isAfterComma ? `there is a comma before the ${found}` : problem;
  // What is missing at the end belongs to the last line with text, not to the empty one after it.
  const position = positionOf(text, Math.min(first.offset, text.trimEnd().length));
  const isOther = /\.(?:ya?ml|toml)$/i.test(source);
  const advice = isOther
    ? 'Convert the file to JSON, in which comments are allowed.'
    : 'Correct it or remove the file.';
  throw new ConfigError(source, `invalid JSON: ${reason}. ${advice}`, position);
}

/** Reasons by the names that `jsonc-parser` gives its error codes; all others are an unexpected character. */
const JSON_PROBLEMS: Readonly<Partial<Record<string, string>>> = {
  PropertyNameExpected: 'expected a property name in double quotes',
  ValueExpected: 'expected a value',
  ColonExpected: 'expected a colon',
  CommaExpected: 'expected a comma',
  CloseBraceExpected: 'the closing } is missing',
  CloseBracketExpected: 'the closing ] is missing',
  EndOfFileExpected: 'expected the end of the file',
  UnexpectedEndOfComment: 'the end of the comment is missing',
  UnexpectedEndOfString: 'unterminated string',
  InvalidEscapeCharacter: 'invalid escape sequence',
  InvalidUnicode: 'invalid escape sequence',
} satisfies Partial<Record<keyof typeof ParseErrorCode, string>>;

/**
 * Finds where the values at `paths` are in a text: the position of the name, or that of an element of a list. A path
 * that does not exist has the position of its last part that does; a text with too many levels has none; of equal names the last one counts, as in JSON.
 */
export async function findPositions(
  text: string,
  paths: readonly JsonPath[],
): Promise<readonly (Position | undefined)[]> {
  const { parseTree } = await import('jsonc-parser');
  const root = tryParse(() => parseTree(text));
  return paths.map((path) => (typeof root === 'object' ? positionOf(text, offsetOf(root, path)) : undefined));
}

/** A name in an object, with its colon. */
const NAME = /"(?:[^"\\]|\\.)*"\s*:/g;

/** The place of a name that an object of a text has twice, of which JSON takes the last one. `value`: of the whole text. */
export async function findRepeatedName(text: string, value: unknown): Promise<Position | undefined> {
  const whole = tryParse(() => JSON.stringify(value));
  // Only a text with more names than its value is worth loading the parser.
  if (whole === 'too deep' || (text.match(NAME)?.length ?? 0) <= (whole.match(NAME)?.length ?? 0)) return undefined;
  const { parseTree } = await import('jsonc-parser');
  const root = tryParse(() => parseTree(text));
  const find = (node: Node): Node | undefined => {
    const children = node.children ?? [];
    const names = node.type === 'object' ? children.map((child) => child.children?.[0]?.value) : [];
    const repeated = names.findIndex((name, index) => names.indexOf(name) < index);
    return children[repeated] ?? firstOf(children, find);
  };
  const found = typeof root === 'object' ? find(root) : undefined;
  return found && positionOf(text, found.offset);
}

function firstOf(nodes: readonly Node[], find: (node: Node) => Node | undefined): Node | undefined {
  for (const node of nodes) {
    const found = find(node);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The parser of the library calls itself for each level of a text, and a file may have more levels than the stack. */
function tryParse<Result>(parse: () => Result): Result | 'too deep' {
  try {
    return parse();
  } catch (error) {
    if (error instanceof RangeError) return 'too deep';
    throw error;
  }
}

function offsetOf(root: Node, path: JsonPath): number {
  let { offset } = root;
  let node: Node | undefined = root;
  for (const part of path) {
    const children: readonly Node[] = node.children ?? [];
    const found: Node | undefined =
      typeof part === 'number' ? children[part] : children.findLast((child) => child.children?.[0]?.value === part);
    if (found === undefined) break;
    offset = found.offset;
    node = found.type === 'property' ? found.children?.[1] : found;
    if (node === undefined) break;
  }
  return offset;
}

function positionOf(text: string, offset: number): Position {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
