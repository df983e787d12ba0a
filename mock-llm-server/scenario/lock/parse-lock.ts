import * as z from 'zod';
import { jsonErrorOf } from '../../conversation/json.ts';
import { explainIssues } from '../format/explain-issues.ts';
import { addProblem, problemText, strictObject } from '../format/strict-object.ts';
import { ScenarioError } from '../problems.ts';
import type { PromptLock } from './prompt-lock.ts';

const REBASE = 'delete the file and run ybs test --rebase, or correct it';

const VolatileSchema = strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]*$/, problemText('must be lower-case words joined by -', 'write a name like "build-id"')),
  text: z.string().min(1).optional(),
  pattern: z.string().min(1).optional(),
  part: z.string().min(1).optional(),
}).superRefine(({ text, pattern }, context) => {
  if ((text === undefined) === (pattern === undefined)) {
    addProblem(context, 'must have either a text or a pattern', 'add "text": "…" or "pattern": "…", not both');
  }
  if (pattern === undefined) return;
  try {
    new RegExp(pattern, 'gmu');
  } catch (error) {
    addProblem(context, String(error), 'correct the pattern; it has the flags g, m and u', ['pattern']);
  }
});

const PromptLockSchema: z.ZodType<PromptLock> = strictObject({
  version: z.literal(1),
  agent: z.string().min(1),
  volatile: z.array(VolatileSchema),
  steps: z.array(
    strictObject({
      scenario: z.string().min(1),
      step: z.int().min(0),
      parts: z.array(
        strictObject({
          part: z.string().min(1),
          digest: z.string().regex(/^[0-9a-f]{32}$/, problemText('must be 32 hexadecimal digits', REBASE)),
          note: z.string().optional(),
          text: z.array(z.string()).optional(),
        }),
      ),
      removed: z.array(z.string()).optional(),
    }),
  ),
});

/** Reads the text of a lock, which errors call `file`. Throws `ScenarioError`. */
export function parsePromptLock(text: string, file: string): PromptLock {
  const message = jsonErrorOf(text);
  // A merge leaves such a file if both sides changed the prompt.
  if (message !== undefined) throw ScenarioError.of(file, '$', `not valid JSON: ${message}`, REBASE);
  const parsed = PromptLockSchema.safeParse(JSON.parse(text), { reportInput: true });
  if (parsed.success) return parsed.data;
  throw explainIssues(parsed.error.issues, file);
}
