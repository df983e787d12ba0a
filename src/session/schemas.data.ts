import * as z from 'zod';
import type { ValueOf } from '../schema/conforms.ts';
import { dataSchema } from '../schema/data-schema.ts';
import { permissionRule } from './log/unions.ts';

// The content of the files of sessions besides the log. The build replaces this module by its values.

/** The content of a lock: the process that holds it. */
export const LOCK = dataSchema(z.object({ pid: z.int().positive(), started: z.string(), host: z.string() }));

/** The announced removals: the time of each announcement, by the name of the session. */
export const ANNOUNCED = dataSchema(z.record(z.string(), z.number()));

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const fileState = z.union([
  z.object({ type: z.literal('missing') }),
  z.object({
    type: z.literal('file'),
    digest,
    // Permission bits.
    mode: z.int().min(0),
    size: z.int().min(0),
    // The digest of what an index of git stages: git status writes the index anew without a change to it.
    staged: digest.exactOptional(),
  }),
  z.object({ type: z.literal('unknown'), reason: z.string() }),
]);

/** The state of a file before or after a write. */
export type FileState = z.infer<typeof fileState>;

// The number of messages in the session before the run of the call, and the id of the call.
const ofCall = { run: z.int().min(0), call: z.string() };
const count = z.int().min(0);
const writeLine = z.union([
  z.object({
    type: z.literal('before'),
    ...ofCall,
    path: z.string(),
    state: fileState,
    // The digest that the file will have.
    intended: digest.exactOptional(),
    // The directories that the write creates, the outermost first.
    directories: z.array(z.string()).exactOptional(),
    // The lines that the write adds and removes.
    added: count.exactOptional(),
    removed: count.exactOptional(),
    // The write belongs to an undo of everything from the checkpoint with this number on.
    undo: z.int().min(1).exactOptional(),
  }),
  z.object({ type: z.literal('after'), ...ofCall, path: z.string(), state: fileState }),
  // An undo is complete.
  z.object({ type: z.literal('undone'), ...ofCall, undo: z.int().min(1) }),
]);

/** A line in the index of the writes of a session. `path` is a real path. */
export const WRITE_LINE = dataSchema(writeLine);

export type JournalLine = ValueOf<typeof WRITE_LINE>;

/** The approvals that are kept for a workspace, a real path. */
export const APPROVALS_FILE = dataSchema(
  z.object({ version: z.literal(1), workspace: z.string(), rules: z.array(permissionRule) }),
);

/** The files that sessions in a workspace have written; all are real paths. */
export const WRITTEN_FILE = dataSchema(
  z.object({ version: z.literal(1), workspace: z.string(), files: z.array(z.string()) }),
);
