import { Hono } from 'hono';
import { type Answerer, createAnswerer, logLine } from '../answering/answer-request.ts';
import type { Chaos } from '../delivery/choose-fault.ts';
import { type Clock, systemClock } from '../delivery/clock.ts';
import { createJournal, type Journal } from '../journal/journal.ts';
import type { ScenarioSet } from '../scenario/prepare.ts';
import type { LintMode, Wire, WireRoute } from '../wire/wire.ts';
import { identify, ownerOf, respond, WIRES } from '../wire/wires.ts';
import { corsHeaders, preflightHeaders } from './access.ts';
import { clientSignal, describeHttp, readHttp } from './read-request.ts';

/** What a server answers from, and how. */
export interface MockServerOptions {
  /** Asked for each request where it is a function, so that the set can be replaced by another. */
  readonly scenarios: ScenarioSet | (() => ScenarioSet);
  /** Takes one line for each request for an answer, without a line end; what it throws is dropped. */
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
  const { scenarios, lint = 'fail', journal = createJournal(), chaos, clock = systemClock } = options;
  const log = harmlessLog(options.log);
  const current = typeof scenarios === 'function' ? scenarios : () => scenarios;
  const answerer = createAnswerer({ current, log, lint, journal, chaos, clock });
  const app = new Hono();
  app.options('*', (context) => context.body(null, 204, preflightHeaders(context.req.header())));
  for (const wire of WIRES) {
    for (const path of wire.paths) addAnswers(app, path, wire, answerer);
    for (const route of wire.routes) addRoute(app, route, wire, answerer, lint);
  }
  app.get('/health', (context) => context.json({ status: 'ok', scenarios: current().scenarios.length }));
  addJournal(app, journal);
  addFailures(app, answerer, log);
  return app;
}

function addAnswers(app: Hono, path: string, wire: Wire, { answer, refuse }: Answerer): void {
  // One handler for all methods, because Hono answers at once where only one matches.
  app.all(path, (context) => {
    if (context.req.method === 'POST') return answer(wire, context);
    const error = { status: 405, code: 'method_not_supported', message: 'Only POST requests are accepted.' };
    return refuse({ type: 'error', ...error }, wire, describeHttp(context), '405', { allow: 'POST' });
  });
}

function addRoute(app: Hono, route: WireRoute, wire: Wire, { refuse }: Answerer, lint: LintMode): void {
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

function addJournal(app: Hono, journal: Journal): void {
  app.get('/__mock/journal', (context) => {
    const test = context.req.query('test');
    const entries = journal.entries.filter(({ testId }) => test === undefined || testId === test);
    return context.json({ dropped: journal.dropped(), entries }, 200, corsHeaders(context.req.header()));
  });
  app.delete('/__mock/journal', (context) => {
    journal.clear(context.req.query('test'));
    return context.body(null, 204, corsHeaders(context.req.header()));
  });
}

/** What becomes of requests that no route is for, and of those that fail. */
function addFailures(app: Hono, { refuse }: Answerer, log: (line: string) => void): void {
  app.notFound((context) => {
    const request = describeHttp(context);
    const { method, path } = request;
    const message = `Unknown request URL: ${method} ${path}.`;
    return refuse({ type: 'error', status: 404, code: 'unknown_url', message }, ownerOf(path), request, '404');
  });
  app.onError((failure, context) => {
    const request = describeHttp(context);
    if (clientSignal(context.env, context.req.raw).aborted) {
      log(logLine(request, `${CLIENT_GONE} the client has gone`));
      return new Response(null, { status: CLIENT_GONE });
    }
    const error = { status: 500, code: null, message: `The server failed: ${failure.message}` };
    return refuse({ type: 'error', ...error }, ownerOf(request.path), request, `500 ${failure.message}`);
  });
}

/** What servers note of a request whose client did not wait for the answer. Nobody gets it. */
const CLIENT_GONE = 499;

/** A log that never throws: what somebody's own log throws costs its line only. Silent where there is none. */
export function harmlessLog(log: ((line: string) => void) | undefined): (line: string) => void {
  if (log === undefined) return () => {};
  return (line) => {
    try {
      log(line);
    } catch {
      // Nobody is there to tell, and the answer does not depend on it.
    }
  };
}
