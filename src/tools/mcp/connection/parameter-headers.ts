import type { JsonObject, JsonValue } from '../../../agent/ports/json.ts';
import { isJsonObject } from '../../../text/json/json.ts';

/** A parameter that the server wants as a header, too; `path` are the keys that lead to its value. */
interface HeaderParameter {
  readonly path: readonly string[];
  readonly name: string;
}

const KEY = 'x-mcp-header';
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
const TYPES: readonly unknown[] = ['string', 'integer', 'boolean'];
/** Keywords whose values are data, and not schemas. */
const DATA = ['default', 'const', 'enum', 'examples'];

/** The parameters of a schema that become headers; `undefined` if one of them may not, so that the tool must not be called. */
export function headerParameters(schema: JsonValue): readonly HeaderParameter[] | undefined {
  const found: HeaderParameter[] = [];
  const names = new Set<string>();
  /** `path` is absent where a value is not always at the same place. */
  const isValid = (node: JsonValue, path?: readonly string[]): boolean => {
    if (Array.isArray(node)) return node.every((each) => isValid(each));
    if (!isJsonObject(node)) return true;
    const name = node[KEY];
    if (name !== undefined) {
      if (path === undefined || path.length === 0 || typeof name !== 'string' || !TOKEN.test(name)) return false;
      if (!TYPES.includes(node['type']) || names.has(name.toLowerCase())) return false;
      names.add(name.toLowerCase());
      found.push({ path, name });
    }
    return Object.entries(node).every(([key, inner]) => {
      if (key === 'properties' && isJsonObject(inner))
        return Object.entries(inner).every(([each, value]) => isValid(value, path && [...path, each]));
      return DATA.includes(key) || isValid(inner);
    });
  };
  return isValid(schema, []) ? found : undefined;
}

/** The headers of a call with these arguments. */
export function headersOfCall(schema: JsonObject, args: JsonObject): Record<string, string> {
  const headers = (headerParameters(schema) ?? []).flatMap(({ path, name }): [string, string][] => {
    const value = path.reduce<JsonValue | undefined>(
      (inner, key) => (isJsonObject(inner) ? inner[key] : undefined),
      args,
    );
    const isWritten = typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value);
    return isWritten ? [[`Mcp-Param-${name}`, encode(String(value))]] : [];
  });
  return Object.fromEntries(headers);
}

/** A text as the value of a header: as it is, or in Base64 where it would not arrive as it is. */
function encode(text: string): string {
  const isPlain = /^[!-~](?:[\t -~]*[!-~])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
