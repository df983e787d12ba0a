import { type Answer, answerConversation, digestConversation } from './answer.ts';
import { describeAnswer, errorOf, missHeaders } from './describe-answer.ts';
import { prepareEntry } from './journal.ts';
import { type LintFinding, lintRequest } from './lint.ts';
import type { LintMode } from './lint-mode.ts';
import { logLine, type Outcome, type PreparedAnswer, prepareError, recordOf, remarksOn } from './prepare-answer.ts';
import { redact, secretsOf } from './redact.ts';
import { identify, NO_RETRY } from './respond.ts';
import type { ScenarioSet, Step } from './scenario-set.ts';
import { encodeWhole, replyHeaders } from './send-reply.ts';
import type { Wire, WireError, WireRequest } from './wire/wire.ts';

/** What a request gets. `ready` is all that is sent. */
export type Decision = { readonly type: 'refusal'; readonly ready: PreparedAnswer } | ReplyDecision;

/** `ready` is the answer for the case that nothing breaks it; absent where the step says how it is sent. */
export interface ReplyDecision {
  readonly type: 'reply';
  readonly outcome: Required<Pick<Outcome, 'wire' | 'request' | 'identity' | 'read' | 'reply'>> & Outcome;
  readonly step: Pick<Step, 'fault' | 'timing' | 'isFixed'>;
  readonly ready: PreparedAnswer | undefined;
}

/** A request that could be read, and what is known of it before it is answered. */
type Asked = Required<Pick<Outcome, 'wire' | 'request' | 'identity' | 'read'>> & {
  readonly findings: readonly LintFinding[];
};

/** Decides what becomes of a request. Pure: equal requests get equal decisions. */
export function decideAnswer(request: WireRequest, wire: Wire, set: ScenarioSet, lint: LintMode): Decision {
  const read = wire.read(request);
  if (read.type === 'error') return refuse(read, { wire, request });
  const findings = lint === 'off' ? [] : lintRequest(read, wire, set, { unpaired: lint === 'warn' });
  const conversationDigest = digestConversation(read.conversation);
  const identity = identify(wire, request, `${conversationDigest} ${read.stream}`);
  const asked = { wire, request, identity, read, findings };
  const fault = lint === 'fail' ? findings.find(({ error }) => error !== undefined)?.error : undefined;
  if (fault !== undefined) return refuse(fault, asked);
  const found = answerConversation(read.conversation, set, wire.callIdPrefix, {
    headers: request.headers,
    query: request.query,
    conversationDigest,
    pairing: lint === 'fail' ? wire.pairing : 'none',
  });
  return found.type === 'reply' ? decideReply(found, asked) : decideRefusal(found, asked);
}

function refuse(error: WireError, outcome: Outcome): Decision {
  const said = `${error.status} ${error.message}`;
  return { type: 'refusal', ready: prepareError(error, outcome, said, NO_RETRY) };
}

function decideRefusal(found: Exclude<Answer, FoundReply>, asked: Asked): Decision {
  const error = errorOf(found, asked.wire);
  const isLinted = found.type === 'unpaired_results';
  const noted = isLinted ? { ...asked, findings: [{ message: error.message, error }, ...asked.findings] } : asked;
  const said = describeAnswer(found) + remarksOn(asked);
  return { type: 'refusal', ready: prepareError(error, noted, said, { ...missHeaders(found), ...NO_RETRY }) };
}

function decideReply(found: FoundReply, asked: Asked): ReplyDecision {
  const { reply, auxiliary, step = NO_STEP } = found;
  const { wire, request, identity, read } = asked;
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

type FoundReply = Extract<Answer, { readonly type: 'reply' }>;

/** A default response and an auxiliary answer. */
const NO_STEP = { fault: undefined, timing: undefined, isFixed: false };

function isFreeOfKeys(text: string, { headers, query }: WireRequest): boolean {
  return redact(text, secretsOf(headers, query)) === text;
}
