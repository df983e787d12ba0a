import type { Context } from 'hono';
import type { Journal } from '../journal/journal.ts';
import { findUnusedSteps } from '../journal/unused-steps.ts';
import type { ScenarioSet } from '../scenario/prepare.ts';
import { PROBLEM_KINDS, type ProblemKind, verifyJournal } from '../verify/report.ts';

/** What requests below `/__mock` can see and change. */
export interface ManagedParts {
  readonly journal: Journal;
  /** Returns the scenarios in use. */
  readonly current: () => ScenarioSet;
}

type Handler = (context: Context, parts: ManagedParts) => Response | Promise<Response>;

const ROUTES: Readonly<Record<string, Handler>> = {
  'GET /__mock/journal': showJournal,
  'DELETE /__mock/journal': clearJournal,
  'GET /__mock/verify': showVerdict,
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

function showJournal(context: Context, { journal, current }: ManagedParts): Response {
  const test = testOf(context);
  const entries = journal.entries.filter(({ testId }) => test === undefined || testId === test);
  // A scenario belongs to no test, so the steps that one test did not use mean nothing.
  const unused = test === undefined && { unused: findUnusedSteps(current().scenarios, journal) };
  return context.json({ dropped: journal.dropped(), ...unused, entries });
}

function clearJournal(context: Context, { journal }: ManagedParts): Response {
  journal.clear(testOf(context));
  return context.body(null, 204);
}

function showVerdict(context: Context, { journal, current }: ManagedParts): Response {
  const failOn = readKinds(context.req.query('fail_on'));
  if (typeof failOn === 'string') return context.json({ error: failOn }, 400);
  return context.json(verifyJournal(journal, current().scenarios, { testId: testOf(context), failOn }));
}

/** The kinds of problems in a list with commas, or the message for a list with another word. */
function readKinds(list: string | undefined): readonly ProblemKind[] | string | undefined {
  if (list === undefined) return undefined;
  const names = list.split(',').filter((name) => name !== '');
  const kinds = names.flatMap((name) => PROBLEM_KINDS.find((kind) => kind === name) ?? []);
  if (kinds.length === names.length) return kinds;
  return `fail_on must be a list of ${PROBLEM_KINDS.join(', ')}, separated by commas, not "${list}"`;
}
