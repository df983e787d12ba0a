import * as z from 'zod';
import { type Expected, RESULTS_FILE, RESULTS_LINE } from './stories.ts';

const ObservedRequestSchema = z.object({
  status: z.number(),
  path: z.string(),
  step: z.number().optional(),
  auxiliary: z.string().optional(),
  error: z.string().optional(),
  lint: z.array(z.string()),
  unmet: z.array(z.object({ field: z.string(), wanted: z.string() })).optional(),
});

/** The checked parts of the mock server's journal. */
export const ObservedJournalSchema = z.object({ entries: z.array(ObservedRequestSchema) });

/** The checked parts of the mock server's verdict. */
export const ObservedVerdictSchema = z.object({
  resilience: z.object({
    faults: z.array(
      z.object({
        outcome: z.string(),
        ok: z.boolean(),
        repeats: z.number(),
        retryAfter: z.object({ askedMs: z.number(), waitedMs: z.number().optional() }).optional(),
      }),
    ),
  }),
  cache: z.object({
    continued: z.number(),
    stable: z.number(),
    tokens: z.number(),
    breaks: z.array(z.object({ part: z.string() })),
  }),
});

/** The observed run of an agent through one story. */
export const ObservedRunSchema = z.object({
  /** The checked parts of the verdict of the mock server. */
  verdict: ObservedVerdictSchema.optional(),
  /** Null if a signal ended the agent after the time limit. */
  exitCode: z.number().nullable(),
  seconds: z.number(),
  stdout: z.string(),
  stderr: z.string(),
  /** Contents of the checked files in the workspace; null for a missing file. */
  files: z.record(z.string(), z.string().nullable()),
  /** The requests to the mock server, in order. */
  requests: z.array(ObservedRequestSchema),
  /** Log of the mock server, one line per request. */
  log: z.string(),
});
export type ObservedRun = z.infer<typeof ObservedRunSchema>;

/** The problems of a run, one line each; empty if the run is correct. */
export function checkRun(run: ObservedRun, expected: Expected): readonly string[] {
  const problems: string[] = [];
  if (run.exitCode === null) problems.push('the agent did not end');
  else if (run.exitCode !== 0) problems.push(`the agent ended with exit code ${run.exitCode}`);
  for (const [file, wanted] of Object.entries(expected.files)) {
    const text = run.files[file] ?? null;
    if (text === null) problems.push(`${file} is missing`);
    else if (text !== wanted)
      problems.push(`${file} contains ${JSON.stringify(text)} instead of ${JSON.stringify(wanted)}`);
  }
  if (!run.stdout.includes(expected.text)) problems.push(`the output lacks ${JSON.stringify(expected.text)}`);
  return [...problems, ...checkResults(run, expected), ...checkRequests(run, expected)];
}

function checkResults({ files }: ObservedRun, { results }: Expected): string[] {
  if (results.length === 0) return [];
  const observed = (files[RESULTS_FILE] ?? '').split(RESULTS_LINE);
  if (observed.length !== results.length) {
    return [`${RESULTS_FILE} contains ${observed.length} of ${results.length} results`];
  }
  return results.flatMap((wanted, index) => {
    const result = observed[index] ?? '';
    return result.includes(wanted) ? [] : [`result ${index + 1} is ${JSON.stringify(result)}, without ${wanted}`];
  });
}

/** Each step must be requested once, in order, with its tools. All requests must succeed and pass the linter. */
function checkRequests({ requests }: ObservedRun, { steps }: Expected): string[] {
  const refused = requests.flatMap(({ status, path, step = 0, error = '', lint, unmet = [] }) => [
    ...(status === 200 ? [] : [`${path} was answered ${status} ${error}`.trimEnd()]),
    ...lint.map((complaint) => `the linter rejected ${path}: ${complaint}`),
    ...unmet.map(({ field, wanted }) => `step ${step + 1} wanted the ${field} ${wanted}`),
  ]);
  const asked = requests.flatMap(({ step }) => (step === undefined ? [] : [step + 1])).join();
  const wanted = Array.from({ length: steps }, (_, index) => index + 1).join();
  return asked === wanted ? refused : [...refused, `the requested steps are ${asked || 'none'} instead of ${wanted}`];
}
