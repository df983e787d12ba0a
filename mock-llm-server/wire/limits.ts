import type { ReplyLimits } from '../conversation/conversation.ts';

/** Half of a surrogate pair. A stop sequence with one could cut an answer within a character. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * The limits in the fields of a request, which are given by name and value; undefined if none applies. Zero and
 * negative numbers of tokens are no limit: Ollama writes them for an answer of any length, other providers reject them.
 */
export function limitsOf(
  tokensName: string,
  tokens: number | null | undefined,
  stopName = '',
  stop?: string | readonly string[] | null,
): ReplyLimits | undefined {
  const isLimited = typeof tokens === 'number' && tokens > 0;
  const texts = typeof stop === 'string' ? [stop] : (stop ?? []);
  const stops = texts.length === 0 ? texts : texts.filter((text) => text !== '' && !LONE_SURROGATE.test(text));
  if (!isLimited && stops.length === 0) return undefined;
  return {
    ...(isLimited && { maxTokens: { name: tokensName, value: tokens } }),
    ...(stops.length > 0 && { stop: { name: stopName, texts: stops } }),
  };
}
