import type { JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import { objectOf, objectsOf, textOf } from '../raw.ts';
import type { Check, RawRequest, Violation } from '../service.ts';
import { isSet } from './fields.ts';

/** A function that a request offers, and the path of its schema in the request. */
export interface OfferedFunction {
  readonly name: string;
  readonly schema: unknown;
  readonly strict: boolean;
  readonly index: number;
  readonly path: string;
}

/** The functions that a request over one of OpenAI's protocols offers. */
export function functionsOf({ protocol, body }: RawRequest): readonly OfferedFunction[] {
  const isChat = protocol === 'openai-chat';
  return objectsOf(body['tools']).flatMap((tool, index) => {
    if (isSet(tool['type']) && tool['type'] !== 'function') return [];
    const declared = isChat ? objectOf(tool['function']) : tool;
    const path = isChat ? `tools[${index}].function` : `tools[${index}]`;
    const { parameters: schema } = declared;
    return [{ name: textOf(declared['name']), schema, strict: declared['strict'] === true, index, path }];
  });
}

/** A schema within another one. `context` are the keys that lead to it. */
export interface SchemaNode {
  readonly node: JsonObject;
  readonly context: readonly string[];
}

const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const MAPS = ['properties', '$defs', 'definitions', 'patternProperties'];
const SINGLE = ['items', 'additionalProperties', 'not'];

/** The first schema in a schema, itself included, for which the condition holds. */
export function findSchema(
  schema: unknown,
  condition: (node: JsonObject, context: readonly string[]) => boolean,
  context: readonly string[] = [],
): SchemaNode | undefined {
  if (!isJsonObject(schema)) return undefined;
  if (condition(schema, context)) return { node: schema, context };
  for (const map of MAPS) {
    for (const [key, value] of Object.entries(objectOf(schema[map]))) {
      const found = findSchema(value, condition, [...context, map, key]);
      if (found !== undefined) return found;
    }
  }
  for (const key of SINGLE) {
    const found = findSchema(schema[key], condition, [...context, key]);
    if (found !== undefined) return found;
  }
  for (const list of LISTS) {
    for (const [index, value] of objectsOf(schema[list]).entries()) {
      const found = findSchema(value, condition, [...context, list, String(index)]);
      if (found !== undefined) return found;
    }
  }
  return undefined;
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
  applies: (tool: OfferedFunction) => boolean = () => true,
): Check {
  return (request) => {
    for (const tool of functionsOf(request)) {
      const found = applies(tool) ? findSchema(tool.schema, condition) : undefined;
      if (found !== undefined) return describe(tool, found);
    }
    return undefined;
  };
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

/** Refuses a choice of tools in a request without tools; `none` counts only if `isStrict`. */
export function refuseChoiceWithoutTools(violation: Violation, isStrict = true): Check {
  return ({ body }) => {
    const { tool_choice: choice } = body;
    if (!isSet(choice) || (!isStrict && (choice === 'none' || choice === 'auto'))) return undefined;
    return objectsOf(body['tools']).length > 0 ? undefined : violation;
  };
}

/** Refuses the name of a function that does not fit the pattern. */
export function refuseToolName(pattern: RegExp, describe: (tool: OfferedFunction) => Violation): Check {
  return (request) => {
    const wrong = functionsOf(request).find(({ name }) => !pattern.test(name));
    return wrong === undefined ? undefined : describe(wrong);
  };
}
