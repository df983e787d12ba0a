import { readFileSync } from 'node:fs';
import * as z from 'zod';

const ReportedSchema = z.object({
  /** The public report, as a repository and its number. */
  source: z.string(),
  /** 200 stands for an error within a stream. */
  status: z.number(),
  body: z.string(),
  /** The length of an answer that the request asked for, in tokens. */
  asked: z.number().default(32_000),
  /** The right outcome: see `error-words.test.ts`. */
  outcome: z.string(),
});

/** Bodies of errors from public reports: see the README in this directory. */
export function reportedErrors(): readonly z.infer<typeof ReportedSchema>[] {
  return readFileSync(new URL('./reported-errors.jsonl', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ReportedSchema.parse(JSON.parse(line)));
}
