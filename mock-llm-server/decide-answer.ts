import { answerConversation, digestConversation } from './answer.ts';
import { describeAnswer, errorOf, missHeaders } from './describe-answer.ts';
import { prepareEntry } from './journal.ts';
import { lintRequest } from './lint.ts';
import type { LintMode } from './lint-mode.ts';
import { logLine, type Outcome, type PreparedAnswer, prepareError, recordOf, remarksOn } from './prepare-answer.ts';
import { redact, secretsOf } from './redact.ts';
import { identify, NO_RETRY } from './respond.ts';
import type { ScenarioSet, Step } from './scenario-set.ts';
import { encodeWhole, replyHeaders } from './send-reply.ts';
import type { Wire, WireRequest } from './wire/wire.ts';

/** What a request gets. `ready` is all that is sent. */
export type Decision = { readonly type: 'refusal'; readonly ready: PreparedAnswer } | ReplyDecision;

/** `ready` is the answer for the case that nothing breaks it; absent where the step says how it is sent. */
export interface ReplyDecision {
  readonly type: 'reply';
  readonly outcome: Required<Pick<Outcome, 'wire' | 'request' | 'identity' | 'read' | 'reply'>> & Outcome;
  readonly step: Pick<Step, 'fault' | 'timing' | 'isFixed'>;
  readonly ready: PreparedAnswer | undefined;
}

/** Decides what becomes of a request. Pure: equal requests get equal decisions. */
export function decideAnswer(request: WireRequest, wire: Wire, set: ScenarioSet, lint: LintMode): Decision {
  const read = wire.read(request);
  if (read.type === 'error') {
    const said = `${read.status} ${read.message}`;
    return { type: 'refusal', ready: prepareError(read, { wire, request }, said, NO_RETRY) };
  }
  const findings = lint === 'off' ? [] : lintRequest(read, wire, set, { unpaired: lint === 'warn' });
  const conversationDigest = digestConversation(read.conversation);
  const identity = identify(wire, request, `${conversationDigest} ${read.stream}`);
  const asked = { wire, request, identity, read, findings };
  const refusal = lint === 'fail' ? findings.find(({ error }) => error !== undefined)?.error : undefined;
  if (refusal !== undefined) {
    const said = `${refusal.status} ${refusal.message}`;
    return { type: 'refusal', ready: prepareError(refusal, asked, said, NO_RETRY) };
  }
  const found = answerConversation(read.conversation, set, wire.callIdPrefix, {
    headers: request.headers,
    conversationDigest,
    pairing: lint === 'fail' ? wire.pairing : 'none',
  });
  if (found.type !== 'reply') {
    const headers = { ...missHeaders(found), ...NO_RETRY };
    const error = errorOf(found, wire);
    const isLinted = found.type === 'unpaired_results';
    const noted = isLinted ? { ...asked, findings: [{ message: error.message, error }, ...findings] } : asked;
    return {
      type: 'refusal',
      ready: prepareError(error, noted, describeAnswer(found) + remarksOn(asked), headers),
    };
  }
  const { reply, auxiliary, step = NO_STEP } = found;
  const outcome = { ...asked, reply, auxiliary };
  if (step.fault !== undefined || step.timing !== undefined) return { type: 'reply', outcome, step, ready: undefined };
  const body = encodeWhole(read, reply);
  const headers = replyHeaders(wire, read, identity.headers);
  const isOwn = step.isFixed && wire.repeatsRequest !== true && isFreeOfKeys(reply.model, request);
  const entry = prepareEntry(recordOf({ ...outcome, isOwn }, body));
  const line = logLine(request, describeAnswer(found) + remarksOn(outcome));
  const ready = { digest: identity.digest, status: 200, headers, body, line, entry };
  return { type: 'reply', outcome, step, ready };
}

/** A default response and an auxiliary answer. */
const NO_STEP = { fault: undefined, timing: undefined, isFixed: false };

function isFreeOfKeys(text: string, { headers, query }: WireRequest): boolean {
  return redact(text, secretsOf(headers, query)) === text;
}
