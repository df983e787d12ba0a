import type { JsonObject, OfferedTool } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';

/** An argument that a tool takes. */
export interface OfferedProperty {
  readonly key: string;
  readonly schema: JsonObject;
  readonly description: string;
  readonly isRequired: boolean;
  /** It takes any text. */
  readonly isText: boolean;
}

/** Arguments that ask why a tool is called; any sentence will do. */
const EXPLANATION = /description|explanation|reason|purpose|summary|instruction/i;

/** The arguments of a tool; undefined if it offers no schema with properties. */
export function readProperties({ parameters = {} }: OfferedTool): OfferedProperty[] | undefined {
  const { properties, required } = parameters;
  if (!isJsonObject(properties) || Object.keys(properties).length === 0) return undefined;
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([key, value]) => {
    const schema = isJsonObject(value) ? value : {};
    const types = typesOf(schema);
    const hasOptions = schema['enum'] !== undefined || schema['const'] !== undefined;
    return {
      key,
      schema,
      description: typeof schema['description'] === 'string' ? schema['description'] : '',
      isRequired: names.includes(key),
      isText: !hasOptions && (types.length === 0 || types.includes('string')),
    };
  });
}

/** True if the schema of an argument of an unknown tool is enough to fill it. */
export function isFillable({ key, schema, isRequired, isText }: OfferedProperty): boolean {
  if (!isRequired || prescribesValue(schema) || (isText && EXPLANATION.test(key))) return true;
  const types = typesOf(schema);
  return types.includes('null') || types.includes('boolean');
}

/** Value of an argument that no intent mentions: as prescribed, else null if allowed, else the simplest of its type. */
export function fillProperty({ schema }: OfferedProperty, sentence: string): unknown {
  if (prescribesValue(schema)) {
    const [first] = Array.isArray(schema['enum']) ? schema['enum'] : [];
    return schema['const'] ?? schema['default'] ?? first;
  }
  const types = typesOf(schema);
  if (types.includes('null')) return null;
  switch (types[0]) {
    case 'boolean':
      return false;
    case 'number':
    case 'integer':
      return typeof schema['minimum'] === 'number' ? schema['minimum'] : 1;
    case 'array':
      return [];
    case 'object':
      return {};
    default:
      return sentence;
  }
}

function prescribesValue(schema: JsonObject): boolean {
  return ['const', 'default', 'enum'].some((keyword) => schema[keyword] !== undefined);
}

function typesOf({ type, anyOf }: JsonObject): unknown[] {
  const members = Array.isArray(anyOf) ? anyOf : [];
  return [type, ...members.map((member) => (isJsonObject(member) ? member['type'] : undefined))]
    .flat()
    .filter((name) => name !== undefined);
}
