import type { FinishReason } from '../agent/ports/language-model.ts';
import { jsonOr } from '../text/json/json.ts';
import { FailedRequest } from './http/failure.ts';
import { fieldOf } from './http/server-error.ts';

type Reasons = Readonly<Record<string, FinishReason>>;

const STOP = 'stop';
const CALLS = 'tool_calls';
const CUT = 'length';
const WINDOW = 'window';
const FILTERED = 'content_filter';

/** Reasons in the words of all wires, which gateways pass on over others. */
const OF_GATEWAYS: Reasons = {
  stop: STOP,
  end_turn: STOP, // Anthropic
  stop_sequence: STOP, // Anthropic, Text Generation Inference
  eos: STOP, // Together
  eos_token: STOP, // Text Generation Inference
  complete: STOP, // Cohere
  normal: STOP, // Qianfan
  tool_calls: CALLS,
  tool_call: CALLS, // Cohere
  tool_use: CALLS, // Anthropic
  function_call: CALLS, // OpenAI, older
  length: CUT,
  max_tokens: CUT, // Anthropic, Gemini, Cohere
  max_output_tokens: CUT, // OpenAI Responses
  model_length: WINDOW, // Mistral
  model_context_window_exceeded: WINDOW, // Anthropic, Z.ai
  content_filter: FILTERED,
  content_filtered: FILTERED, // Bedrock
  refusal: FILTERED, // Anthropic
  sensitive: FILTERED, // Z.ai
  safety: FILTERED, // Gemini
  recitation: FILTERED, // Gemini
  blocklist: FILTERED, // Gemini
  prohibited_content: FILTERED, // Gemini
  spii: FILTERED, // Gemini
  error_toxic: FILTERED, // Cohere
  guardrail_intervened: FILTERED, // Bedrock
};

/**
 * The reasons with which an answer ends on each wire, in lower case. The lists are closed: an answer with any other
 * reason – `abort` of vLLM, `error` of OpenRouter, `OTHER` of Gemini, `load` of Ollama – is not complete, however much of
 * it has arrived.
 */
export const FINISH_REASONS = {
  'openai-chat': OF_GATEWAYS,
  // The reason of an incomplete response.
  'openai-responses': { max_output_tokens: CUT, max_tokens: CUT, length: CUT, content_filter: FILTERED },
  'anthropic-messages': { ...OF_GATEWAYS, pause_turn: 'paused', compaction: 'paused' },
  gemini: {
    ...OF_GATEWAYS,
    language: FILTERED,
    model_armor: FILTERED,
    escalation: FILTERED,
    image_safety: FILTERED,
    image_prohibited_content: FILTERED,
    image_recitation: FILTERED,
  },
  'ollama-chat': OF_GATEWAYS,
} as const satisfies Readonly<Record<string, Reasons>>;

/** Reads a reason on a wire. Throws `FailedRequest` for one with which an answer is not complete. */
export function finishReason(wire: keyof typeof FINISH_REASONS, reason: string, message = ''): FinishReason {
  const reasons: Reasons = FINISH_REASONS[wire];
  // Gateways write the names of Google's constants in full, and words without their separators.
  const name = reason.toLowerCase().replace(/^finish_reason_(?!unspecified)/, '');
  const plain = (text: string): string => text.replace(/[_ -]/g, '');
  const known = reasons[name] ?? Object.entries(reasons).find(([other]) => plain(other) === plain(name))?.[1];
  if (known === undefined) throw new FailedRequest({ type: 'stopped', reason, detail: message });
  return known;
}

/** The finish of an answer with the words of a refusal: withheld, as on the wires that have a reason for it. */
export function finishOfRefusal(finish: FinishReason): FinishReason {
  return finish === STOP ? FILTERED : finish;
}

/** True for a message, a part, or a list of parts that has the words of a refusal. */
export function hasRefusal(content: unknown): boolean {
  return [content].flat().some((part) => Boolean(fieldOf(part, 'refusal')));
}

/** Ends of streams without a finish reason, of one model. */
export interface UnnamedEnds {
  /** Number of answers with a text that ended in this way. */
  count: number;
}

/**
 * The reason of an answer that ended with the mark of its wire, but without a reason. Calls whose arguments are whole can
 * run. A text may have been cut by a gateway, so it counts as complete only from the second one on: then the server names
 * no reasons at all.
 */
export function unnamedEnd(
  ends: UnnamedEnds,
  { calls, hasText }: { readonly calls: readonly string[]; readonly hasText: boolean },
): FinishReason | undefined {
  if (calls.length > 0) return calls.every(isWholeObject) ? 'tool_calls' : undefined;
  if (hasText) ends.count += 1;
  return hasText && ends.count > 1 ? 'stop' : undefined;
}

/** True for the whole JSON of an object. */
export function isWholeObject(text: string): boolean {
  return text.trimEnd().endsWith('}') && jsonOr(undefined, text) !== undefined;
}
