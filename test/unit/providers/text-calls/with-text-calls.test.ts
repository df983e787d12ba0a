import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ModelError } from '../../../../src/agent/errors.ts';
import type { ModelEvent } from '../../../../src/agent/ports/language-model.ts';
import type { ToolDefinition } from '../../../../src/agent/ports/tool.ts';
import { withTextCalls } from '../../../../src/providers/text-calls/with-text-calls.ts';
import { collect } from '../../../support/contracts/language-model.ts';
import { createScriptedModel, type ScriptedAnswer, scriptedCall } from '../../../support/fakes/scripted-model.ts';
import { propertySettings } from '../../../support/random/property.ts';

const tools: readonly ToolDefinition[] = [
  {
    name: 'read_file',
    description: 'Reads.',
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string' },
        limit: { type: 'integer' },
        ratio: { type: 'number' },
        all: { type: 'boolean' },
        tags: { type: 'array' },
        extra: { type: ['object', 'null'] },
        any: {},
        anything: true,
      },
      required: ['path'],
      additionalProperties: false,
    },
    effect: 'read',
  },
  { name: 'now', description: 'Tells the time.', parameters: { type: 'object' }, effect: 'read' },
  {
    name: 'find_files',
    description: 'Finds.',
    parameters: { type: 'object', additionalProperties: false },
    effect: 'read',
  },
];
const never = new AbortController().signal;

interface Result {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly (readonly [name: string | undefined, args: string])[];
  readonly warnings: readonly string[];
  readonly finish: string | undefined;
}

function stream(answer: ScriptedAnswer, offered = tools, maxHeld?: number): AsyncIterable<ModelEvent> {
  const request = { system: '', messages: [], tools: offered };
  return withTextCalls(createScriptedModel(answer), maxHeld).stream(request, never);
}

function summarize(events: readonly ModelEvent[]): Result {
  const textOf = (type: 'text_delta' | 'reasoning_delta'): string =>
    events.flatMap((event) => (event.type === type ? [event.text] : [])).join('');
  return {
    text: textOf('text_delta'),
    reasoning: textOf('reasoning_delta'),
    calls: events.flatMap((event) => (event.type === 'tool_call_delta' ? [[event.name, event.arguments]] : [])),
    warnings: events.flatMap((event) => (event.type === 'warning' ? [`${event.code}: ${event.message}`] : [])),
    finish: events.flatMap((event) => (event.type === 'finish' ? [event.reason] : [])).at(-1),
  };
}

async function answered(text: string | readonly string[], more: Partial<ScriptedAnswer> = {}): Promise<Result> {
  return summarize(await collect(stream({ text, ...more })));
}

const JSON_CALL = '{"name": "read_file", "arguments": {"path": "a.js"}}';
const ARGUMENTS = '{"path": "a.js"}';
const READ = ['read_file', ARGUMENTS] as const;
const TAGGED = `<tool_call>${JSON_CALL}</tool_call>`;
const FENCED = `\`\`\`json\n${JSON_CALL}\n\`\`\``;
const VALUES = '{"a":[1,-2.5e+3,true,false,null,[],{}],"b":"\\"\\u00e9\\n</tool_call>"}';

/** Answers, the calls in them, and the text that is left. */
const recovered: readonly (readonly [name: string, answer: string, calls: Result['calls'], text: string])[] = [
  ['a tag with JSON', `<tool_call>\n${JSON_CALL}\n</tool_call>`, [READ], ''],
  ['a call without its end', `<tool_call>${JSON_CALL}`, [READ], ''],
  ['a call in the tag around the tools', `<tools>\n${JSON_CALL}\n</tools>`, [READ], ''],
  ['JSON alone', JSON_CALL, [READ], ''],
  ['a list of JSON alone', `Now:\n[${JSON_CALL}, ${JSON_CALL}]`, [READ, READ], 'Now:\n'],
  ['a call behind an empty list', `[ ]\n${JSON_CALL}`, [READ], '[ ]\n'],
  [
    'a list of functions',
    '[now(a="b"), now(c=1)]',
    [
      ['now', '{"a":"b"}'],
      ['now', '{"c":1}'],
    ],
    '',
  ],
  ['JSON with a brace too many', `<tool_call>\n${JSON_CALL}}\n</tool_call>`, [READ], ''],
  ['a function without the start of its tag', `<function=now>\n</function>\n</tool_call>`, [['now', '{}']], ''],
  ['text before a call', `I read it.\n\n${TAGGED}\n`, [READ], 'I read it.\n\n'],
  ['two calls', `${TAGGED}\n${TAGGED}`, [READ, READ], ''],
  ['calls of two forms', `${TAGGED}\n${FENCED}`, [READ, READ], ''],
  ['a list of calls', `<tool_call>[${JSON_CALL} , ${JSON_CALL}]</tool_call>`, [READ, READ], ''],
  ['parameters', `<tool_call>{"parameters":${ARGUMENTS},"name":"read_file"}</tool_call>`, [READ], ''],
  ['an id and a type', `<tool_call>{"id":"1","type":"function",${JSON_CALL.slice(1)}</tool_call>`, [READ], ''],
  ['no arguments', '<tool_call>{"name":"now","arguments":{ }}</tool_call>', [['now', '{ }']], ''],
  ['JSON values', `<tool_call>{"name":"now","arguments":${VALUES}}</tool_call>`, [['now', VALUES]], ''],
  ['a function with JSON', `<function=read_file>${ARGUMENTS}</function>`, [READ], ''],
  ['a function with JSON in lines', `<function=read_file>\n${ARGUMENTS}\n</function>\n`, [READ], ''],
  ['a function without parameters', '<function=now>\n</function>', [['now', '{}']], ''],
  [
    'a function with parameters',
    '<tool_call>\n<function=read_file>\n<parameter=path>\nsrc/<b>.js\n\n</parameter>\n<parameter=limit>\n5\n</parameter>\n<parameter=all>true</parameter>\n</function>\n</tool_call>',
    [['read_file', '{"path":"src/<b>.js\\n","limit":5,"all":true}']],
    '',
  ],
  [
    'a parameter without a type',
    '<function=read_file><parameter=path>a</parameter><parameter=any>5</parameter><parameter=anything>6</parameter></function>',
    [['read_file', '{"path":"a","any":"5","anything":"6"}']],
    '',
  ],
  [
    'a tag of the name of a tool',
    'I look.\n<read_file>\n<path>\na.cpp <function\n</path>\n<limit>5</limit>\n</read_file>\n',
    [['read_file', '{"path":"a.cpp <function","limit":5}']],
    'I look.\n',
  ],
  [
    'an element within a parameter, with the name of one that is given',
    '<read_file><path>a</path><anything><svg><path></svg></anything></read_file>',
    [['read_file', '{"path":"a","anything":"<svg><path></svg>"}']],
    '',
  ],
  ['a function with the namespace of Google', 'default_api.read_file(path="a")', [['read_file', '{"path":"a"}']], ''],
  ['a printed function', 'print(default_api.read_file(path="a"))\n', [['read_file', '{"path":"a"}']], ''],
  ['a function at the start', `read_file(${ARGUMENTS})`, [READ], ''],
  ['a function of Python', String.raw`read_file(path="a) \" b")`, [['read_file', String.raw`{"path":"a) \" b"}`]], ''],
  [
    'a function of Python with escapes',
    String.raw`read_file(path='C:\\', any="caf\u00e9\x21\n\d\'")`,
    [['read_file', String.raw`{"path":"C:\\", "any":"café!\n\\d'"}`]],
    '',
  ],
  [
    'a function of Python with long strings',
    'read_file(path="""a"b)\n""", any=\'\'\'\'"\'\'\', anything="")',
    [['read_file', String.raw`{"path":"a\"b)\n", "any":"'\"", "anything":""}`]],
    '',
  ],
  [
    'a function of Python with other values',
    `read_file(path="a", limit=5, ratio=-1.5, all=True, tags=['x', 1,], extra = {"k": [None, 'v']},)`,
    [['read_file', '{"path":"a", "limit":5, "ratio":-1.5, "all":true, "tags":["x", 1], "extra": {"k": [null, "v"]}}']],
    '',
  ],
  ['a function after a line break', '\n\nread_file(path="a")', [['read_file', '{"path":"a"}']], '\n\n'],
  ['a function with its namespace behind a text', `Now:\nfunctions.read_file(${ARGUMENTS})`, [READ], 'Now:\n'],
  ['a sentence in brackets', `[Calling tool: read_file with arguments: ${ARGUMENTS}]`, [READ], ''],
  ['a fenced block with a space', `\`\`\` \n${JSON_CALL}\n\`\`\``, [READ], ''],
  ['a fenced block with json', `Now:\n${FENCED}\n`, [READ], 'Now:\n'],
  ['a fenced block without a language', `\`\`\`\n${JSON_CALL}\n\`\`\``, [READ], ''],
  ['an indented call', `  ${TAGGED}`, [READ], '  '],
  ['a call after a fenced block', `\`\`\`js\nx\n\`\`\`\n${TAGGED}`, [READ], '```js\nx\n```\n'],
  ['a call after a block of tildes', `~~~~\n~~~\n~~~~\n${TAGGED}`, [READ], '~~~~\n~~~\n~~~~\n'],
  ['a call after a block of JSON', `\`\`\`json\n{"a":1}\n\`\`\`\n${TAGGED}`, [READ], '```json\n{"a":1}\n```\n'],
  ['a call after half a call', `<tool_call>\n${TAGGED}`, [READ], '<tool_call>\n'],
  ['a call after a code span', `\`\`\`x\`\`\`\n${TAGGED}`, [READ], '```x```\n'],
  ['a call after a long line', `${'a'.repeat(300)}\n${TAGGED}`, [READ], `${'a'.repeat(300)}\n`],
];

const notRecovered: readonly (readonly [name: string, answer: string])[] = [
  ['an example before other text', `${TAGGED}\nThis is how a call looks.`],
  ['a fenced example before other text', `${FENCED}\nThis is how a call looks.`],
  ['an example between calls', `${TAGGED} and ${TAGGED}`],
  ['a quoted call', `> ${TAGGED}`],
  ['a call within a line', `Use ${TAGGED}`],
  ['a call in a code span', `\`${TAGGED}\``],
  ['a call in a fenced block', `\`\`\`\n${TAGGED}\n\`\`\``],
  ['a call in an open fenced block', `\`\`\`md\n${TAGGED}`],
  ['a call in a longer fenced block', `\`\`\`\`md\n\`\`\`\n${TAGGED}`],
  ['a call in an indented block', `    ${TAGGED}`],
  ['a call without its end, and not whole', `<tool_call>${JSON_CALL.slice(0, -1)}`],
  ['an end of a call alone', '</tool_call>'],
  ['a call with half an end', `<tool_call>${JSON_CALL}</tool_ca`],
  ['a call with the wrong end', `<tool_call>${JSON_CALL}</function>`],
  ['an unknown tool', '<tool_call>{"name": "fly", "arguments": {}}</tool_call>'],
  ['a tag of a tool without parameters', '<now>\n</now>'],
  ['a tag of a tool with an unknown parameter', '<read_file><path>a</path><file>b</file></read_file>'],
  ['a tag of a tool with a parameter twice', '<read_file><path>a</path><path>b</path></read_file>'],
  ['a tag of a tool without its end', '<read_file><path>a</path>'],
  [
    'a tag of a tool with a parameter within another',
    '<read_file><anything>a<path>b</path></anything><path>c</path></read_file>',
  ],
  ['a printed function behind a text', 'Call:\nprint(default_api.read_file(path="a"))'],
  ['a printed function without its end', 'print(default_api.read_file(path="a")'],
  ['a function of Google in a sentence', 'declaration:default_api: is how Gemini writes read_file{path:a}'],
  ['a tag of a tool in a line', 'Use <read_file><path>a</path></read_file>'],
  ['a function behind a text', `Call it like this:\nread_file(${ARGUMENTS})`],
  ['a function at the start of a sentence', `read_file(${ARGUMENTS}) reads it`],
  ['a function of Python without its end', 'read_file(path="a)'],
  ['a function of Python without names', 'read_file("a.js")'],
  ['a function of Python with a sum of strings', 'read_file(path="rm -rf ./build/" + target)'],
  ['a function of Python with two strings', 'read_file(path="rm -rf " "build/x")'],
  ['a function of Python with a prefix', 'read_file(path=f"echo {x}, y")'],
  ['a function of Python with a raw string', String.raw`read_file(path=r"\d+")`],
  ['a function of Python with a word', 'read_file(path=data)'],
  ['a function of Python with a string and no name', 'read_file(path="a", "b")'],
  ['a function of Python with a word and no name', 'read_file(a, path="b")'],
  ['a function of Python with a name twice', 'read_file(path="a", path="b")'],
  ['a function of Python with names of JSON', 'read_file(path="a", "any": 1)'],
  ['a function of Python with names in braces', 'read_file(path="a", extra={b=1})'],
  ['a function of Python with a line continued', 'read_file(path="ls \\\n  -la, x")'],
  ['a function of Python with another escape', String.raw`read_file(path="\bx\b")`],
  ['a function of Python with half an escape', String.raw`read_file(path="\u00g0")`],
  ['a function of Python with a long string without its end', 'read_file(path="""a")'],
  ['a function of Python with a long string and a quote', 'read_file(path="""a"""")'],
  ['a function of Python with a call', 'read_file(path=join("a", "b"))'],
  ['a function of Python with a number for a text', 'read_file(path=5)'],
  ['a function of Python with a number of Python', 'read_file(path="a", limit=1_000)'],
  ['a function behind a text that begins with f', 'Call:\nfind_files(pattern="x")'],
  ['two functions behind a text', `Call:\nfunctions.read_file(${ARGUMENTS})\nfind_files(pattern="x")`],
  ['a sentence with an unknown tool', '[Calling tool: fly with arguments: {}]'],
  ['a sentence without arguments', '[Calling tool: now with arguments: none]'],
  ['a link', '[Calls](calls.md)'],
  ['a list of data', '[{"name": "left-pad", "arguments": {}}]'],
  ['a list of functions behind a text', 'Call:\n[read_file(path="a")]'],
  ['a call in the line of an empty list', `[]${JSON_CALL}`],
  ['a list comprehension', '[read_file(path) for path in paths]'],
  ['a list without calls', '[]'],
  ['a module of Python', 'functools.partial(f, 1)'],
  ...[
    `Phi-4-mini writes its calls as functools[${JSON_CALL}]`,
    `# functools[${JSON_CALL}]`,
    `x.functools[${JSON_CALL}]`,
    'x = functools[{1:2}]',
    'It writes functools[{"name": "..."}] for a call.',
    'They begin with functools[{',
  ].map((text) => [`a call of Phi behind a text, ${text}`, text] as const),
  ['an unknown function', '<function=fly></function>'],
  ['no name', `<tool_call>{"arguments": ${ARGUMENTS}}</tool_call>`],
  ['no arguments at all', '<tool_call>{"name": "now"}</tool_call>'],
  ['an empty list', '<tool_call>[]</tool_call>'],
  ['an empty object', '<tool_call>{}</tool_call>'],
  ['an unknown member', '<tool_call>{"name": "now", "version": "1"}</tool_call>'],
  ['a member twice', '<tool_call>{"name": "now", "name": "now", "arguments": {}}</tool_call>'],
  ['arguments as a list', '<tool_call>{"name": "now", "arguments": []}</tool_call>'],
  ['a name that is a number', '<tool_call>{"name": 1, "arguments": {}}</tool_call>'],
  ['a missing argument', '<tool_call>{"name": "read_file", "arguments": {}}</tool_call>'],
  ['an unknown argument', '<tool_call>{"name": "read_file", "arguments": {"path": "a", "file": "b"}}</tool_call>'],
  ['an argument of the wrong type', '<tool_call>{"name": "read_file", "arguments": {"path": 1}}</tool_call>'],
  ['a fraction for an integer', '<tool_call>{"name":"read_file","arguments":{"path":"a","limit":1.5}}</tool_call>'],
  ['text for a number', '<tool_call>{"name":"read_file","arguments":{"path":"a","ratio":"x"}}</tool_call>'],
  ['an object for a list', '<tool_call>{"name":"read_file","arguments":{"path":"a","tags":{}}}</tool_call>'],
  ['a list for an object', '<tool_call>{"name":"read_file","arguments":{"path":"a","extra":[]}}</tool_call>'],
  [
    'a parameter of the wrong type',
    '<function=read_file><parameter=path>a</parameter><parameter=limit>x</parameter></function>',
  ],
  ['a parameter twice', '<function=read_file><parameter=path>a</parameter><parameter=path>b</parameter></function>'],
  ['a parameter without its end', '<function=read_file><parameter=path>a<parameter=limit>5</parameter></function>'],
  ['a parameter that never ends', '<function=read_file><parameter=path>a'],
  ['a function without its end', '<function=now>\n'],
  ['a name that is too long', `<function=${'a'.repeat(65)}></function>`],
  ['a line break in a JSON string', '<tool_call>{"name":"read_file","arguments":{"path":"a\nb"}}</tool_call>'],
  ['an unknown escape', '<tool_call>{"name": "read_file", "arguments": {"path": "\\x"}}</tool_call>'],
  ['a short Unicode escape', '<tool_call>{"name":"read_file","arguments":{"path":"\\u00g0"}}</tool_call>'],
  ['an invalid number', '<tool_call>{"name": "now", "arguments": {"a": 01}}</tool_call>'],
  ['a trailing comma', '<tool_call>{"name": "now", "arguments": {"a": 1,}}</tool_call>'],
  ['deeply nested JSON', `<tool_call>{"name": "now", "arguments": {"a": ${'['.repeat(70)}`],
  ['a fenced block in another language', `\`\`\`js\n${JSON_CALL}\n\`\`\``],
  ['a fence with text after it', `${FENCED}js`],
  ['a longer fence', `\`${FENCED}\``],
  ['a fenced file', '```json\n{"name": "read_file", "version": "1.0.0"}\n```'],
  ['an argument of a tool without parameters', '<tool_call>{"name": "find_files", "arguments": {"a": 1}}</tool_call>'],
  ['JSON that is no call', '{"name": "read_file", "version": "1.0.0"}'],
  ['JSON within a line', `It is ${JSON_CALL}`],
  ...[
    '<tool_use>',
    '<longcat_tool_call>',
    '<function_call>',
    'functools[...]',
    '<soap:tool_call>',
    '<tool_calls>',
    '<function_calls>',
    '<x:function_calls>',
    '<TOOLCALL>',
  ].map((tag) => [`the name of a tag, ${tag}`, `Answer with a ${tag} block, then wait.`] as const),
  ...[
    ...['<|action_start|><|plugin|>', '[TOOL_REQUEST]', '<arg_key>', '<｜DSML｜function_calls', '<|python_tag|>'],
    ...['<|open|>tools', '<|open|>tools<|sep|>', '<‖DSML‖tool_calls>', '</‖DSML‖tool_calls>', '< | DSML | tool_calls>'],
    '<|content_invoke_tool_json|>',
  ].flatMap((tag) =>
    [`a ${tag} block, then`, `${tag} and <arg_value> tags`, `${tag}, or nothing`, `${tag} tags.`, `${tag}.`].map(
      (end) => [`a sentence with a token, ${end}`, `It has ${end}`] as const,
    ),
  ),
  ...[`"[TOOL_CALLS]" is one`, "'<|python_tag|>', too", '**<arg_key>**'].map(
    (end) => [`a sentence with a token, ${end}`, `It has ${end}`] as const,
  ),
  ['the definition of a tool', `<tools>\n{"name": "now", "parameters": {"type": "object"}}\n</tools>`],
  ['an empty tag', '<>'],
  ['white space alone', ' \n'],
  ['a tag at the end', 'a\n<'],
];

describe('calls that a model writes as text', () => {
  it.each(recovered)('are recovered from %s', async (_, answer, calls, text) => {
    const names = calls.map(([name]) => name).join(', ');
    const message =
      calls.length === 1
        ? `The model wrote its call of ${names} as text. It counts as a call.`
        : `The model wrote its calls of ${names} as text. They count as calls.`;
    const warnings = [`recovered_tool_call: ${message}`];
    expect(await answered(answer)).toEqual({ text, reasoning: '', calls, warnings, finish: 'tool_calls' });
  });

  it.each(notRecovered)('are not recovered from %s', async (_, answer) => {
    expect(await answered(answer)).toEqual({ text: answer, reasoning: '', calls: [], warnings: [], finish: 'stop' });
  });

  it.each([...recovered, ...notRecovered].map(([name, answer]) => [name, answer] as const))(
    'give the same result when they arrive one character at a time: %s',
    async (_, answer) => {
      expect(await answered([...answer])).toEqual(await answered(answer));
    },
  );

  it('are text when a native call is beside them, before or after', async () => {
    const call = { type: 'tool_call_delta', index: 0, id: 'c1', name: 'now', arguments: '{}' } as const;
    const text = { text: TAGGED, calls: [['now', '{}']], warnings: [] };
    expect(await answered(TAGGED, { calls: [scriptedCall('c1', 'now', {})] })).toMatchObject(text);
    expect(await answered([], { events: [call, { type: 'text_delta', text: TAGGED }] })).toMatchObject(text);
  });

  it.each(['length', 'content_filter'] as const)('are text in an answer that ends with %s', async (end) => {
    expect(await answered(TAGGED, { end })).toMatchObject({ text: TAGGED, calls: [], finish: end });
  });

  it('are text when the request has no tools', async () => {
    expect(summarize(await collect(stream({ text: TAGGED }, [])))).toMatchObject({ text: TAGGED, calls: [] });
  });

  it('are reasoning within the reasoning, and are recovered after it', async () => {
    const inside = await answered(`<think>${TAGGED}</think>Done.`);
    expect(inside).toMatchObject({ reasoning: TAGGED, text: 'Done.', calls: [] });
    const after = await answered(`<think>\nhm\n</think>\n\n${TAGGED}`);
    expect(after).toMatchObject({ reasoning: 'hm\n', text: '', calls: [READ] });
  });

  it('are recovered from the last attempt alone', async () => {
    const retry = { type: 'retry', attempt: 1, delayMs: 1, code: 'network', message: 'x' } as const;
    const events = [retry, { type: 'text_delta', text: TAGGED } as const];
    expect(await answered('<think>', { events })).toMatchObject({ reasoning: '', calls: [READ] });
  });

  const NOW = '{"name":"now","arguments":{}}';
  it.each<readonly [line: string, end: string, calls: Result['calls']]>([
    ...['[]\n', `[${NOW}]\n`, `${NOW}\n`, `<tools>${NOW}</tools>\n`, `<tool_call>${NOW}</tool_call>\n`].map(
      (line) => [line, '.\n', [READ]] as const,
    ),
    ...[`<tool_call>\n${NOW}\n`, `\`\`\`\n${NOW}\n\`\`\`\n`, 'functions.now(a=1)\n', '[\n'].map(
      (line) => [line, '.\n', [READ]] as const,
    ),
    ['<now><x>\n', '</x>!\n', []],
    ['<function=now><parameter=x>\n<now><y>', '</y>!\n', []],
  ])('are looked for behind %j, in many lines that fail at the same place', async (line, end, calls) => {
    const before = `${line.repeat(90_000 / line.length)}${end}`;
    expect(await answered(before + TAGGED)).toMatchObject({ text: before + (calls.length > 0 ? '' : TAGGED), calls });
  });

  it.each([
    ['all of them are', `${TAGGED}\n`.repeat(20)],
    ['one of them is', `<function=read_file><parameter=path>${'a'.repeat(1_000)}</parameter></function>`],
  ])('are text when %s longer than what may be held back', async (_name, answer) => {
    const held = async (maxHeld: number) => summarize(await collect(stream({ text: answer }, tools, maxHeld)));
    expect(await held(answer.length - 1)).toMatchObject({ text: answer, calls: [] });
    expect(await held(answer.length)).toMatchObject({ text: '', finish: 'tool_calls' });
  });
});

describe('text that may be the beginning of a call', () => {
  it.each([
    ['a file in a fenced block', ['```json\n{"name"', ': "my-app",', ' "x": 1}'], '```json\n{"name": "my-app",'],
    ['code in a fenced block', ['```t', 's', '\nx'], '```t'],
    ['a tag of another name', ['<to', 'p>'], '<top>'],
    ['a call before other text', [TAGGED, '\n', 'So'], `${TAGGED}\nSo`],
  ])('is held back until it cannot be one: %s', async (_, text, first) => {
    const events = (await collect(stream({ text }))).filter(({ type }) => type !== 'held_delta');
    expect(events[0]).toEqual({ type: 'text_delta', text: first });
    expect(summarize(events).text).toBe(text.join(''));
  });

  it.each([
    ['an error', new ModelError('network', 'It broke.')],
    ['a missing end', 'none'],
  ] as const)('is shown before %s', async (_, end) => {
    for (const text of ['Hi.\n<tool_call>{', '\n<thi', '<think>a</th', '<think>a</think>b']) {
      const events: ModelEvent[] = [];
      await collect(stream({ text, end }), events).catch((error: unknown) => expect(error).toBe(end));
      const { text: shown, reasoning } = summarize(events);
      expect(reasoning + shown).toBe(text.replace(/<think>|<\/think>/g, ''));
    }
  });
});

describe('reasoning in tags', () => {
  it.each([
    ['<think>a</think>b', 'a', 'b'],
    [' \n<think>\n\na\n</think>\n\n b ', 'a\n', 'b '],
    ['<think></think>b', '', 'b'],
    ['<think>a</thin></think>b', 'a</thin>', 'b'],
    ['<think>a', 'a', ''],
    ['<think>a</think>', 'a', ''],
    ['<think>a</think>b<think>c</think>', 'a', 'b<think>c</think>'],
    ['The tag <think> is text.', '', 'The tag <think> is text.'],
    ['<thinking>', '', '<thinking>'],
    // gpt-oss without its tokens, and words that begin like its channel.
    ['analysisWe.assistantfinalb', 'We.', 'b'],
    ['analysis', '', 'analysis'],
    ['analysis of b', '', 'analysis of b'],
    ['analysisOf is b', 'Of is b', 'analysisOf is b'],
    ['<thin', '', '<thin'],
    ['<mm:think>a</mm:think>b', 'a', 'b'],
    ['  a', '', '  a'],
  ])('is divided from %j', async (answer, reasoning, text) => {
    expect(await answered(answer)).toMatchObject({ reasoning, text });
    expect(await answered([...answer])).toMatchObject({ reasoning, text });
  });

  it('is passed on when it is native', async () => {
    expect(await answered('b', { reasoning: 'a' })).toMatchObject({ reasoning: 'a', text: 'b' });
  });

  it('is not awaited in white space without end', async () => {
    const held = [' '.repeat(99_993), '<think>a</think>b'];
    expect(await answered(held)).toMatchObject({ reasoning: 'a', text: 'b' });
    const shown = [' '.repeat(100_001), '<think>a</think>b'];
    expect(await answered(shown)).toMatchObject({ reasoning: '', text: shown.join('') });
  });
});

const fragment = fc.constantFrom(
  ...['<think>', '</think>', '<tool_call>', '</tool_call>', '<function=read_file>', '<parameter=path>'],
  ...['</parameter>', '</function>', '```', '```json', '~~~', '\n', ' ', 'text', '> ', '{', JSON_CALL, TAGGED, FENCED],
);

const token = fc.constantFrom(
  ...['[TOOL_REQUEST]', '<|action_start|>', '<arg_key>', '<|open|>tools', '< | DSML | a>', ' and', '.', ' a', '['],
  ...['"', ' "', '\u201c', '\u201d', '`', '``'],
);

it('gives the same result for any split into pieces', async () => {
  const cut = fc.nat({ max: 200 });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(fragment, token)), fc.array(cut), async (fragments, cuts) => {
      const answer = fragments.join('');
      const result = (text: string | readonly string[]) => answered(text).catch((error: ModelError) => error.code);
      const places = [0, ...cuts.map((place) => Math.min(place, answer.length)).toSorted((a, b) => a - b)];
      const pieces = places.map((place, index) => answer.slice(place, places[index + 1]));
      expect(await result(pieces)).toEqual(await result(answer));
    }),
    propertySettings(50),
  );
});

it('never runs an example before other text, and shows all of it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fragment), async (fragments) => {
      const answer = `Look:\n${fragments.join('')}\nThis was an example.`;
      expect(await answered(answer)).toMatchObject({ text: answer, calls: [] });
    }),
    propertySettings(50),
  );
});

it('has the reasoning of gpt-oss ahead of a call, both without their tokens', async () => {
  const text = `analysisWe read a.js.assistantcommentary to=functions.read_file json${ARGUMENTS}`;
  const read = { reasoning: 'We read a.js.assistant', text: '', calls: [['read_file', '{"path":"a.js"}']] };
  expect(await answered(text)).toMatchObject(read);
  expect(await answered([...text])).toMatchObject(read);
});

it.each([
  ['a call in tags that ends within its JSON', TAGGED.slice(0, 60)],
  ['a token at the start of a line', 'Look.\n<|python_tag|> and so on'],
  ['a token at the end', 'I look. <|tool_call_begin|>'],
  ['a name behind a token and a blank', 'Now: [TOOL_CALLS] bash {"command": "ls"}'],
  ['a name with a namespace behind a token and a blank', 'Now: <|tool_call_begin|> functions.fly:0 <|tool_call_end|>'],
  ['an element with blanks', 'fly <arg_key> path </arg_key> <arg_value> a </arg_value>'],
  ['a token behind a word', 'Now: <｜tool▁call▁begin｜> function <｜tool▁sep｜>fly'],
])('is incomplete: %s', async (_name, text) => {
  await expect(answered(text)).rejects.toMatchObject({ code: 'incomplete_answer' });
  await expect(answered([...text])).rejects.toMatchObject({ code: 'incomplete_answer' });
});

const REQUEST = `[TOOL_REQUEST]${JSON_CALL}[END_TOOL_REQUEST]`;

it.each([
  ['behind which the answer is', `<think>Or ${REQUEST}?</think>No.`, `Or ${REQUEST}?`, 'No.', []],
  ['behind which a call is', `<think>Or ${REQUEST}?</think>So:\n${TAGGED}`, `Or ${REQUEST}?`, 'So:\n', [READ]],
  ['behind which nothing is', `<think>So: ${REQUEST}</think>\n`, 'So: ', '', [['read_file', '{"path":"a.js"}']]],
])('has markup in reasoning in tags %s', async (_name, answer, reasoning, text, calls) => {
  expect(await answered(answer)).toMatchObject({ reasoning, text, calls });
  expect(await answered([...answer])).toMatchObject({ reasoning, text, calls });
});

describe('a call that is held back', () => {
  const reports = (events: readonly ModelEvent[]): string =>
    events.map((event) => (event.type === 'held_delta' ? event.text : event.type === 'retry' ? '|' : '')).join('');

  it.each([
    ['a tagged call', TAGGED],
    [
      'markup of a family',
      `<|tool_call_start|>[{"name": "read_file", "arguments": {"path": "a.js"}}]<|tool_call_end|>`,
    ],
  ])('is reported as it grows: %s', async (_name, call) => {
    const pieces = ['Look.\n', ...(call.match(/.{1,7}/gs) ?? [])];
    expect(reports(await collect(stream({ text: pieces }, tools)))).toBe(call);
  });

  it('is not reported while it is as short as a tag in a text', async () => {
    const events = await collect(stream({ text: ['See\n<tool_call>', ' and\n<tool_call>{', '"x"'] }, tools));
    expect(reports(events)).toBe('');
  });

  it('is reported again after a retry', async () => {
    const retry = { type: 'retry', attempt: 1, delayMs: 1, code: 'network', message: 'x' } as const;
    const events = [retry, { type: 'text_delta', text: TAGGED } as const];
    expect(reports(await collect(stream({ text: TAGGED, events }, tools)))).toBe(`${TAGGED}|${TAGGED}`);
  });
});
