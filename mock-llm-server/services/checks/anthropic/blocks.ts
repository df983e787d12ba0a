import type { JsonObject } from '../../../conversation/conversation.ts';
import { isJsonObject } from '../../../conversation/json.ts';
import { objectOf, objectsOf, oncePerBody, textOf } from '../../raw.ts';
import type { Check, RawRequest, Violation } from '../../service.ts';
import { isSet } from '../fields.ts';

/** A block with its indexes: those of its message, of its place in it and, for one of a result, of its place there. */
interface LocatedBlock {
  readonly block: JsonObject;
  readonly index: number;
  readonly position: number;
  readonly inner: number | undefined;
}

/** The blocks of the messages, those of results included. */
const blocksOf = oncePerBody((body) => {
  const blocks: LocatedBlock[] = [];
  objectsOf(body['messages']).forEach(({ content }, index) => {
    objectsOf(content).forEach((block, position) => {
      blocks.push({ block, index, position, inner: undefined });
      if (!Array.isArray(block['content'])) return;
      objectsOf(block['content']).forEach((nested, inner) => {
        blocks.push({ block: nested, index, position, inner });
      });
    });
  });
  return blocks;
});

/** The blocks of the messages by their types: most rules are about the blocks of one type, of which there are few. */
const blocksByType = oncePerBody((body) => {
  const byType = new Map<unknown, LocatedBlock[]>();
  for (const located of blocksOf(body)) {
    const { type } = located.block;
    const known = byType.get(type);
    if (known === undefined) byType.set(type, [located]);
    else known.push(located);
  }
  return byType;
});

/** The first finding in a block of the messages, those of results included, with the path of the block. */
export function findInBlocks<Found>(
  { body }: Pick<RawRequest, 'body'>,
  find: (block: JsonObject) => Found | undefined,
  type?: string,
): { readonly found: Found; readonly path: string } | undefined {
  const blocks = type === undefined ? blocksOf(body) : (blocksByType(body).get(type) ?? []);
  for (const { block, index, position, inner } of blocks) {
    const found = find(block);
    if (found === undefined) continue;
    const path = `messages.${index}.content.${position}`;
    return { found, path: inner === undefined ? path : `${path}.tool_result.content.${inner}` };
  }
  return undefined;
}

export function countBlocks({ body }: Pick<RawRequest, 'body'>, type: string): number {
  return blocksByType(body).get(type)?.length ?? 0;
}

/** Refuses the first block for which there is a reason, which follows the path of the block. */
export function refuseBlock(reason: (block: JsonObject) => string | undefined, type?: string): Check {
  return (request): Violation | undefined => {
    const first = findInBlocks(request, reason, type);
    return first && { message: first.path + first.found };
  };
}

/** Refuses a failed result without content. */
export const refuseWordlessError: Check = refuseBlock(
  ({ is_error: failed, content }) =>
    failed === true && (!isSet(content) || content === '' || (Array.isArray(content) && content.length === 0))
      ? '.tool_result: content cannot be empty if `is_error` is true'
      : undefined,
  'tool_result',
);

/** The role of the messages in which a block may be. */
const BLOCK_ROLES: readonly (readonly [type: string, role: string])[] = [
  ['tool_use', 'assistant'],
  ['thinking', 'assistant'],
  ['tool_result', 'user'],
];

/** Refuses a block in a message of the other role. */
export const refuseBlockRole: Check = ({ body }) => {
  for (const [index, { role, content }] of objectsOf(body['messages']).entries()) {
    const types = objectsOf(content).map(({ type }) => type);
    const wrong = BLOCK_ROLES.find(([type, own]) => role !== own && types.includes(type));
    if (wrong === undefined) continue;
    return { message: `messages.${index}: \`${wrong[0]}\` blocks can only be in \`${wrong[1]}\` messages` };
  }
  return undefined;
};

/** The fields of blocks. A block of another type may have any. */
const FIELDS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['text', ['type', 'text', 'citations', 'cache_control']],
  ['tool_use', ['type', 'id', 'name', 'input', 'cache_control', 'caller']],
  ['tool_result', ['type', 'tool_use_id', 'content', 'is_error', 'cache_control']],
  ['image', ['type', 'source', 'cache_control']],
  ['document', ['type', 'source', 'title', 'context', 'citations', 'cache_control']],
  ['thinking', ['type', 'thinking', 'signature']],
  ['redacted_thinking', ['type', 'data']],
]);

export const refuseBlockFields: Check = refuseBlock((block) => {
  const { type } = block;
  const known = FIELDS.get(type);
  const field = known && Object.keys(block).find((key) => !known.includes(key));
  return field === undefined ? undefined : `.${textOf(type)}.${field}: Extra inputs are not permitted`;
});

/** Types of parts that other APIs have. */
const FOREIGN_TYPES = new Set<unknown>([
  'image_url',
  'input_image',
  'input_text',
  'output_text',
  'input_audio',
  'file',
  'reasoning',
  'refusal',
  'function_call',
  'tool-call',
  'tool-result',
]);

/** Refuses blocks of a type that another API has. */
export const refuseForeignBlock: Check = refuseBlock(({ type }) => {
  if (type === undefined) return '.type: Field required';
  return FOREIGN_TYPES.has(type)
    ? `: Input tag '${textOf(type)}' found using 'type' does not match any of the expected tags: 'document', 'image', 'redacted_thinking', 'search_result', 'server_tool_use', 'text', 'thinking', 'tool_result', 'tool_use', 'web_search_tool_result'`
    : undefined;
});

export const refuseSystemRole: Check = ({ body }) =>
  objectsOf(body['messages']).some(({ role }) => role === 'system')
    ? {
        message:
          'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.',
      }
    : undefined;

/** Refuses a message of the role `system` where none may be, or without a word. */
export const refuseSystemPlace: Check = ({ body }) => {
  const messages = objectsOf(body['messages']);
  for (const [index, { role, content }] of messages.entries()) {
    if (role !== 'system') continue;
    const say = (text: string): Violation => ({ message: `messages.${index}: ${text}` });
    if (Array.isArray(content) && content.length === 0 && !isSet(body['output_config'])) {
      return say('system content must contain at least one block');
    }
    const rest = 'the directive-only form (content: [] with output_config) is accepted at any position';
    if (index === 0) return say(`use the top-level 'system' parameter for the initial system prompt; ${rest}`);
    if (messages[index + 1]?.['role'] === 'user') {
      return say(`role 'system' must precede an 'assistant' message or end the array; ${rest}`);
    }
    const blocks = objectsOf(content).filter(({ type }) => type === 'text');
    const texts = typeof content === 'string' ? [content] : blocks.map(({ text }) => textOf(text));
    if (texts.some((text) => text.trim() === '')) return say('system text blocks must contain non-whitespace text');
  }
  return undefined;
};

/** Refuses the field `scope` of a mark for the cache. */
export const refuseCacheScope: Check = (request) => {
  const hasScope = (block: JsonObject) => (isSet(objectOf(block['cache_control'])['scope']) ? true : undefined);
  const inSystem = objectsOf(request.body['system']).findIndex(hasScope);
  const path = inSystem === -1 ? findInBlocks(request, hasScope)?.path : `system.${inSystem}`;
  return path === undefined
    ? undefined
    : { message: `${path}.cache_control.ephemeral.scope: Extra inputs are not permitted` };
};

/** The marks for the cache in the order in which the API reads them, with their paths. */
function marksOf(body: JsonObject): readonly (readonly [path: string, ttl: unknown])[] {
  const marks: (readonly [string, unknown])[] = [];
  const add = (blocks: unknown, pathOf: () => string): void => {
    for (const [index, { cache_control: mark }] of objectsOf(blocks).entries()) {
      if (isJsonObject(mark)) marks.push([`${pathOf()}.${index}`, mark['ttl'] ?? '5m']);
    }
  };
  add(body['tools'], () => 'tools');
  add(body['system'], () => 'system');
  for (const [index, { content }] of objectsOf(body['messages']).entries()) {
    add(content, () => `messages.${index}.content`);
  }
  return marks;
}

/** Refuses a mark of an hour after one of five minutes. */
export const refuseMarkOrder: Check = ({ body }) => {
  const marks = marksOf(body);
  const start = marks.findIndex(([, ttl]) => ttl === '5m');
  const wrong = start === -1 ? undefined : marks.slice(start).find(([, ttl]) => ttl === '1h');
  if (wrong === undefined) return undefined;
  return {
    message: `${wrong[0]}.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: \`tools\`, \`system\`, \`messages\`.`,
  };
};

/** The betas that a request names in its header or, as at Amazon, in its body. */
function betasOf({ headers, body }: RawRequest): readonly string[] {
  const inBody = Array.isArray(body['anthropic_beta']) ? body['anthropic_beta'].map(String) : [];
  return [...(headers['anthropic-beta'] ?? '').split(',').map((beta) => beta.trim()), ...inBody];
}

/** The fields of a body that a beta adds. */
const BETA_FIELDS: readonly (readonly [field: string, betas: RegExp])[] = [
  ['context_management', /^(?:context-management|compact)-/],
  ['mcp_servers', /^mcp-client-/],
];

/**
 * Refuses fields of betas that a request with other betas does not name, and unknown fields of `context_management`.
 */
export const refuseBetaFields: Check = (request) => {
  const betas = betasOf(request).filter((beta) => beta !== '');
  // Recordings of requests that were accepted often lack the header as a whole.
  const field = BETA_FIELDS.find(
    ([name, pattern]) => isSet(request.body[name]) && betas.length > 0 && !betas.some((beta) => pattern.test(beta)),
  )?.[0];
  const extra = Object.keys(objectOf(request.body['context_management'])).find((name) => name !== 'edits');
  const path = field ?? (extra === undefined ? undefined : `context_management.${extra}`);
  return path === undefined ? undefined : { message: `${path}: Extra inputs are not permitted` };
};

/** Refuses betas for which there is a reason. */
export function refuseBetas(
  isRefused: (beta: string, model: string, body: JsonObject) => boolean,
  describe: (betas: readonly string[]) => Violation,
): Check {
  return (request) => {
    const refused = betasOf(request).filter((beta) => isRefused(beta, request.model, request.body));
    return refused.length === 0 ? undefined : describe(refused);
  };
}

/**
 * Refuses the result of a tool of the server before which its turn has no call, and a call without a result. The server
 * answers a call of the last message, and one beside calls of the client, whose results are all that comes between.
 */
export const refuseLoneServerResult: Check = ({ body }) => {
  const messages = objectsOf(body['messages']);
  const calls = new Set<unknown>();
  for (const [index, { role, content }] of messages.entries()) {
    const blocks = objectsOf(content);
    const isOpen = objectsOf(messages[index + 1]?.['content']).some((block) => block['type'] === 'tool_result');
    for (const [position, { type, tool_use_id: id, id: called, name: tool }] of blocks.entries()) {
      const name = textOf(type);
      if (name === 'server_tool_use') {
        calls.add(called);
        const next = messages.slice(index + 1).flatMap((message) => objectsOf(message['content']));
        const isAnswered = [...blocks, ...next].some((block) => block['tool_use_id'] === called);
        if (isAnswered || isOpen || index === messages.length - 1) continue;
        const kind = textOf(tool).replace(/^tool_search_tool_.*/, 'tool_search');
        return {
          message: `messages.${index}: \`${textOf(tool)}\` tool use with id \`${textOf(called)}\` was found without a corresponding \`${kind}_tool_result\` block`,
        };
      }
      // The calls of an MCP server are blocks of their own.
      if (!name.endsWith('_tool_result') || name === 'mcp_tool_result' || calls.has(id)) continue;
      const rule = `Each \`${name}\` block must have a corresponding \`server_tool_use\` block before it.`;
      return {
        message: `messages.${index}.content.${position}: unexpected \`tool_use_id\` found in \`${name}\` blocks: ${textOf(id)}. ${rule}`,
      };
    }
    if (role === 'assistant' && !isOpen) calls.clear();
  }
  return undefined;
};

/**
 * Refuses an answer with calls and without a block of thinking while the model thinks, unless its step gave the client
 * none, for services other than Anthropic. The models of `byDefault` think unless the request says no.
 */
export function requireThinking(describe: (index: number) => Violation, byDefault?: RegExp): Check {
  return ({ body, model, recall }) => {
    const { type: kind = byDefault?.test(model) ? 'enabled' : undefined } = objectOf(body['thinking']);
    if (kind !== 'enabled') return undefined;
    const index = objectsOf(body['messages']).findIndex(({ role, content }, place, { [place + 1]: next }) => {
      const blocks = objectsOf(content);
      const answered = objectsOf(next?.['content']).map(({ tool_use_id: id }) => id);
      // A call without a result is a fault of its own.
      if (blocks.some(({ type, id }) => type === 'tool_use' && !answered.includes(id))) return false;
      if (role !== 'assistant' || blocks.some(({ type }) => /^(?:redacted_)?thinking$/.test(textOf(type))))
        return false;
      return blocks.some(({ type, id }) => type === 'tool_use' && recall(textOf(id))?.reasoned !== false);
    });
    return index === -1 ? undefined : describe(index);
  };
}
