import { BYTES_PER_TOKEN } from '../conversation/estimate-tokens.ts';
import type { Outline } from '../conversation/outline.ts';
import { countMessages, firstDifference, messageAt, type TracedRequest } from './requests.ts';

/** A request that does not begin with the whole prompt of the request that it continues. */
export interface CacheBreak {
  readonly request: number;
  /** Number of the request that it continues. */
  readonly previous: number;
  /** The first part that differs: `system`, `tools: added grep`, `settings`, or `message 2 (tool results)`. */
  readonly part: string;
  /** Estimated tokens of the earlier prompt that a cache of prefixes cannot serve. */
  readonly tokens: number;
}

/** Share of a client's requests that a provider's cache of prompt prefixes could serve. */
export interface CacheStability {
  /** Number of requests that continue an earlier one. */
  readonly continued: number;
  /** Those of them that begin with the whole earlier prompt. */
  readonly stable: number;
  readonly breaks: readonly CacheBreak[];
  /** Estimated tokens that the breaks cost in all. */
  readonly tokens: number;
}

/** Requests that are compared for each message, the latest ones. */
const MAX_CANDIDATES = 8;

/** Compares each request with the earlier one that it continues: the one of which it repeats most messages. Pure. */
export function checkCacheStability(requests: readonly TracedRequest[]): CacheStability {
  const holders = new Map<string, TracedRequest[]>();
  const breaks: CacheBreak[] = [];
  let continued = 0;
  for (const request of requests) {
    const { entry, trace } = request;
    if (entry.auxiliary !== undefined) continue;
    const previous = findPrevious(request, holders);
    if (previous !== undefined) {
      continued++;
      const difference = findBreak(previous, request);
      if (difference !== undefined)
        breaks.push({ request: entry.number, previous: previous.entry.number, ...difference });
    }
    for (const key of keysOf(request, trace.outline)) {
      const known = holders.get(key) ?? [];
      known.push(request);
      if (known.length > MAX_CANDIDATES) known.shift();
      holders.set(key, known);
    }
  }
  const tokens = breaks.reduce((sum, each) => sum + each.tokens, 0);
  return { continued, stable: continued - breaks.length, breaks, tokens };
}

/** The keys under which a request is found by requests with the same message at the same place. */
function keysOf({ entry }: TracedRequest, outline: Outline): readonly string[] {
  const prefix = `${entry.testId ?? ''} ${entry.path} ${entry.model}`;
  return Array.from(
    { length: countMessages(outline) },
    (_, index) => `${prefix} ${index} ${messageAt(outline, index)?.checksum}`,
  );
}

function findPrevious(request: TracedRequest, holders: ReadonlyMap<string, readonly TracedRequest[]>) {
  const { outline } = request.trace;
  const shared = new Map<TracedRequest, number>();
  for (const key of keysOf(request, outline)) {
    for (const holder of holders.get(key) ?? []) shared.set(holder, (shared.get(holder) ?? 0) + 1);
  }
  let best: TracedRequest | undefined;
  for (const [candidate, count] of shared) {
    if (countMessages(candidate.trace.outline) >= countMessages(outline)) continue;
    const bestCount = best === undefined ? 0 : (shared.get(best) ?? 0);
    const isLater = best === undefined || candidate.entry.number > best.entry.number;
    if (count > bestCount || (count === bestCount && isLater)) best = candidate;
  }
  return best;
}

function findBreak(previous: TracedRequest, request: TracedRequest): Pick<CacheBreak, 'part' | 'tokens'> | undefined {
  const before = previous.trace.outline;
  const after = request.trace.outline;
  const head = describeHead(previous, request);
  if (head !== undefined) return { part: head, tokens: tokensFrom(before, 0) + tokensOf(before.parts[1]) };
  const index = firstDifference(before, after);
  if (index === undefined) return undefined;
  const part = `message ${index} (${messageAt(before, index)?.kind})`;
  return { part, tokens: tokensFrom(before, index) };
}

/** The part before the messages that differs: the tools and the system texts are at the start of every prompt. */
function describeHead(previous: TracedRequest, request: TracedRequest): string | undefined {
  const before = previous.trace.outline;
  const after = request.trace.outline;
  if (before.parts[0] === after.parts[0] && before.parts[1] === after.parts[1]) return undefined;
  const tools = describeTools(previous.entry.tools, request.entry.tools);
  if (tools !== undefined) return tools;
  if (before.systemTexts !== after.systemTexts) return 'system';
  for (let position = 2; position < 2 * (1 + before.systemTexts); position++) {
    if (before.parts[position] !== after.parts[position]) return 'system';
  }
  return 'the definition of a tool, or a setting';
}

function describeTools(before: readonly string[], after: readonly string[]): string | undefined {
  if (before.join() === after.join()) return undefined;
  const added = after.filter((name) => !before.includes(name));
  const removed = before.filter((name) => !after.includes(name));
  const changes = [
    ...(added.length > 0 ? [`added ${added.join(', ')}`] : []),
    ...(removed.length > 0 ? [`removed ${removed.join(', ')}`] : []),
  ];
  return `tools: ${changes.length > 0 ? changes.join('; ') : 'in another order'}`;
}

function tokensFrom(outline: Outline, start: number): number {
  let length = 0;
  for (let index = start; index < countMessages(outline); index++) length += messageAt(outline, index)?.length ?? 0;
  return tokensOf(length);
}

/** Estimated tokens of this many characters. */
function tokensOf(characters = 0): number {
  return Math.ceil(characters / BYTES_PER_TOKEN);
}
