import { type BinaryExpression, type Expression, type Node, type ObjectExpression, parseExpressionAt } from 'acorn';
import { messageOf } from '../../agent/errors.ts';
import type { JsonObject, JsonValue } from '../../agent/ports/json.ts';

/** A call read from its text, or why it cannot be executed. The reason is for the model. */
export type ReadCall =
  | { readonly type: 'call'; readonly name: string; readonly arguments: JsonObject }
  | { readonly type: 'invalid'; readonly name: string; readonly reason: string };

export const NAMESPACE = 'SysBuiltIn';

const FORM = `Write one call with one object of literals: ${NAMESPACE}.name({ key: "value" }).`;

/**
 * Reads `Namespace.name({ … })`, one JavaScript call whose arguments are literals: objects, arrays, strings, templates
 * without expressions, numbers with a sign, booleans, null, and strings joined by `+`. Nothing is evaluated; everything
 * else is refused with its position.
 */
export function readCall(text: string): ReadCall {
  try {
    const call = parseExpressionAt(text, 0, { ecmaVersion: 'latest' });
    if (!['', ';'].includes(text.slice(call.end).trim()))
      throw new Refused(call.end, 'there is more text after the call');
    return { type: 'call', ...readCallee(call) };
  } catch (error) {
    const name = /^\s*\w+\s*\.\s*(\w+)/.exec(text)?.[1] ?? 'tool_call';
    return { type: 'invalid', name, reason: `The call was not executed: ${describe(error, text)}. ${FORM}` };
  }
}

/** Something in a call that is not a literal, at an offset of its text. */
class Refused extends Error {
  readonly position: number;

  constructor(position: number, message: string) {
    super(message);
    this.position = position;
  }
}

function describe(error: unknown, text: string): string {
  if (!(error instanceof Refused)) return messageOf(error);
  const before = text.slice(0, error.position);
  return `${error.message} (${before.split('\n').length}:${before.length - before.lastIndexOf('\n') - 1})`;
}

function readCallee(call: Expression): { readonly name: string; readonly arguments: JsonObject } {
  if (call.type !== 'CallExpression') throw new Refused(call.start, 'this is not a call');
  const { callee } = call;
  if (
    callee.type !== 'MemberExpression' ||
    callee.computed ||
    callee.object.type !== 'Identifier' ||
    callee.property.type !== 'Identifier'
  ) {
    throw new Refused(callee.start, `the name is not of the form ${NAMESPACE}.name`);
  }
  if (callee.object.name !== NAMESPACE) {
    throw new Refused(callee.start, `there is no namespace ${callee.object.name}, only ${NAMESPACE}`);
  }
  const [input, ...more] = call.arguments;
  const { name } = callee.property;
  if (input === undefined) return { name, arguments: {} };
  if (more[0] !== undefined) throw new Refused(more[0].start, 'there is more than one argument');
  if (input.type !== 'ObjectExpression') throw new Refused(input.start, 'the argument is not an object');
  return { name, arguments: readObject(input) };
}

function readObject({ properties }: ObjectExpression, depth = 0): JsonObject {
  return Object.fromEntries(
    properties.map((property) => {
      if (property.type === 'SpreadElement') throw new Refused(property.start, 'a spread is not a literal');
      const { key, value } = property;
      if (property.kind !== 'init' || property.method || property.shorthand || property.computed) {
        throw new Refused(property.start, 'a property must be a name and a literal');
      }
      return [
        key.type === 'Identifier' ? key.name : String(readLiteral(key, depth)),
        readLiteral(value, depth),
      ] as const;
    }),
  );
}

/** More than any tool has. The stack of the program has an end. */
const MAX_DEPTH = 100;

function readLiteral(node: Expression, outer: number): JsonValue {
  const depth = outer + 1;
  if (depth > MAX_DEPTH) throw new Refused(node.start, `literals may be nested ${MAX_DEPTH} levels deep`);
  switch (node.type) {
    case 'ObjectExpression':
      return readObject(node, depth);
    case 'ArrayExpression':
      return node.elements.map((element) => {
        if (element === null) throw new Refused(node.start, 'an array with a gap is not a literal');
        if (element.type === 'SpreadElement') throw new Refused(element.start, 'a spread is not a literal');
        return readLiteral(element, depth);
      });
    case 'Literal':
      if (isJsonLiteral(node.value)) return node.value;
      throw notLiteral(node);
    case 'TemplateLiteral': {
      const [text] = node.quasis;
      if (node.expressions.length > 0 || typeof text?.value.cooked !== 'string') throw notLiteral(node);
      return text.value.cooked;
    }
    case 'UnaryExpression': {
      const value = readLiteral(node.argument, depth);
      if (typeof value !== 'number' || (node.operator !== '-' && node.operator !== '+')) throw notLiteral(node);
      return node.operator === '-' ? -value : value;
    }
    case 'BinaryExpression':
      return joinedStrings(node).join('');
    default:
      throw notLiteral(node);
  }
}

/** The strings that `+` joins. A loop, because models join hundreds of lines. */
function joinedStrings(sum: BinaryExpression): readonly string[] {
  const parts: string[] = [];
  let node: Expression = sum;
  while (node.type === 'BinaryExpression') {
    if (node.operator !== '+' || node.left.type === 'PrivateIdentifier') throw notLiteral(node);
    parts.unshift(readString(node.right));
    node = node.left;
  }
  return [readString(node), ...parts];
}

function readString(node: Expression): string {
  const value = node.type === 'BinaryExpression' ? joinedStrings(node).join('') : readLiteral(node, 0);
  if (typeof value !== 'string') throw notLiteral(node);
  return value;
}

/** True for the values of literals that JSON has: not for regular expressions and big integers. */
function isJsonLiteral(value: unknown): value is string | number | boolean | null {
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

function notLiteral(node: Node): Refused {
  return new Refused(node.start, 'only literals are allowed, and nothing is evaluated');
}
