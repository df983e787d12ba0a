import { FRAMES, sse } from '../frames.ts';
import { HELLO, PATH, type PieceRow, READ, rowsOf } from '../piece-row.ts';
import type { ReplyRow } from '../run-reply.ts';

const DONE = 'data: [DONE]\n\n';
const chunk = (delta: unknown, finish: unknown = null) =>
  sse({ choices: [{ index: 0, delta, finish_reason: finish }] });
const written = (text: string): readonly string[] => [
  ...[...text].map((letter) => chunk({ content: letter })),
  chunk({}, 'stop'),
  DONE,
];
const piece = (fields: object) => chunk({ tool_calls: [{ index: 0, ...fields }] });
const stop = chunk({}, 'stop');
const HIDDEN = { ...READ, hides: ['unnamed', 'invoke', 'minimax', 'arg_key', 'tool_call>', 'Calling tool'] };

const CALLS: readonly PieceRow[] = [
  [
    'an end after each piece',
    '1jehuang/jcode#1326',
    [
      piece({ id: 'a', type: 'function', function: { name: 'read_file', arguments: '' } }),
      stop,
      piece({ function: { arguments: '{"path": ' } }),
      stop,
      piece({ function: { arguments: '"notes.txt"}' } }),
      stop,
      chunk({}, 'tool_calls'),
      stop,
      DONE,
    ],
    READ,
  ],
  [
    'a special token as the text beside a call',
    'XiaomiMiMo/MiMo-Code#578',
    [
      chunk({ content: '<eos>' }),
      piece({ id: 'a', function: { name: 'read_file', arguments: PATH } }),
      chunk({}, 'tool_calls'),
      DONE,
    ],
    READ,
  ],
  [
    'the rest of a call at the end of a text',
    'MiaAI-Lab/GLM-5.3-Flash-EXL3-2x-DGX-Sparks#177',
    [
      piece({ id: 'a', type: 'function', function: { name: 'read_file', arguments: '{"path": ' } }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '"notes.txt"}' } }] }, 'stop'),
      DONE,
    ],
    READ,
  ],
  [
    'calls of MiniMax in the text',
    'earendil-works/pi#368',
    written(
      '<minimax:tool_call>\n<invoke name="read_file">\n<parameter name="path">notes.txt</parameter>\n</invoke>\n</minimax:tool_call>',
    ),
    HIDDEN,
  ],
  [
    'calls of MiniMax M3 in the text',
    'ml-explore/mlx-lm#1416',
    written(
      'I\'ll look.]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="read_file">\n]<]minimax[>[<path>notes.txt]<]minimax[>[</path>\n]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>',
    ),
    HIDDEN,
  ],
  [
    'calls in the words of Claude, without a frame',
    'vellum-ai/vellum-assistant#42234',
    written('<invoke name="read_file">\n<parameter name="path">notes.txt</parameter>\n</invoke>'),
    HIDDEN,
  ],
  [
    'a call as a sentence',
    'NousResearch/hermes-agent#27834',
    written('[Calling tool: read_file with arguments: {"path":"notes.txt"}]'),
    HIDDEN,
  ],
  [
    'a call as a sentence, in the words of its own history',
    'raullenchai/Rapid-MLX#1592',
    written('[Calling tool: read_file({"path": "notes.txt"})]'),
    HIDDEN,
  ],
  [
    'the tag of a call that was read',
    'raullenchai/Rapid-MLX#448',
    [
      chunk({ content: '<function' }),
      chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'read_file', arguments: PATH } }] }),
      chunk({}, 'tool_calls'),
      DONE,
    ],
    { ...READ, hides: ['<function'] },
  ],
  [
    'calls of GLM in the text',
    'ROCm/ATOM#1443',
    written('<tool_call>read_file <arg_key>path</arg_key><arg_value>notes.txt</arg_value></tool_call>'),
    HIDDEN,
  ],
  [
    'the thinking of MiniMax M3 in the text',
    'ROCm/ATOM#1443, reasoning',
    written('<mm:think>I think.</mm:think>Hello'),
    { ...HELLO, hides: ['mm:think'] },
  ],
  ['a call in JSON alone', 'nugget/thane-ai-agent#21', written(`{"name": "read_file", "arguments": ${PATH}}`), READ],
  [
    'calls of Kimi in the reasoning',
    'vllm-project/vllm#31896',
    [
      chunk({
        reasoning_content: `I will read it.<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>${PATH}<|tool_call_end|><|tool_calls_section_end|>`,
      }),
      stop,
      DONE,
    ],
    READ,
  ],
  [
    'an own tag of a model around a call',
    'minpeter/ai-sdk-tool-call-middleware#51',
    written("I'll look.\n<read_file>\n<path>notes.txt</path>\n</read_file>"),
    READ,
  ],
  [
    'an empty list of calls beside a text',
    'anomalyco/opencode#5139',
    [...FRAMES['openai-chat'].text('Hello'), chunk({ tool_calls: [] }), chunk({}, 'tool_calls'), DONE],
    HELLO,
  ],
];

/** Calls over Chat Completions, from public reports of the autumn of 2026 and before. */
export const TEXT_CALL_REPORTS: readonly ReplyRow[] = rowsOf('openai-chat', CALLS);
