import type { PreparedAnswer } from './prepare-answer.ts';
import type { ScenarioSet } from './scenario-set.ts';
import type { Wire, WireRequest } from './wire/wire.ts';

/**
 * Answers of lately, by the whole of their request. It decides nothing: what is found in it is what the same request
 * would get again, only sooner. Clients repeat requests: parallel tests, retries, probes.
 */
export interface AnswerMemory {
  find(request: WireRequest, wire: Wire, set: ScenarioSet): PreparedAnswer | undefined;
  /** Keeps an answer when it is given for the second time: most never are, and keeping those would cost memory. */
  keep(request: WireRequest, wire: Wire, set: ScenarioSet, answer: PreparedAnswer): void;
}

interface Kept {
  readonly request: WireRequest;
  readonly wire: Wire;
  readonly set: ScenarioSet;
  readonly answer: PreparedAnswer;
}

/** How many digests of requests that came once are kept. */
const MAX_SEEN = 1000;
/** How many answers are kept. Few enough to look at one by one. */
const MAX_KEPT = 64;
/** From so many characters on a body is kept as bytes. */
const MIN_ENCODED = 4096;
/** How many characters request and answer may have together: 8 MB for all. */
const MAX_CHARACTERS = 128 * 1024;

/** An empty memory. The oldest of what it holds goes first. */
export function createAnswerMemory(): AnswerMemory {
  // A list, because a map would hold every body it is asked for until the next full garbage collection.
  const kept: Kept[] = [];
  const seen = new Set<string>();
  return {
    find(request, wire, set) {
      for (const known of kept) {
        if (known.request.body === request.body && known.wire === wire && known.set === set) {
          if (isSame(known.request, request)) return known.answer;
        }
      }
      return undefined;
    },
    keep(request, wire, set, answer) {
      if (request.body.length + answer.body.length > MAX_CHARACTERS || isFirst(answer.digest, seen)) return;
      kept.unshift({ request, wire, set, answer: encodeLarge(answer) });
      if (kept.length > MAX_KEPT) kept.pop();
    },
  };
}

/** A small text is sent with its headers in one write; a large one is encoded once, for all times. */
function encodeLarge(answer: PreparedAnswer): PreparedAnswer {
  return answer.body.length < MIN_ENCODED ? answer : { ...answer, body: Buffer.from(answer.body) };
}

/** Says whether it is the first time, and remembers it. */
function isFirst(digest: string, seen: Set<string>): boolean {
  if (seen.delete(digest)) return false;
  seen.add(digest);
  for (const oldest of seen) {
    if (seen.size <= MAX_SEEN) break;
    seen.delete(oldest);
  }
  return true;
}

/** All of a request counts, not the body only: triggers may look at any header. */
function isSame(one: WireRequest, other: WireRequest): boolean {
  return one.path === other.path && hasSame(one.headers, other.headers) && hasSame(one.query, other.query);
}

function hasSame(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}
