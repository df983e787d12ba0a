/** A request to a model in any format. */
export interface SentRequest {
  readonly system: unknown;
  readonly tools: unknown;
  readonly messages: readonly unknown[];
}

/** Markers of prompt caches, which may move. */
const CACHE_MARKS: readonly string[] = ['cache_control', 'prompt_cache_key'];

/**
 * The requests that do not continue the one before them: its system text, its tools and its messages must be a prefix
 * of theirs, byte for byte, so that a provider can reuse what it has computed. `restarts` has the positions of requests
 * that need not continue the one before, because of a compaction between them.
 */
export function prefixProblems(requests: readonly SentRequest[], restarts: ReadonlySet<number>): readonly string[] {
  return requests.flatMap((request, position) => {
    const before = requests[position - 1];
    if (before === undefined || restarts.has(position)) return [];
    const [earlier, later] = [bytesOf(before).slice(0, -2), bytesOf(request)];
    if (later.startsWith(earlier)) return [];
    let same = 0;
    while (later[same] === earlier[same]) same += 1;
    const [old, now] = [earlier, later].map((bytes) => JSON.stringify(bytes.slice(Math.max(0, same - 40), same + 80)));
    return [`request ${position} does not continue the one before: after ${same} characters ${old} became ${now}`];
  });
}

function bytesOf({ system, tools, messages }: SentRequest): string {
  return JSON.stringify([system, tools, messages], (key, value: unknown) =>
    CACHE_MARKS.includes(key) ? undefined : value,
  );
}
