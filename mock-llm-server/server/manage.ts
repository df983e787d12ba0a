import type { Context } from 'hono';
import type { Journal } from '../journal/journal.ts';
import { findUnusedSteps } from '../journal/tally.ts';
import type { ScenarioOverlays } from '../scenario/loading/overlays.ts';
import { readScenarioFile, readYamlScenarioFile } from '../scenario/loading/read-file.ts';
import { ScenarioError } from '../scenario/problems.ts';
import { PROBLEM_KINDS, type ProblemKind, verifyJournal } from '../verify/report.ts';
import { isLoopback } from './access.ts';
import { readBody } from './read-request.ts';

/** State that requests below `/__mock` can see and change. */
export interface ManagedParts {
  readonly journal: Journal;
  readonly overlays: ScenarioOverlays;
}

type Handler = (context: Context, parts: ManagedParts) => Response | Promise<Response>;

const ROUTES: Readonly<Record<string, Handler>> = {
  'GET /__mock': showPage,
  'GET /__mock/journal': showJournal,
  'DELETE /__mock/journal': clearJournal,
  'GET /__mock/verify': showVerdict,
  'GET /__mock/scenarios': listScenarios,
  'POST /__mock/scenarios': (context, parts) => addScenarios(context, parts, false),
  'PUT /__mock/scenarios': (context, parts) => addScenarios(context, parts, true),
  'DELETE /__mock/scenarios': removeScenarios,
};

/** Answers a request below `/__mock`; undefined if there is no such route. */
export function manage(context: Context, parts: ManagedParts): Response | Promise<Response> | undefined {
  const { method, path } = context.req;
  return ROUTES[`${method} ${path}`]?.(context, parts);
}

/** The test whose requests a request is about: all tests without one. */
function testOf(context: Context): string | undefined {
  return context.req.query('test') ?? context.req.header('x-test-id');
}

/** Shows the requests to a browser on this machine. */
async function showPage(context: Context, { journal, overlays }: ManagedParts): Promise<Response> {
  const { hostname } = new URL(`http://${context.req.header('host') ?? new URL(context.req.url).host}`);
  if (!isLoopback(hostname) && !hostname.endsWith('.localhost')) {
    return context.text('The page is only for browsers on the machine of the server: use http://127.0.0.1.', 403);
  }
  const { PAGE_HEADERS, renderPage } = await import('./page/render-page.ts');
  // The field of the page is empty for all tests.
  const testId = context.req.query('test') || undefined;
  const entries = journal.entries.filter((entry) => testId === undefined || entry.testId === testId);
  const after = Number(context.req.query('after') ?? 0);
  const before = Number(context.req.query('before'));
  const page = renderPage({
    entries,
    scenarios: overlays.current(testId),
    testId,
    key: context.req.query('key'),
    after,
    before: before > 0 ? before : undefined,
  });
  return context.html(page, 200, { ...PAGE_HEADERS });
}

function showJournal(context: Context, { journal, overlays }: ManagedParts): Response {
  const test = testOf(context);
  const entries = journal.entries.filter(({ testId }) => test === undefined || testId === test);
  // A scenario belongs to no test, so the steps that one test did not use mean nothing.
  const unused = test === undefined && { unused: findUnusedSteps(overlays.current().scenarios, journal) };
  return context.json({ dropped: journal.dropped(), ...unused, entries });
}

function clearJournal(context: Context, { journal }: ManagedParts): Response {
  journal.clear(testOf(context));
  return context.body(null, 204);
}

function showVerdict(context: Context, { journal, overlays }: ManagedParts): Response {
  const failOn = readKinds(context.req.query('fail_on'));
  if (typeof failOn === 'string') return context.json({ error: failOn }, 400);
  const testId = testOf(context);
  return context.json(verifyJournal(journal, overlays.current(testId).scenarios, { testId, failOn }));
}

/** The kinds of problems in a list with commas, or the message for a list with another word. */
function readKinds(list: string | undefined): readonly ProblemKind[] | string | undefined {
  if (list === undefined) return undefined;
  const names = list.split(',').filter((name) => name !== '');
  const kinds = names.flatMap((name) => PROBLEM_KINDS.find((kind) => kind === name) ?? []);
  if (kinds.length === names.length) return kinds;
  return `fail_on must be a list of ${PROBLEM_KINDS.join(', ')}, separated by commas, not "${list}"`;
}

function listScenarios(context: Context, { overlays }: ManagedParts): Response {
  return context.json({ scenarios: overlays.list({ testId: testOf(context) }) });
}

/** Adds the scenarios of a body, which is read and checked like a file. */
async function addScenarios(context: Context, { overlays }: ManagedParts, replace: boolean): Promise<Response> {
  const headers = context.req.header();
  const body = await readBody(context.req.raw, headers);
  // The rest of the body is not read, so the connection cannot serve another request.
  if (typeof body !== 'string') return context.json({ error: body.message }, 413, { connection: 'close' });
  const isYaml = /yaml/i.test(headers['content-type'] ?? '');
  try {
    const content = await (isYaml ? readYamlScenarioFile(body, BODY) : readScenarioFile(body, BODY));
    overlays.add([{ file: BODY, content }], { testId: testOf(context), replace });
    return context.json({ scenarios: content.scenarios.map(({ name }) => name) }, replace ? 200 : 201);
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    return context.json({ error: error.message, problems: error.problems }, 400);
  }
}

/** The name of a body in errors. */
const BODY = 'body';

function removeScenarios(context: Context, { overlays }: ManagedParts): Response {
  const testId = testOf(context);
  const name = context.req.query('name');
  if (name === undefined) overlays.reset({ testId });
  else if (!overlays.remove(name, { testId })) {
    return context.json({ error: `There is no scenario named "${name}".` }, 404);
  }
  return context.body(null, 204);
}
