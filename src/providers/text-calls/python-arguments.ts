import type { JsonValue } from '../../agent/ports/json.ts';
import type { ToolDefinition } from '../../agent/ports/tool.ts';
import { readParameter } from './fits-schema.ts';

/** The pattern of a string of Python. */
export const QUOTED = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`;
const PYTHON_ARGUMENT = new RegExp(String.raw`(\w+)\s*=\s*(${QUOTED}|\[[^\]]*\]|[^,]+)`, 'g');
const PYTHON_WORDS: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' };

/** The arguments of a call of Python, by their names. */
export function readKeywords(written: string): ReadonlyMap<string, string> {
  const values = [...written.matchAll(PYTHON_ARGUMENT)].map(([, key = '', value = '']) => {
    const plain = value.trim();
    return [key, /^["']/.test(plain) ? unescaped(plain.slice(1, -1)) : (PYTHON_WORDS[plain] ?? plain)] as const;
  });
  return new Map(values);
}

/** The arguments of a call of a tool in Python, as JSON. */
export function keywordsAsJson(written: string, tool: ToolDefinition): string {
  return JSON.stringify(valuesOf(readKeywords(written), tool));
}

/** A text of Python without its escapes. */
function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, (_all, char: string) => ({ n: '\n', t: '\t', r: '\r' })[char] ?? char);
}

/** The values of arguments that were written without their types. */
export function valuesOf(args: ReadonlyMap<string, string>, { parameters }: ToolDefinition): Record<string, JsonValue> {
  const values = [...args].map(([key, text]) => [key, readParameter(text, parameters, key) ?? text] as const);
  return Object.fromEntries(values);
}
