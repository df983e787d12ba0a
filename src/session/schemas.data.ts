import * as z from 'zod';
import { dataSchema } from '../schema/data-schema.ts';

/** The content of a lock: the process that holds it. The build replaces this module by its values. */
export const LOCK = dataSchema(z.object({ pid: z.int().positive(), started: z.string(), host: z.string() }));

/** The announced removals: the time of each announcement, by the name of the session. */
export const ANNOUNCED = dataSchema(z.record(z.string(), z.number()));

const fileState = z.union([
  z.object({ type: z.literal('missing') }),
  z.object({
    type: z.literal('file'),
    digest: z.string().regex(/^[0-9a-f]{64}$/),
    // Permission bits.
    mode: z.int().min(0),
    size: z.int().min(0),
  }),
  z.object({ type: z.literal('unknown'), reason: z.string() }),
]);

/** The state of a file before or after a write. */
export type FileState = z.infer<typeof fileState>;

const writeLine = z.object({
  type: z.enum(['before', 'after']),
  // The number of messages in the session before the run of the call.
  run: z.int().min(0),
  call: z.string(),
  path: z.string(),
  state: fileState,
});

/** A line in the index of the writes of a session. `path` is a real path, and `call` the id of a call of the run. */
export type WriteLine = z.infer<typeof writeLine>;

/** A line in the index of the writes of a session. */
export const WRITE_LINE = dataSchema(writeLine);
