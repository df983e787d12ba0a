import * as z from 'zod';
import { checked, strictObject } from '../strict-object.ts';
import { Count, Milliseconds } from '../timing-format.ts';

const Text = z.string().min(1);
const Flag = z.literal(true).optional();
const Length = z.int().min(0).optional();

/** A point of a streamed answer. A number beyond the end of the answer is the point before the finish reason. */
const PointSchema = z.union([
  z.enum(['before_headers', 'middle', 'before_finish', 'after_finish', 'end']),
  checked(
    strictObject({
      pieces: Length.describe('Number of pieces that are sent before the fault'),
      characters: Length.describe(
        'Number of characters of reasoning, text and arguments that are sent before the fault',
      ),
    }),
    'point',
  ),
]);

/** A fault: an error in place of the answer or within it, or an answer broken in one or more ways. */
export const FaultSchema = checked(
  strictObject({
    status: z
      .int()
      .min(200)
      .max(599)
      .optional()
      .describe(
        "HTTP status of an error sent in place of the answer, with `body` or one in the provider's format (400 or more; " +
          'only Anthropic has 529, the other protocols send 503); with `at`, an error in the middle of a stream',
      ),
    message: Text.optional().describe("Message of that error; the provider's own by default"),
    code: Text.optional().describe(
      'Machine-readable code of that error, such as `context_length_exceeded`, in protocols that have one',
    ),
    type: Text.optional().describe('Type of that error, such as `overloaded_error`; that of the status by default'),
    context_overflow: Flag.describe(
      'The error of the service for a request that is too long for its context window, with its own status, words and codes',
    ),
    retry_after: z
      .number()
      .min(0)
      .optional()
      .describe('Seconds in the header `retry-after`, rounded up; `retry-after-ms` is exact'),
    headers: z
      .record(Text, z.string())
      .optional()
      .describe(
        'Headers of the answer, in place of those of the server; `{{retry_date}}` is the date in `retry_after` seconds',
      ),
    body: z
      .string()
      .optional()
      .describe(
        'Body in place of that error, sent as it is; HTML, JSON or plain text by its start, unless `headers` say the type',
      ),
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
    control_events: Flag.describe(
      'Sends comments and events without data (`retry:`, `id:`, empty `data:`) between those of the stream, as gateways do',
    ),
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
  }),
  'fault',
);

export type Fault = z.infer<typeof FaultSchema>;
