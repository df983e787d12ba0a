import type { Reply, ReplyToolCall } from '../conversation/conversation.ts';
import { digestOf } from '../conversation/ids.ts';
import type { Fault } from '../scenario/format/faults/fault-format.ts';
import type { Wire, WireError } from '../wire/wire.ts';

/** A generator of numbers from 0 (inclusive) to 1 (exclusive), seeded by a hexadecimal digest. */
export function seededRandom(seed: string): () => number {
  let state = Number.parseInt(seed.slice(0, 8), 16) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The fault of one request and its origin. */
export interface ChosenFault {
  readonly fault: Fault;
  readonly origin: 'step' | 'chaos';
}

/** Identifies a request. `testId` is the header `x-test-id`, which separates parallel tests. */
export interface RequestKey {
  readonly digest: string;
  readonly testId: string | undefined;
}

/**
 * Returns a function that chooses the fault of each request: that of the step, otherwise one of chaos. A fault with
 * `times` applies to that many equal requests; counting them is the only state of a server.
 */
export function createFaultChooser(
  chaos?: Chaos,
): (stepFault: Fault | undefined, key: RequestKey) => ChosenFault | undefined {
  const countEarlier = createKeyCounter();
  return (stepFault, { digest, testId = '' }) => {
    const fault = stepFault ?? (chaos === undefined ? undefined : chaosFault(chaos, digest));
    if (fault === undefined) return undefined;
    const isUsedUp = fault.times !== undefined && countEarlier(digestOf(testId, digest)) >= fault.times;
    return isUsedUp ? undefined : { fault, origin: stepFault === undefined ? 'chaos' : 'step' };
  };
}

/** Text of a fault for the log: `fault status 429, times 1`. */
export function describeFault({ fault, origin }: ChosenFault): string {
  const parts = Object.entries(fault).map(([name, value]) => {
    if (value === true) return name;
    if (name === 'body') return `body of ${String(value).length} characters`;
    return `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`;
  });
  return `${origin === 'chaos' ? 'chaos' : 'fault'} ${parts.join(', ')}`;
}

const MAX_KEYS = 10_000;

/** Returns a function that counts its earlier calls with a key. Beyond `maxKeys` it forgets the least recent key. */
export function createKeyCounter(maxKeys = MAX_KEYS): (key: string) => number {
  const counts = new Map<string, number>();
  return (key) => {
    const count = counts.get(key) ?? 0;
    counts.delete(key);
    counts.set(key, count + 1);
    const [oldest] = counts.keys();
    if (counts.size > maxKeys && oldest !== undefined) counts.delete(oldest);
    return count;
  };
}

/** The fraction of requests to fail, from 0 to 1. Equal seeds fail equal requests. */
export interface Chaos {
  readonly rate: number;
  readonly seed: number;
}

/** The faults of chaos. Each applies once, so that a client that retries gets its answer. */
const FAULTS: readonly Fault[] = [
  { status: 429, retry_after: 0.1, times: 1 },
  { status: 500, times: 1 },
  { status: 503, times: 1 },
  { status: 529, times: 1 },
  { cut: 'before_finish', times: 1 },
  { reset: true, times: 1 },
  { malformed_chunk: true, times: 1 },
  { empty_answer: true, times: 1 },
];

/** The fault that chaos chooses for a request, if any. `digest` identifies the request. Pure. */
export function chaosFault({ rate, seed }: Chaos, digest: string): Fault | undefined {
  const random = seededRandom(digestOf('chaos', String(seed), digest));
  if (random() >= rate) return undefined;
  return FAULTS[Math.floor(random() * FAULTS.length)];
}

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

/** The error that a fault sends instead of a reply, or in the middle of its stream. */
export interface StatusFault {
  readonly error: WireError;
  readonly headers: Readonly<Record<string, string>>;
}

const MILLISECONDS = 1000;

/** The error that a fault sends: that of the provider, with what the fault sets; undefined for a fault without a status. */
export function statusFaultOf(fault: Fault, wire: Pick<Wire, 'statusError'>, model: string): StatusFault | undefined {
  const { status, message, code, type: errorType, retry_after: retryAfter, body } = fault;
  if (status === undefined) return undefined;
  const error: WireError = {
    ...wire.statusError({ status, model, retryAfter, code }),
    ...(message !== undefined && { message }),
    ...(code !== undefined && { code }),
    ...(errorType !== undefined && { errorType }),
    ...(body !== undefined && { status }),
  };
  return { error, headers: faultHeaders(fault) };
}

/** The headers that a fault adds to an answer, by their names in lower case. A `retry-after` of its own is the only wait. */
export function faultHeaders({ headers = {}, retry_after: wait }: Fault): Readonly<Record<string, string>> {
  const date = new Date(Math.ceil(Date.now() / MILLISECONDS + (wait ?? 0)) * MILLISECONDS).toUTCString();
  const own: Record<string, string> = {};
  for (const [name, text] of Object.entries(headers)) own[name.toLowerCase()] = text.replaceAll('{{retry_date}}', date);
  if (wait === undefined || own['retry-after'] !== undefined) return own;
  const milliseconds = Math.round(wait * MILLISECONDS);
  return { 'retry-after': String(Math.ceil(wait)), 'retry-after-ms': String(milliseconds), ...own };
}
