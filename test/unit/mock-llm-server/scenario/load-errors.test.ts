import { describe, expect, it } from 'vitest';
import { parseScenarioFile } from '../../../../mock-llm-server/scenario/loading/parse.ts';
import { readYamlScenarioFile } from '../../../../mock-llm-server/scenario/loading/read-file.ts';
import { ScenarioError } from '../../../../mock-llm-server/scenario/problems.ts';

/** The lines of the error. */
async function errorLinesOf(load: () => unknown): Promise<readonly string[]> {
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
        '{"response": {"tool_calls": [{"nme": "x"}]}, "fault": {"status": 302}}',
        [
          'f.json: $.scenarios[0].steps[0].response.tool_calls[0]: unknown field "nme"',
          '  fix: write "name" instead of "nme"',
          'f.json: $.scenarios[0].steps[0].fault.status: must be at least 400, not 302',
          '  fix: write a larger number',
        ],
      ],
      [
        'a misspelt response',
        '{"respose": {"content": "x"}}',
        ['f.json: $.scenarios[0].steps[0]: unknown field "respose"', '  fix: write "response" instead of "respose"'],
      ],
      [
        'a misspelt intent',
        '{"intnt": "shell", "command": "ls"}',
        ['f.json: $.scenarios[0].steps[0]: unknown field "intnt"', '  fix: write "intent" instead of "intnt"'],
      ],
      [
        'an unknown intent',
        '{"intent": "write_fle", "path": "a", "content": "x"}',
        [
          'f.json: $.scenarios[0].steps[0].intent: unknown intent "write_fle"',
          '  fix: write "write_file" instead of "write_fle"',
        ],
      ],
      [
        'an intent without a field',
        '{"intent": "write_file", "path": "a"}',
        ['f.json: $.scenarios[0].steps[0].content: is missing', '  fix: add "content", a string'],
      ],
      [
        'an intent with a field of another',
        '{"intent": "shell", "command": "ls", "path": "a"}',
        [
          'f.json: $.scenarios[0].steps[0]: unknown field "path"',
          '  fix: remove "path"; the fields here are intent, command, results, expect, fault, timing',
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
          '  fix: put the intent among the "tool_calls" of the response, or remove one of the two',
        ],
      ],
      ['nothing', '{}', ['f.json: $.scenarios[0].steps[0].response: is missing', '  fix: add "response", an object']],
      [
        'a text',
        '"Hello"',
        ['f.json: $.scenarios[0].steps[0]: must be an object, not "Hello"', '  fix: write an object'],
      ],
      [
        'no response',
        '{"response": null}',
        ['f.json: $.scenarios[0].steps[0].response: must be an object, not null', '  fix: write an object'],
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
        'an unknown reason for the end',
        '{"response": {"content": "x", "finish": "lenght"}}',
        [
          'f.json: $.scenarios[0].steps[0].response.finish: must be "stop", "tool_calls", "length", "content_filter" or "refusal", not "lenght"',
          '  fix: write "length" instead of "lenght"',
        ],
      ],
      [
        'more cached tokens than input tokens',
        '{"response": {"content": "x", "usage": {"input_tokens": 5, "cached_tokens": 6}}}',
        [
          'f.json: $.scenarios[0].steps[0].response.usage.cached_tokens: 6 cached tokens are more than the 5 input tokens',
          '  fix: input_tokens includes the cached ones; write a larger number there',
        ],
      ],
      [
        'more reasoning tokens than output tokens',
        '{"response": {"content": "x", "usage": {"output_tokens": 0, "reasoning_tokens": 1}}}',
        [
          'f.json: $.scenarios[0].steps[0].response.usage.reasoning_tokens: 1 reasoning tokens are more than the 0 output tokens',
          '  fix: output_tokens includes those of the reasoning; write a larger number there',
        ],
      ],
      [
        'a response as others call it',
        '{"response": {"text": "x"}}',
        ['f.json: $.scenarios[0].steps[0].response: unknown field "text"', '  fix: write "content" instead of "text"'],
      ],
      [
        'a field in another style',
        '{"response": {"toolCalls": [{"name": "x"}]}}',
        [
          'f.json: $.scenarios[0].steps[0].response: unknown field "toolCalls"',
          '  fix: write "tool_calls" instead of "toolCalls"',
        ],
      ],
      [
        'content of a wrong type',
        '{"response": {"content": 5}}',
        ['f.json: $.scenarios[0].steps[0].response.content: must be a string, not 5', '  fix: write a string'],
      ],
      [
        'results of none',
        '{"response": {"content": "x"}, "results": 0}',
        ['f.json: $.scenarios[0].steps[0].results: must be at least 1, not 0', '  fix: write a larger number'],
      ],
      [
        'results that are no number',
        '{"response": {"content": "x"}, "results": 1.5}',
        ['f.json: $.scenarios[0].steps[0].results: must be an integer, not 1.5', '  fix: write an integer'],
      ],
      [
        'no calls before the last step',
        '{"response": {"content": "x"}}, {"response": {"content": "y"}}',
        [
          'f.json: $.scenarios[0].steps[0]: nothing leads from this step to the next: it has no tool calls and no "results"',
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
          'f.json: $.scenarios[0].steps[0].response.content: {{user}} is not a template',
          '  fix: write one of {{match.NAME}}, {{last_user}}, {{tool_result N}} and {{tool_result last}}, or {{{{ for literal braces',
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
        ['f.json: $.scenarios[0].steps[0]: unknown field "falt"', '  fix: write "fault" instead of "falt"'],
      ],
      [
        'a misspelt kind of fault',
        '{"response": {"content": "x"}, "fault": {"cut": "before_finsh"}}',
        [
          'f.json: $.scenarios[0].steps[0].fault.cut: must be "before_finish", "after_finish" or true, not "before_finsh"',
          '  fix: write "before_finish" instead of "before_finsh"',
        ],
      ],
      [
        'a flag that is off',
        '{"response": {"content": "x"}, "fault": {"reset": false}}',
        ['f.json: $.scenarios[0].steps[0].fault.reset: must be true, not false', '  fix: write true, or leave it out'],
      ],
      [
        'faults that exclude each other',
        '{"response": {"content": "x"}, "fault": {"cut": "before_finish", "reset": true}}',
        [
          'f.json: $.scenarios[0].steps[0].fault: cut and reset exclude each other',
          '  fix: remove all but one of them',
        ],
      ],
      [
        'misspelt timing',
        '{"response": {"content": "x"}, "timing": {"time_to_first_token": 3, "jitter": 2, "chunk": {"by": "word"}}}',
        [
          'f.json: $.scenarios[0].steps[0].timing.chunk.by: must be "characters", "words" or "tokens", not "word"',
          '  fix: write "words" instead of "word"',
          'f.json: $.scenarios[0].steps[0].timing.jitter: must be at most 1, not 2',
          '  fix: write a smaller number',
          'f.json: $.scenarios[0].steps[0].timing: unknown field "time_to_first_token"',
          '  fix: write "time_to_first_token_ms" instead of "time_to_first_token"',
        ],
      ],
      [
        'a time that never ends',
        '{"response": {"content": "x"}, "timing": {"time_to_first_token_ms": 1e12}}',
        [
          'f.json: $.scenarios[0].steps[0].timing.time_to_first_token_ms: must be at most 2147483647, not 1000000000000',
          '  fix: write a smaller number',
        ],
      ],
      [
        'a delay',
        '{"response": {"content": "x"}, "delay": 100}',
        ['f.json: $.scenarios[0].steps[0]: unknown field "delay"', '  fix: write "timing" instead of "delay"'],
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
          'f.json: $.scenarios[0].steps[0].response.tool_calls[0]: unknown field "argments"',
          '  fix: write "arguments" instead of "argments"',
        ],
      ],
      [
        'arguments as others call them',
        '{"name": "x", "args": {}}',
        [
          'f.json: $.scenarios[0].steps[0].response.tool_calls[0]: unknown field "args"',
          '  fix: write "arguments" instead of "args"',
        ],
      ],
      [
        'arguments of the short form as a text',
        '{"name": "x", "arguments": "{}"}',
        [
          'f.json: $.scenarios[0].steps[0].response.tool_calls[0].arguments: must be an object, or one template',
          '  fix: write an object, or a template like "{{match.arguments}}"',
        ],
      ],
      [
        'arguments of the long form as an object',
        '{"function": {"name": "x", "arguments": {}}}',
        [
          'f.json: $.scenarios[0].steps[0].response.tool_calls[0].function.arguments: must be a string, not an object',
          '  fix: write a string',
        ],
      ],
      [
        'a bad template deep in arguments',
        '{"name": "x", "arguments": {"a": ["{{tool_result}}"]}}',
        [
          'f.json: $.scenarios[0].steps[0].response.tool_calls[0].arguments.a[0]: {{tool_result}} is not a template',
          '  fix: write one of {{match.NAME}}, {{last_user}}, {{tool_result N}} and {{tool_result last}}, or {{{{ for literal braces',
        ],
      ],
      [
        'a name and an intent',
        '{"name": "x", "intent": "shell", "command": "ls"}',
        [
          'f.json: $.scenarios[0].steps[0].response.tool_calls[0]: a call names a tool or is an intent, not both',
          '  fix: remove the name of the tool, or the intent',
        ],
      ],
      [
        'an id that no provider takes',
        '{"id": "a b", "name": "x"}',
        [
          'f.json: $.scenarios[0].steps[0].response.tool_calls[0].id: must be 1 to 64 of the characters A-Z a-z 0-9 _ -, as providers require',
          '  fix: write "id": "call_1"',
        ],
      ],
      [
        'an id used twice',
        '{"id": "a", "name": "x"}, {"id": "a", "name": "y"}',
        [
          'f.json: $.scenarios[0].steps[0].response.tool_calls[1].id: the id a is used twice',
          '  fix: give each call its own id, or leave it out',
        ],
      ],
      [
        'null',
        'null',
        [
          'f.json: $.scenarios[0].steps[0].response.tool_calls[0]: must be an object, not null',
          '  fix: write an object',
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
        ['f.json: $.scenarios[0].trigger: must be a string or an object, not 5', '  fix: write a string or an object'],
      ],
      ['a blank', '" "', ['f.json: $.scenarios[0].trigger: must not be blank', '  fix: write some text']],
      [
        'a misspelt field',
        '{"txt": "x"}',
        ['f.json: $.scenarios[0].trigger: unknown field "txt"', '  fix: write "text" instead of "txt"'],
      ],
      [
        'no condition',
        '{}',
        [
          'f.json: $.scenarios[0].trigger: has no condition',
          '  fix: add one of text, regex, protocol, model, system, tool, response_format, header, chance and tool_result',
        ],
      ],
      [
        'text and regex',
        '{"text": "a", "regex": "b"}',
        [
          'f.json: $.scenarios[0].trigger.regex: a trigger has a text or a regex, not both',
          '  fix: remove one of the two',
        ],
      ],
      [
        'a bad regex',
        '{"regex": "("}',
        [
          'f.json: $.scenarios[0].trigger.regex: Invalid regular expression: /(/: Unterminated group',
          '  fix: escape special characters with \\\\, as in "\\\\(" for a (',
        ],
      ],
      [
        'flags that carry state',
        '{"regex": "a", "flags": "g"}',
        [
          'f.json: $.scenarios[0].trigger.flags: may have the flags d, i, m, s, u and v',
          '  fix: write "i", or leave it out',
        ],
      ],
      [
        'flags without a regex',
        '{"text": "a", "flags": "i"}',
        ['f.json: $.scenarios[0].trigger.flags: needs a regex', '  fix: remove "flags", or add a "regex"'],
      ],
      [
        'a header of a wrong type',
        '{"header": {"x-a": 5}}',
        [
          'f.json: $.scenarios[0].trigger.header.x-a: must be a string or an object, not 5',
          '  fix: write a string or an object',
        ],
      ],
      [
        'nothing about a result',
        '{"tool_result": {}}',
        [
          'f.json: $.scenarios[0].trigger.tool_result: has no regex and no is_error',
          '  fix: add "is_error": true, or write a string instead',
        ],
      ],
    ],
  ],
  [
    'file',
    [
      ['a list', '[]', ['f.json: must be an object, not a list', '  fix: write {"scenarios": [ … ]} around the list']],
      [
        'a scenario',
        '{"name": "a", "trigger": "b", "steps": []}',
        [
          'f.json: $.scenarios: is missing',
          '  fix: add "scenarios", a list',
          'f.json: this is a scenario, not a file of them',
          '  fix: write {"scenarios": [ … ]} around it',
        ],
      ],
      [
        'no scenarios',
        '{"scenarios": []}',
        ['f.json: $.scenarios: must not be empty', '  fix: add an item to "scenarios"'],
      ],
      [
        'a misspelt field',
        '{"scenaros": [{"name": "a", "trigger": "b", "steps": [{"response": {"content": "x"}}]}]}',
        ['f.json: unknown field "scenaros"', '  fix: write "scenarios" instead of "scenaros"'],
      ],
      [
        'everything empty',
        '{"scenarios": [{"name": "", "trigger": "", "steps": []}]}',
        [
          'f.json: $.scenarios[0].name: must not be blank',
          '  fix: write some text',
          'f.json: $.scenarios[0].trigger: must not be blank',
          '  fix: write some text',
          'f.json: $.scenarios[0].steps: must not be empty',
          '  fix: add an item to "steps"',
        ],
      ],
      [
        'everything missing',
        '{"scenarios": [{}]}',
        [
          'f.json: $.scenarios[0].name: is missing',
          '  fix: add "name", a string',
          'f.json: $.scenarios[0].trigger: is missing',
          '  fix: add "trigger", a string or an object',
          'f.json: $.scenarios[0].steps: is missing',
          '  fix: add "steps", a list',
        ],
      ],
      [
        'steps that are no list',
        '{"scenarios": [{"name": "hi", "trigger": "b", "steps": {"response": {"content": "x"}}}]}',
        ['f.json: $.scenarios[0].steps: must be a list, not an object', '  fix: write a list'],
      ],
      [
        'a story',
        '{"scenarios": [{"name": "hi", "trigger": "hi", "steps": [{"response": {"content": "x"}}]}], "story": {"prompts": [], "approvals": ["maybe"], "workspace": "/tmp"}}',
        [
          'f.json: $.story.prompts: must not be empty',
          '  fix: add an item to "prompts"',
          'f.json: $.story.approvals[0]: must be "once", "all", "session", "directory", "deny" or "timeout" or an object, not "maybe"',
          '  fix: write "once", "all", "session", "directory", "deny" or "timeout" or an object',
          'f.json: $.story.workspace: must be a relative path',
          '  fix: write it relative to the directory of the file',
        ],
      ],
      [
        'what a story demands',
        '{"scenarios": [{"name": "hi", "trigger": "hi", "steps": [{"response": {"content": "x"}}]}], "story": {"prompts": ["hi"], "check": [{"command": "x", "timeout": 5}], "limits": {}, "forbid": {"commands": [{"regex": "("}]}, "policy": {"usually": 2}}}',
        [
          'f.json: $.story.check[0]: unknown field "timeout"',
          '  fix: write "timeout_seconds" instead of "timeout"',
          'f.json: $.story.limits: is empty',
          '  fix: add turns or tokens, or remove it',
          'f.json: $.story.forbid.commands[0].regex: Invalid regular expression: /(/: Unterminated group',
          '  fix: escape special characters with \\\\, as in "\\\\(" for a (',
          'f.json: $.story.policy.usually: must be at most 1, not 2',
          '  fix: write a smaller number',
        ],
      ],
      [
        'a trailing comma',
        '{\n  "scenarios": [],\n}',
        ['f.json: line 3, column 1: not valid JSON: there is a comma before }', '  fix: remove the comma'],
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
          '  fix: remove the comment, or write the file as YAML',
        ],
      ],
      [
        'single quotes',
        "{'scenarios': []}",
        ['f.json: line 1, column 2: not valid JSON: a string is in single quotes', '  fix: use double quotes'],
      ],
      [
        'a text over two lines',
        '{"$schema": "a\nb"}',
        [
          'f.json: line 1, column 13: not valid JSON: the string is not closed',
          '  fix: close it with "; write a line break as \\n',
        ],
      ],
      [
        'a half',
        '{"scenarios": [{"name": "a"',
        [
          'f.json: line 1, column 28: not valid JSON: the text ends too early',
          '  fix: close every { and [ that is open',
        ],
      ],
      ...['scenarios: []\n', '---\nscenarios: []', '# mine\n\n  scenarios:\n', '$schema: x\r\n'].map(
        (text) =>
          [
            `YAML: ${JSON.stringify(text)}`,
            text,
            [
              'f.json: looks like YAML, but only a file named .yaml or .yml is read as YAML',
              '  fix: rename it to f.yaml, or write it as JSON',
            ],
          ] as const,
      ),
      [
        'a word that is no name of a field',
        'scenarios',
        [
          'f.json: line 1, column 1: not valid JSON: scenarios is not a value',
          '  fix: write a string in double quotes',
        ],
      ],
      [
        'nothing',
        '',
        ['f.json: line 1, column 1: not valid JSON: the file is empty', '  fix: write {"scenarios": [ … ]}'],
      ],
      [
        'a field twice',
        '{\n  "scenarios": [],\n  "scenarios": []\n}',
        [
          'f.json: line 3, column 3: not valid JSON: the field "scenarios" occurs twice, in line 2 and line 3',
          '  fix: remove one of the two',
        ],
      ],
    ],
  ],
])('a mistake in a %s', (form, cases) => {
  it.each(cases)('is reported: %s', async (_name, text, expected) => {
    expect(await errorLinesOf(() => parseScenarioFile(FORMS[form]?.(text) ?? '', 'f.json'))).toEqual(expected);
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
      'f.yaml: $.scenarios[0].steps[1] (line 6): merge keys (<<) are not supported',
      '  fix: write the fields out, or make the whole value an alias (*name)',
    ],
  ],
  [
    'a field twice',
    'scenarios:\n- name: a\n  name: b\n',
    ['f.yaml: line 3, column 3: not valid YAML: Map keys must be unique', '  fix: remove one of the two'],
  ],
  [
    'a misspelt field',
    'scenarios:\n- name: a\n  triger: b\n  steps:\n  - response: {content: x}\n',
    ['f.yaml: $.scenarios[0] (line 2): unknown field "triger"', '  fix: write "trigger" instead of "triger"'],
  ],
  [
    'a text with a colon',
    'scenarios:\n- name: a\n  trigger: say: hi\n',
    [
      'f.yaml: line 3, column 12: not valid YAML: Nested mappings are not allowed in compact mappings',
      '  fix: correct the line; a text with one of : # { [ & * ! needs quotes',
    ],
  ],
  [
    'an unknown alias',
    'scenarios: *nothing\n',
    [
      'f.yaml: not valid YAML: Unresolved alias (the anchor must be set before the alias): nothing',
      '  fix: give every alias its anchor (&name) before it, and use fewer of them',
    ],
  ],
  [
    'a tag',
    'scenarios: !secret a\n',
    [
      'f.yaml: line 1, column 12: not valid YAML: Unresolved tag: !secret',
      '  fix: remove the tag, or put the text in quotes',
    ],
  ],
  [
    'two documents',
    'a: 1\n---\nb: 2\n',
    [
      'f.yaml: line 2, column 1: not valid YAML: Source contains multiple documents; please use YAML.parseAllDocuments()',
      '  fix: remove the ---, or split the file in two',
    ],
  ],
])('the loader reports YAML with %s', async (_name, text, expected) => {
  expect(await errorLinesOf(() => readYamlScenarioFile(text, 'f.yaml'))).toEqual(expected);
});

it.each([
  [
    'f.json',
    (deep: string) => parseScenarioFile(FORMS['call']?.(`{"name": "x", "arguments": {"a": ${deep}}}`) ?? '', 'f.json'),
  ],
  ['f.yaml', (deep: string) => readYamlScenarioFile(`scenarios: ${deep}`, 'f.yaml')],
])('the loader refuses %s that is nested too deeply', async (_file, load) => {
  // The second number overflows the stack of the library for YAML.
  for (const levels of [101, 2_500]) {
    const said = await errorLinesOf(() => load('['.repeat(levels) + ']'.repeat(levels)));
    expect(said).toEqual([expect.stringMatching(/: is nested deeper than 100 levels$/), '  fix: nest it less deeply']);
  }
});
