import { WIRE_NAMES } from '../../../src/providers/wires.ts';
import { FRAMES, streamOf, textReply } from './frames.ts';
import type { ReplyRow } from './run-reply.ts';

/**
 * A call of `read_file` in the markup of a family of models, and a report of a server that did not read it; `␤` stands for
 * a line end.
 */
const PAGE = `
  Kimi K2 | NousResearch/hermes-agent#24534
    <|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path": "notes.txt"}<|tool_call_end|><|tool_calls_section_end|>
  Kimi K2 without its section | template of the model
    <|tool_call_begin|>functions.read_file:3<|tool_call_argument_begin|> {"path": "notes.txt"} <|tool_call_end|>
  Kimi K2 with another id | ggml-org/llama.cpp#24658
    <|tool_calls_section_begin|><|tool_call_begin|>functions_read_file_0<|tool_call_argument_begin|>{"path": "notes.txt"}<|tool_call_end|><|tool_calls_section_end|>
  Kimi K3 | getsigit/sigit#92
    <|open|>tools<|sep|><|open|>call tool="read_file" index="1"<|sep|><|open|>argument key="path" type="string"<|sep|>notes.txt<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>
  Kimi K3, with its arguments as JSON | format of the model
    <|open|>tools<|sep|><|open|>call tool="read_file" index="1"<|sep|><|open|>json type="object"<|sep|>{"path": "notes.txt"}<|close|>json<|sep|><|close|>call<|sep|><|close|>tools<|sep|>
  Kimi K3 without a token | can1357/oh-my-pi#8495
    <|open|>toolscall tool="read_file" index="1"<|sep|><|open|>argument key="path" type="string"<|sep|>notes.txt<|close|>argument<|sep|><|close|>call<|sep|><|close|>toolsmessage<|sep|>
  DeepSeek R1 | template of the model
    <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file␤\`\`\`json␤{"path": "notes.txt"}␤\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>
  DeepSeek V3.1 | template of the model
    <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{"path": "notes.txt"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>
  DeepSeek V3.2 | sgl-project/sglang#40236
    <｜DSML｜function_calls>␤<｜DSML｜invoke name="read_file">␤<｜DSML｜parameter name="path" string="true">notes.txt</｜DSML｜parameter>␤</｜DSML｜invoke>␤</｜DSML｜function_calls>
  DeepSeek V3.2 without its section, with narrow bars | kittors/deepseek-web-api#11
    <|DSML|invoke name="read_file">␤<|DSML|parameter name="path" string="true">notes.txt</|DSML|parameter>␤</|DSML|invoke>
  DeepSeek with double bars | lsdefine/GenericAgent#804
    <‖DSML‖tool_calls>␤<‖DSML‖invoke name="read_file">␤<‖DSML‖parameter name="path" string="true">notes.txt</‖DSML‖parameter>␤</‖DSML‖invoke>␤</‖DSML‖tool_calls>
  DeepSeek V4 with blanks in its tokens | AgentFlocks/flocks#687
    < | DSML | tool_use>␤< | DSML | invoke name="read_file">␤< | DSML | parameter name="path" string="true">notes.txt</ | DSML | parameter>␤</ | DSML | invoke>␤</ | DSML | tool_use>
  Mistral | template of the model
    [TOOL_CALLS][{"name": "read_file", "arguments": {"path": "notes.txt"}}]
  Mistral, newer | template of the model
    [TOOL_CALLS]read_file[ARGS]{"path": "notes.txt"}
  Llama 3 | template of the model
    <|python_tag|>{"name": "read_file", "parameters": {"path": "notes.txt"}}
  Granite | template of the model
    <|tool_call|>[{"name": "read_file", "arguments": {"path": "notes.txt"}}]
  Phi | template of the model
    <|tool_call|>[{"name": "read_file", "arguments": {"path": "notes.txt"}}]<|/tool_call|>
  LFM2 | ml-explore/mlx-lm#864
    <|tool_call_start|>[read_file(path="notes.txt")]<|tool_call_end|>
  gpt-oss | template of the model
    <|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"path": "notes.txt"}<|call|>
  gpt-oss without its tokens | raullenchai/Rapid-MLX#480
    commentary to=functions.read_file json{"path":"notes.txt"}
  Gemini | bayesimpact/bayes-platform#620
    <call:default_api:read_file{path:notes.txt}/>
  Gemini, over LiteLLM | NousResearch/hermes-agent#74771
    declaration:default_api:read_file{path:notes.txt}
  MiniMax M2 | template of the model
    <minimax:tool_call>␤<invoke name="read_file">␤<parameter name="path">notes.txt</parameter>␤</invoke>␤</minimax:tool_call>
  Anthropic, older | published format
    <function_calls>␤<invoke name="read_file">␤<parameter name="path">notes.txt</parameter>␤</invoke>␤</function_calls>
  Seed OSS | template of the model
    <seed:tool_call>␤<function=read_file>␤<parameter=path>notes.txt</parameter>␤</function>␤</seed:tool_call>
  Hunyuan | template of the model
    <tool_calls>[{"name": "read_file", "arguments": {"path": "notes.txt"}}]</tool_calls>
  InternLM | template of the model
    <|action_start|><|plugin|>{"name": "read_file", "parameters": {"path": "notes.txt"}}<|action_end|>
  LongCat | HKUDS/nanobot#1057
    <longcat_tool_call>␤{"name": "read_file", "arguments": {"path": "notes.txt"}}␤</longcat_tool_call>
  Granite 20B | vllm-project/vllm#44713
    <function_call> {"name": "read_file", "arguments": {"path": "notes.txt"}}
  FunctionGemma | docker/model-runner#1045
    <start_function_call>call:read_file{path:<escape>notes.txt<escape>}<end_function_call>
  Phi-4-mini | vllm-project/vllm#14682
    functools[{"name": "read_file", "arguments": {"path": "notes.txt"}}]
  Phi-4-mini, between tokens | vllm-project/vllm#14682
    <|tool_calls|>[{"name": "read_file", "arguments": {"path": "notes.txt"}}]<|/tool_calls|>
  Nemotron | template of the model
    <TOOLCALL>[{"name": "read_file", "arguments": {"path": "notes.txt"}}]</TOOLCALL>
  Command A | template of the model
    <|START_ACTION|>[{"tool_call_id": "0", "tool_name": "read_file", "parameters": {"path": "notes.txt"}}]<|END_ACTION|>
  Apertus | template of the model
    <|tools_prefix|>[{"read_file": {"path": "notes.txt"}}]<|tools_suffix|>
  Gemma 4 | template of the model
    <|tool_call>call:read_file{path:<|"|>notes.txt<|"|>}<tool_call|>
  Step | template of the model
    <｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜>read_file␤\`\`\`json␤{"path": "notes.txt"}␤\`\`\`<｜tool_call_end｜><｜tool_calls_end｜>
  Qwen, without the end of its tag | no report; beside the others
    <tool_call>␤{"name": "read_file", "arguments": {"path": "notes.txt"}}
  Qwen3-Coder, without the start of its tag | no report; beside the others
    <function=read_file>␤<parameter=path>␤notes.txt␤</parameter>␤</function>␤</tool_call>
  Hermes, Qwen | Ollama 0.17.4
    <tool_call>␤{"name": "read_file", "arguments": {"path": "notes.txt"}}␤</tool_call>
`;
const CALLS = PAGE.trim()
  .split(/\n {2}(?! )/)
  .map((row) => {
    const [head = '', markup = ''] = row.split('\n    ');
    const [family = '', source = ''] = head.split(' | ');
    return [family, source, markup.replaceAll('␤', '\n')] as const;
  });

const answerWith = (wire: ReplyRow['wire'], text: string) => {
  const { text: framesOf, end, reasons } = FRAMES[wire];
  const middle = Math.ceil(text.length / 2);
  return streamOf(wire, [...framesOf(text.slice(0, middle)), ...framesOf(text.slice(middle)), ...end(reasons.stop)]);
};

const READ = { code: 0, requests: 2, shows: ['They say seven.'], sends: ['The notes say seven.'] };

/** The tags of reasoning at the start of an answer, by their families. */
const REASONING: readonly (readonly [family: string, open: string, close: string])[] = [
  ['most models', '<think>\n', '\n</think>\n\n'],
  ['models that write the word in full', '<thinking>', '</thinking>'],
  ['Gemma', '<thought>', '</thought>'],
  ['models of several makers', '<reasoning>', '</reasoning>'],
  ['Magistral', '[THINK]', '[/THINK]'],
  ['Kimi-VL', '◁think▷', '◁/think▷'],
  ['Seed', '<seed:think>', '</seed:think>'],
  ['gpt-oss', '<|channel|>analysis<|message|>', '<|end|><|start|>assistant<|channel|>final<|message|>'],
  ['Gemma 4', '<|channel>thought\n', '<channel|>'],
];

/** Calls that a model wrote as text, because its server has no parser for it. */
export const MARKUP_ROWS: readonly ReplyRow[] = [
  ...REASONING.map(
    ([family, open, close]): ReplyRow => ({
      name: `the tags of the reasoning of ${family} are not shown`,
      ...{ wire: 'openai-chat', source: 'template of the model' },
      replies: [answerWith('openai-chat', `${open}Seven?${close}Hello`)],
      ...{ code: 0, requests: 1, shows: ['Seven?', 'Hello'], hides: [open.trim(), close.trim()] },
    }),
  ),
  ...CALLS.flatMap(([family, source, markup]): readonly ReplyRow[] => [
    {
      name: `the markup of ${family} runs as a call and is not shown`,
      ...{ wire: 'openai-chat', source },
      replies: [answerWith('openai-chat', markup), textReply('openai-chat', 'They say seven.')],
      ...{ ...READ, hides: [markup.slice(0, 12)] },
    },
  ]),
  ...CALLS.map(
    ([family, , text]): ReplyRow => ({
      name: `the markup of ${family} in quotes is an answer`,
      ...{ wire: 'openai-chat', source: 'continuedev/continue#11070' },
      replies: [
        answerWith(
          'openai-chat',
          `It writes "${text}", \u201c${text}\u201d, '${text}' or \`${text}\`, in\u201c${text}\u201d, \u2018${text}\u2019, \u201e${text}\u201c, « ${text} », 「${text}」, **"${text}"**:"${text}" or \`\` ${text} \`\` to call.`,
        ),
      ],
      ...{ code: 0, requests: 1, shows: ['to call.'] },
    }),
  ),
  ...[
    'I look for "foo"',
    'The token "<|python_tag|>" is known. ',
    'I write "<|tool_call_begin|>x<|tool_call_end|>" and now ',
    'I write "<|tool_call_begin|>\n\n',
    'I ran `grep "<invoke name=" src` with `<|python_tag|> x`.\n',
    'I read `notes.txt `',
    'I ran ``ls``: ',
    'I write "[TOOL_CALLS]x{}" first.\n',
    'They say "go."',
    '\u201cnotes.txt\u201d',
  ].map(
    (text): ReplyRow => ({
      name: `markup behind ${JSON.stringify(text)}`,
      ...{ wire: 'openai-chat', source: 'no report; beside the others' },
      replies: [answerWith('openai-chat', text + CALLS[0]?.[2]), textReply('openai-chat', 'They say seven.')],
      ...READ,
    }),
  ),
  ...WIRE_NAMES.map(
    (wire): ReplyRow => ({
      name: 'markup behind a text',
      ...{ wire, source: 'NousResearch/hermes-agent#24534' },
      replies: [answerWith(wire, `I look. ${CALLS[0]?.[2] ?? ''}`), textReply(wire, 'They say seven.')],
      ...{ ...READ, shows: ['I look.', 'They say seven.'], hides: ['<|tool'] },
    }),
  ),
  ...[
    ['a tool that does not exist', '<|tool_call_begin|>functions.fly:0<|tool_call_argument_begin|>{}<|tool_call_end|>'],
    ['arguments that are cut', '[TOOL_CALLS]read_file{"path": "no'],
    ['the start of a section alone', 'I look.\n\n<｜DSML｜function_calls'],
  ].map(
    ([what, markup = '']): ReplyRow => ({
      name: `markup with ${what} is asked for again`,
      ...{ wire: 'openai-chat', source: 'NousResearch/hermes-agent#46537' },
      replies: [answerWith('openai-chat', markup), textReply('openai-chat', 'All fine.')],
      ...{ code: 0, requests: 2, shows: ['All fine.', 'cannot be read as a call of a tool'] },
    }),
  ),
  {
    name: 'markup that never can be read fails the run',
    ...{ wire: 'openai-chat', source: 'NousResearch/hermes-agent#24534' },
    replies: [answerWith('openai-chat', '<|tool_call_begin|>?')],
    ...{ code: 1, requests: 4, shows: ['The model wrote a call as text'] },
  },
  {
    name: 'markup in code is an answer',
    ...{ wire: 'openai-chat', source: 'a question about templates' },
    replies: [
      answerWith('openai-chat', 'Kimi writes `<|tool_call_begin|>`, or:\n```\n[TOOL_CALLS]x\n```\nThat is all.'),
    ],
    ...{ code: 0, requests: 1, shows: ['That is all.', '<|tool_call_begin|>', '[TOOL_CALLS]x'] },
  },
  {
    name: 'a call that the parser of reasoning left in the reasoning',
    ...{ wire: 'openai-chat', source: 'vLLM 0.32.0, recorded' },
    replies: [
      streamOf('openai-chat', [
        'data: {"choices":[{"delta":{"reasoning":"<tool_call>\\n{\\"name\\": \\"read_file\\", \\"arguments\\""}}]}\n\n',
        'data: {"choices":[{"delta":{"reasoning":": {\\"path\\": \\"notes.txt\\"}}\\n</tool_call>\\n"}}]}\n\n',
        ...FRAMES['openai-chat'].end('stop'),
      ]),
      textReply('openai-chat', 'They say seven.'),
    ],
    ...READ,
  },
  {
    name: 'markup beside a call that the server read is left out',
    ...{ wire: 'openai-chat', source: 'NousResearch/hermes-agent#46537' },
    replies: [
      streamOf('openai-chat', [
        ...FRAMES['openai-chat'].text('I look.\n\n<｜DSML｜function_calls'),
        ...FRAMES['openai-chat'].call('read_file', { path: 'notes.txt' }),
        ...FRAMES['openai-chat'].end('tool_calls'),
      ]),
      textReply('openai-chat', 'They say seven.'),
    ],
    ...{ ...READ, hides: ['DSML'] },
  },
];
