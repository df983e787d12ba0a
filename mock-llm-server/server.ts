import { type Context, Hono } from 'hono';
import { type Answer, answerConversation } from './answer.ts';
import type { Reply } from './conversation.ts';
import { digestOf } from './ids.ts';
import { escapeControls } from './log-line.ts';
import type { ScenarioSet } from './scenario-set.ts';
import type { ServedRequest } from './served-request.ts';
import type { ReadRequest, Wire, WireError, WireRequest, WireResponse } from './wire/wire.ts';
import { DEFAULT_WIRE, WIRES } from './wire/wires.ts';

export interface MockServerOptions {
  /** Asked for each request where it is a function, so that the set can be replaced by another. */
  readonly scenarios: ScenarioSet | (() => ScenarioSet);
  /** Takes one line for each request, without a line end. Silent when left out. */
  readonly log?: (line: string) => void;
  /** Gets what is noted of each request for an answer, before the answer is sent. */
  readonly record?: (request: ServedRequest) => void;
}

/**
 * The server as a Hono app without a port: `app.request('/v1/chat/completions', …)` answers in process. It keeps no
 * state; equal requests get equal bodies and headers.
 */
export function createMockServer({ scenarios, log: write = () => {}, record }: MockServerOptions): Hono {
  const app = new Hono();
  const log = (line: string) => write(escapeControls(line));
  const current = typeof scenarios === 'function' ? scenarios : () => scenarios;

  const generate = (wire: Wire) => async (context: Context) => {
    const request = await readHttp(context);
    const identity = identify(wire, request);
    const { headers } = identity;
    const read = wire.read(request);
    if (read.type === 'error') {
      log(`${request.path} ${read.status} ${read.message}`);
      record?.(noteOf(wire, request, read));
      return refuse(wire, read, identity);
    }
    const [fault] = read.lint?.() ?? [];
    if (fault !== undefined) {
      log(`${request.path} ${fault.status} ${fault.message}`);
      record?.(noteOf(wire, request, fault, read));
      return refuse(wire, fault, identity);
    }
    const answer = answerConversation(read.conversation, current(), wire.callIdPrefix, {
      headers: request.headers,
    });
    log(`${request.path} ${describeAnswer(answer)}`);
    record?.(noteOf(wire, request, answer.type === 'reply' ? answer.reply : errorOf(answer, wire), read));
    if (answer.type !== 'reply') return refuse(wire, errorOf(answer, wire), identity);
    if (!read.stream) return respond({ status: 200, headers, body: read.encode(answer.reply) });
    const frames = read.frames(answer.reply).map(({ bytes }) => bytes);
    const streamHeaders = {
      ...headers,
      'content-type': read.streamType ?? wire.streamType,
      'cache-control': 'no-cache',
    };
    return respond({ status: 200, headers: streamHeaders, body: frames.join('') });
  };

  for (const wire of WIRES) {
    for (const pattern of wire.paths) {
      app.post(pattern, generate(wire));
      app.all(pattern, (context) => {
        const { path } = context.req;
        log(`${path} 405`);
        const error = { status: 405, code: 'method_not_supported', message: 'Only POST requests are accepted.' };
        return refuse(wire, { type: 'error', ...error }, identify(wire, { path }), { allow: 'POST' });
      });
    }
    for (const route of wire.routes) {
      // The router asks for GET where a client asks for HEAD.
      app.on(route.method === 'HEAD' ? 'GET' : route.method, route.path, async (context, next) => {
        if (route.method === 'HEAD' && context.req.method !== 'HEAD') return next();
        const request = await readHttp(context);
        const response = route.answer(request);
        if (response === undefined) return next();
        const identity = identify(wire, request);
        if ('type' in response) return refuse(wire, response, identity);
        return respond({ ...response, headers: { ...identity.headers, ...response.headers } });
      });
    }
  }
  app.get('/health', (context) => context.json({ status: 'ok', scenarios: current().scenarios.length }));
  app.notFound((context) => {
    const { method, path } = context.req;
    log(`${path} 404`);
    const message = `Unknown request URL: ${method} ${path}.`;
    const wire = ownerOf(path);
    return refuse(wire, { type: 'error', status: 404, code: 'unknown_url', message }, identify(wire, { path }));
  });
  // Mostly a client that has gone before its request was there.
  app.onError((failure, context) => {
    const { path } = context.req;
    log(`${path} 500 ${failure.message}`);
    const message = `The server failed: ${failure.message}`;
    const wire = ownerOf(path);
    return refuse(wire, { type: 'error', status: 500, code: null, message }, identify(wire, { path }));
  });
  return app;
}

/** What is noted of a request and what became of it. */
function noteOf(
  { protocol }: Wire,
  { path }: WireRequest,
  outcome: WireError | Reply,
  read?: ReadRequest,
): ServedRequest {
  const model = read?.conversation.model;
  const common = { protocol, path, model, stream: read?.stream ?? false };
  if ('status' in outcome) {
    return { ...common, status: outcome.status, scenario: undefined, step: undefined, error: outcome.message };
  }
  const { scenario, step } = outcome.source ?? {};
  return { ...common, status: 200, scenario, step, error: undefined };
}

async function readHttp(context: Context): Promise<WireRequest> {
  const { method, path } = context.req;
  const body = method === 'POST' ? await context.req.text() : '';
  return { method, path, body, query: context.req.query(), headers: context.req.header() };
}

function ownerOf(path: string): Wire {
  return WIRES.find((wire) => wire.owns(path)) ?? DEFAULT_WIRE;
}

/** What tells one request from another: the id, and the headers that go with every answer. */
interface Identity {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
}

function identify(wire: Wire, { path, body = '' }: { readonly path: string; readonly body?: string }): Identity {
  const digest = digestOf(path, body);
  const id = `${wire.requestId.prefix}${digest.slice(0, 32)}`;
  return { id, headers: { [wire.requestId.header]: id, ...wire.headers?.(digest) } };
}

/** An error in the shape of the protocol that the path belongs to, for a request that does not come to the app. */
export function refuseAs(path: string, error: WireError): Response {
  const wire = ownerOf(path);
  return refuse(wire, error, identify(wire, { path }));
}

/** A repeated request would get the same answer, so the official clients are told not to try. */
function refuse(wire: Wire, error: WireError, identity: Identity, more: Identity['headers'] = {}): Response {
  const headers = { ...identity.headers, 'x-should-retry': 'false', ...more };
  return respond({ status: error.status, headers, body: wire.encodeError(error, identity.id) });
}

function respond({ status, headers = {}, body }: WireResponse): Response {
  if (typeof body !== 'object') return new Response(body ?? null, { status, headers });
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
}

function errorOf(answer: Exclude<Answer, { type: 'reply' }>, wire: Wire): WireError {
  if (answer.type === 'unpaired_results') return wire.unpaired(answer);
  return { type: 'error', status: 400, code: answer.code, message: answer.message, param: answer.param ?? 'messages' };
}

function describeAnswer(answer: Answer): string {
  switch (answer.type) {
    case 'reply': {
      const { source } = answer.reply;
      if (answer.auxiliary !== undefined) return `200 auxiliary ${answer.auxiliary}`;
      return source === undefined ? '200 default_response' : `200 ${source.scenario} step ${source.step}`;
    }
    case 'refusal':
      return `400 ${answer.code}: ${answer.message}`;
    case 'unpaired_results':
      return `400 unpaired tool results, missing: [${answer.missing.join(', ')}], orphans: [${answer.orphans.join(', ')}]`;
    default:
      return answer satisfies never;
  }
}
