import { WIRE_NAMES } from '../../../../src/providers/wires.ts';
import { FRAMES, sse, streamOf } from '../frames.ts';
import { AGAIN, event, failing, HELLO, PATH, type PieceRow, READ, rowsOf } from '../piece-row.ts';
import type { ReplyRow } from '../run-reply.ts';

const begin = event('message_start', { message: { usage: { input_tokens: 5 } } });
const block = (index: number, content_block: object) => event('content_block_start', { index, content_block });
const add = (index: number, delta: object) => event('content_block_delta', { index, delta });
const end = (index: number) => event('content_block_stop', { index });
const use = { type: 'tool_use', id: 'toolu_1', name: 'read_file', input: {} };
const stopped = (reason: string) => [
  event('message_delta', { delta: { stop_reason: reason }, usage: { output_tokens: 3 } }),
  event('message_stop'),
];

const MESSAGES: readonly PieceRow[] = [
  [
    'indices with gaps, and ends of blocks that never began',
    'QuantumNous/new-api#5482',
    [
      begin,
      block(0, { type: 'thinking', thinking: '' }),
      add(0, { type: 'thinking_delta', thinking: 'Hm.' }),
      end(0),
      end(1),
      end(2),
      end(3),
      block(4, use),
      add(4, { type: 'input_json_delta', partial_json: PATH }),
      end(4),
      ...stopped('tool_use'),
    ],
    READ,
  ],
  [
    'an index that is left out',
    'jundot/omlx#1353',
    [
      begin,
      block(0, { type: 'thinking', thinking: '' }),
      end(0),
      block(2, use),
      add(2, { type: 'input_json_delta', partial_json: PATH }),
      end(2),
      ...stopped('tool_use'),
    ],
    READ,
  ],
  [
    'a text in the block of a call',
    'sgl-project/sglang#24293',
    [
      begin,
      block(0, use),
      add(0, { type: 'input_json_delta', partial_json: PATH }),
      add(0, { type: 'text_delta', text: 'Hello' }),
      end(0),
      ...stopped('tool_use'),
    ],
    { ...READ, shows: ['Hello', 'They say seven.'] },
  ],
  [
    'a stream that is cut in a call',
    'BerriAI/litellm#32159',
    [begin, block(1, use), add(1, { type: 'input_json_delta', partial_json: 'e testing of' })],
    AGAIN,
  ],
  [
    'an error behind a part of the answer',
    'anthropics/claude-code, overloaded',
    [
      begin,
      block(0, { type: 'text', text: '' }),
      add(0, { type: 'text_delta', text: 'Hel' }),
      event('error', { error: { type: 'overloaded_error', message: 'Overloaded' } }),
    ],
    AGAIN,
  ],
];

const candidate = (fields: object, more: object = {}) => sse({ candidates: [{ index: 0, ...fields }], ...more });
const usageMetadata = { promptTokenCount: 5, candidatesTokenCount: 2, totalTokenCount: 7 };

const GEMINI: readonly PieceRow[] = [
  [
    'a malformed call beside empty content',
    'inngest/agent-kit#178',
    [candidate({ content: {}, finishReason: 'MALFORMED_FUNCTION_CALL' })],
    AGAIN,
  ],
  [
    'a malformed call without content',
    'pydantic/pydantic-ai#3095',
    [candidate({ finishReason: 'MALFORMED_FUNCTION_CALL' }, { usageMetadata: { promptTokenCount: 2595 } })],
    AGAIN,
  ],
  [
    'a malformed call beside a signature',
    'Wei-Shaw/sub2api#7081',
    [
      candidate({
        content: { role: 'model', parts: [{ thoughtSignature: 'eA==' }] },
        finishReason: 'MALFORMED_FUNCTION_CALL',
      }),
    ],
    AGAIN,
  ],
  [
    'an end without content',
    'agentjido/req_llm#638',
    [candidate({ content: { parts: [{ text: 'Hello' }] } }), candidate({ finishReason: 'STOP' }, { usageMetadata })],
    HELLO,
  ],
  [
    'an end apart from the call',
    'brekkylab/ailoy#434',
    [
      candidate({ content: { parts: [{ functionCall: { name: 'read_file', args: { path: 'notes.txt' } } }] } }),
      candidate({ content: {}, finishReason: 'STOP' }),
    ],
    READ,
  ],
  [
    'the name of the reason of a block',
    'published schema',
    [sse({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata })],
    failing('PROHIBITED_CONTENT'),
  ],

  [
    'the armor of a model',
    'simstudioai/sim#6302',
    [candidate({ finishReason: 'MODEL_ARMOR' })],
    failing('content filter', 'MODEL_ARMOR'),
  ],
  ['a missing signature', 'simstudioai/sim#6302', [candidate({ finishReason: 'MISSING_THOUGHT_SIGNATURE' })], AGAIN],
  [
    'a malformed response',
    'simstudioai/sim#6302',
    [candidate({ content: { parts: [{ text: 'Hel' }] }, finishReason: 'MALFORMED_RESPONSE' })],
    AGAIN,
  ],
  [
    'a name in a space',
    'google-gemini/cookbook#1374',
    [
      candidate({
        content: { parts: [{ functionCall: { name: 'default_api.read_file', args: { path: 'notes.txt' } } }] },
        finishReason: 'STOP',
      }),
    ],
    READ,
  ],
  [
    'a reason before the end',
    'googleapis/google-cloud-dotnet#15173',
    [
      candidate({ content: { parts: [{ text: 'Hel' }] }, finishReason: 'FINISH_REASON_UNSPECIFIED' }),
      candidate({ content: { parts: [{ text: 'lo' }] }, finishReason: 'STOP' }),
    ],
    HELLO,
  ],
  [
    'the arguments apart from the name',
    'smallmain/vscode-unify-chat-provider#49',
    [
      candidate({ content: { role: 'model', parts: [{ functionCall: { name: 'read_file', args: {} } }] } }),
      candidate({ content: { role: 'model', parts: [{ functionCall: { args: { path: 'notes.txt' } } }] } }),
      candidate({ content: {}, finishReason: 'STOP' }),
    ],
    READ,
  ],
  [
    'code in place of a call',
    'google-gemini/cookbook#929',
    [
      candidate({
        content: {
          parts: [{ executableCode: { language: 'PYTHON', code: 'print(default_api.read_file(path="notes.txt"))' } }],
        },
        finishReason: 'STOP',
      }),
    ],
    AGAIN,
  ],
];

const line = (value: object) => `${JSON.stringify(value)}\n`;
const OLLAMA: readonly PieceRow[] = [
  [
    'a line in two pieces',
    '0xPlaygrounds/rig#1758',
    [
      line({ message: { content: 'Hello' }, done: false }).slice(0, 20),
      line({ message: { content: 'Hello' }, done: false }).slice(20),
      line({ message: { content: '' }, done: true, done_reason: 'stop' }),
    ],
    HELLO,
  ],
  [
    'a call with an index within its function',
    'ollama/ollama-vscode#58',
    [
      line({
        message: {
          content: '',
          tool_calls: [
            { id: 'call_i9r62nxq', function: { index: 0, name: 'read_file', arguments: { path: 'notes.txt' } } },
          ],
        },
        done: false,
      }),
      line({ message: { content: '' }, done: true, done_reason: 'stop', prompt_eval_count: 312, eval_count: 55 }),
    ],
    READ,
  ],
  [
    'a reason of another wire',
    'kooshi/llama-swappo#13',
    [
      line({
        message: { content: '', tool_calls: [{ function: { name: 'read_file', arguments: { path: 'notes.txt' } } }] },
        ...{ done: false, done_reason: 'tool_calls' },
      }),
      line({ message: {}, done: true, done_reason: 'tool_calls' }),
    ],
    READ,
  ],
  [
    'an error behind a part of the answer',
    'ollama/ollama, docs/api/errors.mdx',
    [
      line({ message: { content: 'Hel' }, done: false }),
      line({ error: 'an error was encountered while running the model' }),
    ],
    AGAIN,
  ],
];

const heartbeats = WIRE_NAMES.filter((wire) => wire !== 'ollama-chat').map(
  (wire): ReplyRow => ({
    name: 'a heartbeat that is a value',
    ...{ wire, source: 'Prism-Shadow/agenthub#174' },
    replies: [
      streamOf(wire, [
        sse({ type: 'keepalive', sequence_number: 3 }),
        ...FRAMES[wire].text('Hello'),
        sse({ type: 'keepalive', sequence_number: 4 }),
        ...FRAMES[wire].end(FRAMES[wire].reasons.stop),
      ]),
    ],
    ...HELLO,
  }),
);

/** Streams of Messages, Gemini and Ollama, and heartbeats, as public reports describe them. */
export const OTHER_REPORTS: readonly ReplyRow[] = [
  ...heartbeats,
  ...rowsOf('anthropic-messages', MESSAGES),
  ...rowsOf('gemini', GEMINI),
  ...rowsOf('ollama-chat', OLLAMA),
];
