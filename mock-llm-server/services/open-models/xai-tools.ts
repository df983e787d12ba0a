import { refuseFunction } from '../checks/tools.ts';
import { objectOf, objectsOf } from '../raw.ts';
import type { Rule } from '../service.ts';
import { rulesOf } from '../share-rules.ts';

/** True for a schema whose root is a choice of schemas of which one does not say by itself that it is an object. */
function isLooseUnion(schema: unknown): boolean {
  const { anyOf, oneOf } = objectOf(schema);
  return [...objectsOf(anyOf), ...objectsOf(oneOf)].some(({ type }) => type !== 'object');
}

export const XAI_TOOL_RULES: readonly Rule[] = rulesOf('xai', {
  'root-union': {
    protocols: ['openai-chat', 'openai-responses'],
    refuses: '`anyOf` or `oneOf` at the root of a schema, with a branch that is not `type: object` itself',
    accepts: 'branches of which each has `type: object`',
    source: 'https://github.com/router-for-me/CLIProxyAPI/issues/4397',
    date: '2026-07-17',
    check: refuseFunction(({ schema, name }) => {
      const rule = 'must be an object type (root schema is an anyOf/oneOf union with a non-object branch)';
      return isLooseUnion(schema) ? { message: `${name}: tool parameter root ${rule}` } : undefined;
    }),
  },
  'tool-field': {
    protocols: ['openai-responses'],
    refuses: '`external_web_access` in the tool `web_search`',
    accepts: '`{"type":"web_search"}`',
    source: 'https://github.com/lidge-jun/opencodex/issues/2240',
    date: '2026-08-21',
    check: ({ body }) =>
      objectsOf(body['tools']).some((tool) => tool['type'] === 'web_search' && 'external_web_access' in tool)
        ? { message: 'Argument not supported: external_web_access' }
        : undefined,
  },
});
