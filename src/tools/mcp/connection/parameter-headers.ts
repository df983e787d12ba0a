import type { JsonObject, JsonValue } from '../../../agent/ports/json.ts';
import { isJsonObject } from '../../../text/json/json.ts';

/** A parameter that the server wants as a header, too; `path` are the keys that lead to its value. */
interface HeaderParameter {
  readonly path: readonly string[];
  readonly name: string;
}

const KEY = 'x-mcp-header';
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
/** Keywords whose values are data, and not schemas. */
const DATA = ['default', 'const', 'enum', 'examples'];
const TYPES: readonly unknown[] = ['string', 'integer', 'boolean'];

/** The parameters of a schema that become headers; `undefined` if one of them may not, so that the tool must not be called. */
export function headerParameters(schema: JsonObject): readonly HeaderParameter[] | undefined {
  const found: HeaderParameter[] = [];
  const isValid = ({ properties }: JsonObject, path: readonly string[]): boolean =>
    Object.entries(isJsonObject(properties) ? properties : {}).every(([key, node]) => {
      if (!isJsonObject(node)) return true;
      const { [KEY]: name, type } = node;
      if (typeof name !== 'string') return isValid(node, [...path, key]);
      found.push({ path: [...path, key], name });
      return TOKEN.test(name) && TYPES.includes(type);
    });
  const areValid = isValid(schema, []);
  const names = new Set(found.map(({ name }) => name.toLowerCase()));
  // At any other place, a value is not always there.
  return areValid && names.size === countKeys(schema) ? found : undefined;
}

/** The number of schemas in a schema that have the key. */
function countKeys(schema: JsonValue): number {
  if (Array.isArray(schema)) return schema.reduce<number>((sum, each) => sum + countKeys(each), 0);
  if (!isJsonObject(schema)) return 0;
  const inner = Object.entries(schema).flatMap(([key, value]) => {
    if (DATA.includes(key)) return [];
    return key === 'properties' && isJsonObject(value) ? Object.values(value) : [value];
  });
  return (KEY in schema ? 1 : 0) + countKeys(inner);
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
