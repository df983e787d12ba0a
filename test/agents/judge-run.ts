import * as z from 'zod';
import { type Expected, RESULTS_FILE, RESULTS_LINE } from './stories.ts';

const SeenRequestSchema = z.object({
  status: z.number(),
  path: z.string(),
  step: z.number().optional(),
  auxiliary: z.string().optional(),
  error: z.string().optional(),
  lint: z.array(z.string()),
});

/** The journal of the mock server, as far as it is judged. */
export const SeenJournalSchema = z.object({ entries: z.array(SeenRequestSchema) });

/** What was seen of an agent's run through one story. */
export const SeenRunSchema = z.object({
  /** `null` where a signal ended it, after it took too long. */
  exitCode: z.number().nullable(),
  seconds: z.number(),
  stdout: z.string(),
  stderr: z.string(),
  /** The texts of the files in the workspace that are judged; `null` where there is none. */
  files: z.record(z.string(), z.string().nullable()),
  /** The requests that the mock server got, in order. */
  requests: z.array(SeenRequestSchema),
  /** What the mock server logged, a line for each request. */
  log: z.string(),
});
export type SeenRun = z.infer<typeof SeenRunSchema>;

/** What is wrong with a run, one line each. Nothing is wrong with an empty list. */
export function judgeRun(seen: SeenRun, expected: Expected): readonly string[] {
  const faults: string[] = [];
  if (seen.exitCode === null) faults.push('it did not end');
  else if (seen.exitCode !== 0) faults.push(`it ended with exit code ${seen.exitCode}`);
  for (const [file, wanted] of Object.entries(expected.files)) {
    const text = seen.files[file] ?? null;
    if (text === null) faults.push(`there is no ${file}`);
    else if (text !== wanted) faults.push(`${file} holds ${JSON.stringify(text)} instead of ${JSON.stringify(wanted)}`);
  }
  if (!seen.stdout.includes(expected.said)) faults.push(`it did not say ${JSON.stringify(expected.said)}`);
  return [...faults, ...judgeResults(seen, expected), ...judgeRequests(seen, expected)];
}

function judgeResults({ files }: SeenRun, { results }: Expected): string[] {
  if (results.length === 0) return [];
  const seen = (files[RESULTS_FILE] ?? '').split(RESULTS_LINE);
  if (seen.length !== results.length) return [`${RESULTS_FILE} holds ${seen.length} of ${results.length} results`];
  return results.flatMap((wanted, index) => {
    const result = seen[index] ?? '';
    return result.includes(wanted) ? [] : [`result ${index + 1} is ${JSON.stringify(result)}, without ${wanted}`];
  });
}

/** Every step once, in order; whatever an agent asks beside the story is answered, and nothing is sent wrongly. */
function judgeRequests({ requests }: SeenRun, { steps }: Expected): string[] {
  const refused = requests.flatMap(({ status, path, error = '', lint }) => [
    ...(status === 200 ? [] : [`${path} was answered ${status} ${error}`.trimEnd()]),
    ...lint.map((complaint) => `${path} was faulted: ${complaint}`),
  ]);
  const asked = requests.flatMap(({ step }) => (step === undefined ? [] : [step + 1])).join();
  const wanted = Array.from({ length: steps }, (_, index) => index + 1).join();
  return asked === wanted ? refused : [...refused, `it asked for the steps ${asked || 'none'} instead of ${wanted}`];
}
