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

/** The parameters of a schema that become headers; `undefined` if one of them may not, so that the tool must not be called. */
export function headerParameters(schema: JsonObject): readonly HeaderParameter[] | undefined {
  const found: HeaderParameter[] = [];
  const names = new Set<string>();
  const isValid = ({ properties }: JsonObject, path: readonly string[]): boolean =>
    Object.entries(isJsonObject(properties) ? properties : {}).every(([key, node]) => {
      if (!isJsonObject(node)) return true;
      const { [KEY]: name, type } = node;
      if (typeof name !== 'string') return isValid(node, [...path, key]);
      found.push({ path: [...path, key], name });
      names.add(name.toLowerCase());
      return TOKEN.test(name) && TYPES.includes(type);
    });
  // At any other place, a value is not always there.
  const count = JSON.stringify(schema).split(`"${KEY}":`).length - 1;
  return isValid(schema, []) && names.size === count ? found : undefined;
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
