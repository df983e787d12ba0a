import { countOf } from '../text.ts';
import { countMessages, firstDifference, messageAt, type TracedRequest } from './requests.ts';

/**
 * Reaction of a client to a fault: it sent the request again (`repeated`); it asked for the rest of a broken answer
 * (`resumed`), continued it as if it were whole (`trusted`), or sent results of its calls (`executed`); it continued
 * without that answer (`went_on`); or it sent nothing more of that conversation (`ended`).
 */
export type FaultOutcome = 'repeated' | 'resumed' | 'trusted' | 'executed' | 'went_on' | 'ended';

/** A fault, and what the client did after it. */
export interface FaultVerdict {
  readonly request: number;
  readonly fault: string;
  readonly outcome: FaultOutcome;
  /** Number of the request that continued the answer. */
  readonly continuedBy?: number;
  /** Names of the calls whose results came back. */
  readonly calls?: readonly string[];
  /** Number of times that the client sent the request again until it was answered without a fault. */
  readonly repeats: number;
  /** The wait that the answer requested, and the wait until the next equal request; undefined if there was none. */
  readonly retryAfter?: { readonly askedMs: number; readonly waitedMs: number | undefined };
  /** False if the client did what no client should. */
  readonly ok: boolean;
}

/** Equal requests. */
export interface Repetition {
  readonly request: number;
  readonly times: number;
  /** Number of those that followed an equal one that had been answered, or refused for good. */
  readonly needless: number;
}

/** Reactions of clients to faults, and the requests that they repeated. */
export interface Resilience {
  readonly faults: readonly FaultVerdict[];
  readonly repeated: readonly Repetition[];
}

/** A timer may end this many milliseconds early. */
const TOLERANCE_MS = 10;

/** Checks the reactions of clients to faults. `requests` are oldest first; those of different tests do not mix. Pure. */
export function checkResilience(requests: readonly TracedRequest[]): Resilience {
  const byKey = new Map<string, TracedRequest[]>();
  for (const request of requests) {
    const key = keyOf(request);
    const equal = byKey.get(key);
    if (equal === undefined) byKey.set(key, [request]);
    else equal.push(request);
  }
  const faults = requests.flatMap((request, index) => {
    if (request.entry.fault === undefined) return [];
    const equal = byKey.get(keyOf(request)) ?? [];
    const repeats = equal.slice(equal.indexOf(request) + 1);
    const later = requests.slice(index + 1).filter(({ entry }) => entry.testId === request.entry.testId);
    return [checkFault(request, later, repeats)];
  });
  const groups = [...byKey.values()].filter(({ length }) => length > 1);
  return { faults, repeated: groups.map(describeGroup) };
}

/** Equal conversations of one test. Clients repeat a request with or without streaming. */
function keyOf({ entry, trace }: TracedRequest): string {
  return `${trace.digest} ${entry.protocol} ${entry.testId ?? ''}`;
}

function checkFault(
  { entry, trace }: TracedRequest,
  later: readonly TracedRequest[],
  equal: readonly TracedRequest[],
): FaultVerdict {
  const { number: request, fault = '', calls = [] } = entry;
  const [next] = equal;
  const answered = equal.findIndex((each) => each.entry.fault === undefined);
  const repeats = answered === -1 ? equal.length : answered + 1;
  const until = equal[answered]?.entry.number ?? Number.POSITIVE_INFINITY;
  const use = trace.isBroken ? findUse(trace, later, until) : undefined;
  const retryAfter =
    trace.retryAfterMs === undefined
      ? undefined
      : { askedMs: trace.retryAfterMs, waitedMs: next && Math.round(next.trace.at - trace.at) };
  const isPatient = (retryAfter?.waitedMs ?? Number.POSITIVE_INFINITY) >= (trace.retryAfterMs ?? 0) - TOLERANCE_MS;
  const goesOn = later.some((each) => isContinuation(trace, each));
  const outcome = use?.outcome ?? (next !== undefined ? 'repeated' : goesOn ? 'went_on' : 'ended');
  return {
    request,
    fault,
    outcome,
    ...(use && { continuedBy: use.request }),
    ...(use?.outcome === 'executed' && { calls: calls.map(({ name }) => name) }),
    repeats,
    ...(retryAfter && { retryAfter }),
    ok: (use === undefined || use.outcome === 'resumed') && isPatient,
  };
}

/** The first request before the one with the number `until` that continues from a broken answer. */
function findUse(
  trace: TracedRequest['trace'],
  later: readonly TracedRequest[],
  until: number,
): { readonly outcome: 'resumed' | 'trusted' | 'executed'; readonly request: number } | undefined {
  const position = countMessages(trace.outline);
  for (const each of later) {
    const { number } = each.entry;
    if (number >= until) return undefined;
    if (!isContinuation(trace, each)) continue;
    const answer = messageAt(each.trace.outline, position)?.kind;
    if (answer !== 'assistant' && answer !== 'assistant with calls') continue;
    const next = messageAt(each.trace.outline, position + 1)?.kind;
    if (next === undefined || asksForRest(each)) return { outcome: 'resumed', request: number };
    const isExecuted = answer === 'assistant with calls' && next === 'tool results';
    return { outcome: isExecuted ? 'executed' : 'trusted', request: number };
  }
  return undefined;
}

/** Words with which clients ask for the rest of an answer: "Your response was cut off. Resume directly" (Claude Code). */
const REST = /\b(?:cut off|cut short|interrupted|truncated|incomplete|resume|continue)\b/i;

/** True if the last message of a request is a text of the user that asks for the rest of an answer. */
function asksForRest({ entry, trace: { outline } }: TracedRequest): boolean {
  const last = messageAt(outline, countMessages(outline) - 1)?.kind;
  return last === 'user' && entry.request.user.some((text) => REST.test(text));
}

/** True if a request repeats the messages of another and has more of them. */
function isContinuation({ outline }: TracedRequest['trace'], { trace }: TracedRequest): boolean {
  return countMessages(trace.outline) > countMessages(outline) && firstDifference(outline, trace.outline) === undefined;
}

function describeGroup(equal: readonly TracedRequest[]): Repetition {
  const needless = equal.slice(0, -1).filter(({ entry }) => entry.fault === undefined).length;
  return { request: equal[0]?.entry.number ?? 0, times: equal.length, needless };
}

const OUTCOMES: Readonly<Record<FaultOutcome, (verdict: FaultVerdict) => string>> = {
  repeated: ({ repeats }) => `repeated it ${countOf(repeats, 'time')}`,
  resumed: ({ continuedBy }) => `asked for the rest of the broken answer in request ${continuedBy}`,
  trusted: ({ continuedBy }) => `trusted the broken answer in request ${continuedBy}`,
  executed: ({ calls = [], continuedBy }) =>
    `executed calls of the broken answer (${calls.join(', ')}) for request ${continuedBy}`,
  went_on: () => 'continued without the answer',
  ended: () => 'sent nothing more of this conversation',
};

/** A verdict as a sentence: `request 2 (fault status 429): the client repeated it 1 time, after 20 ms; …`. */
export function describeFaultVerdict(verdict: FaultVerdict): string {
  const { request, fault, outcome, retryAfter } = verdict;
  const sentence = `request ${request} (${fault}): the client ${OUTCOMES[outcome](verdict)}`;
  if (retryAfter?.waitedMs === undefined) return sentence;
  return `${sentence}, after ${retryAfter.waitedMs} ms; the answer requested ${retryAfter.askedMs} ms`;
}
