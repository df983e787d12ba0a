import type { Reply } from '../conversation/conversation.ts';
import { redact } from '../journal/redact.ts';

/**
 * The reply with nothing in it that looks like a key, the same object where there is none. A body that is made of it
 * can be kept: pieces of a stream may divide a key, so that it is seen in no one of them.
 */
export function replyWithoutKeys(reply: Reply, secrets: readonly string[]): Reply {
  const clean = (text: string | undefined) => (text === undefined ? undefined : redact(text, secrets));
  const content = clean(reply.content);
  const reasoning = clean(reply.reasoning);
  const toolCalls = reply.toolCalls.map((call) => ({ ...call, arguments: redact(call.arguments, secrets) }));
  const isSame =
    content === reply.content &&
    reasoning === reply.reasoning &&
    toolCalls.every((call, index) => call.arguments === reply.toolCalls[index]?.arguments);
  return isSame ? reply : { ...reply, content, reasoning, toolCalls };
}
