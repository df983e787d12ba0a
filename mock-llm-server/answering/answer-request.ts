import type { Conversation, Reply, ServiceName } from '../conversation/conversation.ts';
import { digestConversation } from '../conversation/outline.ts';
import type { Clock } from '../delivery/clock.ts';
import { type Connection, deliver } from '../delivery/deliver.ts';
import { encodeReply, keepAliveOf, replyHeaders } from '../delivery/encode-reply.ts';
import { breakReply, type Chaos, createFaultChooser, describeFault, statusFaultOf } from '../delivery/faults.ts';
import { planDelivery } from '../delivery/plan.ts';
import { driftHeader, type PromptWatch } from '../drift/watch-prompts.ts';
import { type Journal, textsOf } from '../journal/journal.ts';
import { createRedact, holdsKey, secretsOf } from '../journal/redact.ts';
import { checkExpectations } from '../matching/check-expectations.ts';
import { readMetadataPin } from '../matching/pin.ts';
import { loadJsonFromSchema } from '../reply/json-from-schema.ts';
import { allowReply, type LimitMode } from '../reply/limit-reply.ts';
import type { PromptLock } from '../scenario/lock/prompt-lock.ts';
import type { ScenarioSet } from '../scenario/prepare.ts';
import { SlowSearchError, withSearches } from '../scenario/trigger/pattern.ts';
import { createCheckRequest } from '../services/check-request.ts';
import { chooseService } from '../services/choose-service.ts';
import { encodeServiceError } from '../services/errors/encode-error.ts';
import { statusErrorOf } from '../services/errors/status-error.ts';
import { strayAnswerOf } from '../services/errors/stray-answers.ts';
import { exceededWindow } from '../services/model-windows.ts';
import type { RuleBasis } from '../services/service.ts';
import { serviceNamed } from '../services/services.ts';
import { formReasoning, readThinking } from '../services/thinking.ts';
import { escapeControls, headerText } from '../text.ts';
import { notesOnBlocks } from '../wire/blocks/blocks.ts';
import { nativeFor } from '../wire/native/play-native.ts';
import { DEFAULT_RETRY_AFTER } from '../wire/status-error.ts';
import type { LintMode, ReadRequest, Wire, WireError, WireRequest } from '../wire/wire.ts';
import { identify, NO_RETRY, type ResponseHeaders } from '../wire/wires.ts';
import { answerConversation, type Refusal } from './choose-reply.ts';
import { checkWindow, overflowFailure, reservedOutput, resolveOverflow } from './context-window.ts';
import { lintRequest, pairingOf, recallCall } from './lint.ts';
import { argumentNotes, unofferedTools } from './notes.ts';
import { lineOf, type Outcome, recordOf, Trace, textOfPieces } from './outcome.ts';
import { createPatternThread } from './pattern-thread.ts';

/** Answers the requests of one server and records each in its log and its journal. */
export interface Answerer {
  /** Answers a request for a reply. `connect` is called only for a body that is sent in chunks, and for a long search. */
  answer(wire: Wire, request: WireRequest, connect: () => Connection): Promise<Response>;
  /** Answers a request with an error in the format of its protocol. */
  refuse(wire: Wire, request: WireRequest, error: WireError, headers?: ResponseHeaders): Response;
}

/** Configuration and ports of an `Answerer`. */
export interface AnswererParts {
  /** Returns the scenarios for the requests of a test. */
  readonly current: (testId?: string) => ScenarioSet;
  /** Receives one line for each request, without a line break. */
  readonly log: (line: string) => void;
  readonly lint: LintMode;
  /** The service of requests whose path and scenario name none; by default that of the path or the model. */
  readonly service: ServiceName | undefined;
  /** Ids of rules of services that do not apply. */
  readonly allow: readonly string[];
  readonly limits: LimitMode;
  readonly journal: Journal;
  readonly chaos: Chaos | undefined;
  readonly clock: Clock;
  /** Receives each readable request. */
  readonly observe?: ((conversation: Conversation) => void) | undefined;
  readonly prompts: PromptWatch;
}

type AnsweredOutcome = Outcome & Required<Pick<Outcome, 'reply' | 'read' | 'identity'>>;

/** Creates an answerer. Its only state is how often each fault with `times` was applied, and which drift was reported. */
export function createAnswerer(parts: AnswererParts): Answerer {
  const { current, log, lint, limits, journal, chaos, clock, observe, prompts } = parts;
  const checkRequest = createCheckRequest(parts.allow);
  const chooseFault = createFaultChooser(chaos);
  const searchPatterns = createPatternThread();

  const answer: Answerer['answer'] = async (wire, request, connect) => {
    const { headers, query } = request;
    const at = clock.now();
    const received = { wire, request, secrets: secretsOf(headers, query) };

    const read = await wire.read(request);
    if (read.type === 'error') return fail({ ...received, error: read }, NO_RETRY);
    const { conversation } = read;
    observe?.(conversation);
    if (conversation.outputSchema !== undefined || read.toolChoice?.mode === 'required') await loadJsonFromSchema();
    const { digest: conversationDigest, outline } = digestConversation(conversation);
    const identity = identify(wire, request, `${conversationDigest} ${read.stream}`);

    const set = current(headers['x-test-id']);
    const thinking = readThinking(conversation.protocol, read.json, conversation.model);
    const thinks = thinking !== 'off';
    const rule = (service: ServiceName | undefined) => (lint === 'fail' ? pairingOf(service, wire) : 'none');
    const choose = () => {
      const chosen = answerConversation(conversation, set, wire.callIdPrefix, {
        headers,
        secrets: received.secrets,
        conversationDigest,
        toolChoice: read.toolChoice,
        metadata: readMetadataPin(read.json),
        thinks,
        pairing: rule(request.service ?? parts.service),
        isLenient: (own) => request.service === undefined && rule(own) === 'none',
        maxTokens: limits === 'apply' ? read.limits?.maxTokens?.value : undefined,
      });
      const expect = chosen.type === 'reply' ? chosen.step?.expect : undefined;
      return { choice: chosen, unmet: expect && checkExpectations(expect, conversation, received) };
    };
    const searched = await withSearches(choose, (searches) => searchPatterns(searches, connect().signal)).catch(
      slowSearch,
    );
    if ('type' in searched) return fail({ ...received, read, identity, error: searched }, NO_RETRY);
    const { choice, unmet } = searched;
    const started = choice.type === 'reply' ? choice.scenario : undefined;
    const { protocol, model } = conversation;
    const named = request.service ?? started?.service ?? parts.service;
    const service = named ?? chooseService({ protocol, path: request.path, model });
    const calls = choice.type === 'reply' && choice.reply.source !== undefined ? choice.reply.toolCalls : [];
    const addressed = { ...request, isNamed: named !== undefined, calls };
    const refusals = lint === 'off' ? [] : checkRequest(read, addressed, service, (id) => recallCall(id, set));
    const pairing = pairingOf(named, wire);
    const linting = { unpaired: lint === 'warn', pairing, refusals, allowed: parts.allow, started, named, thinks };
    const findings = lint === 'off' ? [] : lintRequest(read, wire, set, linting);
    const trace = new Trace(at, conversationDigest, outline);
    const shaped = inFormOf(service, read);
    const linted = { ...received, read: shaped, service, identity, findings, trace };
    const rejection = lint === 'fail' ? findings.find(({ error }) => error !== undefined) : undefined;
    if (rejection?.error !== undefined) {
      const { error, rule } = rejection;
      return fail({ ...linted, error, rule }, { ...NO_RETRY, ...(rule && { 'x-mock-rule': describeRule(rule) }) });
    }
    if (choice.type === 'refusal') {
      return fail({ ...linted, error: errorOf(choice), pastEnd: choice.pastEnd }, missHeaders(choice));
    }
    if (choice.type === 'unpaired_results') {
      const error = wire.unpaired(choice);
      return fail({ ...linted, findings: [{ message: error.message, error }, ...findings], error }, NO_RETRY);
    }
    const { auxiliary, step } = choice;
    const { inputTokens } = choice.reply.usage;
    const output = reservedOutput({ read, service });
    const known = lint === 'fail' ? exceededWindow(service, model, inputTokens, output) : undefined;
    const windowed = { read, service, window: step?.window ?? known };
    const verdict = checkWindow(choice.reply, windowed);
    const isNative = nativeFor(read, verdict.reply) !== undefined;
    const formed = formReasoning(verdict.reply, thinking, protocol === 'openai-chat' ? service : undefined);
    const stated = isNative ? verdict.reply : formed;
    // A recorded answer is not limited again: its service knew the limits, and did not always keep them.
    const { reply: limited, notes: limitNotes } = allowReply(stated, read, isNative ? 'ignore' : limits);
    const notes = [...(choice.notes ?? []), ...(verdict.note === undefined ? [] : [verdict.note]), ...limitNotes];

    const isInNative = nativeFor(read, limited)?.replacesFault;
    const key = { digest: identity.digest, testId: headers['x-test-id'] };
    const chosen = chooseFault(verdict.fault ?? (isInNative ? undefined : step?.fault), key);
    const fault = chosen && resolveOverflow(chosen.fault, windowed);
    const reply = countCalls(fault === undefined ? limited : breakReply(limited, fault), stated);
    const whole = limited === stated ? undefined : stated;
    // What a request forbids or cuts says more than what it does not offer, and an error has no calls.
    const hasCalls = limitNotes.length === 0 && fault?.status === undefined;
    const blockNotes = nativeFor(read, reply) === undefined ? notesOnBlocks(reply, protocol) : NO_NOTES;
    const answered = {
      ...linted,
      reply,
      whole,
      notes: [...notes, ...(hasCalls ? argumentNotes(reply, conversation) : NO_NOTES), ...blockNotes],
      auxiliary,
      unmet:
        hasCalls && step?.statesTools !== true ? [...(unmet ?? []), ...unofferedTools(reply, conversation)] : unmet,
      fault: chosen && describeFault(chosen),
      trace: fault === undefined ? trace : trace.withFault(fault),
    };
    const statusError: Wire['statusError'] = (asked) =>
      statusErrorOf(service, protocol, asked) ?? wire.statusError(asked);
    const outcome = prompts.concerns(started?.lock) ? await watchPrompt(answered, started?.lock) : answered;
    const failure =
      fault && (overflowFailure(fault, stated, windowed) ?? statusFaultOf(fault, { statusError }, conversation.model));
    if (failure !== undefined && !(read.stream && fault?.at !== undefined)) {
      return fail({ ...outcome, error: failure.error }, failure.headers, fault?.body);
    }

    const encoded = encodeReply(shaped, reply, { fault, timing: step?.timing });
    const plan = planDelivery(encoded.frames, encoded.fault, {
      ping: keepAliveOf(wire, shaped),
      pack: read.stream ? shaped.pack : undefined,
      encodeFailure:
        failure &&
        ((sent) => {
          const body = encodeServiceError(outcome, failure.error, identity.id);
          return shaped.encodeFailure(failure.error, { reply, sent, requestId: identity.id, body });
        }),
    });
    record(outcome, plan.text);
    const head = { headers: replyHeaders(outcome.identity.headers, wire, shaped, fault), isStream: read.stream };
    return deliver(plan, head, () => ({ clock, ...connect() }));
  };

  /** Adds the drift of the prompt to the record of a request and to its headers. */
  const watchPrompt = async (outcome: AnsweredOutcome, lock: PromptLock | undefined): Promise<AnsweredOutcome> => {
    const { reply, request, read, secrets, identity } = outcome;
    if (reply.source === undefined) return outcome;
    const { scenario, step } = reply.source;
    const { body, headers } = request;
    const prompt = { scenario, step, conversation: read.conversation, body, secrets, testId: headers['x-test-id'] };
    const drift = await prompts.watch(prompt, lock);
    if (drift === undefined) return outcome;
    return {
      ...outcome,
      drift,
      identity: { ...identity, headers: { ...identity.headers, 'x-mock-drift': driftHeader(drift) } },
    };
  };

  const refuse: Answerer['refuse'] = (wire, request, error, headers) => {
    const secrets = secretsOf(request.headers, request.query);
    return fail({ wire, request, secrets, error }, { ...NO_RETRY, ...headers });
  };

  /** Sends an error, or `own` in its place. */
  const fail = (outcome: Outcome & { readonly error: WireError }, headers: ResponseHeaders, own?: string): Response => {
    const { wire, request, error, identity = identify(wire, request) } = outcome;
    const service = outcome.service ?? request.service ?? parts.service;
    const stray = own === undefined ? strayAnswerOf(service, error, request) : { body: own, status: error.status };
    const body = stray?.body ?? JSON.stringify(encodeServiceError(outcome, error, identity.id));
    record(outcome, body);
    const limits = error.status === 429 && wire.limitHeaders?.(error.retryAfter ?? DEFAULT_RETRY_AFTER, Date.now());
    const head = {
      ...identity.headers,
      ...wire.errorHeaders?.(error),
      ...limits,
      'content-type': TYPES[stray === undefined ? '{' : body.trimStart().charAt(0)] ?? 'text/plain',
      ...headers,
    };
    return new Response(body, { status: stray?.status ?? error.status, headers: head });
  };

  const record = (outcome: Outcome, body: string): void => {
    const line = lineOf(outcome);
    const replyText = textOfPieces(outcome);
    const entry = recordOf(outcome, body);
    const { texts, excerpts } = textsOf(entry);
    const { redact, isClean } = createRedact([line, ...texts, replyText], outcome.secrets, excerpts);
    log(escapeControls(redact(line)));
    // A stream may split a key between two pieces, and a limit may cut it, where a search of the body cannot find it.
    const text = isClean || !holdsKey(replyText, outcome.secrets) ? body : replyText;
    journal.add(text === body ? entry : { ...entry, served: { ...entry.served, text } }, redact, outcome.trace);
  };

  return { answer, refuse };
}

function inFormOf(service: ServiceName | undefined, read: ReadRequest): ReadRequest {
  const form = service && serviceNamed(service).answers;
  return (form && read.inForm?.(form)) ?? read;
}

/** The header that names the rule behind a refusal. */
function describeRule({ id, date, source }: RuleBasis): string {
  return `${id}; date=${date}; source=${source}`;
}

/** The type of a body by its first character. */
const TYPES: Readonly<Record<string, string>> = { '{': 'application/json', '[': 'application/json', '<': 'text/html' };
const NO_NOTES: readonly string[] = [];

/**
 * A changed reply is no longer as its protocol sent it, nor in blocks. It has the number of its calls if `whole` has
 * more: a request that continues it has results for these.
 */
function countCalls(reply: Reply, whole: Reply): Reply {
  if (reply === whole) return reply;
  const { native: _native, blocks: _blocks, ...changed } = reply;
  const { source, toolCalls } = changed;
  if (source === undefined || toolCalls.length === whole.toolCalls.length) return changed;
  return { ...changed, source: { ...source, calls: toolCalls.length } };
}

function errorOf({ code, message, param = 'messages' }: Refusal): WireError {
  return { type: 'error', status: 400, code, message, ...(param !== null && { param }) };
}

/** The error for a search that was ended; rethrows every other failure. */
function slowSearch(failure: unknown): WireError {
  if (!(failure instanceof SlowSearchError)) throw failure;
  return { type: 'error', status: 400, code: 'slow_expression', message: failure.message };
}

/** Headers of a refusal. `x-mock-miss` names the nearest scenario and the condition that failed. */
function missHeaders({ code, miss }: Refusal): ResponseHeaders {
  const { nearest, failed } = miss ?? {};
  const parts: string[] = [code];
  if (nearest !== undefined) parts.push(`nearest=${encodeURIComponent(nearest)}`);
  if (failed !== undefined) parts.push(`failed=${encodeURIComponent(failed)}`);
  return { ...NO_RETRY, 'x-mock-miss': headerText(parts, '; ') };
}
