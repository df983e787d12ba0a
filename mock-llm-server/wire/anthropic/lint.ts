import type { RecallCall, WireError, WireRequest } from '../wire.ts';
import { isSignatureOf } from './reply.ts';
import type { AnthropicMessage, AnthropicRequest } from './request.ts';

const CALL_ID = /^[a-zA-Z0-9_-]+$/;

/**
 * What the API refuses in a request that could be answered, in its own words and the order in which it looks. Tool
 * calls without results and results without calls are judged elsewhere, as every protocol refuses them.
 */
export function lintAnthropicRequest(
  { missing, messages, toolNames, mustThink }: AnthropicRequest,
  headers: WireRequest['headers'],
  recall: RecallCall,
): readonly WireError[] {
  return [
    ...lintVersion(headers),
    ...missing.map((field) => fault(`${field}: Field required`)),
    ...messages.flatMap(({ role, content }, index) =>
      content.length === 0 ? lintNothing(role, `messages.${index}`, index === messages.length - 1) : [],
    ),
    ...messages.flatMap(({ content }, index) =>
      content.flatMap((block, place) => lintBlock(block, `messages.${index}.content.${place}`)),
    ),
    ...(new Set(toolNames).size < toolNames.length ? [fault('tools: Tool names must be unique.')] : []),
    ...lintIds(messages, recall),
    ...lintOrder(messages),
    ...(mustThink ? lintThinking(messages, recall) : []),
  ];
}

/** What the API says on any of its routes to a request that names no version. */
export function lintVersion(headers: WireRequest['headers']): WireError[] {
  return headers['anthropic-version'] === undefined ? [fault('anthropic-version: header is required')] : [];
}

/** Ids that a file states come again whenever their step does, so they are the scenario's doing. */
function lintIds(messages: readonly AnthropicMessage[], recall: RecallCall): WireError[] {
  const seen = new Set<string>();
  return messages.flatMap(({ content }, index) =>
    content.flatMap(({ type, id = '' }, place) => {
      if (type !== 'tool_use') return [];
      const isRepeated = seen.has(id) && recall(id)?.stated !== true;
      seen.add(id);
      return isRepeated ? [fault(`messages.${index}.content.${place}: \`tool_use\` ids must be unique`)] : [];
    }),
  );
}

const THINKING: readonly string[] = ['thinking', 'redacted_thinking'];

/**
 * The thinking of the answer that tool results follow must come back with it. The API knows that there was some; here
 * only a call of a step with reasoning tells.
 */
function lintThinking(messages: readonly AnthropicMessage[], recall: RecallCall): WireError[] {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  let first = last;
  while (messages[first - 1]?.role === 'assistant') first--;
  const answer = messages.slice(Math.max(first, 0), last + 1).flatMap(({ content }) => content);
  const [block] = answer;
  if (block === undefined || THINKING.includes(block.type)) return [];
  if (!answer.some(({ type, id = '' }) => type === 'tool_use' && recall(id)?.reasoned === true)) return [];
  return [
    fault(
      `messages.${first}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${block.type}\`. ` +
        'When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the ' +
        'lastmost set of `tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous ' +
        'turns. To avoid this requirement, disable `thinking`. Please consult our documentation at ' +
        'https://docs.claude.com/en/docs/build-with-claude/extended-thinking',
    ),
  ];
}

function lintNothing(role: AnthropicMessage['role'], place: string, isLast: boolean): WireError[] {
  switch (role) {
    case 'user':
      return [fault(`${place}: user messages must have non-empty content`)];
    case 'assistant':
      if (isLast) return [];
      return [
        fault(`${place}: all messages must have non-empty content except for the optional final assistant message`),
      ];
    case 'system':
      return [];
    default:
      return role satisfies never;
  }
}

function lintBlock(block: AnthropicMessage['content'][number], place: string): WireError[] {
  switch (block.type) {
    case 'text':
      return block.text === '' ? [fault('messages: text content blocks must be non-empty')] : [];
    case 'tool_use':
      if (CALL_ID.test(block.id ?? '')) return [];
      return [fault(`${place}.tool_use.id: String should match pattern '${CALL_ID.source}'`)];
    case 'thinking': {
      const { thinking = '', signature } = block;
      if (signature === undefined || signature === null) return [fault(`${place}.thinking.signature: Field required`)];
      return isSignatureOf(signature, thinking) ? [] : [fault(`${place}: Invalid \`signature\` in \`thinking\` block`)];
    }
    default:
      return [];
  }
}

/**
 * Tool results come first in what the user says after a tool call, one for each; neighbouring messages of the user are
 * one.
 */
function lintOrder(messages: readonly AnthropicMessage[]): WireError[] {
  const faults: WireError[] = [];
  let callsAt: number | undefined;
  let texts = 0;
  let answered = new Set<string>();
  for (const [index, { role, content }] of messages.entries()) {
    if (role === 'system') continue;
    if (role === 'assistant') {
      callsAt = content.some(({ type }) => type === 'tool_use') ? index : undefined;
      texts = 0;
      answered = new Set();
      continue;
    }
    if (callsAt === undefined) continue;
    const late: string[] = [];
    const repeated: WireError[] = [];
    for (const [place, { type, tool_use_id: id = '' }] of content.entries()) {
      if (type !== 'tool_result') {
        texts++;
        continue;
      }
      if (texts > 0) late.push(id);
      if (answered.has(id)) repeated.push(fault(describeRepeated(`messages.${index}.content.${place}`, id)));
      answered.add(id);
    }
    if (late.length > 0) faults.push(fault(describeMissing(callsAt, late)));
    faults.push(...repeated);
  }
  return faults;
}

/** The words for calls of message `index` that have no result right after it. */
export function describeMissing(index: number, ids: readonly string[]): string {
  return (
    `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ` +
    `${ids.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`
  );
}

/** The words for results in message `index` that answer no call. */
export function describeOrphans(index: number, ids: readonly string[]): string {
  return (
    `messages.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${ids.join(', ')}. ` +
    'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.'
  );
}

function describeRepeated(place: string, id: string): string {
  return `${place}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`;
}

function fault(message: string): WireError {
  return { type: 'error', status: 400, code: null, message };
}
