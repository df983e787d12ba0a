import type { PreparedAnswer } from './prepare-answer.ts';
import type { ScenarioSet } from './scenario-set.ts';
import type { Wire, WireRequest } from './wire/wire.ts';

/**
 * Answers of lately, by the whole of their request. It decides nothing: what is found in it is what the same request
 * would get again, only sooner. Clients repeat requests: parallel tests, retries, a suite that runs once more.
 */
export interface AnswerMemory {
  find(request: WireRequest, wire: Wire, set: ScenarioSet): PreparedAnswer | undefined;
  keep(request: WireRequest, wire: Wire, set: ScenarioSet, answer: PreparedAnswer): void;
}

interface Kept {
  readonly request: WireRequest;
  readonly wire: Wire;
  readonly set: ScenarioSet;
  readonly answer: PreparedAnswer;
}

/** A memory of so many characters of requests and answers; the oldest go first. */
export function createAnswerMemory(maxCharacters = 2 * 1024 * 1024): AnswerMemory {
  const kept = new Map<string, Kept>();
  let characters = 0;
  const forget = (body: string, { answer }: Kept) => {
    kept.delete(body);
    characters -= body.length + answer.body.length;
  };
  return {
    find(request, wire, set) {
      const known = kept.get(request.body);
      if (known === undefined || known.wire !== wire || known.set !== set) return undefined;
      return isSame(known.request, request) ? known.answer : undefined;
    },
    keep(request, wire, set, answer) {
      const size = request.body.length + answer.body.length;
      // One that would drive out many is not worth it.
      if (size > maxCharacters / 8) return;
      const old = kept.get(request.body);
      if (old !== undefined) forget(request.body, old);
      kept.set(request.body, { request, wire, set, answer });
      characters += size;
      for (const [body, oldest] of kept) {
        if (characters <= maxCharacters) break;
        forget(body, oldest);
      }
    },
  };
}

/** All of a request but the body counts, too: triggers may look at any header. */
function isSame(one: WireRequest, other: WireRequest): boolean {
  return one.path === other.path && hasSame(one.headers, other.headers) && hasSame(one.query, other.query);
}

function hasSame(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  let count = 0;
  for (const name in one) {
    if (one[name] !== other[name]) return false;
    count++;
  }
  for (const _name in other) count--;
  return count === 0;
}
