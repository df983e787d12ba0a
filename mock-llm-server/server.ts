import { type Context, Hono } from 'hono';
import { answerConversation } from './answer.ts';
import type { Chaos } from './chaos.ts';
import { createFaultChooser, describeFault } from './choose-fault.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Reply } from './conversation.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import { describeAnswer, errorOf, missHeaders } from './describe-answer.ts';
import { describeHttp, readHttp } from './http-request.ts';
import { createJournal, type Journal } from './journal.ts';
import { type LintFinding, type LintMode, lintRequest } from './lint.ts';
import { escapeControls } from './log-line.ts';
import { redact } from './redact.ts';
import { connectionReset } from './reset-connection.ts';
import {
  type Identity,
  identify,
  NO_RETRY,
  ownerOf,
  type ResponseHeaders,
  respond,
  respondWithError,
} from './respond.ts';
import type { ScenarioSet } from './scenario-set.ts';
import { sendReply } from './send-reply.ts';
import { statusFaultOf } from './status-fault.ts';
import type { ReadRequest, Wire, WireError, WireRequest } from './wire/wire.ts';
import { WIRES } from './wire/wires.ts';

export interface MockServerOptions {
  /** Asked for each request where it is a function, so that the set can be replaced by another. */
  readonly scenarios: ScenarioSet | (() => ScenarioSet);
  /** Takes one line for each request for an answer, without a line end. Silent when left out. */
  readonly log?: (line: string) => void;
  /** What becomes of requests that the provider would refuse; `fail` when left out. */
  readonly lint?: LintMode;
  /** Gets what became of each request for an answer, before the answer is sent; one of its own when left out. */
  readonly journal?: Journal;
  /** Makes a part of the requests go wrong that no step has a fault for. */
  readonly chaos?: Chaos;
  /** What delays are waited for with; real time when left out. */
  readonly clock?: Clock;
}

/**
 * The server as a Hono app without a port: `app.request('/v1/chat/completions', …)` answers in process. It keeps no
 * state but the count of faults with `times`; else equal requests get equal bodies and headers.
 */
export function createMockServer(options: MockServerOptions): Hono {
  const { scenarios, log: write = () => {}, lint = 'fail', journal = createJournal(), clock = systemClock } = options;
  const app = new Hono();
  const log = (line: string) => write(escapeControls(redact(line)));
  const chooseFault = createFaultChooser(options.chaos);
  const current = typeof scenarios === 'function' ? scenarios : () => scenarios;

  const fail = (error: WireError, request: WireRequest, outcome: Unanswered, more: ResponseHeaders) => {
    const { wire, identity = identify(wire, request) } = outcome;
    const body = JSON.stringify(wire.encodeError(error, identity.id));
    note(journal, request, { ...outcome, error, served: body });
    return respondWithError(error.status, { ...identity.headers, ...more }, body);
  };

  const refuse = (error: WireError, request: WireRequest, outcome: Unanswered, more?: ResponseHeaders) =>
    fail(error, request, outcome, { ...more, ...NO_RETRY });

  const answer = async (wire: Wire, context: Context): Promise<Response> => {
    const { request, fault: unread } = await readHttp(context);
    const read = unread ?? wire.read(request);
    if (read.type === 'error') {
      log(`${request.path} ${read.status} ${read.message}`);
      return refuse(read, request, { wire });
    }
    const findings = lint === 'off' ? [] : lintRequest(read, wire, { unpaired: lint === 'warn' });
    const refusal = lint === 'fail' ? findings.find(({ error }) => error !== undefined)?.error : undefined;
    if (refusal !== undefined) {
      log(`${request.path} ${refusal.status} ${refusal.message}`);
      return refuse(refusal, request, { wire, read, findings });
    }
    const identity = identify(wire, request);
    const { digest, headers } = identity;
    const found = answerConversation(read.conversation, current(), wire.callIdPrefix, {
      headers: request.headers,
      requestDigest: digest,
      ignoreUnpaired: lint !== 'fail',
    });
    const key = { digest, testId: request.headers['x-test-id'] };
    const chosen = found.type === 'reply' ? chooseFault(found.step?.fault, key) : undefined;
    const fault = chosen && describeFault(chosen);
    const failure = chosen && statusFaultOf(chosen.fault, wire.protocol);
    log(`${request.path} ${describeAnswer(found, failure?.error.status)}${remarks(fault, findings)}`);
    if (found.type !== 'reply') {
      return refuse(errorOf(found, wire), request, { wire, identity, read, findings }, missHeaders(found));
    }
    const { reply, auxiliary, step } = found;
    const outcome = { wire, identity, read, reply, auxiliary, findings, fault };
    if (failure !== undefined) return fail(failure.error, request, outcome, failure.headers);
    const { response, served } = sendReply(
      { wire, read, reply, headers, fault: chosen?.fault, timing: step?.timing },
      { clock, reset: connectionReset(context.env) },
    );
    note(journal, request, { ...outcome, served });
    return response;
  };

  app.options('*', (context) => context.body(null, 204, preflightHeaders(context.req.header())));
  for (const wire of WIRES) {
    for (const pattern of wire.paths) {
      // One handler for all methods, because Hono answers at once where only one matches.
      app.all(pattern, (context) => {
        if (context.req.method === 'POST') return answer(wire, context);
        const request = describeHttp(context);
        log(`${request.path} 405`);
        const error = { status: 405, code: 'method_not_supported', message: 'Only POST requests are accepted.' };
        return refuse({ type: 'error', ...error }, request, { wire }, { allow: 'POST' });
      });
    }
    for (const route of wire.routes) {
      // The router asks for GET where a client asks for HEAD.
      app.on(route.method === 'HEAD' ? 'GET' : route.method, route.path, async (context, next) => {
        if (route.method === 'HEAD' && context.req.method !== 'HEAD') return next();
        const { request, fault } = await readHttp(context);
        const response = fault ?? route.answer(request);
        if (response === undefined) return next();
        if ('type' in response) return refuse(response, request, { wire });
        return respond({ ...response, headers: { ...identify(wire, request).headers, ...response.headers } });
      });
    }
  }
  app.get('/health', (context) => context.json({ status: 'ok', scenarios: current().scenarios.length }));
  app.get('/__mock/journal', (context) => {
    const test = context.req.query('test');
    const entries = journal.entries.filter(({ testId }) => test === undefined || testId === test);
    return context.json({ dropped: journal.dropped(), entries }, 200, corsHeaders(context.req.header()));
  });
  app.delete('/__mock/journal', (context) => {
    journal.clear(context.req.query('test'));
    return context.body(null, 204, corsHeaders(context.req.header()));
  });
  app.notFound((context) => {
    const request = describeHttp(context);
    const { method, path } = request;
    log(`${path} 404`);
    const message = `Unknown request URL: ${method} ${path}.`;
    return refuse({ type: 'error', status: 404, code: 'unknown_url', message }, request, { wire: ownerOf(path) });
  });
  // Mostly a client that has gone before its request was there.
  app.onError((failure, context) => {
    const request = describeHttp(context);
    log(`${request.path} 500 ${failure.message}`);
    const message = `The server failed: ${failure.message}`;
    return refuse({ type: 'error', status: 500, code: null, message }, request, { wire: ownerOf(request.path) });
  });
  return app;
}

/** What became of a request, as far as it is known before the body of its answer is. */
interface Unanswered {
  readonly wire: Wire;
  readonly identity?: Identity;
  readonly read?: ReadRequest;
  readonly reply?: Reply;
  readonly auxiliary?: string | undefined;
  readonly findings?: readonly LintFinding[];
  readonly fault?: string | undefined;
}

interface Outcome extends Unanswered {
  readonly error?: WireError;
  /** The body of the answer. */
  readonly served: string;
}

function note(journal: Journal, { method, path, headers }: WireRequest, outcome: Outcome): void {
  const { wire, read, error, reply, auxiliary, findings, fault, served } = outcome;
  journal.add({
    testId: headers['x-test-id'],
    protocol: wire.protocol,
    method,
    path,
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
    served,
  });
}

/** What a line of the log says beside the answer. */
function remarks(fault: string | undefined, findings: readonly LintFinding[]): string {
  const linted = findings.map(({ message }) => ` (lint: ${message})`).join('');
  return fault === undefined ? linted : ` (${fault})${linted}`;
}
