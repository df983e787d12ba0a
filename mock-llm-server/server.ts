import { type Context, Hono } from 'hono';
import { createAnswerMemory } from './answer-memory.ts';
import type { Chaos } from './chaos.ts';
import { type ChosenFault, createFaultChooser, describeFault } from './choose-fault.ts';
import { type Clock, systemClock } from './clock.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import { decideAnswer, type ReplyDecision } from './decide-answer.ts';
import { describeReply } from './describe-answer.ts';
import { describeHttp, readHttp } from './http-request.ts';
import { createJournal, type Journal, prepareEntry } from './journal.ts';
import type { LintMode } from './lint-mode.ts';
import { logLine, type PreparedAnswer, prepareError, recordOf, remarksOn } from './prepare-answer.ts';
import { connectionReset } from './reset-connection.ts';
import { identify, NO_RETRY, ownerOf, type ResponseHeaders, respond } from './respond.ts';
import type { ScenarioSet } from './scenario-set.ts';
import { sendReply } from './send-reply.ts';
import { statusFaultOf } from './status-fault.ts';
import type { Wire, WireError, WireRequest } from './wire/wire.ts';
import { WIRES } from './wire/wires.ts';

/** What a server answers from, and how. */
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
  const { scenarios, log = () => {}, lint = 'fail', journal = createJournal(), clock = systemClock } = options;
  const app = new Hono();
  const chooseFault = createFaultChooser(options.chaos);
  // Chaos breaks answers one by one.
  const memory = options.chaos === undefined ? createAnswerMemory() : undefined;
  const current = typeof scenarios === 'function' ? scenarios : () => scenarios;

  const send = ({ status, headers, body, line, entry }: PreparedAnswer): Response => {
    log(line);
    journal.add(entry);
    return new Response(body, { status, headers });
  };

  const refuse = (error: WireError, wire: Wire, request: WireRequest, said: string, more: ResponseHeaders = {}) =>
    send(prepareError(error, { wire, request }, said, { ...NO_RETRY, ...more }));

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
      { clock, reset: connectionReset(context.env), signal: context.req.raw.signal },
    );
    journal.add(prepareEntry(recordOf(outcome, served)));
    return response;
  };

  const answer = async (wire: Wire, context: Context): Promise<Response> => {
    const { request, fault } = await readHttp(context);
    if (fault !== undefined) return refuse(fault, wire, request, `${fault.status} ${fault.message}`, LEFT_UNREAD);
    const set = current();
    const known = memory?.find(request, wire, set);
    if (known !== undefined) return send(known);
    const decision = decideAnswer(request, wire, set, lint);
    const keep = (ready: PreparedAnswer) => {
      memory?.keep(request, wire, set, ready);
      return send(ready);
    };
    if (decision.type === 'refusal') return keep(decision.ready);
    const key = { digest: decision.outcome.identity.digest, testId: request.headers['x-test-id'] };
    const chosen = chooseFault(decision.step.fault, key);
    if (chosen !== undefined || decision.ready === undefined) return sendFaulty(decision, chosen, context);
    return keep(decision.ready);
  };

  app.options('*', (context) => context.body(null, 204, preflightHeaders(context.req.header())));
  for (const wire of WIRES) {
    for (const pattern of wire.paths) {
      // One handler for all methods, because Hono answers at once where only one matches.
      app.all(pattern, (context) => {
        if (context.req.method === 'POST') return answer(wire, context);
        const request = describeHttp(context);
        const error = { status: 405, code: 'method_not_supported', message: 'Only POST requests are accepted.' };
        return refuse({ type: 'error', ...error }, wire, request, '405', { allow: 'POST' });
      });
    }
    for (const route of wire.routes) {
      // The router asks for GET where a client asks for HEAD.
      app.on(route.method === 'HEAD' ? 'GET' : route.method, route.path, async (context, next) => {
        if (route.method === 'HEAD' && context.req.method !== 'HEAD') return next();
        const { request, fault } = await readHttp(context);
        const response = fault ?? route.answer(request, lint);
        if (response === undefined) return next();
        if ('type' in response) return refuse(response, wire, request, `${response.status} ${response.message}`);
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
    const message = `Unknown request URL: ${method} ${path}.`;
    return refuse({ type: 'error', status: 404, code: 'unknown_url', message }, ownerOf(path), request, '404');
  });
  app.onError((failure, context) => {
    const request = describeHttp(context);
    if (context.req.raw.signal.aborted) {
      log(logLine(request, `${CLIENT_GONE} the client has gone`));
      return new Response(null, { status: CLIENT_GONE });
    }
    const error = { status: 500, code: null, message: `The server failed: ${failure.message}` };
    return refuse({ type: 'error', ...error }, ownerOf(request.path), request, `500 ${failure.message}`);
  });
  return app;
}

/** What servers note of a request whose client did not wait for the answer. Nobody gets it. */
const CLIENT_GONE = 499;

/** What was not read to its end would stand before the next request. */
const LEFT_UNREAD = { connection: 'close' };
