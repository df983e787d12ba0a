import * as z from 'zod';
import { checked, strictObject } from './strict-object.ts';
import { MAX_WAIT_MS } from './values.ts';

/** Milliseconds that a timer can wait. */
export const Milliseconds = z.number().max(MAX_WAIT_MS);

/** A number of things, at least one. */
export const Count = z.int().min(1);

const Positive = z.number().positive();

/** The pieces of a streamed answer and their delays. */
export const TimingSchema = checked(
  strictObject({
    chunk: strictObject({
      by: z.enum(['characters', 'words', 'tokens']).describe('Unit of a piece; a token has up to 4 characters'),
      size: Count.optional().describe('Units per piece; 1 by default'),
    })
      .optional()
      .describe('Pieces of a stream; words by default'),
    time_to_first_token_ms: Milliseconds.min(0).optional().describe('Milliseconds before the first piece'),
    tokens_per_second: Positive.optional().describe(
      'Speed of the pieces after it; a word counts as one token, and so do four characters',
    ),
    piece_delay_ms: Milliseconds.min(0)
      .optional()
      .describe('Milliseconds before each piece, whatever its size; the first one can have its own'),
    jitter: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe('Fraction (0–1) by which each delay varies; equal requests vary in the same way'),
    recorded_ms: z
      .array(Milliseconds.min(0))
      .min(1)
      .optional()
      .describe('Milliseconds before each piece, in order; later pieces have no delay'),
    speed: Positive.optional().describe('Factor by which the pieces come faster than recorded'),
  }),
  'timing',
);

export type Timing = z.infer<typeof TimingSchema>;
