import type { JsonObject } from '../../../conversation/conversation.ts';
import { isSet } from '../../checks/fields.ts';
import { circleIn, findSchema, hasType } from '../../checks/tools.ts';
import { listOf, objectOf, objectsOf } from '../../raw.ts';
import type { Check, Rule } from '../../service.ts';
import { rulesOver } from '../../share-rules.ts';

/** Parts of a schema that the service cannot compile, by the type that they limit. */
const UNSUPPORTED: Readonly<Record<string, readonly string[]>> = {
  array: ['maxItems'],
  integer: ['exclusiveMaximum', 'exclusiveMinimum', 'maximum', 'minimum', 'multipleOf'],
  number: ['exclusiveMaximum', 'exclusiveMinimum', 'maximum', 'minimum', 'multipleOf'],
  string: ['maxLength', 'minLength'],
};

/** The reason for which the service cannot compile a schema, those in it not included. */
function faultOfNode(node: JsonObject): string | undefined {
  const { additionalProperties: others } = node;
  if (isSet(node['oneOf'])) return "Schema type 'oneOf' is not supported";
  if (hasType(node, 'object') && others === true) {
    return "For 'object' type, 'additionalProperties: true' is not supported. Please set 'additionalProperties' to false";
  }
  if (hasType(node, 'object') && others !== false) {
    return "For 'object' type, 'additionalProperties' must be explicitly set to false";
  }
  const { minItems } = node;
  if (typeof minItems === 'number' && minItems > 1) {
    return "For 'array' type, 'minItems' values other than 0 or 1 are not supported";
  }
  for (const [type, names] of Object.entries(UNSUPPORTED)) {
    const found = hasType(node, type) ? names.filter((name) => isSet(node[name])) : [];
    if (found.length === 1) return `For '${type}' type, property '${found.join()}' is not supported`;
    if (found.length > 1) return `For '${type}' type, properties ${found.join(', ')} are not supported`;
  }
  return undefined;
}

/** The strict schemas of a request with their paths: those of formats and of strict tools. */
function strictSchemas(body: JsonObject): readonly (readonly [path: string, schema: unknown])[] {
  const { format } = objectOf(body['output_config']);
  return [
    ['output_config.format.schema', objectOf(format)['schema']],
    ['output_format.schema', objectOf(body['output_format'])['schema']],
    ...objectsOf(body['tools']).flatMap(({ strict, input_schema: schema }, index) =>
      strict === true ? [[`tools.${index}.custom`, schema] as const] : [],
    ),
  ];
}

/** Refuses strict schemas with parts that the service cannot compile. */
const refuseStrictSchemas: Check = ({ body }) => {
  for (const [path, schema] of strictSchemas(body)) {
    const found = findSchema(schema, (node) => faultOfNode(node) !== undefined);
    if (found !== undefined) return { message: `${path}: ${faultOfNode(found.node)}` };
    const circle = circleIn(schema);
    if (circle === undefined) continue;
    return {
      message:
        `${path}: Invalid schema: Circular reference detected in schema definitions: ${circle} -> ${circle}. ` +
        'Self-referencing or mutually-referencing definitions are not supported.',
    };
  }
  return undefined;
};

const MAX_OPTIONAL = 24;

/** The number of properties in a schema that are not required. */
function countOptional(schema: unknown): number {
  let count = 0;
  findSchema(schema, ({ properties, required }) => {
    const names = listOf(required);
    count += Object.keys(objectOf(properties)).filter((name) => !names.includes(name)).length;
    return false;
  });
  return count;
}

/** Refuses strict schemas that have more than 24 optional properties together. */
const limitOptional: Check = ({ body }) => {
  const count = strictSchemas(body).reduce((sum, [, schema]) => sum + countOptional(schema), 0);
  if (count <= MAX_OPTIONAL) return undefined;
  return {
    message:
      `Schemas contains too many optional parameters (${count}), which would make grammar compilation inefficient. ` +
      `Reduce the number of optional parameters in your tool schemas (limit: ${MAX_OPTIONAL}).`,
  };
};

/** The rules of Anthropic for the schemas of strict tools and formats. */
export const ANTHROPIC_SCHEMA_RULES: readonly Rule[] = rulesOver('anthropic', ['anthropic-messages'], {
  'strict-schema': {
    refuses:
      'a format or a strict tool with an object that lacks `additionalProperties: false`, a limit of a number, a length or a number of items, a definition that refers to itself, or `oneOf`',
    accepts: 'the same tool without `strict`; `minItems: 1`',
    source: 'https://github.com/agentjido/req_llm/pull/707',
    date: '2026-05-19',
    check: refuseStrictSchemas,
  },
  'optional-properties': {
    refuses: 'a format and strict tools with more than 24 properties that are not required',
    accepts: '24 of them; any number of required ones',
    source: 'https://github.com/anthropics/claude-code/issues/55539',
    date: '2026-05-02',
    check: limitOptional,
  },
});
