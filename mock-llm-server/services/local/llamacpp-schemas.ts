import type { JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import { objectOf } from '../raw.ts';

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];
const BOUNDS = ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum'];

/** The first fault that the server's parser of schemas finds, with its place, or undefined. */
export function faultOfParameters(root: unknown): string | undefined {
  const seen = new Set<string>();

  const faultOfList = (schemas: unknown, path: string): string | undefined => {
    if (!Array.isArray(schemas)) return `${path}: must be an array of schemas`;
    return schemas.length === 0 ? `${path}: must not be empty` : faultOfEach(schemas.entries(), path);
  };
  const faultOfEach = (schemas: Iterable<[string | number, unknown]>, path: string): string | undefined => {
    for (const [name, schema] of schemas) {
      const fault = faultAt(schema, `${path}/${name}`);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
  const faultOfReference = (reference: unknown, path: string): string | undefined => {
    if (typeof reference !== 'string') return `${path}: $ref must be a string`;
    if (!reference.startsWith('#/')) {
      return `${path}: unsupported $ref ${reference}, only references into the same document are supported`;
    }
    if (seen.has(reference)) return undefined;
    seen.add(reference);
    let target = root;
    for (const key of reference.split('/').slice(1)) {
      const next: unknown = target !== null && typeof target === 'object' ? Reflect.get(target, key) : undefined;
      if (next === undefined) return `${path}: cannot resolve $ref ${reference}, ${key} not found`;
      target = next;
    }
    return faultAt(target, reference);
  };
  const faultOfObject = (schema: JsonObject, path: string): string | undefined => {
    const { properties, additionalProperties: others } = schema;
    if (properties !== undefined) {
      if (!isJsonObject(properties)) return `${path}: properties must be an object`;
      const fault = faultOfEach(Object.entries(properties), `${path}/properties`);
      if (fault !== undefined) return fault;
    }
    if (others === undefined || typeof others === 'boolean') return undefined;
    return isJsonObject(others)
      ? faultAt(others, `${path}/additionalProperties`)
      : `${path}: additionalProperties must be a boolean or a schema`;
  };
  const faultOfArray = (schema: JsonObject, path: string): string | undefined => {
    const key = 'items' in schema ? 'items' : 'prefixItems';
    const items = schema[key];
    if (Array.isArray(items)) return faultOfEach(items.entries(), `${path}/${key}`);
    if (items !== undefined && key === 'prefixItems') return `${path}: prefixItems must be an array`;
    const fault = items === undefined ? undefined : faultAt(items, `${path}/${key}`);
    return fault ?? faultOfCounts(schema, ['minItems', 'maxItems'], path);
  };
  const faultAt = (schema: unknown, path: string): string | undefined => {
    if (!isJsonObject(schema)) return `${path}: schema must be an object`;
    if ('$ref' in schema) return faultOfReference(schema['$ref'], path);
    const union = ['oneOf', 'anyOf'].find((key) => key in schema);
    if (union !== undefined) return faultOfList(schema[union], `${path}/${union}`);
    const { type, enum: values } = schema;
    if (Array.isArray(type)) {
      if (type.length === 0) return `${path}: type must not be empty`;
      return faultOfEach(type.map((one) => ({ ...schema, type: one })).entries(), `${path}/type`);
    }
    if ('const' in schema) return undefined;
    if ('enum' in schema) {
      return Array.isArray(values) && values.length > 0 ? undefined : `${path}: enum must be a non-empty array`;
    }
    if (type !== undefined && type !== null && typeof type !== 'string') {
      return `${path}: type must be a string or an array of strings`;
    }
    return faultOfType(type ?? '', schema, path);
  };
  const faultOfType = (type: string, schema: JsonObject, path: string): string | undefined => {
    const isClosed = 'properties' in schema || (schema['additionalProperties'] ?? true) !== true;
    const all = () => faultOfList(schema['allOf'], `${path}/allOf`);
    if (type === '' && isClosed) return faultOfObject(schema, path);
    if ('allOf' in schema && (type === '' || type === 'string' || (type === 'object' && !isClosed))) return all();
    if (type === 'object') return faultOfObject(schema, path);
    if (type === 'array' || (type === '' && ('items' in schema || 'prefixItems' in schema))) {
      return faultOfArray(schema, path);
    }
    if (type === 'string' || (type === '' && 'pattern' in schema)) return faultOfString(schema, path);
    if (type === 'integer') {
      const bound = BOUNDS.find((key) => key in schema && typeof schema[key] !== 'number');
      return bound && `${path}: ${bound} must be a number`;
    }
    return type === '' || TYPES.includes(type) ? undefined : `${path}: unrecognized type ${type}`;
  };
  return faultAt(objectOf(root), '#');
}

function faultOfString(schema: JsonObject, path: string): string | undefined {
  const text = ['pattern', 'format'].find((key) => key in schema && typeof schema[key] !== 'string');
  return text === undefined
    ? faultOfCounts(schema, ['minLength', 'maxLength'], path)
    : `${path}: ${text} must be a string`;
}

function faultOfCounts(schema: JsonObject, keys: readonly string[], path: string): string | undefined {
  const wrong = keys.find((key) => key in schema && !(Number.isInteger(schema[key]) && Number(schema[key]) >= 0));
  return wrong && `${path}: ${wrong} must be a non-negative integer`;
}
