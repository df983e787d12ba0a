import type { AnthropicMessage, AnthropicRequest } from './anthropic-request.ts';
import { isSignatureOf } from './anthropic-signature.ts';
import type { WireError, WireRequest } from './wire.ts';

const CALL_ID = /^[a-zA-Z0-9_-]+$/;

/**
 * What the API refuses in a request that could be answered, in its own words and the order in which it looks. Tool
 * calls without results and results without calls are judged elsewhere, as every protocol refuses them.
 */
export function lintAnthropicRequest(
  { missing, messages }: AnthropicRequest,
  headers: WireRequest['headers'],
): readonly WireError[] {
  return [
    ...(headers['anthropic-version'] === undefined ? [fault('anthropic-version: header is required')] : []),
    ...missing.map((field) => fault(`${field}: Field required`)),
    ...messages.flatMap(({ content }, index) =>
      content.flatMap((block, place) => lintBlock(block, `messages.${index}.content.${place}`)),
    ),
    ...lintOrder(messages),
  ];
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

/** Tool results come first in what the user says after a tool call; neighbouring messages of the user are one. */
function lintOrder(messages: readonly AnthropicMessage[]): WireError[] {
  const faults: WireError[] = [];
  let callsAt: number | undefined;
  let texts = 0;
  for (const [index, { role, content }] of messages.entries()) {
    if (role === 'system') continue;
    if (role === 'assistant') {
      callsAt = content.some(({ type }) => type === 'tool_use') ? index : undefined;
      texts = 0;
      continue;
    }
    if (callsAt === undefined) continue;
    const late: string[] = [];
    for (const { type, tool_use_id: id = '' } of content) {
      if (type !== 'tool_result') texts++;
      else if (texts > 0) late.push(id);
    }
    if (late.length > 0) faults.push(fault(describeMissing(callsAt, late)));
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

function fault(message: string): WireError {
  return { type: 'error', status: 400, code: null, message };
}
