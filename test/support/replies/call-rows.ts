import { FRAMES, sse, streamOf, textReply } from './frames.ts';
import type { ReplyRow } from './run-reply.ts';

const PATH = '{"path": "notes.txt"}';

/** Names and arguments of a call of `read_file` that are malformed, with a report of such a server or model. */
const CALLS: readonly (readonly [mistake: string, source: string, name: string, args: string])[] = [
  ['single quotes', 'cubist38/mlx-openai-server#124', 'read_file', "{'path': 'notes.txt'}"],
  ['a comma too many', 'huggingface/chat-ui#1229', 'read_file', '{"path": "notes.txt",}'],
  ['a brace too many', 'yigit353/langchain-qwq#30', 'read_file', '{"path": "notes.txt"}}'],
  ['a brace missing', 'NousResearch/hermes-agent#115096', 'read_file', '{"path": "notes.txt"'],
  ['a JSON string', 'vllm-project/vllm#25729', 'read_file', JSON.stringify(PATH)],
  ['an empty object before them', 'openai/openai-agents-js#712', 'read_file', `{}${PATH}`],
  ['the same twice', 'mudler/cogito#66', 'read_file', PATH + PATH],
  ['an empty string behind them', 'sgl-project/sglang#29883', 'read_file', `${PATH}""`],
  ['escapes between values', 'OpenHands/software-agent-sdk#2488', 'read_file', '{"path": \\n"notes.txt"\\n}'],
  [
    'a list as text',
    'earendil-works/pi#3370',
    'update_tasks',
    '{"tasks": "[{\\"content\\": \\"A\\", \\"status\\": \\"pending\\"}]"}',
  ],
  [
    'items as text',
    'earendil-works/pi#8962',
    'update_tasks',
    '{"tasks": ["{\\"content\\": \\"A\\", \\"status\\": \\"pending\\"}"]}',
  ],
  [
    'an object for a list',
    'Miso2233/SonettoHere#319',
    'update_tasks',
    '{"tasks": {"content": "A", "status": "pending"}}',
  ],
  ['control characters in a string', 'MoonshotAI/kimi-cli#1378', 'run_shell', '{"command": "cat notes.txt\n"}'],
  ['the name with a channel', 'vllm-project/vllm#23167', 'read_file<|channel|>commentary', PATH],
  ['the name with a namespace', 'mlc-ai/xgrammar#607', 'functions.read_file', PATH],
  ['the name with a number', 'NousResearch/hermes-agent#24534', 'functions.read_file:0', PATH],
];

/** The trace of a call of each tool in the next request. */
const SENDS: Readonly<Record<string, string>> = {
  read_file: 'The notes say seven.',
  run_shell: 'needs the user',
  update_tasks: 'The list has 1 task',
};

function reply(name: string, args: string) {
  const call = { index: 0, id: 'call_1', type: 'function', function: { name, arguments: args } };
  const { end, reasons } = FRAMES['openai-chat'];
  return streamOf('openai-chat', [
    sse({ choices: [{ index: 0, delta: { tool_calls: [call] } }] }),
    ...end(reasons.calls),
  ]);
}

/** Malformed calls that run, and those that do not. */
export const CALL_ROWS: readonly ReplyRow[] = [
  ...CALLS.map(([mistake, source, name, args]): ReplyRow => {
    const tool = /read_file|run_shell|update_tasks/.exec(name)?.[0] ?? '';
    return {
      name: `a call of ${tool}: ${mistake}`,
      wire: 'openai-chat',
      source,
      replies: [reply(name, args), textReply('openai-chat', 'It says seven.')],
      // Without a terminal, commands are denied.
      code: tool === 'run_shell' ? 3 : 0,
      shows: ['It says seven.'],
      requests: 2,
      sends: [SENDS[tool] ?? '', `"name":"${tool}"`],
    };
  }),
  {
    name: 'arguments that were cut are refused',
    wire: 'openai-chat',
    source: 'earendil-works/pi#5307',
    replies: [reply('read_file', '{"path": "notes.t'), textReply('openai-chat', 'I could not.')],
    code: 0,
    shows: ['I could not.'],
    requests: 2,
    sends: ['are not valid JSON, so the call was not executed', '"arguments":"{}"'],
  },
  {
    name: 'arguments that are nested without end are refused',
    wire: 'openai-chat',
    source: 'no report: a model that repeats a bracket',
    replies: [
      reply('read_file', `{"path":${'['.repeat(20_000)}${']'.repeat(20_000)}}`),
      textReply('openai-chat', 'I could not.'),
    ],
    code: 0,
    shows: ['I could not.'],
    requests: 2,
    sends: ['are not valid JSON, so the call was not executed', '"arguments":"{}"'],
  },
];
