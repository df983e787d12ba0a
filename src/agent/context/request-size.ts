import { estimateTokens } from '../../text/tokens.ts';
import type { ModelIdentity } from '../ports/language-model.ts';
import type { Message } from '../ports/messages.ts';
import type { NextRequest } from '../run-input.ts';
import type { CountedRequest } from '../session-state.ts';

/** Tokens of the role and the marks around a message, a call or a tool. */
const MARKUP_TOKENS = 8;

/** Tokens of a picture; providers scale larger ones down to about this. */
const IMAGE_TOKENS = 1_600;

/** A provider that counts far less than the estimate has not read the whole request, or does not count at all. */
const MIN_SCALE = 0.3;

/** Sizes of messages and tools, because each request repeats the earlier ones. */
const sizes = new WeakMap<object, number>();

/**
 * Estimated tokens of a message. Reasoning does not count: most wires send it back only as provider state, and for
 * Ollama's, which does send it, the scale makes up for it.
 */
export function sizeOf(message: Message): number {
  return remember(message, () => {
    const size = MARKUP_TOKENS + estimateTokens(message.content);
    if (message.role !== 'assistant') return size + (message.images?.length ?? 0) * IMAGE_TOKENS;
    const state = message.providerState === undefined ? '' : JSON.stringify(message.providerState.items);
    const calls = message.toolCalls.map((call) => MARKUP_TOKENS + estimateTokens(call.name + call.arguments));
    return calls.reduce((total, call) => total + call, size + estimateTokens(state));
  });
}

/** Estimated tokens of messages. */
export function sizeOfAll(messages: readonly Message[]): number {
  return messages.reduce((total, message) => total + sizeOf(message), 0);
}

/** Estimated tokens of a request without its messages. */
export function sizeOfFrame({ system, tools }: Pick<NextRequest, 'system' | 'tools'>): number {
  const definitions = tools.map((tool) =>
    remember(
      tool,
      () => MARKUP_TOKENS + estimateTokens(JSON.stringify([tool.name, tool.description, tool.parameters])),
    ),
  );
  return definitions.reduce((total, tool) => total + tool, MARKUP_TOKENS + estimateTokens(system));
}

/**
 * Factor from estimated tokens to those that the provider counts, from its last count of a request to this model; 1
 * before the first, and after a count that cannot be right. The size of the next request times this factor is that count
 * plus the calibrated estimate of what is new.
 */
export function scaleOf(counted: CountedRequest | undefined, request: NextRequest): number {
  if (counted === undefined || !isSame(counted.model, request.model.identity)) return 1;
  const scale = counted.inputTokens / (sizeOfFrame(request) + sizeOfAll(counted.messages));
  return scale < MIN_SCALE ? 1 : scale;
}

function isSame(left: ModelIdentity, right: ModelIdentity): boolean {
  return left.provider === right.provider && left.wire === right.wire && left.model === right.model;
}

function remember(value: object, compute: () => number): number {
  const size = sizes.get(value) ?? compute();
  sizes.set(value, size);
  return size;
}
