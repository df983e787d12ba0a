import { type Context, Hono } from 'hono';
import { type Answer, answerConversation } from './answer.ts';
import type { Chaos } from './chaos.ts';
import { createFaultChooser, describeFault } from './choose-fault.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Reply } from './conversation.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import { digestOf } from './ids.ts';
import { createJournal, type Journal } from './journal.ts';
import { type LintFinding, type LintMode, lintRequest } from './lint.ts';
import { escapeControls } from './log-line.ts';
import { nodeHeaders } from './node-headers.ts';
import { readBody } from './read-body.ts';
import { redact } from './redact.ts';
import { connectionReset } from './reset-connection.ts';
import type { ScenarioSet } from './scenario-set.ts';
import { sendReply } from './send-reply.ts';
import type { ServedRequest } from './served-request.ts';
import { statusFaultOf } from './status-fault.ts';
import type { ReadRequest, Wire, WireError, WireRequest, WireResponse } from './wire/wire.ts';
import { DEFAULT_WIRE, WIRES } from './wire/wires.ts';

export interface MockServerOptions {
  /** Asked for each request where it is a function, so that the set can be replaced by another. */
  readonly scenarios: ScenarioSet | (() => ScenarioSet);
  /** Takes one line for each request for an answer, without a line end. Silent when left out. */
  readonly log?: (line: string) => void;
  /** Gets what is noted of each request for an answer, before the answer is sent. */
  readonly record?: (request: ServedRequest) => void;
  /** What becomes of requests that the provider would refuse; `fail` when left out. */
  readonly lint?: LintMode;
  /** What `GET /__mock/journal` shows; one of its own when left out. */
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
  const { scenarios, log: write = () => {}, record, lint = 'fail', journal = createJournal() } = options;
  const app = new Hono();
  const log = (line: string) => write(escapeControls(redact(line)));
  const { clock = systemClock } = options;
  const chooseFault = createFaultChooser(options.chaos);
  const current = typeof scenarios === 'function' ? scenarios : () => scenarios;

  /** `served` is the body of the answer. */
  const note = (served: string, request: WireRequest, outcome: Outcome) => {
    const noted = noteOf(request, outcome);
    record?.(noted);
    const { method, headers } = request;
    const { read, auxiliary, findings = [] } = outcome;
    const tools = (read?.conversation.tools ?? []).map(({ name }) => name);
    const testId = headers['x-test-id'];
    journal.add({ ...noted, method, testId, tools, auxiliary, lint: findings.map(({ message }) => message), served });
  };

  const fail = (error: WireError, request: WireRequest, outcome: Omit<Outcome, 'error'>, more: Headers) => {
    const { id, headers } = identify(outcome.wire, request);
    const body = JSON.stringify(outcome.wire.encodeError(error, id, request));
    note(body, request, { ...outcome, error });
    return respondWithError(error.status, { ...headers, ...more }, body);
  };

  const refuse = (error: WireError, request: WireRequest, outcome: Omit<Outcome, 'error'>, more: Headers = {}) =>
    fail(error, request, outcome, { ...more, ...NO_RETRY });

  const generate = (wire: Wire) => async (context: Context) => {
    const { request, fault } = await readHttp(context);
    const read = fault ?? wire.read(request);
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
    const answer = answerConversation(read.conversation, current(), wire.callIdPrefix, {
      headers: request.headers,
      ignoreUnpaired: lint !== 'fail',
    });
    const { digest, headers } = identify(wire, request);
    const chosen =
      answer.type === 'reply'
        ? chooseFault(answer.step?.fault, { digest, testId: request.headers['x-test-id'] })
        : undefined;
    const failure = chosen === undefined ? undefined : statusFaultOf(chosen.fault, read.conversation);
    const remarks = [
      ...(chosen === undefined ? [] : [describeFault(chosen)]),
      ...findings.map(({ message }) => `lint: ${message}`),
    ].map((remark) => ` (${remark})`);
    log(`${request.path} ${describeAnswer(answer, failure?.error.status)}${remarks.join('')}`);
    if (answer.type !== 'reply') {
      return refuse(errorOf(answer, wire), request, { wire, read, findings }, missHeaders(answer));
    }
    const { reply, auxiliary, step } = answer;
    const outcome = { wire, read, reply, auxiliary, findings, ...(chosen && { fault: describeFault(chosen) }) };
    if (failure !== undefined) return fail(failure.error, request, outcome, failure.headers);
    const sent = sendReply(
      { wire, read, reply, headers, fault: chosen?.fault, timing: step?.timing },
      { clock, reset: connectionReset(context.env) },
    );
    note(sent.served, request, outcome);
    return sent.response;
  };

  app.options('*', (context) => context.body(null, 204, preflightHeaders(context.req.header())));
  for (const wire of WIRES) {
    for (const pattern of wire.paths) {
      app.post(pattern, generate(wire));
      app.all(pattern, (context) => {
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
    const entries = journal.entries(context.req.query('test'));
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

type Headers = Readonly<Record<string, string>>;

/** What became of a request: an error or a reply. */
interface Outcome {
  readonly wire: Wire;
  readonly read?: ReadRequest;
  readonly error?: WireError;
  readonly reply?: Reply;
  readonly auxiliary?: string | undefined;
  readonly findings?: readonly LintFinding[];
  readonly fault?: string;
}

/** What is noted of a request and what became of it. */
function noteOf({ path }: WireRequest, { wire, read, error, reply, fault }: Outcome): ServedRequest {
  const { scenario, step } = reply?.source ?? {};
  return {
    protocol: wire.protocol,
    path,
    model: read?.conversation.model,
    stream: read?.stream ?? false,
    status: error?.status ?? 200,
    scenario,
    step,
    error: error?.message,
    ...(fault !== undefined && { fault }),
  };
}

/** A request with its body, and why that cannot be taken where it cannot. */
async function readHttp(context: Context): Promise<{ readonly request: WireRequest; readonly fault?: WireError }> {
  const request = describeHttp(context);
  if (request.method !== 'POST') return { request };
  const reading = await readBody(context.req.raw, request.headers);
  if (reading.type === 'body') return { request: { ...request, body: reading.text } };
  const { status, message } = reading;
  return { request, fault: { type: 'error', status, code: null, message } };
}

function describeHttp(context: Context): WireRequest {
  const { method, path } = context.req;
  const headers = nodeHeaders(context.env) ?? context.req.header();
  return { method, path, body: '', query: context.req.query(), headers };
}

function ownerOf(path: string): Wire {
  return WIRES.find((wire) => wire.owns(path)) ?? DEFAULT_WIRE;
}

/** What tells one request from another: the id, and the headers that go with every answer. */
interface Identity {
  readonly digest: string;
  readonly id: string;
  readonly headers: Headers;
}

function identify(wire: Wire, { path, body, headers }: Pick<WireRequest, 'path' | 'body' | 'headers'>): Identity {
  const digest = digestOf(path, body);
  const id = `${wire.requestId.prefix}${digest.slice(0, 32)}`;
  return { digest, id, headers: { [wire.requestId.header]: id, ...wire.headers?.(digest), ...corsHeaders(headers) } };
}

/** An error in the shape of the protocol that the path belongs to, for a request that does not come to the app. */
export function refuseAs(path: string, error: WireError): Response {
  const wire = ownerOf(path);
  const { id, headers } = identify(wire, { path, body: '', headers: {} });
  return respondWithError(error.status, { ...headers, ...NO_RETRY }, JSON.stringify(wire.encodeError(error, id)));
}

/** A repeated request would get the same answer, so the official clients are told not to try. */
const NO_RETRY = { 'x-should-retry': 'false' };

function respondWithError(status: number, headers: Headers, body: string): Response {
  return respond({ status, headers: { 'content-type': 'application/json', ...headers }, body });
}

/** How near a request came to a scenario, for those who look at headers only. */
function missHeaders(answer: Exclude<Answer, { type: 'reply' }>): Headers {
  if (answer.type !== 'refusal') return {};
  const { nearest, failed } = answer.miss ?? {};
  const parts = [
    answer.code,
    ...(nearest === undefined ? [] : [`nearest=${encodeURIComponent(nearest)}`]),
    ...(failed === undefined ? [] : [`failed=${encodeURIComponent(failed)}`]),
  ];
  return { 'x-mock-miss': parts.join('; ') };
}

function respond({ status, headers = {}, body }: WireResponse): Response {
  if (typeof body !== 'object') return new Response(body ?? null, { status, headers });
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
}

function errorOf(answer: Exclude<Answer, { type: 'reply' }>, wire: Wire): WireError {
  if (answer.type === 'unpaired_results') return wire.unpaired(answer);
  return { type: 'error', status: 400, code: answer.code, message: answer.message, param: answer.param ?? 'messages' };
}

function describeAnswer(answer: Answer, status = 200): string {
  switch (answer.type) {
    case 'reply': {
      const { source } = answer.reply;
      if (answer.auxiliary !== undefined) return `${status} auxiliary ${answer.auxiliary}`;
      return source === undefined ? `${status} default_response` : `${status} ${source.scenario} step ${source.step}`;
    }
    case 'refusal':
      return `400 ${answer.code}: ${answer.message}`;
    case 'unpaired_results':
      return `400 unpaired tool results, missing: [${answer.missing.join(', ')}], orphans: [${answer.orphans.join(', ')}]`;
    default:
      return answer satisfies never;
  }
}
