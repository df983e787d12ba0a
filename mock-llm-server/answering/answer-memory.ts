import { hash } from 'node:crypto';
import { redact, secretsOf } from '../journal/redact.ts';
import type { ScenarioSet } from '../scenario/prepare.ts';
import type { Wire, WireRequest } from '../wire/wire.ts';
import type { PreparedAnswer } from './answer-request.ts';

/**
 * Answers of lately, by the whole of their request. It decides nothing: what is found in it is what the same request
 * would get again, only sooner. Clients repeat requests: parallel tests, retries, probes.
 */
export interface AnswerMemory {
  find(request: WireRequest, wire: Wire, set: ScenarioSet): PreparedAnswer | undefined;
  /**
   * Keeps an answer when it is given for the second time: most never are, and keeping those would cost memory. Keeps no
   * text with a key in it, and nothing of another set than that of the last request.
   */
  keep(request: WireRequest, wire: Wire, set: ScenarioSet, answer: PreparedAnswer): void;
}

interface Kept {
  readonly path: string;
  readonly body: string;
  /** Of headers and query, which hold keys. */
  readonly fields: string;
  readonly wire: Wire;
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
  let current: ScenarioSet | undefined;
  /** A set that was replaced comes never again. */
  const forgetOthers = (set: ScenarioSet): void => {
    if (set !== current) kept.length = 0;
    current = set;
  };
  return {
    find(request, wire, set) {
      forgetOthers(set);
      let fields: string | undefined;
      for (const known of kept) {
        if (known.body !== request.body || known.wire !== wire || known.path !== request.path) continue;
        fields ??= digestFields(request);
        if (known.fields === fields) return known.answer;
      }
      return undefined;
    },
    keep(request, wire, set, answer) {
      forgetOthers(set);
      const { path, body } = request;
      if (body.length + answer.body.length > MAX_CHARACTERS || isFirst(answer.digest, seen)) return;
      if (holdsKey(request)) return;
      kept.unshift({ path, body, fields: digestFields(request), wire, answer: encodeLarge(answer) });
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

/** What of the request is kept as it is. Where no key is in there, the answer has none. */
function holdsKey({ path, body, headers, query }: WireRequest): boolean {
  const secrets = secretsOf(headers, query);
  return [path, body].some((text) => redact(text, secrets) !== text);
}

/** All of a request counts, not the body only: triggers may look at any header. No header has a line end in it. */
function digestFields({ headers, query }: WireRequest): string {
  let all = JSON.stringify(query);
  for (const name of Object.keys(headers)) all += `\n${name}:${headers[name]}`;
  return hash('sha256', all, 'base64');
}
