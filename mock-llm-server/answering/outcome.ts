import type { Reply, ServiceName } from '../conversation/conversation.ts';
import type { Outline } from '../conversation/outline.ts';
import { breaksOff } from '../delivery/faults.ts';
import type { FailedExpectation, JournalRecord, RequestTrace } from '../journal/entry.ts';
import { excerptOf } from '../journal/journal.ts';
import { describeUnmet } from '../matching/check-expectations.ts';
import type { Fault } from '../scenario/format/faults/fault-format.ts';
import type { PromptDrift } from '../scenario/lock/prompt-lock.ts';
import type { RuleBasis } from '../services/service.ts';
import type { ReadRequest, Wire, WireError, WireRequest } from '../wire/wire.ts';
import type { Identity } from '../wire/wires.ts';
import type { LintFinding } from './lint.ts';

/** A request and everything decided about its answer. */
export interface Outcome {
  readonly wire: Wire;
  readonly request: WireRequest;
  /** The keys of the request. They are never stored. */
  readonly secrets: readonly string[];
  readonly identity?: Identity;
  readonly read?: ReadRequest;
  /** The service whose rules and answers the request gets; undefined for a model that no service owns. */
  readonly service?: ServiceName | undefined;
  readonly findings?: readonly LintFinding[];
  readonly reply?: Reply;
  /** The reply before the limits of the request cut it; absent if they did not. */
  readonly whole?: Reply | undefined;
  /** Notes on the changes that the limits of the request made to the reply. */
  readonly notes?: readonly string[];
  /** Kind of an auxiliary request. */
  readonly auxiliary?: string | undefined;
  /** Expectations of the step that the request does not meet. */
  readonly unmet?: readonly FailedExpectation[] | undefined;
  /** Description of the injected fault. */
  readonly fault?: string | undefined;
  /** The parts of the prompt that differ from the lock of the scenario. */
  readonly drift?: readonly PromptDrift[] | undefined;
  readonly error?: WireError;
  /** The rule of a service for which the request was refused. */
  readonly rule?: RuleBasis | undefined;
  /** Name of the scenario that has no step left. */
  readonly pastEnd?: string | undefined;
  readonly trace?: RequestTrace;
}

/** The trace of a request. A class, because spreading a literal for each request costs more. */
export class Trace implements RequestTrace {
  readonly at: number;
  readonly digest: string;
  readonly outline: Outline;
  readonly retryAfterMs: number | undefined;
  readonly isBroken: boolean;

  constructor(at: number, digest: string, outline: Outline, retryAfterMs?: number, isBroken = false) {
    this.at = at;
    this.digest = digest;
    this.outline = outline;
    this.retryAfterMs = retryAfterMs;
    this.isBroken = isBroken;
  }

  /** The trace of the same request if its answer has a fault. */
  withFault(fault: Fault): Trace {
    const { retry_after: retryAfter } = fault;
    const retryAfterMs = retryAfter === undefined ? undefined : retryAfter * MILLISECONDS;
    return new Trace(this.at, this.digest, this.outline, retryAfterMs, breaksOff(fault));
  }
}

const MILLISECONDS = 1000;

const NO_NOTES: readonly string[] = [];

/** The log line of a request: `/v1/chat/completions 200 hello-world step 0`. */
export function lineOf(outcome: Outcome): string {
  const { request, reply, notes = NO_NOTES, auxiliary, unmet, fault, drift, error, findings = [] } = outcome;
  let line = `${pathOf(request)} ${error?.status ?? 200} `;
  line += reply === undefined ? describeError(error) : describeReply(reply, auxiliary);
  for (const note of notes) line += ` (${note})`;
  for (const each of unmet ?? []) line += ` (${describeUnmet(each)})`;
  if (fault !== undefined) line += ` (${fault})`;
  if (drift !== undefined) for (const { part, summary } of drift) line += ` (drift: ${part}: ${summary})`;
  for (const finding of findings) {
    if (error === undefined || finding.error !== error) line += ` (lint: ${finding.message})`;
  }
  if (outcome.rule !== undefined) line += ` (rule ${outcome.rule.id})`;
  return line;
}

/** The path of a request as its client wrote it. */
function pathOf({ path, service }: WireRequest): string {
  return service === undefined ? path : `/as/${service}${path}`;
}

function describeReply({ source }: Reply, auxiliary: string | undefined): string {
  if (auxiliary !== undefined) return `auxiliary ${auxiliary}`;
  return source === undefined ? 'default_response' : `${source.scenario} step ${source.step}`;
}

function describeError({ code, message }: Partial<WireError> = {}): string {
  return code ? `${code}: ${message}` : `${message}`;
}

/** The record of a request for the journal; `body` is that of its answer. */
export function recordOf(outcome: Outcome, body: string): JournalRecord {
  const { wire, request, read, findings = [], reply, notes = [], unmet = [], error } = outcome;
  return {
    testId: request.headers['x-test-id'],
    protocol: read?.conversation.protocol ?? wire.protocol,
    method: request.method,
    path: pathOf(request),
    service: outcome.service,
    model: read?.conversation.model,
    stream: read?.stream ?? false,
    request: excerptOf(read?.conversation, request.body),
    tools: read?.conversation.tools.map(({ name }) => name) ?? [],
    status: error?.status ?? 200,
    scenario: reply?.source?.scenario,
    step: reply?.source?.step,
    auxiliary: outcome.auxiliary,
    calls: reply === undefined || reply.toolCalls.length === 0 ? undefined : callsOf(reply, outcome.whole),
    unmet: unmet.length > 0 ? unmet : undefined,
    error: error?.message,
    code: error?.code ?? undefined,
    rule: outcome.rule && { id: outcome.rule.id, source: outcome.rule.source, date: outcome.rule.date },
    pastEnd: outcome.pastEnd,
    lint: findings.map(({ message }) => message),
    history: historyOf(findings),
    notes: notes.length > 0 ? notes : undefined,
    fault: outcome.fault,
    drift: outcome.drift,
    served: { bytes: Buffer.byteLength(body), text: body },
  };
}

function historyOf(findings: readonly LintFinding[]): readonly string[] | undefined {
  const messages = findings.flatMap(({ isHistory, message }) => (isHistory ? [message] : []));
  return messages.length > 0 ? messages : undefined;
}

/** The calls of a reply. Their arguments are not cut, because redaction would not recognize half a key. */
function callsOf({ toolCalls }: Reply, whole: Reply | undefined): Reply['toolCalls'] {
  if (whole === undefined) return toolCalls;
  return toolCalls.map((call) => whole.toolCalls.find(({ id }) => id === call.id) ?? call);
}

/** The texts of a reply that is sent in pieces or not as a whole, joined. */
export function textOfPieces({ read, reply, whole }: Outcome): string {
  if (reply === undefined || !(read?.stream || whole)) return '';
  const { reasoning = '', content = '', toolCalls } = whole ?? reply;
  return [reasoning, content, ...toolCalls.map((call) => call.arguments)].join('\n');
}
