import type { FinishReason, Protocol, Reply } from './conversation.ts';

interface NativeEnd {
  /** The reason in other protocols, and for the rest of the server. */
  readonly as: FinishReason;
  readonly protocols: readonly Protocol[];
}

/** The model stopped without an answer, or its service broke off. */
const FAILED = { as: 'stop', protocols: ['gemini'] } as const;
const BROKEN = { as: 'stop', protocols: ['openai-chat'] } as const;
const MALFORMED = { as: 'stop', protocols: ['bedrock-converse'] } as const;
const FILTERED = { as: 'content_filter', protocols: ['gemini'] } as const;

/** Reasons for the end of an answer in the words of a protocol, which say more than those of a scenario. */
export const NATIVE_FINISHES = {
  pause_turn: { as: 'stop', protocols: ['anthropic-messages'] },
  compaction: { as: 'stop', protocols: ['anthropic-messages'] },
  model_context_window_exceeded: { as: 'length', protocols: ['anthropic-messages', 'bedrock-converse', 'openai-chat'] },
  guardrail_intervened: { as: 'content_filter', protocols: ['bedrock-converse'] },
  // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html; anomalyco/opencode#46193
  malformed_model_output: MALFORMED,
  malformed_tool_use: MALFORMED,
  // Together, Mistral, Z.ai
  eos: { as: 'stop', protocols: ['openai-chat'] },
  model_length: { as: 'length', protocols: ['openai-chat'] },
  sensitive: { as: 'content_filter', protocols: ['openai-chat'] },
  // https://api-docs.deepseek.com/api/create-chat-completion, https://docs.z.ai, OpenRouter; anomalyco/opencode#49414
  insufficient_system_resource: BROKEN,
  network_error: BROKEN,
  error: BROKEN,
  unknown: BROKEN,
  // SGLang and vLLM: radixark/miles#3337, BerriAI/litellm#27101
  abort: BROKEN,
  repetition: BROKEN,
  // https://ai.google.dev/api/generate-content#FinishReason
  MALFORMED_FUNCTION_CALL: FAILED,
  UNEXPECTED_TOOL_CALL: FAILED,
  TOO_MANY_TOOL_CALLS: FAILED,
  MALFORMED_RESPONSE: FAILED,
  MISSING_THOUGHT_SIGNATURE: FAILED,
  NO_IMAGE: FAILED,
  IMAGE_OTHER: FAILED,
  OTHER: FAILED,
  RECITATION: FILTERED,
  LANGUAGE: FILTERED,
  BLOCKLIST: FILTERED,
  PROHIBITED_CONTENT: FILTERED,
  SPII: FILTERED,
  IMAGE_SAFETY: FILTERED,
  IMAGE_PROHIBITED_CONTENT: FILTERED,
  IMAGE_RECITATION: FILTERED,
} as const satisfies Readonly<Record<string, NativeEnd>>;
/** A reason in the words of a protocol. */
export type NativeFinish = keyof typeof NATIVE_FINISHES;

/** Reports whether a reason is one in the words of a protocol. */
export function isNativeFinish(reason: string): reason is NativeFinish {
  return Object.hasOwn(NATIVE_FINISHES, reason);
}

/** The reason of a reply in the words of its protocol; undefined if it has none, or if something else ended the reply. */
export function nativeFinishOf(
  { nativeFinish, finish, stopSequence }: Pick<Reply, 'nativeFinish' | 'finish' | 'stopSequence'>,
  protocol: Protocol,
): NativeFinish | undefined {
  if (nativeFinish === undefined || !isNativeFinish(nativeFinish) || stopSequence !== undefined) return undefined;
  const { as, protocols }: NativeEnd = NATIVE_FINISHES[nativeFinish];
  return as === finish && protocols.includes(protocol) ? nativeFinish : undefined;
}
