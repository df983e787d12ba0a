import type { JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import { createGeminiFaults } from '../../wire/gemini/shape.ts';
import { listOf, objectOf, objectsOf, textOf } from '../raw.ts';
import type { Check } from '../service.ts';
import { isSet, ofTools } from './fields.ts';

/** Names in snake case by those in camel case. The names are those in this code. */
const snakeNames = new Map<string, string>();

/** A field under its name in camel case or in snake case, both of which the API reads. */
export function fieldOf(object: JsonObject, camel: string): unknown {
  const value = object[camel];
  if (isSet(value)) return value;
  let snake = snakeNames.get(camel);
  if (snake === undefined) {
    snake = camel.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    snakeNames.set(camel, snake);
  }
  return object[snake];
}

function listIn(object: JsonObject, camel: string): readonly JsonObject[] {
  const value = fieldOf(object, camel);
  return isJsonObject(value) ? [value] : objectsOf(value);
}

/** Refuses fields and values that the messages of a service exclude. */
export function refuseGeminiFaults(service: 'gemini' | 'vertex'): Check {
  const findFaults = createGeminiFaults(service);
  return ({ body }) => {
    const faults = findFaults(body);
    return faults.length === 0 ? undefined : { message: faults.join('\n') };
  };
}

interface Declaration {
  readonly declaration: JsonObject;
  readonly path: string;
}

/** The functions that a request declares, with their paths. */
export function declarationsOf(body: JsonObject): readonly Declaration[] {
  return listIn(body, 'tools').flatMap((tool, index) =>
    listIn(tool, 'functionDeclarations').map((declaration, position) => ({
      declaration,
      path: `tools[${index}].function_declarations[${position}]`,
    })),
  );
}

/** A schema within another one, with its path as the API writes it. */
interface PlacedSchema {
  readonly node: JsonObject;
  /** With positions: `parameters.properties[0].value`. */
  readonly path: string;
  /** With names: `parameters.properties[x]`. */
  readonly named: string;
}

function* schemasIn(schema: unknown, path: string, named: string): Generator<PlacedSchema> {
  if (!isJsonObject(schema)) return;
  yield { node: schema, path, named };
  for (const [index, [key, value]] of Object.entries(objectOf(schema['properties'])).entries()) {
    yield* schemasIn(value, `${path}.properties[${index}].value`, `${named}.properties[${key}]`);
  }
  yield* schemasIn(schema['items'], `${path}.items`, `${named}.items`);
  for (const [index, value] of listIn(schema, 'anyOf').entries()) {
    yield* schemasIn(value, `${path}.any_of[${index}]`, `${named}.any_of[${index}]`);
  }
}

function refuseParameters(reasonOf: (found: PlacedSchema, name: string) => string | undefined): Check {
  return ofTools(({ body }) => {
    const reasons: string[] = [];
    for (const { declaration, path } of declarationsOf(body)) {
      const { parameters } = declaration;
      for (const found of schemasIn(parameters, `${path}.parameters`, `${path}.parameters`)) {
        const reason = reasonOf(found, textOf(declaration['name']));
        if (reason !== undefined) reasons.push(reason);
      }
    }
    return reasons.length === 0 ? undefined : { message: reasons.join('\n') };
  });
}

function isOfType({ type }: JsonObject, name: string): boolean {
  return textOf(type).toUpperCase() === name;
}

const at = (named: string, rest: string) => `* GenerateContentRequest.${named}${rest}\n`;

/** True for a schema that states no type and combines no others. A function without any schema has no parameters. */
function isUntyped(node: JsonObject): boolean {
  return !['type', 'anyOf', 'any_of', 'oneOf', 'allOf', '$ref', 'ref', 'properties'].some((key) => isSet(node[key]));
}

/** Refuses a property without a type, in the words of Vertex AI. */
export const refuseUntypedProperty = refuseParameters(({ node, named }, name) => {
  const path = /\.(parameters\..+)$/.exec(named)?.[1];
  if (path === undefined || !isUntyped(node)) return undefined;
  const place = path.replaceAll('properties[', '').replaceAll(']', '');
  return `Unable to submit request because \`${name}\` functionDeclaration \`${place}\` schema didn't specify the schema type field. Learn more: https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling`;
});

/** The fault of a schema in which the items of an array, or a property that it requires, are missing. */
function lackOf({ node, named }: PlacedSchema): string | undefined {
  if (isOfType(node, 'ARRAY') && !isSet(node['items'])) return at(named, '.items: missing field.');
  const known = Object.keys(objectOf(node['properties']));
  const absent = listOf(node['required']).findIndex((name) => !known.includes(textOf(name)));
  return absent === -1 ? undefined : at(named, `.required[${absent}]: property is not defined`);
}

/** Refuses an array without items, and what is required without being a property. */
export const refuseIncompleteSchema = refuseParameters(lackOf);

/** Refuses properties of what is no object, items that are missing, values that are no texts, unknown required ones. */
export const refuseMisplacedFields = refuseParameters((found) => {
  const { node, named } = found;
  const { properties, items, type } = node;
  // Numbers are the values of the enumeration.
  if (typeof type === 'number') return undefined;
  if (isSet(properties) && isSet(type) && !isOfType(node, 'OBJECT')) {
    return at(named, '.properties: only allowed for OBJECT type');
  }
  if (isSet(items) && isSet(type) && !isOfType(node, 'ARRAY')) return at(named, '.items: only allowed for ARRAY type');
  if (isSet(node['enum']) && !isOfType(node, 'STRING')) return at(named, '.enum: only allowed for STRING type');
  if (node['format'] === 'enum' && listOf(node['enum']).length === 0) {
    return at(named, '.enum: should be non-empty for STRING type with enum format');
  }
  if (isUntyped(node)) {
    return at(named, '.type: must be specified when not using one_of, any_of or all_of fields');
  }
  const empty = listOf(node['enum']).indexOf('');
  return empty === -1 ? lackOf(found) : at(named, `.enum[${empty}]: cannot be empty`);
});

const FUNCTION_NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/;

/** Refuses the name of a function with other characters, or with more than 64. */
export const refuseFunctionName: Check = ({ body }) => {
  const wrong = declarationsOf(body).find(({ declaration }) => !FUNCTION_NAME.test(textOf(declaration['name'])));
  if (wrong === undefined) return undefined;
  return {
    message: at(
      wrong.path,
      '.name: Invalid function name. Must start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.',
    ),
  };
};

/** Refuses two functions of one name. */
export const refuseSameNames: Check = ({ body }) => {
  const names = declarationsOf(body).map(({ declaration }) => textOf(declaration['name']));
  const twice = names.find((name, index) => names.indexOf(name) < index);
  return twice === undefined ? undefined : { message: `Duplicate function declaration found: ${twice}` };
};

const part = (name: string) => (content: JsonObject | undefined) =>
  content !== undefined && listIn(content, 'parts').some((each) => isSet(fieldOf(each, name)));
const hasCall = part('functionCall');
const hasResponse = part('functionResponse');

/** Refuses a call in a turn of the model that nothing precedes. The service joins neighbouring contents of the model. */
export const refuseCallOrder: Check = ({ body }) => {
  const contents = listIn(body, 'contents');
  const end = contents.findIndex(({ role }) => role !== 'model');
  if (!contents.slice(0, end === -1 ? contents.length : end).some(hasCall)) return undefined;
  return {
    message:
      'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
  };
};

/** Refuses a message of the user after calls that has no response to them. */
export const requireResponses: Check = ({ body }) => {
  const contents = listIn(body, 'contents');
  const wrong = contents.some((content, index) => {
    const next = contents[index + 1];
    return content['role'] === 'model' && hasCall(content) && next?.['role'] === 'user' && !hasResponse(next);
  });
  if (!wrong) return undefined;
  return {
    message:
      'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
  };
};

function modeOf(body: JsonObject): string {
  const config = objectOf(fieldOf(objectOf(fieldOf(body, 'toolConfig')), 'functionCallingConfig'));
  return textOf(config['mode']).toUpperCase();
}

/** Refuses the result of a function without the name of the function. */
export const refuseNamelessResults: Check = ({ body }) => {
  for (const [index, content] of listIn(body, 'contents').entries()) {
    const position = listIn(content, 'parts').findIndex((each) => {
      const response = fieldOf(each, 'functionResponse');
      return isJsonObject(response) && textOf(response['name']) === '';
    });
    if (position === -1) continue;
    return { message: at(`contents[${index}].parts[${position}].function_response`, '.name: Name cannot be empty.') };
  }
  return undefined;
};

/** Refuses a mode of calls without functions. Recordings show that Gemini 3 accepts one beside other tools. */
export const refuseChoiceWithoutFunctions: Check = ({ body, model }) => {
  const mode = modeOf(body);
  if (mode === '' || mode === 'NONE') return undefined;
  const offered = /\bgemini-[12]/.test(model) ? declarationsOf(body) : listIn(body, 'tools');
  return offered.length > 0 ? undefined : { message: 'Function calling config is set without function_declarations.' };
};

/** Refuses functions beside JSON as the type of the answer. */
export const refuseJsonWithFunctions: Check = ({ body }) => {
  const type = fieldOf(objectOf(fieldOf(body, 'generationConfig')), 'responseMimeType');
  if (type !== 'application/json' || declarationsOf(body).length === 0) return undefined;
  const forced = modeOf(body) === 'ANY';
  const start = forced ? 'Forced function calling (ANY mode)' : 'Function calling';
  return { message: `${start} with a response mime type: 'application/json' is unsupported` };
};

/** Refuses functions beside some tools that the API runs. */
export const refuseFunctionsBeside =
  (names: readonly string[], message: string): Check =>
  ({ body }) => {
    const isBeside = listIn(body, 'tools').some((tool) => names.some((name) => isSet(fieldOf(tool, name))));
    return isBeside && declarationsOf(body).length > 0 ? { message } : undefined;
  };

const BUILT_IN = ['googleSearch', 'codeExecution', 'urlContext', 'googleSearchRetrieval'];
const refuseMix = refuseFunctionsBeside(BUILT_IN, 'Tool use with function calling is unsupported');
const refuseUnstatedMix = refuseFunctionsBeside(
  BUILT_IN,
  'Please enable tool_config.include_server_side_tool_invocations to use Built-in tools with Function calling.',
);

/** Refuses functions beside tools that the API runs: before Gemini 3, and since then in a request that does not say so. */
export const refuseMixedTools: Check = (request) => {
  if (/^gemini-[12]/.test(request.model)) return refuseMix(request);
  const isStated = fieldOf(objectOf(fieldOf(request.body, 'toolConfig')), 'includeServerSideToolInvocations') === true;
  return isStated ? undefined : refuseUnstatedMix(request);
};

/** Refuses more than 512 functions. */
export const limitFunctions: Check = ({ body }) =>
  declarationsOf(body).length > 512
    ? {
        message:
          'The GenerateContentRequest proto is invalid:\n  * tools[0].function_declarations: [FIELD_INVALID] At most 512 function declarations can be specified.',
      }
    : undefined;

/** Refuses an output limit that the model does not have. */
export const limitOutput: Check = ({ body, model }) => {
  const value = fieldOf(objectOf(fieldOf(body, 'generationConfig')), 'maxOutputTokens');
  const max = /^gemini-(?:1|2\.0)/.test(model) ? 8192 : 65_536;
  if (typeof value !== 'number' || (value >= 1 && value <= max)) return undefined;
  return {
    message: `Unable to submit request because it has a maxOutputTokens value of ${value} but the supported range is from 1 (inclusive) to ${max + 1} (exclusive). Update the value and try again.`,
  };
};

/** Refuses objects without properties. */
export const refuseEmptyObject: Check = refuseParameters(({ node, path }) =>
  /^object$/i.test(textOf(node['type'])) && Object.keys(objectOf(node['properties'])).length === 0
    ? `* GenerateContentRequest.${path}.properties: should be non-empty for OBJECT type`
    : undefined,
);

/** Refuses parameters of a function that are no object. */
export const refuseOtherRoots: Check = ({ body }) => {
  const wrong = declarationsOf(body).find(({ declaration: { parameters } }) => {
    const { type, properties } = objectOf(parameters);
    // Numbers are the values of the enumeration.
    return typeof type !== 'number' && (isSet(type) || isSet(properties)) && !isOfType({ type }, 'OBJECT');
  });
  if (wrong === undefined) return undefined;
  return {
    message: `Unable to submit request because \`${textOf(wrong.declaration['name'])}\` functionDeclaration parameters schema should be of type OBJECT. Learn more: https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling`,
  };
};

/** Refuses fields beside `anyOf` in a schema. */
export const refuseFieldsBesideAnyOf: Check = ({ body }) => {
  for (const { declaration } of declarationsOf(body)) {
    for (const { node, named } of schemasIn(declaration['parameters'], '', 'parameters')) {
      const isUnion = isSet(fieldOf(node, 'anyOf'));
      if (!isUnion || Object.keys(node).length === 1) continue;
      const place = named.replaceAll(/\.properties\[([^\]]*)\]/g, '.$1');
      return {
        message:
          `Unable to submit request because \`${textOf(declaration['name'])}\` functionDeclaration \`${place}\` schema specified other fields alongside any_of. ` +
          'When using any_of, it must be the only field set. Learn more: https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling',
      };
    }
  }
  return undefined;
};
