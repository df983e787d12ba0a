import type { JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import { objectOf, objectsOf, oncePerBody, textOf } from '../raw.ts';
import type { Check, RawRequest, Violation } from '../service.ts';
import { isSet, ofTools } from './fields.ts';

/** A function that a request offers, and the path of its schema in the request. */
export interface OfferedFunction {
  readonly name: string;
  readonly schema: unknown;
  readonly strict: boolean;
  readonly index: number;
  readonly path: string;
}

/** The functions that a request over one of OpenAI's protocols, or over Messages, offers. */
export function functionsOf({ protocol, body }: RawRequest): readonly OfferedFunction[] {
  return protocol === 'openai-chat' ? functionsOfChat(body) : functionsOfResponses(body);
}

const functionsOfChat = oncePerBody((body) => readFunctions(body, 'function'));
const functionsOfResponses = oncePerBody((body) => readFunctions(body));

/** The functions of a list of tools, each in a field of its tool or in the tool itself. */
function readFunctions(body: JsonObject, field?: string): readonly OfferedFunction[] {
  return objectsOf(body['tools']).flatMap((tool, index) => {
    if (isSet(tool['type']) && tool['type'] !== 'function') return [];
    const declared = field === undefined ? tool : objectOf(tool[field]);
    const path = field === undefined ? `tools[${index}]` : `tools[${index}].${field}`;
    const { input_schema: own, parameters: schema = own } = declared;
    return [{ name: textOf(declared['name']), schema, strict: declared['strict'] === true, index, path }];
  });
}

/** A schema within another one. `context` are the keys that lead to it. */
export interface SchemaNode {
  readonly node: JsonObject;
  readonly context: readonly string[];
}

/** The keys of a schema that have others: by name, one, or a list. */
const INSIDE: ReadonlyMap<string, 'map' | 'single' | 'list'> = new Map([
  ['properties', 'map'],
  ['$defs', 'map'],
  ['definitions', 'map'],
  ['patternProperties', 'map'],
  ['items', 'single'],
  ['additionalProperties', 'single'],
  ['not', 'single'],
  ['anyOf', 'list'],
  ['oneOf', 'list'],
  ['allOf', 'list'],
  ['prefixItems', 'list'],
]);

/** The first schema in a schema, itself included, for which the condition holds. */
export function findSchema(
  schema: unknown,
  condition: (node: JsonObject, context: readonly string[]) => boolean,
): SchemaNode | undefined {
  // Every request has its schemas searched by several rules, so all nodes share one list of keys.
  const context: string[] = [];
  const search = (node: unknown): JsonObject | undefined => {
    if (!isJsonObject(node)) return undefined;
    if (condition(node, context)) return node;
    // A schema has few keys, and most of them have none inside.
    for (const key in node) {
      const form = INSIDE.get(key);
      if (form === undefined) continue;
      context.push(key);
      const found =
        form === 'single' ? search(node[key]) : searchAll(form === 'map' ? objectOf(node[key]) : objectsOf(node[key]));
      if (found !== undefined) return found;
      context.pop();
    }
    return undefined;
  };
  const searchAll = (nodes: JsonObject | readonly JsonObject[]): JsonObject | undefined => {
    for (const name in nodes) {
      context.push(name);
      const found = search(Reflect.get(nodes, name));
      if (found !== undefined) return found;
      context.pop();
    }
    return undefined;
  };
  const node = search(schema);
  return node && { node, context };
}

/** A definition that refers to itself. */
export function circleIn(schema: unknown): string | undefined {
  const refersTo = (name: string) => (node: JsonObject) => node['$ref'] === `#/$defs/${name}`;
  const found = Object.entries(objectOf(objectOf(schema)['$defs'])).find(
    ([name, definition]) => findSchema(definition, refersTo(name)) !== undefined,
  );
  return found?.[0];
}

/** Reports whether properties of a schema lie within each other deeper than `max`. */
export function isDeeper(schema: unknown, max: number): boolean {
  const isProperties = (key: string, index: number, { [index - 1]: before }: readonly string[]) =>
    key === 'properties' && before !== 'properties';
  return findSchema(schema, (_node, context) => context.filter(isProperties).length > max) !== undefined;
}

/** The keys of schemas by the type that the schema of schemas has for their values, from draft 7 on. */
const META_TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    array: 'required enum anyOf oneOf allOf examples',
    boolean: 'uniqueItems readOnly writeOnly',
    integer: 'minLength maxLength minItems maxItems minProperties maxProperties',
    number: 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf',
    object: 'properties patternProperties definitions $defs',
    string: '$ref $schema title description format pattern',
  }).flatMap(([type, keys]) => keys.split(' ').map((key) => [key, type] as const)),
);

function isOf(type: string, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  return type === 'object' ? isJsonObject(value) : typeof value === type;
}

/** The first reason for which a value is no JSON Schema, in the words of its validator, and its place. */
export function faultOfSchema(schema: unknown): { readonly text: string; readonly path: string } | undefined {
  let text = '';
  let last: string | undefined;
  const found = findSchema(schema, (node) => {
    const { properties, type } = node;
    for (const key in node) {
      const meta = META_TYPES.get(key);
      if (meta === undefined || isOf(meta, node[key])) continue;
      text = `${writePython(node[key])} is not of type '${meta}'`;
      last = key;
    }
    if (isSet(type) && !isType(type)) text = `${writePython(type)} is not valid under any of the given schemas`;
    const wrong = Object.values(objectOf(properties)).find(
      (value) => !isJsonObject(value) && typeof value !== 'boolean',
    );
    if (wrong !== undefined) text = `${writePython(wrong)} is not of type 'object', 'boolean'`;
    return text !== '';
  });
  return (
    found && { text, path: [...found.context, ...(last === undefined ? [] : [last])].map((key) => `/${key}`).join('') }
  );
}

/** Refuses the first function for which there is a reason. */
export function refuseFunction(reason: (tool: OfferedFunction) => Violation | undefined): Check {
  return ofTools((request) => {
    for (const tool of functionsOf(request)) {
      const violation = reason(tool);
      if (violation !== undefined) return violation;
    }
    return undefined;
  });
}

/** Refuses a function whose schema is an invalid JSON Schema. */
export function refuseFaults(
  describe: (fault: NonNullable<ReturnType<typeof faultOfSchema>>, tool: OfferedFunction) => Violation,
): Check {
  return refuseFunction((tool) => {
    const fault = faultOfSchema(tool.schema);
    return fault && describe(fault, tool);
  });
}

const TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'];

function isType(type: unknown): boolean {
  return Array.isArray(type) ? type.every((one) => TYPES.includes(textOf(one))) : TYPES.includes(textOf(type));
}

/** A value as Python writes it. */
export function writePython(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\')}'`;
  if (Array.isArray(value)) return `[${value.map(writePython).join(', ')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, field]) => `'${name}': ${writePython(field)}`);
  return `{${fields.join(', ')}}`;
}

/** Reports whether a schema is for values of a type, among others. */
export function hasType(node: JsonObject, type: string): boolean {
  const { type: types } = node;
  return types === type || (Array.isArray(types) && types.includes(type));
}

/** Refuses the first function whose schema contains one for which the condition holds. */
export function refuseSchema(
  condition: (node: JsonObject, context: readonly string[]) => boolean,
  describe: (tool: OfferedFunction, found: SchemaNode) => Violation,
): Check {
  return refuseFunction((tool) => {
    const found = findSchema(tool.schema, condition);
    return found && describe(tool, found);
  });
}

/** The counts of the repetitions in a pattern. The grammars read only one with both anchors. */
function repetitionsOf(pattern: string): readonly (string | undefined)[] {
  if (!pattern.startsWith('^') || !pattern.endsWith('$')) return [];
  return [...pattern.matchAll(/[^\\]\{(\d{1,9})(?:,\d{0,9})?\}/g)].map(([, count]) => count);
}

/** True for a schema with more repetitions than the grammars of llama.cpp have. A greater maximum counts as none. */
const isTooLong = ({ minLength, minItems, maxItems, pattern }: JsonObject): boolean =>
  [minLength, ...repetitionsOf(textOf(pattern))].some((count) => Number(count) > 2000) ||
  Number(minItems) > 2001 ||
  (!minItems && (maxItems === 2000 || maxItems === 2001));

/** Refuses the repetitions that the grammars of llama.cpp cannot have, for it and the servers that run it. */
export function refuseRepetitions(describe: (message: string, request: RawRequest) => Violation): Check {
  const check = refuseSchema(isTooLong, () => ({
    message: 'Failed to initialize samplers: failed to parse grammar',
  }));
  return (request) => {
    const { message } = (forbidsCalls(request) ? undefined : check(request)) ?? {};
    return message === undefined ? undefined : describe(message, request);
  };
}

/** True for a request that forbids calls. Servers that run llama.cpp then make no grammar of the tools. */
export function forbidsCalls({ body: { tool_choice: choice } }: RawRequest): boolean {
  return choice === 'none' || objectOf(choice)['type'] === 'none';
}

/** A word as the choice of a tool that Chat Completions does not have, such as `any`. */
export function wrongChoiceWord({ body: { tool_choice: choice } }: Pick<RawRequest, 'body'>): string | undefined {
  return typeof choice === 'string' && !/^(?:none|auto|required)$/.test(choice) ? choice : undefined;
}

/** Refuses a choice of a tool that the request does not offer. */
export function refuseUnknownChoice(describe: (name: string) => Violation): Check {
  return (request) => {
    const { tool_choice: choice } = request.body;
    if (!isJsonObject(choice)) return undefined;
    const name = request.protocol === 'openai-chat' ? objectOf(choice['function'])['name'] : choice['name'];
    if (typeof name !== 'string' || choice['type'] !== 'function') return undefined;
    return functionsOf(request).some((tool) => tool.name === name) ? undefined : describe(name);
  };
}

/** Refuses a choice of tools in a request without tools, but for the `allowed` choice. */
export function refuseChoiceWithoutTools(violation: Violation, allowed?: 'none'): Check {
  return ({ body }) => {
    const { tool_choice: choice } = body;
    if (!isSet(choice) || choice === allowed) return undefined;
    return objectsOf(body['tools']).length > 0 ? undefined : violation;
  };
}

/** Refuses the name of a function that does not fit the pattern. */
export function refuseToolName(pattern: RegExp, describe: (tool: OfferedFunction) => Violation): Check {
  return refuseFunction((tool) => (pattern.test(tool.name) ? undefined : describe(tool)));
}
