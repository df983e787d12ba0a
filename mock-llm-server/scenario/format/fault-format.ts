import * as z from 'zod';
import { addProblem, strictObject } from '../problems.ts';
import { Count, Milliseconds } from './timing-format.ts';

const Text = z.string().min(1);
const Flag = z.literal(true).optional();
const Length = z.int().min(0).optional();

/** A point of a streamed answer. A number beyond the end of the answer is the point before the finish reason. */
const PointSchema = z.union([
  z.enum(['before_headers', 'middle', 'before_finish', 'after_finish', 'end']),
  strictObject({
    pieces: Length.describe('Number of pieces that are sent before the fault'),
    characters: Length.describe('Number of characters of reasoning, text and arguments that are sent before the fault'),
  }).superRefine(({ pieces, characters }, context) => {
    if ((pieces === undefined) === (characters === undefined)) {
      addProblem(context, 'needs either pieces or characters', 'write {"pieces": 3}, or {"characters": 20}');
    }
  }),
]);

/** The statuses that a fault can send. */
export const FAULT_STATUSES = [400, 401, 403, 404, 408, 413, 429, 500, 502, 503, 529] as const;

/** A fault: an error in place of the answer or within it, or an answer broken in one or more ways. */
export const FaultSchema = strictObject({
  status: z
    .literal(FAULT_STATUSES)
    .optional()
    .describe(
      "HTTP status of an error sent in place of the answer, with a body in the provider's format; with `at`, an error " +
        'in the middle of a stream. Only Anthropic has 529; the other protocols send 503',
    ),
  message: Text.optional().describe("Message of that error; the provider's own by default"),
  code: Text.optional().describe(
    'Machine-readable code of that error, such as `context_length_exceeded`, in protocols that have one',
  ),
  type: Text.optional().describe('Type of that error, such as `overloaded_error`; that of the status by default'),
  retry_after: z
    .number()
    .min(0)
    .optional()
    .describe('Seconds in the header `retry-after`, rounded up; `retry-after-ms` is exact'),
  times: Count.optional().describe(
    'Number of equal requests that get the fault before one is answered correctly; all by default',
  ),
  at: PointSchema.optional().describe(
    'Point of the stream where `status`, `cut`, `reset` or `stall` takes effect; the middle by default',
  ),
  cut: z
    .literal(['before_finish', 'after_finish', true])
    .optional()
    .describe('The stream ends cleanly before the finish reason, right after it, or with `true` at the point `at`'),
  reset: Flag.describe('Resets the connection at the point `at`'),
  stall: z
    .enum(['forever', 'pings'])
    .optional()
    .describe('Sends nothing after the point `at`, or keep-alive pings only'),
  ping_every_ms: Milliseconds.min(1)
    .optional()
    .describe('Milliseconds between the pings of a stalled stream; 5000 by default'),
  drip: Milliseconds.positive()
    .optional()
    .describe('Sends the answer byte by byte, with this many milliseconds between bytes'),
  malformed_chunk: Flag.describe('Truncates the JSON of a chunk in the middle of the answer'),
  content_type: Text.optional().describe('Value of the header `content-type` in place of the correct one'),
  split_utf8: Flag.describe('Splits every multi-byte character across two chunks'),
  split_arguments: Flag.describe(
    'Sends the arguments of tool calls character by character, each split across two chunks',
  ),
  missing_index: Flag.describe('Omits the index of tool calls in the stream'),
  colliding_index: Flag.describe('Gives all tool calls the same index in the stream'),
  missing_call_id: Flag.describe('Omits the ids of tool calls'),
  empty_answer: Flag.describe('Sends an answer without content that ends normally'),
  tool_call_as_text: Flag.describe('Writes tool calls into the text, in `<tool_call>` tags'),
  open_think_tag: Flag.describe('Starts the text with a `<think>` tag that is never closed'),
}).superRefine(checkFault);

/** The fields that may accompany `status`. */
const STATUS_FIELDS = ['status', 'message', 'code', 'type', 'retry_after', 'times', 'at'];
/** The fields of an error that need its status. */
const ERROR_FIELDS = ['message', 'code', 'type', 'retry_after'];
const MODIFIERS = [...ERROR_FIELDS, 'times', 'ping_every_ms', 'at'];
const EXCLUSIVE = [
  ['cut', 'reset', 'stall'],
  ['missing_index', 'colliding_index'],
  ['empty_answer', 'tool_call_as_text'],
  ['empty_answer', 'open_think_tag'],
];

function checkFault(fault: Readonly<Record<string, unknown>>, context: z.core.$RefinementCtx): void {
  const has = (name: string) => fault[name] !== undefined;
  const names = Object.keys(fault).filter(has);
  const other = names.find((name) => !STATUS_FIELDS.includes(name));
  const orphan = names.find((name) => ERROR_FIELDS.includes(name));
  const pair = EXCLUSIVE.map((group) => group.filter(has)).find((group) => group.length > 1);
  if (names.every((name) => MODIFIERS.includes(name))) {
    addProblem(context, 'names no fault', 'add "status": 500, or another fault');
  } else if (has('status') && other !== undefined) {
    const reason = `${other} cannot be combined with status, which replaces the answer`;
    addProblem(context, reason, `remove ${other}, or the status`);
  } else if (!has('status') && orphan !== undefined) {
    addProblem(context, `${orphan} needs a status`, `add "status": 429, or remove ${orphan}`);
  } else if (has('ping_every_ms') && fault['stall'] !== 'pings') {
    addProblem(context, 'ping_every_ms needs "stall": "pings"', 'add it, or remove ping_every_ms');
  } else if (pair !== undefined) {
    addProblem(context, `${pair.join(' and ')} exclude each other`, 'remove all but one of them');
  } else if (has('at')) {
    checkPoint(fault, context);
  }
}

function checkPoint(
  { at, status, cut, reset, stall }: Readonly<Record<string, unknown>>,
  context: z.core.$RefinementCtx,
): void {
  if (status === undefined && cut !== true && reset === undefined && stall === undefined) {
    const fix = 'add "reset": true, or remove at';
    addProblem(context, 'at needs a status, "cut": true, reset or stall', fix, ['at']);
  } else if (at === 'before_headers' && reset === undefined && stall !== 'forever') {
    const fix = status === undefined ? 'choose a later point' : 'remove at: a status alone replaces the answer';
    addProblem(context, 'before_headers needs reset or "stall": "forever"', fix, ['at']);
  }
}

/** A fault of a step. */
export type Fault = z.infer<typeof FaultSchema>;
