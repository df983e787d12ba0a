import { badRequest } from '../body.ts';
import type { NamedService, RecallCall, WireError, WireRequest } from '../wire.ts';
import { describeMissing } from './errors.ts';
import { isOwnSignature, isSignatureOf } from './reply.ts';
import type { AnthropicMessage, AnthropicRequest } from './request.ts';

const NONE: readonly WireError[] = [];
const CALL_ID = /^[a-zA-Z0-9_-]+$/;
/** The name of a called tool: https://github.com/home-assistant/core/issues/140005 */
const CALLED_NAME = /^[a-zA-Z0-9_-]{1,200}$/;
/** The models that demand the thinking of their calls. Later ones choose whether to think. */
const BEFORE_4_6 = /claude-(?:3|[a-z]+-4(?:[-.][0-5]|-20\d+|@|$))/;
const THINKING = /^(?:redacted_)?thinking$/;

/** The errors that the API would answer with, although the request could be read, in the order in which it checks. */
export function lintAnthropicRequest(
  { body }: AnthropicRequest,
  headers: WireRequest['headers'],
  recall: RecallCall,
  service?: NamedService,
): readonly WireError[] {
  const { messages, tools, thinking, model = '' } = body;
  const names = (tools ?? []).flatMap(({ name }) => name ?? []);
  if (service?.ignores === 'body') return NONE;
  const absent = (['model', 'max_tokens'] as const).filter((field) => body[field] === undefined);
  const missing = absent.map((field) => badRequest(`${field}: Field required`));
  if (service?.ignores === 'history') return missing;
  return [
    ...lintVersion(headers, service?.name),
    ...missing,
    ...lintEmpty(messages),
    ...lintBlocks(messages, model),
    ...(new Set(names).size < names.length ? [badRequest('tools: Tool names must be unique.')] : []),
    ...lintIds(messages),
    ...lintOrder(messages),
    ...(thinking?.type === 'enabled' ? lintThinking(messages, model, recall) : []),
  ];
}

/** The errors for thinking that a client sends back, which Claude has behind other protocols, too. */
export function lintEchoedThinking(
  messages: readonly AnthropicMessage[],
  { model, isEnabled }: { readonly model: string; readonly isEnabled: boolean },
  recall: RecallCall,
): readonly WireError[] {
  const blocks = messages.flatMap(({ content }, index) =>
    content.flatMap((block, position) => (block.type === 'thinking' ? lintBlock(block, index, position, model) : NONE)),
  );
  return [...blocks, ...(isEnabled ? lintThinking(messages, model, recall) : [])];
}

/**
 * The API's error, on all of its routes, for a request without a version, or with one that is no date. Other services
 * read no version.
 */
export function lintVersion(headers: WireRequest['headers'], service: NamedService['name'] = 'anthropic'): WireError[] {
  const { 'anthropic-version': version } = headers;
  if (service !== 'anthropic') return [];
  if (version === undefined) return [badRequest('anthropic-version: header is required')];
  const isDate = /^20\d\d-\d\d-\d\d$/.test(version);
  return isDate ? [] : [badRequest(`anthropic-version: "${version}" is not a valid version`)];
}

/** Ids that repeat within a message. A later message may use an id again. */
function lintIds(messages: readonly AnthropicMessage[]): WireError[] {
  const errors: WireError[] = [];
  for (const [index, { content }] of messages.entries()) {
    if (content.length < 2) continue;
    const ids = content.map(({ type, id = '' }) => (type === 'tool_use' ? id : undefined));
    for (const [position, id] of ids.entries()) {
      if (id === undefined || ids.indexOf(id) === position) continue;
      errors.push(badRequest(`messages.${index}.content.${position}: \`tool_use\` ids must be unique`));
    }
  }
  return errors;
}

/** The last answer must begin with its thinking. A call of a step with reasoning shows that there was some. */
function lintThinking(messages: readonly AnthropicMessage[], model: string, recall: RecallCall): WireError[] {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  let first = last;
  while (messages[first - 1]?.role === 'assistant') first--;
  const answer = messages.slice(Math.max(first, 0), last + 1).flatMap(({ content }) => content);
  const [block] = answer;
  if (block === undefined || THINKING.test(block.type)) return [];
  // The calls of other servers had thinking if their model demands it.
  const had = (id: string) => recall(id)?.reasoned ?? BEFORE_4_6.test(model);
  if (!answer.some(({ type, id = '' }) => type === 'tool_use' && had(id))) return [];
  return [badRequest(thinkingFirst(first, block.type))];
}

/** The API's words for an answer that does not begin with its thinking. */
function thinkingFirst(index: number, found: string): string {
  return (
    `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${found}\`. ` +
    'When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the ' +
    'lastmost set of `tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous ' +
    'turns. To avoid this requirement, disable `thinking`. Please consult our documentation at ' +
    'https://docs.claude.com/en/docs/build-with-claude/extended-thinking'
  );
}

function lintEmpty(messages: readonly AnthropicMessage[]): readonly WireError[] {
  const errors: WireError[] = [];
  for (const [index, { role, content }] of messages.entries()) {
    if (content.length > 0) continue;
    if (role === 'user') errors.push(badRequest(`messages.${index}: user messages must have non-empty content`));
    if (role !== 'assistant' || index === messages.length - 1) continue;
    const rule = 'all messages must have non-empty content except for the optional final assistant message';
    errors.push(badRequest(`messages.${index}: ${rule}`));
  }
  return errors;
}

function lintBlocks(messages: readonly AnthropicMessage[], model: string): readonly WireError[] {
  const errors: WireError[] = [];
  for (const [index, { content }] of messages.entries()) {
    for (const [position, block] of content.entries()) {
      for (const error of lintBlock(block, index, position, model)) errors.push(error);
    }
  }
  return errors;
}

function lintBlock(
  block: AnthropicMessage['content'][number],
  index: number,
  position: number,
  model: string,
): readonly WireError[] {
  const refuse = (reason: string) => [badRequest(`messages.${index}.content.${position}${reason}`)];
  switch (block.type) {
    case 'text':
      if (block.text !== '') return NONE;
      if (block.cache_control) return refuse('.text: cache_control cannot be set for empty text blocks');
      return [badRequest('messages: text content blocks must be non-empty')];
    case 'tool_use':
      if (!CALL_ID.test(block.id ?? '')) {
        return refuse(`.tool_use.id: String should match pattern '${CALL_ID.source}'`);
      }
      if (CALLED_NAME.test(block.name ?? '')) return NONE;
      return refuse(`.tool_use.name: String should match pattern '${CALLED_NAME.source}'`);
    case 'thinking': {
      const { thinking = '', signature } = block;
      if (typeof signature !== 'string') return refuse('.thinking.signature: Field required');
      if (isSignatureOf(signature, thinking, model)) return NONE;
      if (isOwnSignature(signature)) {
        const rule =
          'blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.';
        return refuse(`: \`thinking\` or \`redacted_thinking\` ${rule}`);
      }
      return refuse(': Invalid `signature` in `thinking` block');
    }
    default:
      return NONE;
  }
}

/** Tool results come first in the messages of the user after a tool call, one for each call. */
function lintOrder(messages: readonly AnthropicMessage[]): WireError[] {
  const errors: WireError[] = [];
  let callIndex = -1;
  let hasOther = false;
  const answered = new Set<string>();
  for (const [index, { role, content }] of messages.entries()) {
    if (role === 'assistant') {
      callIndex = content.some(({ type }) => type === 'tool_use') ? index : -1;
      hasOther = false;
      answered.clear();
    }
    if (role !== 'user' || callIndex === -1) continue;
    const late: string[] = [];
    const repeated: WireError[] = [];
    for (const [position, { type, tool_use_id: id = '' }] of content.entries()) {
      if (type !== 'tool_result') {
        hasOther = true;
        continue;
      }
      if (hasOther) late.push(id);
      if (answered.has(id)) {
        const rule = 'each tool_use must have a single result. Found multiple `tool_result` blocks with id';
        repeated.push(badRequest(`messages.${index}.content.${position}: ${rule}: ${id}`));
      }
      answered.add(id);
    }
    if (late.length > 0) errors.push(badRequest(describeMissing(callIndex, late.join(', '))));
    for (const error of repeated) errors.push(error);
  }
  return errors;
}
