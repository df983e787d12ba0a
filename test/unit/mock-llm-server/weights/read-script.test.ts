import { describe, expect, test } from 'vitest';
import { parseScenarioFile } from '../../../../mock-llm-server/scenario/loading/parse.ts';
import { MARKUPS } from '../../../../mock-llm-server/weights/markups/markups.ts';
import { readScript } from '../../../../mock-llm-server/weights/script/read-script.ts';
import { TOOLS_DIALECTS, type ToolsDialect } from '../../../../mock-llm-server/weights/script/tools-dialects.ts';

const SPARE = { name: 'spare', trigger: 'spare', steps: [{ response: { content: 'Spare.' } }] };

function read(scenario: object, partial = false, dialect: ToolsDialect = 'ybs') {
  const scenarios = [{ name: 's', trigger: 'go', steps: [{ response: { content: 'Done.' } }], ...scenario }, SPARE];
  const content = parseScenarioFile(JSON.stringify({ scenarios }), 's.json');
  return readScript([{ file: 's.json', content }], { dialect, markup: MARKUPS.hermes, partial });
}

const call = { name: 'read_file', arguments: { path: 'a' } };
const end = { response: { content: 'Done.' } };

describe('a scenario that a model cannot play', () => {
  const rows: readonly (readonly [scenario: object, problem: string])[] = [
    [{ trigger: { regex: 'a.c' } }, '$.scenarios[0].trigger.regex: /a.c/ is not a literal'],
    [
      { trigger: { text: 'go', system: 'x' } },
      '$.scenarios[0].trigger.system: a chat template cannot test the condition "system"',
    ],
    [
      { trigger: { text: 'go', header: { a: 'x' } } },
      '$.scenarios[0].trigger.header: a chat template cannot test the condition "header"',
    ],
    [
      { trigger: { text: 'go', tool_result: 'x' } },
      '$.scenarios[0].trigger.tool_result: a chat template cannot test the condition "tool_result"',
    ],
    [
      { trigger: { text: 'go', model: 'x' } },
      '$.scenarios[0].trigger.model: a chat template cannot test the condition "model"',
    ],
    [
      { trigger: { text: 'go', protocol: 'ollama' } },
      '$.scenarios[0].trigger.protocol: a chat template cannot test the condition "protocol"',
    ],
    [{ trigger: { model: 'x' } }, '$.scenarios[0].trigger.model: a chat template cannot test the condition "model"'],
    [{ steps: [{ ...end, fault: { status: 429 } }] }, '$.scenarios[0].steps[0].fault: weights cannot break an answer'],
    [
      { steps: [{ ...end, fault: { empty_answer: true, times: 1 } }] },
      '$.scenarios[0].steps[0].fault: weights cannot break an answer',
    ],
    [
      { steps: [{ ...end, timing: { time_to_first_token_ms: 5 } }] },
      '$.scenarios[0].steps[0].timing.time_to_first_token_ms: the server has its own speed',
    ],
    [
      { steps: [{ response: { content: 'a', usage: { input_tokens: 1 } } }] },
      '$.scenarios[0].steps[0].response.usage: the server counts tokens itself',
    ],
    [
      { steps: [{ response: { content: 'a', finish: 'refusal' } }] },
      '$.scenarios[0].steps[0].response.finish: weights cannot end an answer with "refusal"',
    ],
    [
      { steps: [{ response: { content: '{{last_user}}' } }] },
      '$.scenarios[0].steps[0].response.content: weights cannot contain a value of the request',
    ],
    [
      { steps: [{ response: { tool_calls: [{ ...call, arguments: { path: '{{last_user}}' } }] } }, end] },
      '$.scenarios[0].steps[0].response.tool_calls[0].arguments: weights cannot contain a value of the request',
    ],
    [
      { steps: [{ response: { tool_calls: [call] } }, { ...end, waits_for: 'use tabs' }, end] },
      '$.scenarios[0].steps[1].waits_for: a chat template cannot test the condition "waits_for"',
    ],
    [{ steps: [{ ...end, window: 10 }] }, '$.scenarios[0].steps[0].window: the server has its own window'],
    [
      { steps: [{ response: { content: 'a', native: { protocol: 'ollama', body: { done: true } } } }] },
      '$.scenarios[0].steps[0].response.native: the server writes its own form',
    ],
    ...[
      [{ text: 'a' }, { server_tool: 'web_search' }],
      [{ text: 'a' }, { text: 'b', citations: [{ url: 'https://example.com' }] }],
      [{ text: 'a' }, { reasoning: 'b' }],
      [{ reasoning: 'a' }, { reasoning: 'b', signature: 'c' }],
    ].map((content): readonly [object, string] => [
      { steps: [{ response: { content } }] },
      '$.scenarios[0].steps[0].response.content[1]: weights have reasoning, then text, then calls, without citations, signatures and server tools',
    ]),
    [
      { steps: [{ response: { reasoning: 'a </think> b', content: 'c' } }] },
      '$.scenarios[0].steps[0].response.reasoning: "</think>" ends the reasoning',
    ],
    [
      { steps: [{ response: { content: 'x' }, results: 1 }, end] },
      '$.scenarios[0].steps[0].results: a chat template counts tool results, not results in texts',
    ],
  ];

  test.each(rows)('%j is an error with file and step', (scenario, problem) => {
    expect(() => read(scenario)).toThrow(`s.json: ${problem}\n  fix: `);
  });

  test.each(rows)('%j is left out and listed with --partial', (scenario, problem) => {
    const { script, leftOut } = read(scenario, true);
    expect(leftOut.map(({ path, reason }) => `${path}: ${reason}`)).toEqual([problem]);
    expect(script.scenarios.map(({ name }) => name)).toContain('spare');
  });
});

test('embeddings are an error, or left out', () => {
  const embeddings = [{ path: '/embeddings', request: {}, response: {} }];
  const content = parseScenarioFile(JSON.stringify({ scenarios: [SPARE], embeddings }), 's.json');
  const files = [{ file: 's.json', content }];
  const options = { dialect: 'ybs', markup: MARKUPS.hermes } as const;
  expect(() => readScript(files, { ...options, partial: false })).toThrow('s.json: $.embeddings: ');
  expect(readScript(files, { ...options, partial: true }).leftOut).toMatchObject([{ path: '$.embeddings' }]);
});

test('a default response with a value of the request is an error, or left out', () => {
  const other = { content: '{{last_user}}?' };
  const content = parseScenarioFile(JSON.stringify({ scenarios: [SPARE], default_response: other }), 's.json');
  const files = [{ file: 's.json', content }];
  const options = { dialect: 'ybs', markup: MARKUPS.hermes } as const;
  expect(() => readScript(files, { ...options, partial: false })).toThrow('s.json: $.default_response.content: ');
  const { script } = readScript(files, { ...options, partial: true });
  expect(script.unmatched.content).toBe('No scenario of this model matches the prompt.');
});

test('parts that only some servers play as the mock does are noted', () => {
  const trigger = 'Grüße an alle';
  expect(read({ trigger }).notes).toEqual([
    {
      file: 's.json',
      path: '$.scenarios[0].trigger',
      reason: 'llama.cpp and Ollama ignore the case of the letters a to z only',
      fix: 'write the other letters of the prompt as in the trigger or in lower case, or leave them out of the trigger',
    },
  ]);
  expect(read({ trigger: { regex: 'Grüße', flags: '' } }).notes).toEqual([]);
  expect(read({ trigger: 'Ağ İ' }).notes).toHaveLength(1);
  expect(read({ trigger: '日本語 🎉' }).notes).toEqual([]);
  expect(read({ as: 'deepseek' }).notes).toMatchObject([{ path: '$.scenarios[0].as' }]);
  const steps = [{ response: { content: 'Write <tool_call>.' } }];
  expect(read({ steps }).notes).toMatchObject([{ path: '$.scenarios[0].steps[0]' }]);
  const tool_calls = [{ name: 'read_file', arguments: { path: '</tool_call>' } }];
  expect(read({ steps: [{ response: { tool_calls } }] }).notes).toHaveLength(1);
  const broken = { type: 'function', function: { name: 'read_file', arguments: '{"path": "a' } };
  expect(read({ steps: [{ response: { tool_calls: [broken] } }, end] }).notes).toMatchObject([
    { reason: 'llama.cpp completes arguments that are not JSON, and Ollama leaves such a call out' },
  ]);
});

describe('a scenario as a script', () => {
  test('has blocks in the order of every answer', () => {
    const content = [{ reasoning: 'Hm.' }, { text: 'I ' }, { text: 'call.' }, { call }];
    const [scenario] = read({ steps: [{ response: { content } }, end] }).script.scenarios;
    expect(scenario?.steps[0]?.answer).toMatchObject({ reasoning: 'Hm.', content: 'I call.' });
    expect(scenario?.steps[0]?.answer.calls).toEqual([{ name: 'read_file', arguments: '{"path":"a"}' }]);
  });

  test('calls the tool to which its file maps an intent, and knows its directory', () => {
    const steps = [{ response: { tool_calls: [{ intent: 'read_file', path: 'm.js' }] } }, end];
    const scenario = { name: 's', trigger: 'go', cwd: '/work/project', steps };
    const text = (intents?: object) => JSON.stringify({ ...(intents && { intents }), scenarios: [scenario] });
    const calls = (content: string, dialect: ToolsDialect) =>
      readScript([{ file: 's.json', content: parseScenarioFile(content, 's.json') }], {
        dialect,
        markup: MARKUPS.hermes,
        partial: false,
      }).script.scenarios[0]?.steps[0]?.answer.calls;
    const mapped = text({ read_file: 'my_reader(file=path)' });
    expect(calls(mapped, 'ybs')).toEqual([{ name: 'my_reader', arguments: '{"file":"m.js"}' }]);
    expect(calls(text(), 'claude')).toEqual([{ name: 'Read', arguments: '{"file_path":"/work/project/m.js"}' }]);
  });

  // llama.cpp generates the arguments of an offered tool in the order of its schema alone.
  test('has arguments in the order in which the agent of the dialect offers them', () => {
    const calls = [
      ['write_file', { content: 'b', path: 'a' }, '{"path":"a","content":"b"}'],
      ['read_file', { limit: 2, line: 1, path: 'a' }, '{"path":"a","limit":2,"line":1}'],
      ['another_tool', { content: 'b', path: 'a' }, '{"content":"b","path":"a"}'],
    ] as const;
    const tool_calls = calls.map(([name, args]) => ({ name, arguments: args }));
    const [scenario] = read({ steps: [{ response: { tool_calls } }, end] }).script.scenarios;
    expect(scenario?.steps[0]?.answer.calls.map((each) => each.arguments)).toEqual(calls.map(([, , text]) => text));
  });

  test('keeps reasoning, text, wrong names, broken arguments, and the number of results of each step', () => {
    const broken = { type: 'function', function: { name: 'nothing', arguments: '{"a": ' } };
    const steps = [
      { response: { reasoning: 'Hm.', content: 'I call.', tool_calls: [call, broken] } },
      { response: { content: null, tool_calls: [call] } },
      { response: { content: 'Braces: {{{{', finish: 'length' } },
    ];
    const [scenario] = read({ steps }).script.scenarios;
    const place = (step: number) => ({ file: 's.json', path: `$.scenarios[0].steps[${step}]` });
    expect(scenario?.steps).toEqual([
      {
        results: 0,
        answer: {
          reasoning: 'Hm.',
          content: 'I call.',
          calls: [
            { name: 'read_file', arguments: '{"path":"a"}' },
            { name: 'nothing', arguments: '{"a": ' },
          ],
          isEndless: false,
          pieceLength: undefined,
        },
        place: place(0),
      },
      { results: 2, place: place(1), answer: expect.objectContaining({ content: '', reasoning: undefined }) },
      { results: 3, place: place(2), answer: expect.objectContaining({ content: 'Braces: {{', isEndless: true }) },
    ]);
  });

  test.each(TOOLS_DIALECTS)('carries out every intent with the tools of %s', (dialect) => {
    const intents = [
      { intent: 'read_file', path: 'a' },
      { intent: 'write_file', path: 'a', content: 'b' },
      { intent: 'edit_file', path: 'a', old_text: 'b', new_text: 'c' },
      { intent: 'shell', command: 'ls' },
      { intent: 'list_files', pattern: '*' },
      { intent: 'search_files', pattern: 'a' },
    ];
    const [scenario] = read({ steps: [...intents, end] }, false, dialect).script.scenarios;
    expect(scenario?.steps.flatMap(({ answer }) => answer.calls.map(({ name }) => name))).toEqual(
      dialect === 'ybs'
        ? ['read_file', 'write_file', 'edit_file', 'run_shell', 'list_files', 'search_files']
        : ['Read', 'Write', 'Edit', 'Bash', 'Glob', 'Grep'],
    );
  });
});
