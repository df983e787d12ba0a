import type { Reply, ReplyToolCall } from '../conversation/conversation.ts';
import type { Fault } from '../scenario/format/fault-format.ts';

/** The reply with the changes that a fault makes to its data. */
export function breakReply(reply: Reply, fault: Fault): Reply {
  let broken = reply;
  if (fault.empty_answer) broken = emptyAnswer(broken);
  if (fault.tool_call_as_text) broken = writeCallsAsText(broken);
  if (fault.open_think_tag) broken = openThinkTag(broken);
  if (fault.missing_call_id) broken = changeCalls(broken, { id: undefined });
  if (fault.missing_index) broken = changeCalls(broken, { indexFault: 'missing' });
  if (fault.colliding_index) broken = changeCalls(broken, { indexFault: 'colliding' });
  return broken;
}

/** True if a fault ends an answer before its finish reason, or damages a part of it, so that no client may use it. */
export function breaksOff({ status, cut, reset, stall, malformed_chunk, at }: Fault): boolean {
  if (malformed_chunk) return true;
  const isComplete = cut === 'after_finish' || at === 'after_finish' || at === 'end';
  return (
    !isComplete &&
    (cut !== undefined || reset === true || stall !== undefined || (status !== undefined && at !== undefined))
  );
}

function changeCalls(reply: Reply, change: Partial<ReplyToolCall>): Reply {
  return { ...reply, toolCalls: reply.toolCalls.map((call) => ({ ...call, ...change })) };
}

function emptyAnswer(reply: Reply): Reply {
  const usage = { ...reply.usage, outputTokens: 0, reasoningTokens: 0 };
  return { ...reply, reasoning: undefined, content: undefined, toolCalls: [], finish: 'stop', usage };
}

/** Writes tool calls in the form that many open models use and that servers can fail to parse. */
function writeCallsAsText(reply: Reply): Reply {
  const { content, toolCalls } = reply;
  if (toolCalls.length === 0) return reply;
  const parts = [...(content === undefined ? [] : [content]), ...toolCalls.map(writeCall)];
  const finish = reply.finish === 'tool_calls' ? 'stop' : reply.finish;
  return { ...reply, content: parts.join('\n'), toolCalls: [], finish };
}

function writeCall({ name, arguments: text }: ReplyToolCall): string {
  return `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${text}}\n</tool_call>`;
}

function openThinkTag(reply: Reply): Reply {
  const { reasoning, content = '' } = reply;
  const thinking = reasoning === undefined ? '' : `${reasoning}\n`;
  const usage = { ...reply.usage, reasoningTokens: 0 };
  return { ...reply, reasoning: undefined, content: `<think>\n${thinking}${content}`, usage };
}
