import type { Wire } from '../../../src/providers/wires.ts';
import { FRAMES, textReply } from './frames.ts';
import { jsonReply } from './raw-server.ts';
import type { ReplyRow } from './run-reply.ts';

const REFUSED_STREAM =
  'Your organization must be verified to stream this model. Please go to: https://platform.openai.com/settings/organization/general and click on Verify Organization.';

/** Refusals that another form of the request meets. The unit tests have more of them; these go to the command. */
const REFUSALS: readonly (readonly [
  name: string,
  source: string,
  wire: Wire,
  error: object,
  sends: readonly string[],
])[] = [
  [
    'a system text that a template refuses',
    'BerriAI/litellm#4377',
    'openai-chat',
    { object: 'error', message: 'System role not supported', type: 'BadRequestError', code: 400 },
    ['"messages":[{"role":"user"'],
  ],
  [
    'a system text that Gemma refuses',
    '0xPlaygrounds/rig#788',
    'gemini',
    { error: { code: 400, message: 'Developer instruction is not enabled for models/gemma-3-27b-it' } },
    ['Read notes.txt', '"tools"'],
  ],
  [
    'a limit of the answer that a backend does not know',
    'RayBytes/ChatMock#103',
    'openai-responses',
    { detail: 'Unsupported parameter: max_output_tokens' },
    ['"store":false'],
  ],
  [
    'cache marks that a gateway does not know',
    'earendil-works/pi#7938',
    'anthropic-messages',
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'tools.3.cache_control: Extra inputs are not permitted' },
    },
    ['"system":[{"type":"text","text":'],
  ],
];

/** Requests that are refused, and answered in another form. */
export const FORM_ROWS: readonly ReplyRow[] = [
  ...(['openai-chat', 'openai-responses', 'anthropic-messages', 'ollama-chat'] as const).map(
    (wire): ReplyRow => ({
      name: 'a stream that is refused: the answer comes in one piece',
      ...{ wire, source: 'continuedev/continue#7129' },
      replies: [
        jsonReply({ error: { message: REFUSED_STREAM, type: 'invalid_request_error' } }, { status: 400 }),
        jsonReply(FRAMES[wire].whole('They say seven.')),
      ],
      ...{ code: 0, requests: 2, shows: ['answer in one piece', 'They say seven.'], sends: ['"stream":false'] },
    }),
  ),
  ...REFUSALS.map(([name, source, wire, error, sends]): ReplyRow => {
    const replies = [jsonReply(error, { status: 400 }), textReply(wire, 'They say seven.')];
    return { name, source, wire, replies, code: 0, requests: 2, shows: ['sent again', 'They say seven.'], sends };
  }),
];
