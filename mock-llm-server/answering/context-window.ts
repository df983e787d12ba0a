import type { Reply, ServiceName } from '../conversation/conversation.ts';
import { isJsonObject } from '../conversation/json.ts';
import type { StatusFault } from '../delivery/faults.ts';
import type { Fault } from '../scenario/format/faults/fault-format.ts';
import { overflowError, overflowForm, refusesOverflow } from '../services/overflow.ts';
import type { ReadRequest } from '../wire/wire.ts';

/** A request with the window of its step, and the service that answers it. */
export interface WindowedRequest {
  readonly read: ReadRequest;
  readonly service: ServiceName | undefined;
  readonly window: number | undefined;
}

/** A reply within a window, or the fault and the note of a request that is longer. */
export interface WindowVerdict {
  readonly reply: Reply;
  readonly fault?: Fault;
  readonly note?: string;
}

const TOO_LONG: Fault = { context_overflow: true };

/**
 * The tokens of the answer that count as a part of the request:
 * https://github.com/MoonshotAI/MoonshotAI-Cookbook/issues/18
 */
export function reservedOutput({ read, service }: Pick<WindowedRequest, 'read' | 'service'>): number {
  return service === 'moonshot' ? (read.limits?.maxTokens?.value ?? 0) : 0;
}

/** Compares the input tokens of a reply with the window. A service that shortens requests counts no more than its window. */
export function checkWindow(reply: Reply, request: WindowedRequest): WindowVerdict {
  const { usage } = reply;
  const { read, service, window } = request;
  const tokens = usage.inputTokens + reservedOutput(request);
  if (window === undefined || tokens <= window) return { reply };
  const note = `the request has ${tokens} tokens, more than the window of ${window}`;
  const form = overflowForm(service, read.conversation.protocol);
  if (refusesOverflow(form, isJsonObject(read.json) ? read.json : {})) return { reply, fault: TOO_LONG, note };
  const cachedTokens = Math.min(usage.cachedTokens, window);
  return { reply: { ...reply, usage: { ...usage, inputTokens: window, cachedTokens } }, note };
}

/**
 * A fault with the status that its service has for a request that is too long. The Responses API reports it within a
 * stream, right after the events that open it.
 */
export function resolveOverflow(fault: Fault, { read, service }: WindowedRequest): Fault {
  if (fault.context_overflow === undefined) return fault;
  const { isInStream } = overflowForm(service, read.conversation.protocol);
  const opening = isInStream && fault.at === undefined ? { at: { pieces: 0 }, empty_answer: true as const } : {};
  return { ...fault, status: 400, ...opening };
}

/** The error of a fault `context_overflow`. */
export function overflowFailure(fault: Fault, reply: Reply, request: WindowedRequest): StatusFault | undefined {
  if (fault.context_overflow === undefined) return undefined;
  const { read, service, window } = request;
  const { conversation, limits } = read;
  const form = overflowForm(service, conversation.protocol);
  const maxTokens = limits?.maxTokens?.value ?? 0;
  const error = overflowError(form, {
    tokens: reply.usage.inputTokens + reservedOutput(request),
    window,
    maxTokens,
    conversation,
  });
  return { error, headers: {} };
}
