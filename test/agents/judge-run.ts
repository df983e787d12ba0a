import * as z from 'zod';

/** What was seen of an agent's run. */
export const SeenRunSchema = z.object({
  /** `null` where a signal ended it, after it took too long. */
  exitCode: z.number().nullable(),
  seconds: z.number(),
  stdout: z.string(),
  stderr: z.string(),
  /** The text of hello.txt; `null` where there is none. */
  written: z.string().nullable(),
  /** What the mock server logged, a line for each request. */
  log: z.string(),
});
export type SeenRun = z.infer<typeof SeenRunSchema>;

/** What the story says that an agent must do. */
export interface Expected {
  readonly written: string;
  readonly said: string;
}

const StorySchema = z.object({
  scenarios: z.tuple([
    z.object({
      steps: z.tuple([
        z.object({ intent: z.literal('write_file'), path: z.literal('hello.txt'), content: z.string() }),
        z.object({ response: z.object({ content: z.string() }) }),
      ]),
    }),
  ]),
});

/** Reads out of the story that drives the agents what they must have done in the end. */
export function expectedOf(story: string): Expected {
  const [write, say] = StorySchema.parse(JSON.parse(story)).scenarios[0].steps;
  return { written: write.content, said: say.response.content };
}

/** What is wrong with a run, one line each. Nothing is wrong with an empty list. */
export function judgeRun(seen: SeenRun, expected: Expected): readonly string[] {
  const faults: string[] = [];
  if (seen.exitCode === null) faults.push('it did not end');
  else if (seen.exitCode !== 0) faults.push(`it ended with exit code ${seen.exitCode}`);
  if (seen.written === null) faults.push('there is no hello.txt');
  else if (seen.written !== expected.written) {
    faults.push(`hello.txt holds ${JSON.stringify(seen.written)} instead of ${JSON.stringify(expected.written)}`);
  }
  if (!seen.stdout.includes(expected.said)) faults.push(`it did not say ${JSON.stringify(expected.said)}`);
  return faults;
}
