import { WIRE_NAMES } from '../../../src/providers/wires.ts';
import { FRAMES, streamOf, textReply } from './frames.ts';
import { jsonReply, pieceReply } from './raw-server.ts';
import type { ReplyRow } from './run-reply.ts';

const SOURCE = 'anthropics/claude-code#53584';

/**
 * Answers after which the server sends more, and ends neither the body nor the connection. The process must end
 * nevertheless.
 */
export const END_ROWS: readonly ReplyRow[] = [
  ...WIRE_NAMES.map(
    (wire): ReplyRow => ({
      name: 'ends after an error within the stream, behind which more follows',
      ...{ wire, source: SOURCE },
      replies: [
        streamOf(
          wire,
          [
            ...FRAMES[wire].text('Hello'),
            FRAMES[wire].error('It broke.'),
            ...FRAMES[wire].end(FRAMES[wire].reasons.stop),
          ],
          { unended: true },
        ),
        ...(wire === 'ollama-chat' ? [textReply(wire, 'Again.')] : []),
      ],
      ...(wire === 'ollama-chat'
        ? { code: 0, requests: 2, shows: ['It broke', 'Again.'] }
        : { code: 1, requests: 1, shows: ['It broke'] }),
    }),
  ),
  {
    name: 'ends after an answer that succeeds at the second try',
    ...{ wire: 'openai-chat', source: SOURCE },
    replies: [
      streamOf('openai-chat', [...FRAMES['openai-chat'].text('Half'), 'data: {broken\n\n', 'data: [DONE]\n\n'], {
        unended: true,
      }),
      streamOf('openai-chat', [...FRAMES['openai-chat'].text('Whole'), ...FRAMES['openai-chat'].end('stop')], {
        unended: true,
      }),
    ],
    ...{ code: 0, requests: 2, shows: ['Whole'] },
  },
  {
    name: 'ends after a reason that is no end, without keep-alive',
    ...{ wire: 'openai-chat', source: SOURCE },
    replies: [
      streamOf('openai-chat', [...FRAMES['openai-chat'].text('Half'), ...FRAMES['openai-chat'].end('abort')], {
        keepAlive: false,
        unended: true,
      }),
    ],
    ...{ code: 1, requests: 4, shows: ['"abort"'] },
  },
  {
    name: 'ends after an error status whose body does not end',
    ...{ wire: 'openai-chat', source: SOURCE },
    replies: [
      pieceReply([...Array.from({ length: 80 }, () => 'x'.repeat(1024))], {
        status: 400,
        unended: true,
        type: 'text/plain',
      }),
    ],
    ...{ code: 1, requests: 1, shows: ['refused the request (400: xxx'] },
  },
  {
    name: 'ends after a whole answer on a connection that stays open',
    ...{ wire: 'anthropic-messages', source: SOURCE },
    replies: [jsonReply(FRAMES['anthropic-messages'].whole('Hello'))],
    ...{ code: 0, requests: 1, shows: ['Hello'] },
  },
  {
    name: 'ends after the reason, behind which neither a mark nor an end comes',
    ...{ wire: 'gemini', source: 'no report; measured with a server that never closes' },
    replies: [streamOf('gemini', [...FRAMES.gemini.text('Hello'), ...FRAMES.gemini.end('STOP')], { unended: true })],
    ...{ code: 0, requests: 1, shows: ['Hello'] },
  },
];
