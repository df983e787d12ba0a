import { sse } from '../frames.ts';
import { AGAIN, event, HELLO, PATH, type PieceRow, READ, rowsOf } from '../piece-row.ts';
import type { ReplyRow } from '../run-reply.ts';

const created = event('response.created', { response: { id: 'r', status: 'in_progress', usage: null } });
const completed = event('response.completed', { response: { status: 'completed', output: [] } });
const call = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'read_file', arguments: '' };

const RESPONSES: readonly PieceRow[] = [
  [
    'an error without a code',
    'vercel/ai#20022',
    [
      event('error', {
        error: {
          type: 'service_unavailable_error',
          code: null,
          message: 'Unable to verify model access right now. Please retry.',
          param: null,
        },
        sequence_number: 2,
      }),
    ],
    AGAIN,
  ],
  [
    'an overload',
    'XiaomiMiMo/MiMo-Code#2083',
    [
      event('error', {
        error: {
          type: 'service_unavailable_error',
          code: 'server_is_overloaded',
          message: 'Our servers are currently overloaded. Please try again later.',
        },
      }),
    ],
    AGAIN,
  ],
  [
    'an error of the server',
    'locez/merry#50',
    [event('error', { code: 'server_error', message: 'server overloaded' })],
    AGAIN,
  ],
  [
    'a limit of tokens',
    'earendil-works/pi#1458',
    [
      event('response.failed', {
        response: {
          status: 'failed',
          error: {
            code: 'rate_limit_exceeded',
            message: 'Requests to the Operation have exceeded token rate limit of your current tier.',
          },
        },
      }),
    ],
    { ...AGAIN, shows: ['is limiting requests', 'They say seven.'] },
  ],
  [
    'a broken connection behind the gateway',
    'code-yeongyu/senpi#323',
    [
      event('response.failed', {
        response: {
          status: 'failed',
          error: {
            code: 'upstream_unavailable',
            message: 'Codex upstream websocket send failed via proxy endpoint unknown: ConnectionClosedOK',
          },
        },
      }),
    ],
    AGAIN,
  ],
  [
    'parts without their text',
    'makecindy/cindy#4509',
    [
      created,
      event('response.output_item.added', {
        output_index: 0,
        item: {
          id: 'm',
          type: 'message',
          status: 'in_progress',
          role: 'assistant',
          content: [{ type: 'output_text' }],
        },
      }),
      event('response.output_text.delta', { item_id: 'm', output_index: 0, delta: 'Hel' }),
      event('response.output_text.delta', { item_id: 'm', output_index: 0, delta: 'lo' }),
      event('response.output_item.done', {
        output_index: 0,
        item: { id: 'm', type: 'message', status: 'completed', role: 'assistant', content: [{ type: 'output_text' }] },
      }),
      event('response.completed', { response: { id: 'r', status: 'completed' }, output: [] }),
    ],
    HELLO,
  ],
  [
    'an item that is null',
    'openai/openai-python#3125',
    [
      created,
      event('response.output_item.added', { output_index: 0, item: null }),
      event('response.output_text.delta', { output_index: 1, item_id: 'm', delta: 'Hello' }),
      completed,
    ],
    HELLO,
  ],
  [
    'a call that nothing ends',
    'smg-project/smg#2502',
    [
      created,
      event('response.output_item.added', { output_index: 0, item: call }),
      event('response.function_call_arguments.delta', { output_index: 0, item_id: 'fc_1', delta: PATH }),
      completed,
    ],
    READ,
  ],
  [
    'a text and a call at one index',
    'teabranch/open-responses-server#63',
    [
      event('response.output_item.added', { output_index: 0, item: { type: 'message', id: 'm' } }),
      event('response.output_text.delta', { output_index: 0, item_id: 'm', delta: 'Hello' }),
      event('response.output_item.added', { output_index: 0, item: call }),
      event('response.function_call_arguments.delta', { output_index: 0, item_id: 'fc_1', delta: PATH }),
      event('response.output_item.done', { output_index: 0, item: { ...call, arguments: PATH } }),
      completed,
    ],
    { ...READ, shows: ['Hello', 'They say seven.'] },
  ],
  [
    'a summary without its item',
    'maximhq/bifrost#5169',
    [
      event('response.reasoning_summary_text.delta', { output_index: 0, delta: 'Hm.' }),
      event('response.output_text.delta', { output_index: 0, item_id: 'm', delta: 'Hello' }),
      completed,
    ],
    { ...HELLO, hides: ['Hm.Hello'] },
  ],
  [
    'no last event behind a text',
    'openclaw/openclaw#108989',
    [created, event('response.output_text.delta', { output_index: 0, delta: 'Hello' })],
    AGAIN,
  ],
  [
    'an item of an unknown kind',
    'openai, compaction items',
    [
      created,
      event('response.output_item.added', { output_index: 0, item: { type: 'compaction', encrypted_content: 'x' } }),
      event('response.output_text.delta', { output_index: 1, delta: 'Hello' }),
      completed,
    ],
    HELLO,
  ],

  [
    'a heartbeat with a name of the wire',
    'OpenRouterTeam/python-sdk#266',
    [
      event('response.keep_alive'),
      event('response.output_text.delta', { delta: 'Hello' }),
      event('response.completed', { response: { status: 'completed' } }),
    ],
    HELLO,
  ],
  [
    'an error without a type',
    'zed-industries/zed#63825',
    [
      sse({
        error: {
          message: 'litellm.APIError: The server had an error processing your request',
          type: null,
          param: null,
          code: '500',
        },
      }),
    ],
    AGAIN,
  ],
  [
    'the rest of the arguments only at the end',
    'anomalyco/opencode#46084',
    [
      created,
      event('response.output_item.added', { output_index: 0, item: call }),
      event('response.function_call_arguments.delta', { output_index: 0, item_id: 'fc_1', delta: '{"path":"no' }),
      event('response.completed', {
        response: { status: 'completed', output: [{ ...call, id: undefined, arguments: PATH }] },
      }),
    ],
    READ,
  ],
  [
    'an end without its output',
    '0xPlaygrounds/rig#1826',
    [
      event('response.output_text.delta', { delta: 'Hello' }),
      event('response.completed', {
        response: { id: 'r', status: 'completed', usage: { input_tokens: 5, output_tokens: 2 } },
      }),
    ],
    HELLO,
  ],
];

/** Streams of Responses as public reports describe them. */
export const RESPONSES_REPORTS: readonly ReplyRow[] = rowsOf('openai-responses', RESPONSES);
