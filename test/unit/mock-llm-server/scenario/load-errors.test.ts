import { describe, expect, it } from 'vitest';
import { parseScenarioFile, parseYamlScenarioFile } from '../../../../mock-llm-server/scenario/parse.ts';
import { ScenarioError } from '../../../../mock-llm-server/scenario/problems.ts';

/** What a user is shown. */
async function saidOf(load: () => unknown): Promise<readonly string[]> {
  try {
    await load();
    return [];
  } catch (error) {
    if (error instanceof ScenarioError) return error.message.split('\n');
    throw error;
  }
}

const scenario = (rest: string) => `{"scenarios": [{"name": "hi", ${rest}}]}`;
const FORMS: Readonly<Record<string, (text: string) => string>> = {
  step: (text) => scenario(`"trigger": "hi", "steps": [${text}]`),
  call: (text) => scenario(`"trigger": "hi", "steps": [{"response": {"tool_calls": [${text}]}}]`),
  trigger: (text) => scenario(`"trigger": ${text}, "steps": [{"response": {"content": "x"}}]`),
  file: (text) => text,
};

describe.each<readonly [string, readonly (readonly [string, string, readonly string[]])[]]>([
  [
    'step',
    [
      [
        'two problems',
        '{"response": {"tool_calls": [{"nme": "x"}]}, "fault": {"status": 418}}',
        [
          'f.json: $.scenarios[0].steps[0].response.tool_calls[0]: there is no field "nme" here',
          '  fix: write "name" instead of "nme"',
          'f.json: $.scenarios[0].steps[0].fault.status: must be 400, 401, 403, 404, 408, 413, 429, 500, 502, 503 or 529, not 418',
          '  fix: write "status": 429',
        ],
      ],
      [
        'a misspelt response',
        '{"respose": {"content": "x"}}',
        [
          'f.json: $.scenarios[0].steps[0]: there is no field "respose" here',
          '  fix: write "response" instead of "respose"',
        ],
      ],
      [
        'a misspelt intent',
        '{"intnt": "shell", "command": "ls"}',
        ['f.json: $.scenarios[0].steps[0]: there is no field "intnt" here', '  fix: write "intent" instead of "intnt"'],
      ],
      [
        'an unknown intent',
        '{"intent": "write_fle", "path": "a", "content": "x"}',
        [
          'f.json: $.scenarios[0].steps[0].intent: there is no intent "write_fle"',
          '  fix: write "write_file" instead of "write_fle"',
        ],
      ],
      [
        'an intent without a field',
        '{"intent": "write_file", "path": "a"}',
        ['f.json: $.scenarios[0].steps[0].content: is missing', '  fix: add "content": "Hello."'],
      ],
      [
        'an intent with a field of another',
        '{"intent": "shell", "command": "ls", "path": "a"}',
        [
          'f.json: $.scenarios[0].steps[0]: there is no field "path" here',
          '  fix: take "path" out; the fields here are intent, command, results, fault, timing',
        ],
      ],
      [
        'an intent that looks for nothing',
        '{"intent": "list_files"}',
        [
          'f.json: $.scenarios[0].steps[0]: list_files needs a pattern or a path',
          '  fix: add "pattern": "*.txt" or "path": "src"',
        ],
      ],
      [
        'response and intent',
        '{"response": {"content": "x"}, "intent": "shell", "command": "ls"}',
        [
          'f.json: $.scenarios[0].steps[0]: a step has a response or an intent, not both',
          '  fix: put the intent among the "tool_calls" of the response, or take one of the two out',
        ],
      ],
      [
        'nothing',
        '{}',
        ['f.json: $.scenarios[0].steps[0].response: is missing', '  fix: add "response": {"content": "Hello."}'],
      ],
      [
        'a text',
        '"Hello"',
        [
          'f.json: $.scenarios[0].steps[0]: must be an object, not "Hello"',
          '  fix: write "steps": [{"response": {"content": "Hello."}}]',
        ],
      ],
      [
        'no response',
        '{"response": null}',
        [
          'f.json: $.scenarios[0].steps[0].response: must be an object, not null',
          '  fix: write "response": {"content": "Hello."}',
        ],
      ],
      [
        'an empty response',
        '{"response": {}}',
        [
          'f.json: $.scenarios[0].steps[0].response: a response needs content or tool_calls',
          '  fix: add "content": "Hello.", which may be empty, or "tool_calls"',
        ],
      ],
      [
        'a response as others call it',
        '{"response": {"text": "x"}}',
        [
          'f.json: $.scenarios[0].steps[0].response: there is no field "text" here',
          '  fix: write "content" instead of "text"',
        ],
      ],
      [
        'a field in another style',
        '{"response": {"toolCalls": [{"name": "x"}]}}',
        [
          'f.json: $.scenarios[0].steps[0].response: there is no field "toolCalls" here',
          '  fix: write "tool_calls" instead of "toolCalls"',
        ],
      ],
      [
        'content of a wrong type',
        '{"response": {"content": 5}}',
        ['f.json: $.scenarios[0].steps[0].response.content: must be a text, not 5', '  fix: write "content": "Hello."'],
      ],
      [
        'results of none',
        '{"response": {"content": "x"}, "results": 0}',
        ['f.json: $.scenarios[0].steps[0].results: must be at least 1, not 0', '  fix: write "results": 2'],
      ],
      [
        'results that are no number',
        '{"response": {"content": "x"}, "results": 1.5}',
        ['f.json: $.scenarios[0].steps[0].results: must be a whole number, not 1.5', '  fix: write "results": 2'],
      ],
      [
        'no calls before the last step',
        '{"response": {"content": "x"}}, {"response": {"content": "y"}}',
        [
          'f.json: $.scenarios[0].steps[0]: nothing leads from this step to the one after it: it has no tool calls and says no results',
          '  fix: add "tool_calls", or "results": 1 for a client whose results are texts, or move the steps after it to another scenario',
        ],
      ],
      [
        'no calls before the last step, but results, as the fix of that says',
        '{"response": {"content": "x"}, "results": 1}, {"response": {"content": "y"}}',
        [],
      ],
      [
        'a bad template',
        '{"response": {"content": "{{user}}"}}',
        [
          'f.json: $.scenarios[0].steps[0].response.content: {{user}} is no template',
          '  fix: there are {{match.NAME}}, {{last_user}}, {{tool_result N}} and {{tool_result last}}; write {{{{ for literal braces',
        ],
      ],
      [
        'an open template',
        '{"response": {"content": "{{last_user"}}',
        [
          'f.json: $.scenarios[0].steps[0].response.content: the template at "{{last_user" is not closed with }}',
          '  fix: write {{{{ for literal braces',
        ],
      ],
      [
        'a misspelt fault',
        '{"response": {"content": "x"}, "falt": {"reset": true}}',
        ['f.json: $.scenarios[0].steps[0]: there is no field "falt" here', '  fix: write "fault" instead of "falt"'],
      ],
      [
        'a misspelt kind of fault',
        '{"response": {"content": "x"}, "fault": {"cut": "before_finsh"}}',
        [
          'f.json: $.scenarios[0].steps[0].fault.cut: must be "before_finish" or "after_finish", not "before_finsh"',
          '  fix: write "before_finish" instead of "before_finsh"',
        ],
      ],
      [
        'a flag that is off',
        '{"response": {"content": "x"}, "fault": {"reset": false}}',
        [
          'f.json: $.scenarios[0].steps[0].fault.reset: must be true, not false',
          '  fix: write "reset": true, or leave it out',
        ],
      ],
      [
        'faults that exclude each other',
        '{"response": {"content": "x"}, "fault": {"cut": "before_finish", "reset": true}}',
        [
          'f.json: $.scenarios[0].steps[0].fault: cut and reset exclude each other',
          '  fix: leave out all but one of them',
        ],
      ],
      [
        'misspelt timing',
        '{"response": {"content": "x"}, "timing": {"time_to_first_token": 3, "jitter": 2, "chunk": {"by": "word"}}}',
        [
          'f.json: $.scenarios[0].steps[0].timing.chunk.by: must be "characters", "words" or "tokens", not "word"',
          '  fix: write "words" instead of "word"',
          'f.json: $.scenarios[0].steps[0].timing.jitter: must be at most 1, not 2',
          '  fix: write "jitter": 0.3',
          'f.json: $.scenarios[0].steps[0].timing: there is no field "time_to_first_token" here',
          '  fix: write "time_to_first_token_ms" instead of "time_to_first_token"',
        ],
      ],
      [
        'a time that never ends',
        '{"response": {"content": "x"}, "timing": {"time_to_first_token_ms": 1e12}}',
        [
          'f.json: $.scenarios[0].steps[0].timing.time_to_first_token_ms: must be at most 2147483647, not 1000000000000',
          '  fix: write "time_to_first_token_ms": 300',
        ],
      ],
      [
        'a delay',
        '{"response": {"content": "x"}, "delay": 100}',
        ['f.json: $.scenarios[0].steps[0]: there is no field "delay" here', '  fix: write "timing" instead of "delay"'],
      ],
    ],
  ],
  [
    'call',
    [
      [
        'a misspelt field',
        '{"name": "x", "argments": {}}',
        [
          'f.json: $.scenarios[0].steps[0].response.tool_calls[0]: there is no field "argments" here',
          '  fix: write "arguments" instead of "argments"',
        ],
      ],
      [
        'arguments as others call them',
        '{"name": "x", "args": {}}',
        [
          'f.json: $.scenarios[0].steps[0].response.tool_calls[0]: there is no field "args" here',
          '  fix: write "arguments" instead of "args"',
        ],
      ],
      [
        'arguments of the short form as a text',
        '{"name": "x", "arguments": "{}"}',
        [
          'f.json: $.scenarios[0].steps[0].response.tool_calls[0].arguments: must be an object, not "{}"',
          '  fix: write "arguments": {"path": "a.txt"}',
        ],
      ],
      [
        'arguments of the long form as an object',
        '{"function": {"name": "x", "arguments": {}}}',
        [
          'f.json: $.scenarios[0].steps[0].response.tool_calls[0].function.arguments: must be a text, not an object',
          '  fix: write "arguments": "{\\"path\\": \\"a.txt\\"}"',
        ],
      ],
      [
        'a bad template deep in arguments',
        '{"name": "x", "arguments": {"a": ["{{tool_result}}"]}}',
        [
          'f.json: $.scenarios[0].steps[0].response.tool_calls[0].arguments.a[0]: {{tool_result}} is no template',
          '  fix: there are {{match.NAME}}, {{last_user}}, {{tool_result N}} and {{tool_result last}}; write {{{{ for literal braces',
        ],
      ],
      [
        'a name and an intent',
        '{"name": "x", "intent": "shell", "command": "ls"}',
        [
          'f.json: $.scenarios[0].steps[0].response.tool_calls[0]: a call names a tool or is an intent, not both',
          '  fix: take out what names the tool, or the intent',
        ],
      ],
      [
        'an id that no provider takes',
        '{"id": "a b", "name": "x"}',
        [
          'f.json: $.scenarios[0].steps[0].response.tool_calls[0].id: must be 1 to 64 of the characters A-Z a-z 0-9 _ -, as providers demand',
          '  fix: write "id": "call_1"',
        ],
      ],
      [
        'an id used twice',
        '{"id": "a", "name": "x"}, {"id": "a", "name": "y"}',
        [
          'f.json: $.scenarios[0].steps[0].response.tool_calls[1].id: the id a is used twice',
          '  fix: give each call its own, or leave it out',
        ],
      ],
      [
        'null',
        'null',
        [
          'f.json: $.scenarios[0].steps[0].response.tool_calls[0]: must be an object, not null',
          '  fix: write "tool_calls": [{"name": "read_file", "arguments": {"path": "a.txt"}}]',
        ],
      ],
    ],
  ],
  [
    'trigger',
    [
      [
        'a number',
        '5',
        [
          'f.json: $.scenarios[0].trigger: must be a text or an object, not 5',
          '  fix: write "trigger": "write a greeting"',
        ],
      ],
      [
        'a blank',
        '" "',
        ['f.json: $.scenarios[0].trigger: must not be blank', '  fix: write "trigger": "write a greeting"'],
      ],
      [
        'a misspelt field',
        '{"txt": "x"}',
        ['f.json: $.scenarios[0].trigger: there is no field "txt" here', '  fix: write "text" instead of "txt"'],
      ],
      [
        'no condition',
        '{}',
        [
          'f.json: $.scenarios[0].trigger: has no condition',
          '  fix: add one of text, regex, model, system, tool, header and tool_result',
        ],
      ],
      [
        'text and regex',
        '{"text": "a", "regex": "b"}',
        [
          'f.json: $.scenarios[0].trigger.regex: a trigger has a text or a regex, not both',
          '  fix: take one of the two out',
        ],
      ],
      [
        'a bad regex',
        '{"regex": "("}',
        [
          'f.json: $.scenarios[0].trigger.regex: Invalid regular expression: /(/: Unterminated group',
          '  fix: write \\\\ before a character that is to be itself, as in "\\\\(" for a (',
        ],
      ],
      [
        'flags that carry state',
        '{"regex": "a", "flags": "g"}',
        [
          'f.json: $.scenarios[0].trigger.flags: may hold the flags d, i, m, s, u and v',
          '  fix: write "i", or leave it out',
        ],
      ],
      [
        'flags without a regex',
        '{"text": "a", "flags": "i"}',
        [
          'f.json: $.scenarios[0].trigger.flags: belongs to a regex, and there is none',
          '  fix: take "flags" out, or add a "regex"',
        ],
      ],
      [
        'a header of a wrong type',
        '{"header": {"x-a": 5}}',
        [
          'f.json: $.scenarios[0].trigger.header.x-a: must be a text or an object, not 5',
          '  fix: write "header": {"user-agent": "codex"}',
        ],
      ],
      [
        'nothing about a result',
        '{"tool_result": {}}',
        [
          'f.json: $.scenarios[0].trigger.tool_result: has no regex and no is_error',
          '  fix: add "is_error": true, or write a text instead',
        ],
      ],
    ],
  ],
  [
    'file',
    [
      [
        'a list',
        '[]',
        [
          'f.json: $: must be an object, not a list',
          '  fix: write {"scenarios": [{"name": "greeting", "trigger": "hi", "steps": [{"response": {"content": "Hello."}}]}]}',
        ],
      ],
      [
        'a scenario',
        '{"name": "a", "trigger": "b", "steps": []}',
        [
          'f.json: $.scenarios: is missing',
          '  fix: add "scenarios": [{"name": "greeting", "trigger": "hi", "steps": [{"response": {"content": "Hello."}}]}]',
          'f.json: $: this is a scenario, not a file of them',
          '  fix: write {"scenarios": [ … ]} around it',
        ],
      ],
      [
        'no scenarios',
        '{"scenarios": []}',
        [
          'f.json: $.scenarios: must not be empty',
          '  fix: write "scenarios": [{"name": "greeting", "trigger": "hi", "steps": [{"response": {"content": "Hello."}}]}]',
        ],
      ],
      [
        'a misspelt field',
        '{"scenaros": [{"name": "a", "trigger": "b", "steps": [{"response": {"content": "x"}}]}]}',
        ['f.json: $: there is no field "scenaros" here', '  fix: write "scenarios" instead of "scenaros"'],
      ],
      [
        'everything empty',
        '{"scenarios": [{"name": "", "trigger": "", "steps": []}]}',
        [
          'f.json: $.scenarios[0].name: must not be blank',
          '  fix: write "name": "greeting"',
          'f.json: $.scenarios[0].trigger: must not be blank',
          '  fix: write "trigger": "write a greeting"',
          'f.json: $.scenarios[0].steps: must not be empty',
          '  fix: write "steps": [{"response": {"content": "Hello."}}]',
        ],
      ],
      [
        'everything missing',
        '{"scenarios": [{}]}',
        [
          'f.json: $.scenarios[0].name: is missing',
          '  fix: add "name": "greeting"',
          'f.json: $.scenarios[0].trigger: is missing',
          '  fix: add "trigger": "write a greeting"',
          'f.json: $.scenarios[0].steps: is missing',
          '  fix: add "steps": [{"response": {"content": "Hello."}}]',
        ],
      ],
      [
        'steps that are no list',
        '{"scenarios": [{"name": "hi", "trigger": "b", "steps": {"response": {"content": "x"}}}]}',
        [
          'f.json: $.scenarios[0].steps: must be a list, not an object',
          '  fix: write "steps": [{"response": {"content": "Hello."}}]',
        ],
      ],
      [
        'a story',
        '{"scenarios": [{"name": "hi", "trigger": "hi", "steps": [{"response": {"content": "x"}}]}], "story": {"prompts": [], "approvals": ["maybe"], "workspace": "/tmp"}}',
        [
          'f.json: $.story.prompts: must not be empty',
          '  fix: write "prompts": ["write a greeting"]',
          'f.json: $.story.approvals[0]: must be "once", "session" or "deny" or an object, not "maybe"',
          '  fix: write "approvals": ["once", "deny"]',
          'f.json: $.story.workspace: must be a relative path',
          '  fix: write it as seen from the directory of the file',
        ],
      ],
      [
        'a trailing comma',
        '{\n  "scenarios": [],\n}',
        ['f.json: line 2, column 18: not valid JSON: a comma stands before }', '  fix: take the comma out'],
      ],
      [
        'a missing comma',
        '{\n  "$schema": "x"\n  "scenarios": []\n}',
        [
          'f.json: line 3, column 3: not valid JSON: a comma is missing before this',
          '  fix: put a comma between the two',
        ],
      ],
      [
        'a comment',
        '{\n  // stories\n  "scenarios": []\n}',
        [
          'f.json: line 2, column 3: not valid JSON: JSON has no comments',
          '  fix: take it out, or write the file as YAML',
        ],
      ],
      [
        'single quotes',
        "{'scenarios': []}",
        ['f.json: line 1, column 2: not valid JSON: a text stands in single quotes', '  fix: use double quotes'],
      ],
      [
        'a text over two lines',
        '{"$schema": "a\nb"}',
        [
          'f.json: line 1, column 13: not valid JSON: a text does not end, or has a wrong escape',
          '  fix: close it with "; write a line end as \\n and a \\ as \\\\',
        ],
      ],
      [
        'a half',
        '{"scenarios": [{"name": "a"',
        ['f.json: line 1, column 28: not valid JSON: the text ends too early', '  fix: close what is open: }]}'],
      ],
      ...['scenarios: []\n', '---\nscenarios: []', '# mine\n\n  scenarios:\n', '$schema: x\r\n'].map(
        (text) =>
          [
            `YAML: ${JSON.stringify(text)}`,
            text,
            [
              'f.json: $: looks like YAML, but only a file named .yaml or .yml is read as YAML',
              '  fix: rename it to f.yaml, or write it as JSON',
            ],
          ] as const,
      ),
      [
        'a word that is no name of a field',
        'scenarios',
        ['f.json: line 1, column 1: not valid JSON: scenarios is no value', '  fix: put a text in double quotes'],
      ],
      [
        'nothing',
        '',
        ['f.json: line 1, column 1: not valid JSON: the text ends too early', '  fix: write {"scenarios": [ … ]}'],
      ],
      [
        'a field twice',
        '{\n  "scenarios": [],\n  "scenarios": []\n}',
        [
          'f.json: line 3, column 3: not valid JSON: the field "scenarios" is there twice, in line 2 and line 3',
          '  fix: take one of the two out',
        ],
      ],
    ],
  ],
])('a wrong %s', (form, cases) => {
  it.each(cases)('%s', async (_name, text, expected) => {
    expect(await saidOf(() => parseScenarioFile(FORMS[form]?.(text) ?? '', 'f.json'))).toEqual(expected);
  });
});

it.each<readonly [string, string, readonly string[]]>([
  [
    'a tab',
    'scenarios:\n\t- name: a\n',
    ['f.yaml: line 2, column 1: not valid YAML: Tabs are not allowed as indentation', '  fix: indent with spaces'],
  ],
  [
    'a merge key',
    'scenarios:\n- name: a\n  trigger: b\n  steps:\n  - &b {response: {content: x}}\n  - <<: *b\n',
    [
      'f.yaml: $.scenarios[0].steps[1] (line 6): merge keys (<<) are not taken',
      '  fix: write the fields out, or make the whole value an alias (*name)',
    ],
  ],
  [
    'a field twice',
    'scenarios:\n- name: a\n  name: b\n',
    ['f.yaml: line 3, column 3: not valid YAML: Map keys must be unique', '  fix: take one of the two out'],
  ],
  [
    'a misspelt field',
    'scenarios:\n- name: a\n  triger: b\n  steps:\n  - response: {content: x}\n',
    ['f.yaml: $.scenarios[0] (line 2): there is no field "triger" here', '  fix: write "trigger" instead of "triger"'],
  ],
  [
    'a text with a colon',
    'scenarios:\n- name: a\n  trigger: say: hi\n',
    [
      'f.yaml: line 3, column 12: not valid YAML: Nested mappings are not allowed in compact mappings',
      '  fix: correct the line; a text with one of : # { [ & * ! in it needs quotes',
    ],
  ],
  [
    'an unknown alias',
    'scenarios: *nothing\n',
    [
      'f.yaml: $: not valid YAML: Unresolved alias (the anchor must be set before the alias): nothing',
      '  fix: give every alias its anchor (&name) before it, and use fewer of them',
    ],
  ],
  [
    'a tag',
    'scenarios: !secret a\n',
    [
      'f.yaml: line 1, column 12: not valid YAML: Unresolved tag: !secret',
      '  fix: take the tag out, or put the text in quotes',
    ],
  ],
  [
    'two documents',
    'a: 1\n---\nb: 2\n',
    [
      'f.yaml: line 2, column 1: not valid YAML: Source contains multiple documents; please use YAML.parseAllDocuments()',
      '  fix: take the --- out, or make it a file of its own',
    ],
  ],
])('YAML with %s', async (_name, text, expected) => {
  expect(await saidOf(() => parseYamlScenarioFile(text, 'f.yaml'))).toEqual(expected);
});

it.each([
  [
    'f.json',
    (deep: string) => parseScenarioFile(FORMS['call']?.(`{"name": "x", "arguments": {"a": ${deep}}}`) ?? '', 'f.json'),
  ],
  ['f.yaml', (deep: string) => parseYamlScenarioFile(`scenarios: ${deep}`, 'f.yaml')],
])('%s that is nested deeper than a stack', async (_file, load) => {
  for (const levels of [101, 20_000]) {
    const said = await saidOf(() => load('['.repeat(levels) + ']'.repeat(levels)));
    expect(said).toEqual([expect.stringMatching(/: is nested deeper than 100 levels$/), '  fix: nest it less deeply']);
  }
});
