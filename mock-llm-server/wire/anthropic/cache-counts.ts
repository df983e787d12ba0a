import type { Reply } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';

/** The tokens of a request that its cache held, and those that it keeps for the next one, by their time to live. */
export interface CacheCounts {
  readonly read: number;
  readonly write5m: number;
  readonly write1h: number;
}

/** The shares of a request, in characters, up to its marks for the cache. */
interface CacheShares {
  readonly total: number;
  /** The end of the part that an earlier request of the conversation has marked. */
  readonly read: number;
  /** The end of the last part that this request marks. */
  readonly marked: number;
  readonly isLong: boolean;
}

/** The service keeps no shorter prefix: https://platform.claude.com/docs/en/build-with-claude/prompt-caching */
const MIN_TOKENS = 1024;

/**
 * The counts that follow from the marks of a request alone, so that they are the same after a restart: an earlier
 * request of the conversation, which has an answer, has filled the cache up to its own last message.
 */
export function countCached(json: unknown, { usage }: Pick<Reply, 'usage'>): CacheCounts {
  const none = { read: usage.cachedTokens, write5m: 0, write1h: 0 };
  if (usage.cachedTokens > 0 || usage.inputTokens < MIN_TOKENS || !isJsonObject(json)) return none;
  const shares = sharesOf(json);
  if (shares === undefined) return none;
  const { total, read, marked, isLong } = shares;
  const tokens = (characters: number) => Math.floor((usage.inputTokens * characters) / total);
  if (tokens(marked) < MIN_TOKENS) return none;
  const held = tokens(read) < MIN_TOKENS ? 0 : tokens(read);
  const kept = tokens(marked) - held;
  return { read: held, write5m: isLong ? 0 : kept, write1h: isLong ? kept : 0 };
}

function sharesOf(json: Readonly<Record<string, unknown>>): CacheShares | undefined {
  const messages = listOf(json['messages']);
  const lastAnswer = messages.findLastIndex((message) => isJsonObject(message) && message['role'] === 'assistant');
  let total = 0;
  let marked = 0;
  let read = 0;
  let isLong = false;
  let sentBefore = 0;
  const add = (block: unknown, isOld: boolean) => {
    total += JSON.stringify(block)?.length ?? 0;
    if (isOld) sentBefore = total;
    const mark = markOf(block);
    if (mark === undefined) return;
    marked = total;
    isLong = mark === '1h';
    if (isOld) read = total;
  };
  for (const block of [...listOf(json['tools']), ...listOf(json['system'])]) add(block, lastAnswer > 0);
  messages.forEach((message, index) => {
    const content = isJsonObject(message) ? message['content'] : undefined;
    for (const block of Array.isArray(content) ? content : [content]) add(block, index < lastAnswer);
  });
  if (json['cache_control'] !== undefined) marked = total;
  if (marked === 0) return undefined;
  // A mark moves with the last message; the one of the earlier request was at the end of its messages.
  return { total, marked, isLong, read: marked > sentBefore ? sentBefore : read };
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'string' ? [value] : [];
}

/** The time to live of a block that is marked, or whose content is. */
function markOf(block: unknown): string | undefined {
  if (!isJsonObject(block)) return undefined;
  const { cache_control: mark, content } = block;
  if (isJsonObject(mark)) return mark['ttl'] === '1h' ? '1h' : '5m';
  return Array.isArray(content) ? content.map(markOf).findLast((found) => found !== undefined) : undefined;
}
