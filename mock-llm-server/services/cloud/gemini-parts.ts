import type { JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import { isSet, ofTools, refuseIf } from '../checks/fields.ts';
import { declarationsOf, fieldOf } from '../checks/gemini.ts';
import { findSchema } from '../checks/tools.ts';
import { listOf, objectOf, objectsOf, textOf } from '../raw.ts';
import type { Check, Rule, Violation } from '../service.ts';
import { rulesOver } from '../share-rules.ts';

/** The types of files that the models do not read, as far as public reports name them. */
const UNREAD = /^[^/]*$|^image\/(?:gif|svg\+xml|jpg)$|^application\/(?:json|octet-stream|zip|msword|vnd\..*)$/;

/** Refuses the first part for which there is a fault. */
function refusePart(faultOf: (part: JsonObject, path: string) => Violation | undefined): Check {
  return ({ body }) => {
    for (const [index, { parts }] of objectsOf(body['contents']).entries()) {
      for (const [place, part] of objectsOf(parts).entries()) {
        const fault = faultOf(part, `contents[${index}].parts[${place}]`);
        if (fault !== undefined) return fault;
      }
    }
    return undefined;
  };
}

/** Refuses a file of a type that the models do not read. */
export const refuseFileType = (describe: (type: string) => string): Check =>
  refusePart((part) => {
    const type = fieldOf(objectOf(fieldOf(part, 'inlineData')), 'mimeType');
    return typeof type === 'string' && UNREAD.test(type) ? { message: describe(type) } : undefined;
  });

/** Refuses a reference within a whole JSON Schema of parameters to a definition that the schema does not have. */
const refuseUndefinedReference: Check = ofTools(({ body }) => {
  for (const { declaration } of declarationsOf(body)) {
    const schema = fieldOf(declaration, 'parametersJsonSchema');
    const found = findSchema(schema, ({ $ref: path }) => {
      if (typeof path !== 'string' || !path.startsWith('#/')) return false;
      return (
        path
          .split('/')
          .slice(1)
          .reduce<unknown>((node, key) => {
            const name = key.replaceAll('~1', '/').replaceAll('~0', '~');
            return Array.isArray(node) ? node[Number(name)] : objectOf(node)[name];
          }, schema) === undefined
      );
    });
    if (found !== undefined) return { message: `reference to undefined schema at ${found.context.join('.')}` };
  }
  return undefined;
});

const MAX_DEPTH = 5;

/** The number of objects and lists that lie within each other in a schema, itself included. */
function depthOf(schema: unknown): number {
  if (!isJsonObject(schema)) return 0;
  const inside = [schema['items'], ...listOf(schema['anyOf']), ...Object.values(objectOf(schema['properties']))];
  const isNested = /^(?:object|array)$/i.test(textOf(schema['type']));
  return Math.max(...inside.map(depthOf)) + (isNested ? 1 : 0);
}

/** Refuses schemas whose objects and lists lie too deep within each other. */
const limitDepth: Check = ({ body }) => {
  const format = fieldOf(objectOf(fieldOf(body, 'generationConfig')), 'responseSchema');
  const deep = declarationsOf(body).find(({ declaration }) => depthOf(declaration['parameters']) > MAX_DEPTH);
  const place = deep ? `FunctionDeclaration '${textOf(deep.declaration['name'])}'` : 'A schema in GenerationConfig';
  return deep || depthOf(format) > MAX_DEPTH
    ? { message: `${place} in the request exceeds the maximum allowed nesting depth.` }
    : undefined;
};

/** The rules of Gemini for the parts of messages and the references of schemas. */
export const GEMINI_PART_RULES: readonly Rule[] = rulesOver('gemini', ['gemini'], {
  'schema-depth': {
    refuses: 'more than five objects and lists within each other, in `parameters` or `responseSchema`',
    accepts: 'five; any number in `parametersJsonSchema`',
    source: 'https://github.com/Portkey-AI/gateway/pull/1616',
    date: '2026-04-20',
    check: limitDepth,
  },
  reference: {
    refuses: 'a `$ref` in `parametersJsonSchema` to a definition that the schema does not have',
    accepts: 'one to its `$defs`',
    source: 'https://github.com/agent-infra/sandbox/issues/83',
    date: '2025-11-21',
    check: refuseUndefinedReference,
  },
  'empty-part': {
    refuses: 'a part without a field',
    accepts: '`{"text":""}`',
    source: 'https://github.com/54xzh/FLIT/issues/69',
    date: '2026-05-19',
    check: refusePart((part, path) => {
      if (Object.keys(part).length > 0) return undefined;
      const reason = "required oneof field 'data' must have one initialized field";
      return { message: `* GenerateContentRequest.${path}.data: ${reason}\n` };
    }),
  },
  'server-call': {
    models: /^gemini-[3-9]/,
    refuses: 'a `toolCall` without its `thoughtSignature`, from Gemini 3 on',
    accepts: 'the same with it',
    source: 'https://github.com/router-for-me/CLIProxyAPI/issues/5652',
    date: '2026-09-09',
    check: refusePart((part, path) =>
      isSet(fieldOf(part, 'toolCall')) && !isSet(fieldOf(part, 'thoughtSignature'))
        ? { message: `${path}: Tool call part is missing thought_signature` }
        : undefined,
    ),
  },
  'result-role': {
    models: /^gemini-(?:3\.[6-9]|[4-9]|flash-latest)/,
    refuses: 'the role `function`, with gemini-3.6 and later',
    accepts: '`user`; `function` with older models',
    source: 'https://github.com/memex-lab/dart_agent_core/issues/34',
    date: '2026-08-29',
    check: ({ body }) => {
      if (!objectsOf(body['contents']).some(({ role }) => role === 'function')) return undefined;
      return {
        message: `Role 'function' is not supported. Please use a valid role: SYSTEM, SYSTEM_1, USER, ASSISTANT, DEVELOPER, CONTEXT, USER_CONTEXT, MODEL, USER.`,
      };
    },
  },
  'last-turn': {
    models: /^gemini-(?:3\.5-flash-lite|3\.[6-9]|[4-9])/,
    refuses: 'a text of the model as the last content, with gemini-3.5-flash-lite, gemini-3.6 and later',
    accepts: 'the same with older models',
    source: 'https://ai.google.dev/gemini-api/docs/latest-model',
    date: '2026-07-21',
    check: refuseIf(
      ({ contents }) => {
        const { role, parts } = objectsOf(contents).at(-1) ?? {};
        return role === 'model' && objectsOf(parts).every(({ text }) => isSet(text));
      },
      { message: 'Requests ending with a model turn are not supported.' },
    ),
  },
  'cached-content': {
    refuses: '`cachedContent` beside instructions or tools',
    accepts: '`cachedContent` alone',
    source: 'https://github.com/openclaw/openclaw/issues/89398',
    date: '2026-06-02',
    check: refuseIf(
      (body) =>
        isSet(fieldOf(body, 'cachedContent')) &&
        ['systemInstruction', 'tools', 'toolConfig'].some((name) => isSet(fieldOf(body, name))),
      {
        message:
          'CachedContent can not be used with GenerateContent request setting system_instruction, tools or tool_config.\n\nProposed fix: move those values to CachedContent from GenerateContent request.',
      },
    ),
  },
  'file-type': {
    refuses:
      'a file of the type `image/gif`, `image/svg+xml`, `image/jpg` or `application/json`, or of none with a slash',
    accepts: '`image/png`',
    source: 'https://github.com/google-gemini/gemini-cli/issues/3054',
    date: '2025-07-02',
    check: refuseFileType((type) => `Unsupported MIME type: ${type}`),
  },
});
