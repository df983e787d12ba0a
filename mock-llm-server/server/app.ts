import { type Context, Hono, type Next } from 'hono';
import { cors } from 'hono/cors';
import { TrieRouter } from 'hono/router/trie-router';
import { getPath } from 'hono/utils/url';
import { type Answerer, createAnswerer } from '../answering/answer-request.ts';
import type { Conversation, ServiceName } from '../conversation/conversation.ts';
import { tryJson } from '../conversation/json.ts';
import { type Clock, systemClock } from '../delivery/clock.ts';
import { ConnectionReset } from '../delivery/deliver.ts';
import type { Chaos } from '../delivery/faults.ts';
import type { AnsweredPrompt } from '../drift/check-drift.ts';
import { createPromptWatch } from '../drift/watch-prompts.ts';
import { createJournal, type Journal } from '../journal/journal.ts';
import { redact } from '../journal/redact.ts';
import type { LimitMode } from '../reply/limit-reply.ts';
import { recordedEmbeddings } from '../scenario/embeddings.ts';
import { createScenarioOverlays, type ScenarioOverlays } from '../scenario/loading/overlays.ts';
import type { DriftMode } from '../scenario/lock/prompt-lock.ts';
import type { ScenarioSet } from '../scenario/prepare.ts';
import { lacksPath } from '../services/access/access-rules.ts';
import { chooseService, SERVICE_PREFIX, splitService } from '../services/choose-service.ts';
import { modelListOf } from '../services/model-lists.ts';
import { escapeControls } from '../text.ts';
import type { LintMode, Wire, WireRequest, WireRoute } from '../wire/wire.ts';
import { identify, ownerOf, respond, WIRES } from '../wire/wires.ts';
import { isLoopbackOrigin } from './access.ts';
import type { ManagedParts } from './manage.ts';
import { clientSignal, connectionOf, describeHttp, headerOf, readHttp } from './read-request.ts';

/** Options of a server without a port. */
export interface MockServerOptions {
  /** A function is called for each request, so that the scenarios can change. */
  readonly scenarios: ScenarioSet | (() => ScenarioSet);
  /** Changes of the scenarios while the server runs; they also come from `/__mock/scenarios`. */
  readonly overlays?: ScenarioOverlays;
  /** Receives one line for each request for an answer, without a line break; its errors are ignored. */
  readonly log?: (line: string) => void;
  /** Treatment of requests that the provider would reject; `fail` by default. */
  readonly lint?: LintMode;
  /** The service of requests whose path and scenario name none; by default that of their path or their model. */
  readonly as?: ServiceName | undefined;
  /** Rules of services that do not apply, such as `openai/max-tokens`. */
  readonly allow?: readonly string[];
  /** Treatment of limits such as `max_tokens` and `stop`: `apply` (the default) cuts the answer, `ignore` does not. */
  readonly limits?: LimitMode;
  /** Receives each request for an answer before the answer is sent; a new journal by default. */
  readonly journal?: Journal;
  /** Receives each readable request for an answer before it is answered. */
  readonly observe?: (conversation: Conversation) => void;
  /** Receives each request that a step of a scenario answers. */
  readonly observePrompt?: (prompt: AnsweredPrompt) => void;
  /** Comparison of prompts with the locks of scenarios: `off`, or `warn` (the default) and `fail`, which report alike. */
  readonly drift?: DriftMode;
  /** Injects faults into a fraction of the requests whose step has none. */
  readonly chaos?: Chaos;
  /** Clock of all delays; real time by default. */
  readonly clock?: Clock;
}

/**
 * Creates the server as a Hono app without a port: `app.request('/v1/chat/completions', …)` answers in process. Except
 * for faults with `times`, which it counts, the time of the reset in Anthropic's 429, and `x-mock-drift`, which names a
 * part once for each test, equal requests get equal bodies and headers.
 */
export function createMockServer(options: MockServerOptions): Hono {
  const {
    scenarios,
    lint = 'fail',
    as: service,
    allow = [],
    limits = 'apply',
    journal = createJournal(),
    chaos,
    clock = systemClock,
    observe,
    observePrompt,
    drift = 'warn',
  } = options;
  const log = safeLog(options.log);
  const base = typeof scenarios === 'function' ? scenarios : () => scenarios;
  const { overlays = createScenarioOverlays(base) } = options;
  const { current } = overlays;
  const prompts = createPromptWatch({ checksDrift: drift !== 'off', observe: observePrompt });
  const answerer = createAnswerer({
    current,
    log,
    lint,
    service,
    allow,
    limits,
    journal,
    chaos,
    clock,
    observe,
    prompts,
  });
  // The default router tries another one first, which refuses these paths: a third of the work of a new server.
  const app = new Hono({ router: new TrieRouter(), getPath: (request) => splitService(getPath(request)).path });
  for (const wire of WIRES) {
    // A route may be one of the paths of a pattern.
    for (const route of wire.routes) addRoute(app, route, wire, answerer, { lint, allow, service, current });
    for (const path of wire.paths) {
      app.all(path, (context) => shareWithPages(context, () => answerHttp(context, wire, answerer)));
    }
  }
  const showHealth = (context: Context): Response =>
    context.json({ status: 'ok', scenarios: current().scenarios.length });
  app.get('/health', (context) => shareWithPages(context, () => showHealth(context)));
  addManagement(app, { journal, overlays });
  addFailures(app, answerer, log);
  return app;
}

const loopbackCors = cors({
  origin: (origin) => (isLoopbackOrigin(origin) ? origin : null),
  allowMethods: ['GET', 'HEAD', 'POST', 'OPTIONS'],
  exposeHeaders: ['*'],
  maxAge: 600,
});

type Answering = () => Response | Promise<Response>;

/**
 * Lets only pages of this machine read an answer: otherwise any page could use the server of its visitor. Every handler
 * calls it, because a middleware would make Hono compose a chain of functions for each request.
 */
function shareWithPages(context: Context, answer: Answering): Response | Promise<Response> {
  const origin = headerOf(context, 'origin');
  // Requests of other clients skip the middleware, because it copies every response.
  if (origin === undefined) return answer();
  const isPrivateNetworkRequest = context.req.header('access-control-request-private-network') === 'true';
  if (isPrivateNetworkRequest && isLoopbackOrigin(origin)) {
    context.header('access-control-allow-private-network', 'true');
  }
  return answerPage(context, answer);
}

async function answerPage(context: Context, answer: Answering): Promise<Response> {
  const preflight = await loopbackCors(context, async () => {
    // Setting the response adds the headers that the middleware has set.
    context.res = await answer();
  });
  return preflight ?? context.res;
}

async function answerHttp(context: Context, wire: Wire, { answer, refuse }: Answerer): Promise<Response> {
  const { request, error } = await readHttp(context);
  if (request.headers['upgrade']?.toLowerCase() === 'websocket') {
    // Clients fall back to HTTP at once only after a 426, which must name a protocol to upgrade to.
    const headers = { upgrade: 'HTTP/1.1', connection: 'upgrade, close' };
    const message = 'WebSockets are not supported. Send a POST request.';
    return refuse(wire, request, { type: 'error', status: 426, code: 'websocket_not_supported', message }, headers);
  }
  if (request.method !== 'POST') {
    const message = 'Only POST requests are accepted.';
    const methodError = { type: 'error', status: 405, code: 'method_not_supported', message } as const;
    return refuse(wire, request, methodError, { allow: 'POST' });
  }
  // The unread rest of the body would be taken for the next request.
  if (error !== undefined) return refuse(wire, request, error, { connection: 'close' });
  return answer(wire, request, () => connectionOf(context));
}

/** Values that the answers of routes depend on. */
interface RouteParts {
  readonly lint: LintMode;
  readonly allow: readonly string[];
  readonly service: ServiceName | undefined;
  readonly current: (testId?: string) => ScenarioSet;
}

function addRoute(app: Hono, route: WireRoute, wire: Wire, { refuse }: Answerer, parts: RouteParts): void {
  const { lint, allow, current } = parts;
  // Hono routes HEAD requests as GET.
  const answerRoute = async (context: Context, next: Next): Promise<Response> => {
    if (route.method === 'HEAD' && context.req.method !== 'HEAD') return skip(context, next);
    const { request, error } = await readHttp(context);
    const { service = parts.service } = request;
    const isRefused = lint === 'fail' && !allow.includes(`${service}/path`) && lacksPath(service, request);
    if (isRefused) return skip(context, next);
    const set = current(request.headers['x-test-id']);
    const recorded = set.embeddings.size > 0 && recordedEmbeddings(set.embeddings, request.path, tryJson(request.body));
    if (error === undefined && recorded)
      return respond({ status: 200, headers: identify(wire, request).headers, body: recorded });
    const response = error ?? (await route.answer({ ...request, ...(service && { service }) }, lint, modelsOf(set)));
    if (response === undefined) return skip(context, next);
    if ('type' in response) return refuse(wire, request, response);
    const lister = service ?? chooseService({ protocol: wire.protocol, path: request.path, model: '' });
    const body = modelListOf(lister, request.path, response.body);
    return respond({ ...response, body, headers: { ...identify(wire, request).headers, ...response.headers } });
  };
  app.on(route.method === 'HEAD' ? 'GET' : route.method, route.path, (context, next) =>
    shareWithPages(context, () => answerRoute(context, next)),
  );
}

/** The names of models in triggers. An expression is no name. */
function modelsOf({ scenarios }: ScenarioSet): readonly string[] {
  const wanted = scenarios.flatMap(({ trigger: { conditions } }) =>
    conditions.flatMap((condition) => (condition.field === 'model' ? [condition.wanted] : [])),
  );
  return [...new Set(wanted.filter((name) => !name.startsWith('/')))];
}

/** The answer of the next handler. */
async function skip(context: Context, next: Next): Promise<Response> {
  await next();
  return context.res;
}

/**
 * Adds the routes below `/__mock`. No page of another origin may use them, not even one of this machine: they show every
 * request, and change the scenarios. Their code is loaded with the first request.
 */
function addManagement(app: Hono, parts: ManagedParts): void {
  const answer = async (context: Context, next: Next): Promise<Response> => {
    if (isForeign(context)) {
      return context.json({ error: 'Pages of other origins may not use the routes below /__mock.' }, 403);
    }
    const { manage } = await import('./manage.ts');
    return (await manage(context, parts)) ?? skip(context, next);
  };
  app.all('/__mock', answer);
  app.all('/__mock/*', answer);
}

/** True for a request of a page of another origin. Other clients send neither header. */
function isForeign(context: Context): boolean {
  const site = headerOf(context, 'sec-fetch-site') ?? 'none';
  if (site !== 'none' && site !== 'same-origin') return true;
  const origin = headerOf(context, 'origin');
  const host = headerOf(context, 'host') ?? new URL(context.req.url).host;
  return origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`;
}

/** Answers requests that match no route, and those that fail. */
function addFailures(app: Hono, { refuse }: Answerer, log: (line: string) => void): void {
  const refuseUnknown = async (context: Context): Promise<Response> => {
    const request = describeHttp(context);
    const hint = request.path.startsWith(SERVICE_PREFIX)
      ? ` ${await explainServicePath(request.path)}`
      : hintAtBase(request, context);
    const message = `Unknown request URL: ${request.method} ${request.path}.${hint}`;
    return refuse(ownerOf(request), request, { type: 'error', status: 404, code: 'unknown_url', message });
  };
  const reportFailure = (failure: Error, context: Context): Response => {
    const request = describeHttp(context);
    if (clientSignal(context).aborted) {
      log(`${escapeControls(redact(request.path))} ${CLIENT_GONE} the client disconnected`);
      return new Response(null, { status: CLIENT_GONE });
    }
    const message = `The server failed: ${failure.message}`;
    return refuse(ownerOf(request), request, { type: 'error', status: 500, code: null, message });
  };
  app.notFound((context) => shareWithPages(context, () => refuseUnknown(context)));
  app.onError((failure, context) => {
    // Without a connection to reset, the request itself fails.
    if (failure instanceof ConnectionReset) throw failure;
    return shareWithPages(context, () => reportFailure(failure, context));
  });
}

/** The sentence about a path that begins with the prefix of a service, but names none. */
async function explainServicePath(path: string): Promise<string> {
  const { explainServiceName } = await import('../services/explain-name.ts');
  return explainServiceName(path.split('/')[2] ?? '');
}

/** Ends of paths that clients of each protocol append to their base URL, and the path of that base URL. */
const BASE_URLS: readonly (readonly [end: RegExp, path: string])[] = [
  [/\/messages(?:\/count_tokens)?$/, ''],
  [/\/(?:chat\/completions|responses|embeddings)$/, '/v1'],
  [/\/models\/[^/]+:[A-Za-z]+$/, ''],
  [/\/api\/(?:chat|generate|show|tags|embed)$/, ''],
];

/** The base URL for the client of an unknown path, with a space before it; empty if the path is of no known client. */
function hintAtBase({ path, service }: Pick<WireRequest, 'path' | 'service'>, context: Context): string {
  const base = BASE_URLS.find(([end]) => end.test(path));
  if (base === undefined) return '';
  return ` The base URL for clients of this protocol is ${new URL(context.req.url).origin}${service ? `/as/${service}` : ''}${base[1]}.`;
}

/** Status in logs for a request whose client disconnected before the answer. No client receives it. */
const CLIENT_GONE = 499;

/** A log that never throws: a line that `log` fails to write is lost. Does nothing without `log`. */
export function safeLog(log: ((line: string) => void) | undefined): (line: string) => void {
  if (log === undefined) return () => {};
  return (line) => {
    try {
      log(line);
    } catch {
      // The request must not fail, and the failure cannot be reported elsewhere.
    }
  };
}
