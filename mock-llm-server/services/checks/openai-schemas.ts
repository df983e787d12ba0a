import type { JsonObject } from '../../conversation/conversation.ts';
import { listOf, objectOf, objectsOf, textOf } from '../raw.ts';
import type { Check, RawRequest, Violation } from '../service.ts';
import { isSet } from './fields.ts';
import {
  findSchema,
  hasType,
  type OfferedFunction,
  refuseFaults,
  refuseFunction,
  refuseSchema,
  type SchemaNode,
  writePython,
} from './tools.ts';

/** The place of a schema, as OpenAI writes it. */
function contextOf({ context }: SchemaNode): string {
  const [key] = context;
  if (key === undefined) return '()';
  return context.length === 1 ? `('${key}',)` : `(${context.map((part) => `'${part}'`).join(', ')})`;
}

function invalidFunction({ name, path }: OfferedFunction, reason: string): Violation {
  return {
    message: `Invalid schema for function '${name}': ${reason}`,
    param: `${path}.parameters`,
    code: 'invalid_function_parameters',
  };
}

function refuseInvalid(reason: (tool: OfferedFunction) => string | undefined): Check {
  return refuseFunction((tool) => {
    const text = reason(tool);
    return text === undefined ? undefined : invalidFunction(tool, text);
  });
}

/** Refuses a function whose parameters are no object, or have alternatives at the top. */
export const refuseRootType = refuseInvalid(({ schema }) => {
  if (!isSet(schema)) return undefined;
  const root = objectOf(schema);
  const { type = null } = root;
  if (!hasType(root, 'object')) {
    return `schema must be a JSON Schema of 'type: "object"', got 'type: "${type === null ? 'None' : textOf(type)}"'.`;
  }
  return ['oneOf', 'anyOf', 'allOf', 'enum', 'not'].some((key) => isSet(root[key]))
    ? "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level."
    : undefined;
});

/** Refuses an invalid JSON Schema: `required: null`, `exclusiveMinimum: true`, a text as a property. */
export const refuseFaultySchema = refuseFaults(({ text }, tool) => invalidFunction(tool, `${text}.`));

/** Escapes of JavaScript that Python lacks: `\p{L}`, `\u{1F600}`. */
const NO_PYTHON = /(?<!\\)(?:\\\\)*\\(?:[ceg-mo-qyCE-MO-RTVXY]|u(?![\da-fA-F]{4})|x(?![\da-fA-F]{2}))/;
/** A group with a name of JavaScript, `(?<name>`; not within a class or behind a backslash, which go first. */
const NAMED_GROUP = /\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|(\(\?<(?![=!]))/gs;

/** Refuses a `pattern` that Python cannot read. */
export const refusePattern: Check = refuseSchema(
  ({ pattern }) =>
    typeof pattern === 'string' &&
    (NO_PYTHON.test(pattern) || [...pattern.matchAll(NAMED_GROUP)].some(([, group]) => group !== undefined)),
  (tool, { node }) => invalidFunction(tool, `${writePython(node['pattern'])} is not a 'regex'.`),
);

/** Refuses an array whose items have no schema. */
export const refuseArrayWithoutItems: Check = refuseSchema(
  (node) => hasType(node, 'array') && !isSet(node['items']) && !isSet(node['prefixItems']),
  (tool, found) => invalidFunction(tool, `In context=${contextOf(found)}, array schema missing items.`),
);

/** Refuses a function whose parameters have no `properties`. */
export const refuseNoProperties = refuseInvalid(({ schema }) => {
  const root = objectOf(schema);
  return hasType(root, 'object') && root['properties'] === undefined && root['$ref'] === undefined
    ? 'In context=(), object schema missing properties.'
    : undefined;
});

/** Ways to combine schemas that strict mode does not have. */
const COMBINATIONS = ['allOf', 'oneOf', 'not'];

/** The keywords of which a schema in strict mode needs one. */
const SHAPES = ['type', '$ref', 'anyOf', 'enum', 'const'];

/** The first reason for which OpenAI refuses a schema in strict mode. */
function strictReason(schema: unknown): string | undefined {
  const combined = findSchema(schema, (node) => COMBINATIONS.some((key) => isSet(node[key])));
  const found =
    combined ??
    findSchema(
      schema,
      (node) => hasType(node, 'object') && (node['additionalProperties'] !== false || wrongKey(node) !== undefined),
    );
  if (found === undefined) {
    const untyped = findSchema(schema, (node) => !SHAPES.some((key) => isSet(node[key])));
    return untyped && `In context=${contextOf(untyped)}, schema must have a 'type' key.`;
  }
  const place = `In context=${contextOf(found)}`;
  const combination = COMBINATIONS.find((key) => isSet(found.node[key]));
  if (combination !== undefined) return `${place}, '${combination}' is not permitted.`;
  if (found.node['additionalProperties'] !== false) {
    return `${place}, 'additionalProperties' is required to be supplied and to be false.`;
  }
  const rule = "'required' is required to be supplied and to be an array including every key in properties.";
  return `${place}, ${rule} ${wrongKey(found.node)}`;
}

/** The first property that is not required, or the first required key that is no property, in words. */
function wrongKey({ properties, required }: JsonObject): string | undefined {
  const listed = listOf(required);
  // An object that can have no property is none itself: https://github.com/SamSaffron/term-llm/pull/180
  const isEmpty = (schema: JsonObject) =>
    hasType(schema, 'object') && schema['additionalProperties'] === false && !isSet(schema['properties']);
  const keys = Object.entries(objectOf(properties)).flatMap(([key, schema]) =>
    isEmpty(objectOf(schema)) ? [] : [key],
  );
  const missing = keys.find((key) => !listed.includes(key));
  if (missing !== undefined) return `Missing '${missing}'.`;
  const extra = listed.map(String).find((key) => !keys.includes(key));
  return extra === undefined ? undefined : `Extra required key '${extra}' supplied.`;
}

/** Refuses a strict function that strict mode cannot express. */
export const refuseLooseFunction = refuseInvalid(({ strict, schema }) => (strict ? strictReason(schema) : undefined));

/** Refuses a strict format of the answer that strict mode cannot express. */
export const refuseLooseFormat: Check = (request) => {
  const { name, strict, schema, param } = formatOf(request);
  const reason = strict === true ? strictReason(schema) : undefined;
  if (reason === undefined) return undefined;
  const code = request.protocol === 'openai-chat' ? null : 'invalid_json_schema';
  return { message: `Invalid schema for response_format '${textOf(name)}': ${reason}`, param, code };
};

function formatOf({ protocol, body }: RawRequest): JsonObject & { readonly param: string } {
  if (protocol === 'openai-chat') {
    return { ...objectOf(objectOf(body['response_format'])['json_schema']), param: 'response_format' };
  }
  const format = objectOf(objectOf(body['text'])['format']);
  return format['type'] === 'json_schema' ? { ...format, param: 'text.format.schema' } : { param: '' };
}

/** Refuses the format `json_object` in a request that never says JSON. */
export const refuseUnspokenJson: Check = ({ protocol, body }) => {
  const isChat = protocol === 'openai-chat';
  const format = isChat ? objectOf(body['response_format']) : objectOf(objectOf(body['text'])['format']);
  if (format['type'] !== 'json_object') return undefined;
  const texts = isChat ? objectsOf(body['messages']) : [body['input']];
  if (JSON.stringify(texts).toLowerCase().includes('json')) return undefined;
  // The instructions of Responses do not count.
  return isChat
    ? {
        message:
          "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
        param: 'messages',
      }
    : {
        message:
          "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.",
        param: 'input',
      };
};
