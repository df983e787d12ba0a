import * as z from 'zod';
import { problemText, strictObject } from './problems.ts';
import { MAX_WAIT_MS } from './timing-format.ts';

const Flag = z.literal(true).optional();

/** How an answer goes wrong: an error instead of it, or the answer itself broken in one or more ways. */
export const FaultSchema = strictObject({
  status: z
    .literal([400, 401, 403, 404, 408, 413, 429, 500, 502, 503, 529])
    .optional()
    .describe("HTTP status of an error that is sent instead of the answer, with the provider's own body"),
  message: z.string().min(1).optional().describe("Text of that error; the provider's own when left out"),
  retry_after: z
    .number()
    .min(0)
    .optional()
    .describe('Seconds in the header `retry-after`, rounded up; `retry-after-ms` has them exactly'),
  times: z
    .int()
    .min(1)
    .optional()
    .describe('How many equal requests get the fault before the answer is right; all of them when left out'),
  cut: z
    .enum(['before_finish', 'after_finish'])
    .optional()
    .describe('The stream ends cleanly, without what says that the answer is finished or without what follows it'),
  reset: Flag.describe('The connection is reset in the middle of the answer'),
  stall: z
    .enum(['forever', 'pings'])
    .optional()
    .describe('Nothing comes after the middle of the answer, or nothing but keep-alive pings'),
  ping_every_ms: z
    .number()
    .min(1)
    .max(MAX_WAIT_MS)
    .optional()
    .describe('Milliseconds between the pings of a stalled stream; 5000 when left out'),
  drip: z
    .number()
    .positive()
    .max(MAX_WAIT_MS)
    .optional()
    .describe('The answer comes byte by byte, this many milliseconds apart'),
  malformed_chunk: Flag.describe('A piece in the middle of the answer is JSON that breaks off'),
  content_type: z.string().min(1).optional().describe('Value of the header `content-type` instead of the right one'),
  split_utf8: Flag.describe('Every character of more than one byte comes in two chunks'),
  split_arguments: Flag.describe('Arguments of tool calls come character by character, each cut into two chunks'),
  missing_index: Flag.describe('Tool calls have no index in the stream'),
  colliding_index: Flag.describe('All tool calls have the same index in the stream'),
  missing_call_id: Flag.describe('Tool calls have no id'),
  empty_answer: Flag.describe('The answer holds nothing and ends as if it were complete'),
  tool_call_as_text: Flag.describe('Tool calls are written into the text, in `<tool_call>` tags'),
  open_think_tag: Flag.describe('The text begins with a `<think>` that is never closed'),
}).superRefine((fault, context) => {
  const problem = contradictionIn(fault);
  if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
});

type FaultFields = Readonly<Record<string, unknown>>;

/** What takes the place of a whole answer goes with `times` and these only. */
const OF_STATUS = ['status', 'message', 'retry_after', 'times'];
const MODIFIERS = ['message', 'retry_after', 'times', 'ping_every_ms'];
const EXCLUSIVE = [
  ['cut', 'reset', 'stall'],
  ['missing_index', 'colliding_index'],
  ['empty_answer', 'tool_call_as_text'],
  ['empty_answer', 'open_think_tag'],
];

function contradictionIn(fault: FaultFields): string | undefined {
  const has = (name: string) => fault[name] !== undefined;
  const names = Object.keys(fault).filter(has);
  if (names.every((name) => MODIFIERS.includes(name))) {
    return problemText('does not say what goes wrong', 'add "status": 500, or another of the faults');
  }
  if (has('status')) {
    const other = names.find((name) => !OF_STATUS.includes(name));
    if (other === undefined) return undefined;
    return problemText(
      `${other} cannot go with status, which is sent instead of the answer`,
      `leave out ${other}, or the status`,
    );
  }
  const orphan = names.find((name) => name === 'message' || name === 'retry_after');
  if (orphan !== undefined) return problemText(`${orphan} needs a status`, `add "status": 429, or leave ${orphan} out`);
  if (has('ping_every_ms') && fault['stall'] !== 'pings') {
    return problemText('ping_every_ms needs "stall": "pings"', 'add it, or leave ping_every_ms out');
  }
  const pair = EXCLUSIVE.map((group) => group.filter(has)).find((group) => group.length > 1);
  return pair && problemText(`${pair.join(' and ')} exclude each other`, 'leave out all but one of them');
}

/** A fault, checked. */
export type Fault = z.infer<typeof FaultSchema>;
