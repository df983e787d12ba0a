import * as z from 'zod';
import { problemText, strictObject } from './problems.ts';

/** The longest time that Node waits for, in milliseconds: 24 days. It takes a longer one for none at all. */
export const MAX_WAIT_MS = 2 ** 31 - 1;

/** How fast an answer comes and in which pieces; without it, at once. */
export const TimingSchema = strictObject({
  chunk: strictObject({
    by: z.enum(['characters', 'words', 'tokens']).describe('What a piece is made of; a token has up to 4 characters'),
    size: z.int().min(1).optional().describe('How many of them make one piece; 1 when left out'),
  })
    .optional()
    .describe('The pieces of a stream; words when left out'),
  time_to_first_token_ms: z.number().min(0).max(MAX_WAIT_MS).optional().describe('Milliseconds before the first piece'),
  tokens_per_second: z
    .number()
    .positive()
    .optional()
    .describe('Speed of the pieces after it; a word counts as a token, four characters count as one'),
  jitter: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('By which part of itself each delay varies, from 0 to 1; equal requests vary in the same way'),
  recorded_ms: z
    .array(z.number().min(0).max(MAX_WAIT_MS))
    .min(1)
    .optional()
    .describe('Milliseconds before each piece, in order; pieces after the last of them come at once'),
  speed: z.number().positive().optional().describe('How many times faster than recorded the pieces come'),
}).superRefine((timing, context) => {
  const { recorded_ms, speed, time_to_first_token_ms, tokens_per_second } = timing;
  const computed = time_to_first_token_ms !== undefined || tokens_per_second !== undefined;
  if (recorded_ms !== undefined && computed) {
    const reason = 'takes the place of time_to_first_token_ms and tokens_per_second';
    const message = problemText(reason, 'leave out recorded_ms, or the other two');
    context.addIssue({ code: 'custom', path: ['recorded_ms'], message });
  }
  if (recorded_ms === undefined && speed !== undefined) {
    context.addIssue({
      code: 'custom',
      path: ['speed'],
      message: problemText('needs recorded_ms', 'add "recorded_ms": [420, 35, 60]'),
    });
  }
});

/** The timing of a step, checked. */
export type Timing = z.infer<typeof TimingSchema>;
