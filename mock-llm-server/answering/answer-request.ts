import type { Context } from 'hono';
import type { Reply } from '../conversation/conversation.ts';
import { type Chaos, type ChosenFault, createFaultChooser, describeFault } from '../delivery/choose-fault.ts';
import type { Clock } from '../delivery/clock.ts';
import { connectionReset, encodeWhole, replyHeaders, sendReply } from '../delivery/send-reply.ts';
import { statusFaultOf } from '../delivery/status-fault.ts';
import { type Journal, type JournalRecord, type PreparedEntry, prepareEntry } from '../journal/journal.ts';
import { redact, redactStart, secretsOf } from '../journal/redact.ts';
import { loadJsonFromSchema } from '../reply/json-from-schema.ts';
import type { ScenarioSet, Step } from '../scenario/prepare.ts';
import { clientSignal, readHttp } from '../server/read-request.ts';
import { escapeControls } from '../text.ts';
import type { LintMode, ReadRequest, Wire, WireError, WireRequest } from '../wire/wire.ts';
import { type Identity, identify, NO_RETRY, type ResponseHeaders } from '../wire/wires.ts';
import { type Answer, answerConversation, digestConversation } from './choose-reply.ts';
import { type LintFinding, lintRequest } from './lint.ts';

/** What answers the requests of one server, and notes each in its log and its journal. */
export interface Answerer {
  /** Answers a request for an answer. Rejects when the client goes before all of the request is there. */
  answer(wire: Wire, context: Context): Promise<Response>;
  /** Says no in the form of a protocol. `said` is what the log says after the path. */
  refuse(error: WireError, wire: Wire, request: WireRequest, said: string, headers?: ResponseHeaders): Response;
}

/** What an answerer works with. */
export interface AnswererParts {
  /** Gives the scenarios that count now. */
  readonly current: () => ScenarioSet;
  /** Takes one line for each request, without a line end. */
  readonly log: (line: string) => void;
  readonly lint: LintMode;
  readonly journal: Journal;
  readonly chaos: Chaos | undefined;
  readonly clock: Clock;
}

/** Remembers nothing but how often faults with `times` were applied. */
export function createAnswerer({ current, log, lint, journal, chaos, clock }: AnswererParts): Answerer {
  const chooseFault = createFaultChooser(chaos);

  const send = ({ status, headers, body, line, entry }: PreparedAnswer): Response => {
    log(line);
    journal.add(entry);
    return new Response(body, { status, headers });
  };

  const refuse: Answerer['refuse'] = (error, wire, request, said, headers = {}) =>
    send(prepareError(error, { wire, request }, said, { ...NO_RETRY, ...headers }));

  /** Sends what a step or chaos wants to be late or broken. */
  const sendFaulty = (
    { outcome: decided, step }: ReplyDecision,
    chosen: ChosenFault | undefined,
    context: Context,
  ): Response | Promise<Response> => {
    const outcome = { ...decided, fault: chosen && describeFault(chosen) };
    const { wire, request, read, reply, identity } = outcome;
    const failure = chosen && statusFaultOf(chosen.fault, read.conversation);
    const said = describeReply(outcome, failure?.error.status) + remarksOn(outcome);
    if (failure !== undefined) return send(prepareError(failure.error, outcome, said, failure.headers));
    log(logLine(request, said));
    const { response, served } = sendReply(
      { wire, read, reply, headers: identity.headers, fault: chosen?.fault, timing: step.timing },
      { clock, reset: connectionReset(context.env), signal: clientSignal(context.env, context.req.raw) },
    );
    journal.add(prepareEntry(recordOf(outcome, served)));
    return response;
  };

  const answer: Answerer['answer'] = async (wire, context) => {
    const { request, fault } = await readHttp(context);
    if (fault !== undefined) return refuse(fault, wire, request, `${fault.status} ${fault.message}`, LEFT_UNREAD);
    const set = current();
    const decision = await decideAnswer(request, wire, set, lint);
    if (decision.type === 'refusal') return send(decision.ready);
    const key = { digest: decision.outcome.identity.digest, testId: request.headers['x-test-id'] };
    const chosen = chooseFault(decision.step.fault, key);
    if (chosen !== undefined || decision.ready === undefined) return sendFaulty(decision, chosen, context);
    return send(decision.ready);
  };

  return { answer, refuse };
}

/** What was not read to its end would stand before the next request. */
const LEFT_UNREAD = { connection: 'close' };

/** What a request gets. `ready` is all that is sent. */
export type Decision = { readonly type: 'refusal'; readonly ready: PreparedAnswer } | ReplyDecision;

/** `ready` is the answer for the case that nothing breaks it; absent where the step says how it is sent. */
export interface ReplyDecision {
  readonly type: 'reply';
  readonly outcome: Required<Pick<Outcome, 'wire' | 'request' | 'identity' | 'read' | 'reply'>> & Outcome;
  readonly step: Pick<Step, 'fault' | 'timing'>;
  readonly ready: PreparedAnswer | undefined;
}

/** A request that could be read, and what is known of it before it is answered. */
type Asked = Required<Pick<Outcome, 'wire' | 'request' | 'identity' | 'read'>> & {
  readonly findings: readonly LintFinding[];
};

/** Decides what becomes of a request. Pure: equal requests get equal decisions. */
export async function decideAnswer(
  request: WireRequest,
  wire: Wire,
  set: ScenarioSet,
  lint: LintMode,
): Promise<Decision> {
  const read = wire.read(request);
  if (read.type === 'error') return refuse(read, { wire, request });
  if (read.conversation.outputSchema !== undefined) await loadJsonFromSchema();
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
  const entry = prepareEntry(recordOf(outcome, body));
  const line = logLine(request, describeAnswer(found) + remarksOn(outcome));
  const ready = { status: 200, headers, body, line, entry };
  return { type: 'reply', outcome, step, ready };
}

type FoundReply = Extract<Answer, { readonly type: 'reply' }>;

/** A default response and an auxiliary answer. */
const NO_STEP = { fault: undefined, timing: undefined };

/** What became of a request, as far as it is known before the body of its answer is. */
export interface Outcome {
  readonly wire: Wire;
  readonly request: WireRequest;
  readonly identity?: Identity;
  readonly read?: ReadRequest;
  readonly reply?: Reply;
  readonly auxiliary?: string | undefined;
  readonly findings?: readonly LintFinding[] | undefined;
  /** How the answer goes wrong on purpose. */
  readonly fault?: string | undefined;
}

/** All that is sent and noted of an answer that is there at once. */
export interface PreparedAnswer {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: string;
  /** For the log. */
  readonly line: string;
  readonly entry: PreparedEntry;
}

/** An error in the protocol's own shape. `said` is what the log says after the path. Pure. */
export function prepareError(
  error: WireError,
  outcome: Outcome,
  said: string,
  headers: ResponseHeaders = {},
): PreparedAnswer {
  const { wire, request, identity = identify(wire, request) } = outcome;
  const body = JSON.stringify(wire.encodeError(error, identity.id, request));
  return {
    status: error.status,
    headers: { 'content-type': 'application/json', ...identity.headers, ...headers },
    body,
    line: logLine(request, said),
    entry: prepareEntry(recordOf(outcome, body, error)),
  };
}

/** Errors may repeat megabytes of a request. */
const MAX_LINE = 4096;

/** One line of the log, with no key in it. */
export function logLine({ path, headers, query }: WireRequest, said: string): string {
  return escapeControls(redactStart(`${path} ${said}`, MAX_LINE, secretsOf(headers, query)));
}

/** What a line of the log says beside the answer. */
export function remarksOn({ fault, findings = [] }: Outcome): string {
  const linted = findings.map(({ message }) => ` (lint: ${message})`).join('');
  return fault === undefined ? linted : ` (${fault})${linted}`;
}

/** What the journal gets of an answer. `served` is its body. */
export function recordOf(outcome: Outcome, served: string, error?: WireError): JournalRecord {
  const { wire, request, read, reply, auxiliary, findings, fault } = outcome;
  const secrets = secretsOf(request.headers, request.query);
  return {
    testId: request.headers['x-test-id'],
    protocol: wire.protocol,
    method: request.method,
    path: request.path,
    model: read?.conversation.model,
    stream: read?.stream ?? false,
    tools: read?.conversation.tools.map(({ name }) => name) ?? [],
    status: error?.status ?? 200,
    scenario: reply?.source?.scenario,
    step: reply?.source?.step,
    auxiliary,
    error: error?.message,
    lint: findings?.map(({ message }) => message) ?? [],
    ...(fault !== undefined && { fault }),
    served: { bytes: Buffer.byteLength(served), text: textToKeep(outcome, served, secrets) },
    secrets,
  };
}

/** The pieces of a stream divide a key, so that a reply with a key in it is kept as its texts. */
function textToKeep({ read, reply }: Outcome, served: string, secrets: readonly string[]): string {
  if (reply === undefined || !read?.stream) return served;
  const { reasoning = '', content = '', toolCalls } = reply;
  const texts = [reasoning, content, ...toolCalls.map((call) => call.arguments)].join('\n');
  return redact(texts, secrets) === texts ? served : texts;
}

/** An answer in a line of the log. */
export function describeAnswer(answer: Answer): string {
  switch (answer.type) {
    case 'reply':
      return describeReply(answer);
    case 'refusal':
      return `400 ${answer.code}: ${answer.message}`;
    case 'unpaired_results':
      return `400 unpaired tool results, missing: [${answer.missing.join(', ')}], orphans: [${answer.orphans.join(', ')}]`;
    default:
      return answer satisfies never;
  }
}

/** A reply in a line of the log. `status` is that of the fault which takes its place. */
export function describeReply({ reply, auxiliary }: DescribedReply, status = 200): string {
  if (auxiliary !== undefined) return `${status} auxiliary ${auxiliary}`;
  const { source } = reply;
  return source === undefined ? `${status} default_response` : `${status} ${source.scenario} step ${source.step}`;
}

interface DescribedReply {
  readonly reply: Reply;
  readonly auxiliary?: string | undefined;
}

/** A no, for the protocol to write. */
export function errorOf(answer: Exclude<Answer, { type: 'reply' }>, wire: Wire): WireError {
  if (answer.type === 'unpaired_results') return wire.unpaired(answer);
  const { code, message, param = 'messages' } = answer;
  return { type: 'error', status: 400, code, message, ...(param !== null && { param }) };
}

/** How near a request came to a scenario, for those who look at headers only. */
export function missHeaders(answer: Exclude<Answer, { type: 'reply' }>): Readonly<Record<string, string>> {
  if (answer.type !== 'refusal') return {};
  const { nearest, failed } = answer.miss ?? {};
  const parts = [
    answer.code,
    ...(nearest === undefined ? [] : [`nearest=${encodeURIComponent(nearest)}`]),
    ...(failed === undefined ? [] : [`failed=${encodeURIComponent(failed)}`]),
  ];
  return { 'x-mock-miss': parts.join('; ') };
}
