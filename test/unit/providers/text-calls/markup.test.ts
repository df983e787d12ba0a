import { expect, it, vi } from 'vitest';
import type { ToolDefinition } from '../../../../src/agent/ports/tool.ts';
import type { TextCall } from '../../../../src/providers/text-calls/call-text.ts';
import { createMarkupHolder } from '../../../../src/providers/text-calls/hold-markup.ts';
import { readMarkup } from '../../../../src/providers/text-calls/markup.ts';

const TOOLS: readonly ToolDefinition[] = [
  { name: 'now', description: '', effect: 'read', parameters: { type: 'object' } },
  {
    name: 'read_lines',
    description: '',
    effect: 'read',
    parameters: { type: 'object', properties: { first: { type: 'integer' }, path: { type: 'string' } } },
  },
];
const tools = new Map(TOOLS.map((tool) => [tool.name, tool]));

it.each<readonly [name: string, text: string, calls: readonly TextCall[] | undefined]>([
  ['a call without arguments', '<tool_calls>[{"name": "now"}]</tool_calls>', [{ name: 'now', arguments: '{}' }]],
  [
    'two calls',
    '<|python_tag|>{"name": "now", "parameters": {}}; {"name": "read_lines", "parameters": {"first": 1}}',
    [
      { name: 'now', arguments: '{}' },
      { name: 'read_lines', arguments: '{"first":1}' },
    ],
  ],
  [
    'parameters of other types than text',
    '<invoke name="read_lines"><parameter name="first">3</parameter><parameter name="path">4</parameter></invoke>',
    [{ name: 'read_lines', arguments: '{"first":3,"path":"4"}' }],
  ],
  [
    'the tags of GLM',
    '<tool_call>read_lines\n<arg_key>path</arg_key>\n<arg_value>a b</arg_value>\n</tool_call>',
    [{ name: 'read_lines', arguments: '{"path":"a b"}' }],
  ],
  [
    'the tags of MiniMax M3',
    ']<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="read_lines">]<]minimax[>[<path>a]<]minimax[>[</path>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>',
    [{ name: 'read_lines', arguments: '{"path":"a"}' }],
  ],
  [
    'calls of Python',
    `<|python_tag|>[now(), read_lines(first=2, path='it\\'s "a", (b)\\n')]`,
    [
      { name: 'now', arguments: '{}' },
      { name: 'read_lines', arguments: JSON.stringify({ first: 2, path: `it's "a", (b)\n` }) },
    ],
  ],
  [
    'calls of Python with markup in their strings',
    `<|tool_call_start|>[read_lines(path="<b>a</b>"), now()]<|tool_call_end|>I'll read it.`,
    [
      { name: 'read_lines', arguments: '{"path":"<b>a</b>"}' },
      { name: 'now', arguments: '{}' },
    ],
  ],
  [
    'a call in JSON with markup in its strings',
    '<|python_tag|>{"name": "read_lines", "parameters": {"path": "<b>a</b>"}}<|eom_id|>',
    [{ name: 'read_lines', arguments: '{"path":"<b>a</b>"}' }],
  ],
  [
    'quotes and braces between the tokens of Gemma',
    '<|tool_call>call:read_lines{path:<|"|>a", first: "{b}<|"|>,first:2}<tool_call|>',
    [{ name: 'read_lines', arguments: JSON.stringify({ path: 'a", first: "{b}', first: 2 }) }],
  ],
  ...['<call:', 'declaration:'].flatMap((open) => {
    const read = (...paths: readonly string[]) =>
      paths.map((path) => `${open}default_api:read_lines{path:${path}}`).join('\n');
    const calls = (...paths: readonly string[]) =>
      paths.map((path) => ({ name: 'read_lines', arguments: JSON.stringify({ path }) }));
    const values = ['echo {1..3} > a.txt', 'ls | awk {print} > a; echo b', 'const A = () => <B c={d}>e</B>;'];
    return [
      ...values.map((value) => [`${open}, ${value}`, read(value), calls(value)] as const),
      [`two calls of ${open}`, read('a > b', 'c > d'), calls('a > b', 'c > d')] as const,
      ...['a}\nThen {x', 'a}>\nThen {x', '{a', 'const a = { b: 1, first: 2 }', '} {'].map(
        (value) => [`${open}, ${value}`, read(value), undefined] as const,
      ),
      [`a text behind ${open}`, `${read('a')}\nThen I go on.`, undefined] as const,
      [`a text between two calls of ${open}`, `${read('a')} and ${read('b')}`, undefined] as const,
    ];
  }),
  [
    'two calls of FunctionGemma',
    '<start_function_call>call:now{}<end_function_call>\n<start_function_call>call:now{}<end_function_call>\n',
    [
      { name: 'now', arguments: '{}' },
      { name: 'now', arguments: '{}' },
    ],
  ],
  ...[
    '<start_function_call>call:now{}<end_function_call>',
    '<|tool_call>call:now{}<tool_call|>',
    '<|tool_call_begin|>now<|tool_call_argument_begin|>{}<|tool_call_end|>',
    '<｜tool▁call▁begin｜>now<｜tool▁sep｜>{}<｜tool▁call▁end｜>',
    '<invoke name="now"></invoke>',
  ].map((call) => [`${call} in a sentence`, `${call} to call a tool.`, undefined] as const),
  [
    'an end tag of a parameter within its value',
    '<tool_use><parameter=tool_name>read_lines</parameter><parameter=path>a</parameter>b</parameter></tool_use>',
    undefined,
  ],
  [
    'an end tag of a call within a value',
    '<invoke name="now"></invoke><invoke name="read_lines"><parameter name="path">a</invoke></parameter></invoke>',
    undefined,
  ],
  [
    'a parameter twice',
    '<invoke name="read_lines"><parameter name="path">a</parameter><parameter name="path">b</parameter></invoke>',
    undefined,
  ],
  ['a sum of Python', '<|tool_call_start|>[read_lines(path="a" + b)]<|tool_call_end|>', undefined],
  ['calls of Python with another text between', '<|python_tag|>[now(), x, now()]', undefined],
  ['a call of Python in a call', '<|python_tag|>[read_lines(path=now())]', undefined],
  [
    'calls of Python in two sections with a text between',
    '<|tool_call_start|>[now()]<|tool_call_end|>and<|tool_call_start|>[now()]<|tool_call_end|>',
    undefined,
  ],
  ['a word of Python of the wrong type', '<|python_tag|>read_lines(first=None)', undefined],
  ['a start of MiniMax M3 alone', ']<]minimax[>[<tool_call>', undefined],
  [
    'a parameter of the wrong type',
    '<invoke name="read_lines"><parameter name="first">three</parameter></invoke>',
    undefined,
  ],
  ['arguments that are not JSON', '[TOOL_CALLS]now[ARGS]{oops}', undefined],
  [
    'a tool that does not exist beside one that does',
    '<tool_calls>[{"name": "now"}, {"name": "fly"}]</tool_calls>',
    undefined,
  ],
  ['nothing', '<|python_tag|>', undefined],
])('reads %s', (_name, text, calls) => {
  expect(readMarkup(text, tools)).toEqual(calls);
});

it('reads a long line with many brackets in steps that do not depend on its length', () => {
  const line = '[a] `b` '.repeat(2_500);
  const tests = vi.spyOn(RegExp.prototype, 'test');
  const splits = vi.spyOn(String.prototype, 'split');
  const shown = createMarkupHolder(TOOLS).push(line);
  const read = [...tests.mock.calls.map(([text]) => text), ...splits.mock.contexts.map(String)];
  vi.restoreAllMocks();
  expect(shown).toBe(line);
  expect(read.reduce((sum, text) => sum + text.length, 0)).toBeLessThan(100 * line.length);
});
