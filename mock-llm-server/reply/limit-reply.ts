import type { Reply, ReplyLimits, ReplyToolCall, ToolChoice } from '../conversation/conversation.ts';
import { BYTES_PER_TOKEN, countOutputTokens, estimateTokens, outputBytes } from '../conversation/estimate-tokens.ts';

/** Treatment of the limits of a request: `apply` cuts the answer as a provider would, `ignore` does not. */
export const LIMIT_MODES = ['apply', 'ignore'] as const;
/** The name of such a mode. */
export type LimitMode = (typeof LIMIT_MODES)[number];

/** A reply as a request allows it, and notes on what differs from the scenario or from the request. */
export interface LimitedReply {
  readonly reply: Reply;
  readonly notes: readonly string[];
}

const NO_NOTES: readonly string[] = [];

/** The reply as its request allows it. The calls that it forbids do not count against its limits. Pure. */
export function allowReply(
  reply: Reply,
  { toolChoice, limits }: { readonly toolChoice?: ToolChoice | undefined; readonly limits?: ReplyLimits | undefined },
  mode: LimitMode,
): LimitedReply {
  const allowed = toolChoice === undefined ? { reply, notes: NO_NOTES } : applyToolChoice(reply, toolChoice);
  if (limits === undefined || mode === 'ignore') return allowed;
  const limited = limitReply(allowed.reply, limits);
  return { reply: limited.reply, notes: [...allowed.notes, ...limited.notes] };
}

/** Ends a reply where the limits of its request end it. Pure. */
export function limitReply(reply: Reply, { maxTokens, stop }: ReplyLimits): LimitedReply {
  const stopped = stop && stopReply(reply, stop);
  const cut = maxTokens && cutReply(stopped?.reply ?? reply, maxTokens);
  const limited = cut ?? stopped;
  return limited === undefined ? { reply, notes: [] } : { reply: limited.reply, notes: [limited.note] };
}

interface Cut {
  readonly reply: Reply;
  readonly note: string;
}

/** The reply up to the first stop sequence in its content, as providers leave the sequence itself out. */
function stopReply(reply: Reply, { name, texts }: NonNullable<ReplyLimits['stop']>): Cut | undefined {
  const { content = '' } = reply;
  let end = -1;
  let sequence = '';
  for (const text of texts) {
    const start = content.indexOf(text);
    if (start === -1 || (end !== -1 && start >= end)) continue;
    end = start;
    sequence = text;
  }
  if (end === -1) return undefined;
  const rest = {
    ...reply,
    content: content.slice(0, end),
    toolCalls: [],
    finish: 'stop',
    stopSequence: sequence,
  } as const;
  return { reply: recount(rest), note: `ended at ${name} ${JSON.stringify(sequence)}` };
}

/** The reply without the tokens beyond the limit, by the estimate that its usage reports. */
function cutReply(reply: Reply, { name, value }: NonNullable<ReplyLimits['maxTokens']>): Cut | undefined {
  // The answer already ended at the limit, as its service counts tokens.
  if (reply.finish === 'length' && reply.usage.outputTokens <= value) return undefined;
  const { stopSequence: _, ...rest } = reply;
  let left = value * BYTES_PER_TOKEN;
  if (outputBytes(reply) <= left) return undefined;
  let isOver = false;
  const take = (text: string): string => {
    const bytes = Buffer.byteLength(text);
    isOver = bytes > left;
    const taken = isOver ? startOfBytes(text, left) : text;
    left = isOver ? 0 : left - bytes;
    return taken;
  };
  const takePart = (text: string | undefined): string | undefined => {
    if (isOver || text === undefined) return undefined;
    const taken = take(text);
    return isOver && taken === '' ? undefined : taken;
  };
  const reasoning = takePart(reply.reasoning);
  const content = takePart(reply.content);
  const toolCalls: ReplyToolCall[] = [];
  for (const call of reply.toolCalls) {
    left -= Buffer.byteLength(call.name);
    // A call has its whole name or is not sent.
    if (isOver || left < 0) break;
    toolCalls.push({ ...call, arguments: take(call.arguments) });
  }
  const cut = recount({ ...rest, reasoning, content, toolCalls, finish: 'length' });
  const note = `cut at ${name} ${value}: ${cut.usage.outputTokens} of ${countOutputTokens(reply)} tokens are sent`;
  return { reply: cut, note };
}

let graphemes: Intl.Segmenter | undefined;

/** The most characters of a text, as a reader sees them, that have at most so many bytes. */
function startOfBytes(text: string, bytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(Math.floor(bytes)));
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  // The character after the cut decides whether it belongs to the one before.
  const start = graphemes.segment(text.slice(0, read + 2)).containing(read)?.index ?? read;
  return text.slice(0, start);
}

/** The reply with the estimates of what is left of its output; a step states the usage of the whole answer. */
function recount(reply: Reply): Reply {
  const outputTokens = countOutputTokens(reply);
  const reasoningTokens = Math.min(estimateTokens(reply.reasoning ?? ''), outputTokens);
  return { ...reply, usage: { ...reply.usage, outputTokens, reasoningTokens } };
}

/**
 * A reply as far as the rule for tool calls allows it. Without calls the text remains. A call that the rule requires
 * cannot be generated, and one that it excludes stays, because the next step expects its result: both are noted.
 * Pure.
 */
export function applyToolChoice(reply: Reply, { mode, names, text }: ToolChoice): LimitedReply {
  const { toolCalls, finish } = reply;
  if (mode === 'none') {
    if (toolCalls.length === 0) return { reply, notes: [] };
    const content = reply.content ?? '';
    const rest = { ...reply, content, toolCalls: [], finish: finish === 'tool_calls' ? 'stop' : finish } as const;
    return { reply: recount(rest), notes: [`${text}: the calls of ${namesOf(toolCalls)} are left out`] };
  }
  const other = names === undefined ? [] : toolCalls.filter(({ name }) => !names.includes(name));
  if (other.length > 0) return { reply, notes: [`${text}: a provider would not call ${namesOf(other)}`] };
  if (mode === 'auto' || toolCalls.length > 0) return { reply, notes: [] };
  return { reply, notes: [`${text}: a provider would call a tool, the answer calls none`] };
}

function namesOf(calls: readonly ReplyToolCall[]): string {
  return calls.map(({ name }) => name).join(', ');
}
