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

/** A name, a text of the form, and the errors: `path: reason → fix`, where the path is that within the form. */
const CALL = '{"call": {"name": …, "arguments": {…}}}, or the call in "tool_calls" of the response,';

type Case = readonly [name: string, text: string, ...errors: readonly string[]];

interface Form {
  /** The path of the text in the file. */
  readonly prefix?: string;
  write(text: string): string;
}

const scenario = (rest: string) => `{"scenarios": [{"name": "hi", ${rest}}]}`;
const STEP = '$.scenarios[0].steps[0]';
const FORMS: Readonly<Record<string, Form>> = {
  step: { prefix: STEP, write: (text) => scenario(`"trigger": "hi", "steps": [${text}]`) },
  call: { prefix: `${STEP}.response.tool_calls[0]`, write: writeCalls },
  trigger: {
    prefix: '$.scenarios[0].trigger',
    write: (text) => scenario(`"trigger": ${text}, "steps": [{"response": {"content": "x"}}]`),
  },
  file: { write: (text) => text },
};

function writeCalls(text: string): string {
  return scenario(`"trigger": "hi", "steps": [{"response": {"tool_calls": [${text}]}}]`);
}

/** The lines of errors. A path with `$` is that in the file. */
function linesOf(file: string, prefix: string, errors: readonly string[]): readonly string[] {
  return errors.flatMap((error) => {
    const [problem = '', fix] = error.split(' → ');
    return [`${file}: ${problem.startsWith('$') ? '' : prefix}${problem}`, `  fix: ${fix}`];
  });
}

const LIKE_YAML =
  'looks like YAML, but only a file named .yaml or .yml is read as YAML → rename it to f.yaml, or write it as JSON';

describe.each<readonly [string, readonly Case[]]>([
  [
    'step',
    [
      [
        'two problems',
        '{"response": {"tool_calls": [{"nme": "x"}]}, "fault": {"status": 302}}',
        '.response.tool_calls[0]: unknown field "nme" → write "name" instead of "nme"',
        '.fault.status: must be at least 400, not 302 → write a larger number',
      ],
      ...[
        ['{"intent": "write_file", "file": "a", "content": "b"}', '', 'file', 'path'],
        ['{"intent": "shell", "cmd": "ls"}', '', 'cmd', 'command'],
        [
          '{"response": {"content": "x", "usage": {"prompt_tokens": 3}}}',
          '.response.usage',
          'prompt_tokens',
          'input_tokens',
        ],
        ['{"response": {"content": "x"}, "timing": {"ttft": 9}}', '.timing', 'ttft', 'time_to_first_token_ms'],
        ['{"reply": "hi"}', '', 'reply', 'response'],
      ].map(
        ([text = '', path, written, meant]): Case => [
          `the word ${written} of others`,
          text,
          `${path}: unknown field "${written}" → write "${meant}" instead of "${written}"`,
        ],
      ),
      [
        'an intent by the name of a tool',
        '{"intent": "bash", "command": "ls"}',
        '.intent: unknown intent "bash" → write "shell" instead of "bash"',
      ],
      [
        'a finish reason of a protocol',
        '{"response": {"content": "x", "finish": "end_turn"}}',
        '.response.finish: must be "stop", "tool_calls", "length", "content_filter", "refusal" or one of 22 others, not "end_turn" → ' +
          'write "stop" instead of "end_turn"',
      ],
      [
        'a status in quotes',
        '{"response": {"content": "x"}, "fault": "500"}',
        '.fault: must be an object, not "500" → write {"status": 500}',
      ],
      [
        'a misspelt response',
        '{"respose": {"content": "x"}}',
        ': unknown field "respose" → write "response" instead of "respose"',
      ],
      [
        'a misspelt intent',
        '{"intnt": "shell", "command": "ls"}',
        ': unknown field "intnt" → write "intent" instead of "intnt"',
      ],
      [
        'an unknown intent',
        '{"intent": "write_fle", "path": "a", "content": "x"}',
        '.intent: unknown intent "write_fle" → write "write_file" instead of "write_fle"',
      ],
      [
        'an intent without a field',
        '{"intent": "write_file", "path": "a"}',
        '.content: is missing → add "content", a string',
      ],
      [
        'an intent with a field of another',
        '{"intent": "shell", "command": "ls", "path": "a"}',
        ': unknown field "path" → remove "path"; the fields here are intent, command, results, expect, waits_for, fault, window, timing',
      ],
      [
        'an intent that looks for nothing',
        '{"intent": "list_files"}',
        ': list_files needs a pattern or a path → add "pattern": "*.txt" or "path": "src"',
      ],
      [
        'response and intent',
        '{"response": {"content": "x"}, "intent": "shell", "command": "ls"}',
        ': a step has a response or an intent, not both → put the intent among the "tool_calls" of the response, or remove one of the two',
      ],
      ['nothing', '{}', '.response: is missing → add "response", an object'],
      ['a text', '"Hello"', ': must be an object, not "Hello" → write {"response": {"content": "Hello"}}'],
      [
        'an answer without its response',
        '{"content": "hi"}',
        ': a step has its answer in "response" → write "response": { … } around the answer',
      ],
      [
        'calls without their response',
        '{"tool_calls": [{"name": "read"}]}',
        ': a step has its answer in "response" → write "response": { … } around the answer',
      ],
      [
        'a call in place of a step',
        '{"name": "read", "arguments": {}}',
        ': a step has its calls in "response" → write "response": { "tool_calls": [{ … }] } around the call',
      ],
      [
        'a response that is text',
        '{"response": "hi"}',
        '.response: must be an object, not "hi" → write {"content": "hi"}',
      ],
      [
        'calls that are no list',
        '{"response": {"tool_calls": {"name": "read"}}}',
        '.response.tool_calls: must be a list, not an object → write [ … ] around it',
      ],
      [
        'a call that is text',
        '{"response": {"tool_calls": ["read"]}}',
        '.response.tool_calls[0]: must be an object, not "read" → write {"name": "read"}',
      ],
      [
        'a fault that is a number',
        '{"response": {"content": "x"}, "fault": 500}',
        '.fault: must be an object, not 500 → write {"status": 500}',
      ],
      ['no response', '{"response": null}', '.response: must be an object, not null → write {"content": "…"}'],
      [
        'an empty response',
        '{"response": {}}',
        '.response: a response needs content or tool_calls → add "content": "Hello.", which may be empty, or "tool_calls"',
      ],
      [
        'an unknown reason for the end',
        '{"response": {"content": "x", "finish": "lenght"}}',
        '.response.finish: must be "stop", "tool_calls", "length", "content_filter", "refusal" or one of 22 others, not "lenght" → write "length" instead of "lenght"',
      ],
      [
        'more cached tokens than input tokens',
        '{"response": {"content": "x", "usage": {"input_tokens": 5, "cached_tokens": 6}}}',
        '.response.usage.cached_tokens: 6 cached tokens are more than the 5 input tokens → input_tokens includes the cached ones; write a larger number there',
      ],
      [
        'more reasoning tokens than output tokens',
        '{"response": {"content": "x", "usage": {"output_tokens": 0, "reasoning_tokens": 1}}}',
        '.response.usage.reasoning_tokens: 1 reasoning tokens are more than the 0 output tokens → output_tokens includes those of the reasoning; write a larger number there',
      ],
      [
        'a response as others call it',
        '{"response": {"text": "x"}}',
        '.response: unknown field "text" → write "content" instead of "text"',
      ],
      [
        'a field in another style',
        '{"response": {"toolCalls": [{"name": "x"}]}}',
        '.response: unknown field "toolCalls" → write "tool_calls" instead of "toolCalls"',
      ],
      [
        'content of a wrong type',
        '{"response": {"content": 5}}',
        '.response.content: must be a string or a list, not 5 → write the string "5"',
      ],
      [
        'results of none',
        '{"response": {"content": "x"}, "results": 0}',
        '.results: must be at least 1, not 0 → write a larger number',
      ],
      [
        'results that are no number',
        '{"response": {"content": "x"}, "results": 1.5}',
        '.results: must be an integer or "text" or an object, not 1.5 → write an integer or "text" or an object',
      ],
      [
        'no calls before the last step',
        '{"response": {"content": "x"}}, {"response": {"content": "y"}}',
        ': nothing leads from this step to the next: it has no tool calls and no "results" → add "tool_calls", or "results": 1 for a client whose results are texts, or move the steps after it to another scenario',
      ],
      [
        'no calls before the last step, but results, as the fix of that says',
        '{"response": {"content": "x"}, "results": 1}, {"response": {"content": "y"}}',
      ],
      [
        'a bad template',
        '{"response": {"content": "{{user}}"}}',
        '.response.content: {{user}} is not a template → write {{last_user}}, or {{{{ for literal braces',
      ],
      [
        'an open template',
        '{"response": {"content": "{{last_user"}}',
        '.response.content: the template at "{{last_user" is not closed with }} → write {{{{ for literal braces',
      ],
      [
        'a misspelt fault',
        '{"response": {"content": "x"}, "falt": {"reset": true}}',
        ': unknown field "falt" → write "fault" instead of "falt"',
      ],
      [
        'a misspelt kind of fault',
        '{"response": {"content": "x"}, "fault": {"cut": "before_finsh"}}',
        '.fault.cut: must be "before_finish", "after_finish" or true, not "before_finsh" → write "before_finish" instead of "before_finsh"',
      ],
      [
        'a flag that is off',
        '{"response": {"content": "x"}, "fault": {"reset": false}}',
        '.fault.reset: must be true, not false → write true, or leave it out',
      ],
      [
        'faults that exclude each other',
        '{"response": {"content": "x"}, "fault": {"cut": "before_finish", "reset": true}}',
        '.fault: cut and reset exclude each other → remove all but one of them',
      ],
      [
        'misspelt timing',
        '{"response": {"content": "x"}, "timing": {"time_to_first_token": 3, "jitter": 2, "chunk": {"by": "word"}}}',
        '.timing.chunk.by: must be "characters", "words" or "tokens", not "word" → write "words" instead of "word"',
        '.timing.jitter: must be at most 1, not 2 → write a smaller number',
        '.timing: unknown field "time_to_first_token" → write "time_to_first_token_ms" instead of "time_to_first_token"',
      ],
      [
        'a time that never ends',
        '{"response": {"content": "x"}, "timing": {"time_to_first_token_ms": 1e12}}',
        '.timing.time_to_first_token_ms: must be at most 2147483647, not 1000000000000 → write a smaller number',
      ],
      ...(
        [
          ['{"type": "tool_use", "id": "t", "name": "x", "input": {}}', 'tool_use', CALL],
          ['{"type": "tool_call", "name": "x", "arguments": {}}', 'tool_call', CALL],
          ['{"functionCall": {"name": "x", "args": {}}}', 'functionCall', CALL],
          ['{"toolUse": {"name": "x", "input": {}}}', 'toolUse', CALL],
          ['{"type": "thinking", "thinking": "x"}', 'thinking', '{"reasoning": …}'],
          [
            '{"type": "server_tool_use", "name": "x"}',
            'server_tool_use',
            '{"server_tool": "web_search", "input": {…}}',
          ],
        ] as const
      ).map(
        ([block, name, own]): Case => [
          `the block ${name} of a protocol`,
          `{"response": {"content": [${block}]}}`,
          `.response.content[0]: "${name}" is a block of a protocol → write ${own} instead of it`,
        ],
      ),
      [
        'another block of a protocol',
        '{"response": {"content": [{"type": "image_url", "image_url": {"url": "x"}}]}}',
        '.response.content[0]: "image_url" is a block of a protocol → write {"raw": {…}, "protocol": …} around it, with the name of the protocol that sends it',
      ],
      [
        'the type of a text',
        '{"response": {"content": [{"type": "text", "text": "x", "cache": 1}]}}',
        '.response.content[0]: unknown field "type" and "cache" → remove "type", remove "cache"; the fields here are text, citations',
      ],
      [
        'a block that is none',
        '{"response": {"content": [5]}}',
        '.response.content[0]: must be an object, not 5 → write an object',
      ],
      [
        'content as an object',
        '{"response": {"content": {"a": 1}}}',
        '.response.content: must be a string or a list, not an object → write the string "{\\"a\\":1}"',
      ],
      [
        'content as a large object',
        `{"response": {"content": {"a": "${'x'.repeat(80)}"}}}`,
        '.response.content: must be a string or a list, not an object → write it as a string of JSON',
      ],
      [
        'an intent in the response',
        '{"response": {"intent": "shell", "command": "ls"}}',
        '.response: an intent is in the step itself or among the "tool_calls" of its response → write the intent in place of the response, or "tool_calls": [{ "intent": … }]',
      ],
      [
        'a fault by name, with its times beside it',
        '{"response": {"content": "x"}, "fault": "rate_limit", "times": 2}',
        '.fault: must be an object, not "rate_limit" → write {"status": 429}',
        ': a step has the fields of its fault in "fault" → write "fault": {"status": 429, "times": 2}',
      ],
      ...Object.entries({
        overloaded: '{"status": 529}',
        unavailable: '{"status": 503}',
        context_length_exceeded: '{"context_overflow": true}',
        timeout: '{"stall": "forever"}',
        disconnect: '{"reset": true}',
        truncate: '{"cut": true}',
        malformed: '{"malformed_chunk": true}',
        empty: '{"empty_answer": true}',
        server_error: '{"status": 500}',
        odd: '{"status": 500}',
      }).map(
        ([name, fault]): Case => [
          `the fault ${name}`,
          `{"response": {"content": "x"}, "fault": "${name}"}`,
          `.fault: must be an object, not "${name}" → write ${fault}`,
        ],
      ),
      [
        'a condition',
        '{"response": {"content": "x"}, "when": "y"}',
        ': a step has no condition: the results of its calls lead to the next one → write a scenario with a "trigger" for each case, or "waits_for" for a message of the user',
      ],
      [
        'an intent that ends the run',
        '{"intent": "attempt_completion", "result": "x"}',
        '.intent: unknown intent "attempt_completion" → write {"response": {"content": …}}: the text becomes a call of the tool that ends the run if the client must call one',
      ],
      [
        'an intent as an object',
        '{"intent": {"name": "shell", "command": "ls"}}',
        '.intent: unknown intent an object → write the name as "intent" and its fields beside it',
      ],
      [
        'texts of an edit by other names',
        '{"intent": "edit_file", "path": "x", "old_string": "a", "new_string": "b"}',
        ': unknown field "old_string" and "new_string" → write "old_text" instead of "old_string", write "new_text" instead of "new_string"',
      ],
      [
        'a count that is none of a scenario',
        '{"response": {"content": "x", "usage": {"total_tokens": 3}}}',
        '.response.usage: unknown field "total_tokens" → remove "total_tokens"; the fields here are input_tokens, cached_tokens, output_tokens, reasoning_tokens',
      ],
      ...[
        ['"retry_after": "5s", "status": 429', 'retry_after', '"5s"', '5'],
        ['"status": "429"', 'status', '"429"', '429'],
      ].map(
        ([fault = '', field, written, meant]): Case => [
          `the number ${written} as a text`,
          `{"response": {"content": "x"}, "fault": {${fault}}}`,
          `.fault.${field}: must be a number, not ${written} → write ${meant}`,
        ],
      ),
      [
        'numbers with units',
        '{"response": {"content": "x"}, "window": "8k", "timing": {"time_to_first_token_ms": "0.5s"}}',
        '.window: must be a number, not "8k" → write 8000',
        '.timing.time_to_first_token_ms: must be a number, not "0.5s" → write 500',
      ],
      ...[
        ['"at": 5, "reset": true', 'at', '{"pieces": 5}'],
        ['"at": "start", "reset": true', 'at', '"before_headers" instead of "start"'],
      ].map(
        ([fault = '', field = '', meant]): Case => [
          `a point in a fault: ${fault}`,
          `{"response": {"content": "x"}, "fault": {${fault}}}`,
          `.fault.${field}: must be "before_headers", "middle", "before_finish", "after_finish" or "end" or an object, not ${/"at": ([^,]*)/.exec(fault)?.[1]} → write ${meant}`,
        ],
      ),
      ...[
        ['"words"', '{"by": "words"}'],
        ['5', '{"by": "words", "size": 5}'],
      ].map(
        ([chunk, meant]): Case => [
          `the chunk ${chunk}`,
          `{"response": {"content": "x"}, "timing": {"chunk": ${chunk}}}`,
          `.timing.chunk: must be an object, not ${chunk} → write ${meant}`,
        ],
      ),
      ...(
        [
          ['timeout', 'stall'],
          ['probability', 'times'],
          ['error', 'message'],
          ['body', 'message'],
        ] as const
      ).map(
        ([written, meant]): Case => [
          `a fault with ${written}`,
          `{"response": {"content": "x"}, "fault": {"status": 500, "${written}": 1}}`,
          `.fault: unknown field "${written}" → write "${meant}" instead of "${written}"`,
        ],
      ),
      ...['json', 'chunks', 'refusal', 'candidates'].map(
        (written): Case => [
          `a response with ${written}`,
          `{"response": {"${written}": []}}`,
          `.response: unknown field "${written}" → write "content" instead of "${written}"`,
        ],
      ),
      ...['status', 'error'].map(
        (written): Case => [
          `a response with its ${written}`,
          `{"response": {"content": "x", "${written}": 500}}`,
          '.response: a step has its fault beside the response → write "fault": {"status": 500} beside the response',
        ],
      ),
      ...['call', 'function_call'].map(
        (written): Case => [
          `a step that is a ${written}`,
          `{"${written}": {"name": "x"}}`,
          ': a step has its calls in "response" → write "response": { "tool_calls": [{ … }] } around the call',
        ],
      ),
      [
        'texts in the place of blocks',
        '{"response": {"content": ["a"]}}',
        '.response.content[0]: must be an object, not "a" → write {"text": "a"}',
      ],
      [
        'the fields of an intent as arguments',
        '{"intent": "write_file", "arguments": {"path": "a", "content": "b"}}',
        ': an intent has its fields beside it → write the fields of the arguments beside "intent"',
      ],
      [
        'a command line as a list',
        '{"intent": "shell", "command": ["ls", "-l"]}',
        '.command: must be a string, not a list → write one command line',
      ],
      [
        'an intent that removes a file',
        '{"intent": "delete_file", "path": "a"}',
        '.intent: unknown intent "delete_file" → write "shell" instead of "delete_file"',
      ],
      [
        'a fault that is true',
        '{"response": {"content": "x"}, "fault": true}',
        '.fault: must be an object, not true → write {"status": 500}',
      ],
      [
        'an expectation of a text',
        '{"response": {"content": "x"}, "expect": {"contains": "y"}}',
        '.expect: unknown field "contains" → write "tool_result" instead of "contains"',
      ],
      [
        'a delay',
        '{"response": {"content": "x"}, "delay": 100}',
        ': a step has its delays in "timing" → write "timing": {"time_to_first_token_ms": …} beside the response',
      ],
    ],
  ],
  [
    'call',
    [
      [
        'a misspelt field',
        '{"name": "x", "argments": {}}',
        ': unknown field "argments" → write "arguments" instead of "argments"',
      ],
      [
        'arguments as others call them',
        '{"name": "x", "args": {}}',
        ': unknown field "args" → write "arguments" instead of "args"',
      ],
      [
        'arguments of the short form as a text',
        '{"name": "x", "arguments": "{}"}',
        '.arguments: must be an object, or one template → write an object, or a template like "{{match.arguments}}"',
      ],
      [
        'arguments of the long form as an object',
        '{"function": {"name": "x", "arguments": {}}}',
        '.function.arguments: must be a string, not an object → write a string',
      ],
      [
        'a bad template deep in arguments',
        '{"name": "x", "arguments": {"a": ["{{tool_result}}"]}}',
        '.arguments.a[0]: {{tool_result}} is not a template → write {{tool_result last}}, or {{{{ for literal braces',
      ],
      [
        'a name and an intent',
        '{"name": "x", "intent": "shell", "command": "ls"}',
        ': a call names a tool or is an intent, not both → remove the name of the tool, or the intent',
      ],
      [
        'an id that no provider takes',
        '{"id": "a b", "name": "x"}',
        '.id: must be 1 to 64 of the characters A-Z a-z 0-9 _ -, as providers require → write "id": "call_1"',
      ],
      [
        'an id used twice',
        '{"id": "a", "name": "x"}, {"id": "a", "name": "y"}',
        '$.scenarios[0].steps[0].response.tool_calls[1].id: the id a is used twice → give each call its own id, or leave it out',
      ],
      ['null', 'null', ': must be an object, not null → write an object'],
    ],
  ],
  [
    'trigger',
    [
      ['a number', '5', ': must be a string or an object, not 5 → write the string "5"'],
      [
        'a list',
        '["x", "y"]',
        ': must be a string or an object, not a list → write one of them, or {"regex": "first|second"} for several',
      ],
      [
        'the field of another format',
        '{"contains": "x"}',
        ': unknown field "contains" → write "text" instead of "contains"',
      ],
      ...(
        [
          ['user', 'text'],
          ['equals', 'text'],
          ['starts_with', 'text'],
          ['last_message', 'text'],
          ['any_of', 'regex'],
          ['probability', 'chance'],
        ] as const
      ).map(
        ([written, meant]): Case => [
          `the condition ${written}`,
          `{"${written}": "x"}`,
          `: unknown field "${written}" → write "${meant}" instead of "${written}"`,
        ],
      ),
      ['a share', '{"text": "x", "chance": "50%"}', '.chance: must be a number, not "50%" → write 0.5'],
      [
        'a text that a result contains',
        '{"tool_result": {"contains": "x"}}',
        '.tool_result: unknown field "contains" → write "regex" instead of "contains"',
      ],
      [
        'a flag of another language',
        '{"regex": "(?i)hi"}',
        '.regex: Invalid regular expression: /(?i)hi/: Invalid group → remove it: case is ignored by default, and "flags" has the flags',
      ],
      [
        'a named group of another language',
        '{"regex": "(?P<x>hi)"}',
        '.regex: Invalid regular expression: /(?P<x>hi)/: Invalid group → write (?<name>…) instead of (?P<name>…)',
      ],
      ['a blank', '" "', ': must not be blank → write some text'],
      ['a misspelt field', '{"txt": "x"}', ': unknown field "txt" → write "text" instead of "txt"'],
      [
        'no condition',
        '{}',
        ': has no condition → add one of text, regex, protocol, model, system, tool, response_format, header, chance and tool_result',
      ],
      [
        'text and regex',
        '{"text": "a", "regex": "b"}',
        '.regex: a trigger has a text or a regex, not both → remove one of the two',
      ],
      [
        'a bad regex',
        '{"regex": "("}',
        '.regex: Invalid regular expression: /(/: Unterminated group → escape special characters with \\\\, as in "\\\\(" for a (',
      ],
      [
        'flags that carry state',
        '{"regex": "a", "flags": "g"}',
        '.flags: may have the flags d, i, m, s, u and v → write "i", or leave it out',
      ],
      [
        'flags without a regex',
        '{"text": "a", "flags": "i"}',
        '.flags: needs a regex → remove "flags", or add a "regex"',
      ],
      [
        'a header of a wrong type',
        '{"header": {"x-a": 5}}',
        '.header.x-a: must be a string or an object, not 5 → write the string "5"',
      ],
      [
        'nothing about a result',
        '{"tool_result": {}}',
        '.tool_result: has no regex and no is_error → add "is_error": true, or write a string instead',
      ],
    ],
  ],
  [
    'file',
    [
      ['a list', '[]', 'must be an object, not a list → write {"scenarios": [ … ]} around the list'],
      [
        'a scenario',
        '{"name": "a", "trigger": "b", "steps": []}',
        'this is a scenario, not a file of them → write {"scenarios": [ … ]} around it',
      ],
      ...(
        [
          [
            '"model": "gpt-5"',
            'conditions in "trigger"',
            'write them there, as in "trigger": {"text": "hi", "model": "gpt-5"}',
          ],
          [
            '"fault": {"status": 500}',
            'answers in "steps"',
            'write it into a step: "steps": [{"response": {"content": "Hello."}, "fault": {"status": 500, "times": 1}}]',
          ],
        ] as const
      ).map(
        ([field, what, fix]): Case => [
          `a scenario with ${field}`,
          scenario(`${field}, "trigger": "b", "steps": [{"response": {"content": "x"}}]`),
          `$.scenarios[0]: a scenario has its ${what} → ${fix}`,
        ],
      ),
      ...(
        [
          ['id', 'name'],
          ['service', 'as'],
        ] as const
      ).map(
        ([written, meant]): Case => [
          `a scenario with ${written}`,
          `{"scenarios": [{${written === 'id' ? '' : '"name": "a", '}"${written}": "x", "trigger": "b", "steps": [{"response": {"content": "x"}}]}]}`,
          `$.scenarios[0]: unknown field "${written}" → write "${meant}" instead of "${written}"`,
        ],
      ),
      [
        'intents in a scenario',
        scenario('"intents": {}, "trigger": "b", "steps": [{"response": {"content": "x"}}]'),
        '$.scenarios[0]: the tools for intents are those of the whole file → write "intents" beside "scenarios"',
      ],
      [
        'scenarios by their names',
        '{"scenarios": {"a": {"trigger": "b", "steps": []}}}',
        '$.scenarios: must be a list, not an object → write a list of scenarios, each with its "name"',
      ],
      [
        'an answer of Chat Completions',
        '{"id": "c", "choices": []}',
        'this is an answer of a protocol, not a file of scenarios → write its text as a step: {"scenarios": [{"name": …, "trigger": …, "steps": [{"response": {"content": …}}]}]}',
      ],
      ...['tests', 'mocks', 'responses'].map(
        (written): Case => [
          `a file with ${written}`,
          `{"${written}": []}`,
          `unknown field "${written}" → write "scenarios" instead of "${written}"`,
        ],
      ),
      ...(
        [
          ['True', 'true and false begin with a small letter', 'write true or false'],
          ['None', 'JSON calls this null', 'write null'],
          ['“x”', 'a string is in curly quotes', 'use straight double quotes'],
          ['`x`', 'a string is in backticks', 'use double quotes'],
        ] as const
      ).map(
        ([value, reason, fix]): Case => [
          `the value ${value}`,
          `{"a": ${value}}`,
          `line 1, column 7: not valid JSON: ${reason} → ${fix}`,
        ],
      ),
      [
        '=',
        '{"a" = 1}',
        'line 1, column 6: not valid JSON: a = is in the place of a colon → write a : after the field name',
      ],
      [
        'a fence',
        '```json\n{}\n```',
        'line 1, column 1: not valid JSON: a fence of Markdown is around it → remove the lines with ```',
      ],
      [
        'values of other agents in a story',
        '{"scenarios": [{"name": "hi", "trigger": "hi", "steps": [{"response": {"content": "x"}}]}], "story": {"prompts": ["a"], "approvals": ["yes"], "permission_mode": "yolo", "expected_outcome": "success"}}',
        '$.story.approvals[0]: must be "once", "all", "session", "directory", "workspace", "prefix", "sandbox", "hosts", "deny" or "timeout" or an object, not "yes" → write "once" instead of "yes"',
        '$.story.expected_outcome: must be "done", "aborted", "limit", "stuck", "denied" or "failed", not "success" → write "done" instead of "success"',
        '$.story.permission_mode: must be "ask", "accept-edits", "plan", "read-only" or "full-access", not "yolo" → write "full-access" instead of "yolo"',
      ],
      [
        'intents that are mapped to objects',
        '{"scenarios": [{"name": "a", "trigger": "b", "steps": [{"response": {"content": "x"}}]}], "intents": {"shell": {"name": "sh"}}, "story": ["a"]}',
        '$.intents.shell: must be a string, not an object → write a tool like "fs_put(path, content)" for each intent',
        '$.story: must be an object, not a list → write {"prompts": [ … ]}',
      ],
      ...[
        '{"name": "x", "version": "1.0.0", "type": "module", "scripts": {}, "description": "", "dependencies": {}}',
        '{"name": "x", "version": "1.0.0", "lockfileVersion": 3, "requires": true, "packages": {}}',
        '{"compilerOptions": {}, "include": ["src"]}',
        '{"$schema": "https://biomejs.dev/schemas/2.0.0/schema.json", "files": {}}',
      ].map(
        (text): Case => [
          `a file of another program: ${text}`,
          text,
          'this is not a file of scenarios → name the file or the directory of the scenarios; such a file has {"scenarios": [ … ]}',
        ],
      ),
      [
        'fixtures of aimock',
        '{"fixtures": []}',
        'these are fixtures of aimock → convert it with ybs story from FILE --out DIRECTORY',
      ],
      [
        'a HAR recording',
        '{"log": {}}',
        'this is a HAR recording → convert it with ybs story from FILE --out DIRECTORY',
      ],
      [
        'intents that are mapped wrongly',
        '{"scenarios": [{"name": "a", "trigger": "b", "steps": [{"response": {"content": "x"}}]}], "intents": {"write_file": "put(path)", "shell": "sh(cmd)", "read_file": "(", "list_files": "ls(1)"}}',
        '$.intents.write_file: lacks the content of write_file → write it like "fs_put(path, content)", with file=path for an argument of another name',
        '$.intents.read_file: must be a tool with its arguments, not "(" → write it like "fs_put(path, content)", with file=path for an argument of another name',
        '$.intents.shell: shell has no text "cmd"; it has command → write it like "fs_put(path, content)", with file=path for an argument of another name',
        '$.intents.list_files: has the argument 1, which is not a name → write it like "fs_put(path, content)", with file=path for an argument of another name',
      ],
      [
        'an unknown intent in a map',
        '{"scenarios": [{"name": "a", "trigger": "b", "steps": [{"response": {"content": "x"}}]}], "intents": {"write": "put(path, content)"}}',
        '$.intents: unknown field "write" → write "write_file" instead of "write"',
      ],
      ['no scenarios', '{"scenarios": []}', '$.scenarios: must not be empty → add an item to "scenarios"'],
      [
        'a misspelt field',
        '{"scenaros": [{"name": "a", "trigger": "b", "steps": [{"response": {"content": "x"}}]}]}',
        'unknown field "scenaros" → write "scenarios" instead of "scenaros"',
      ],
      [
        'everything empty',
        '{"scenarios": [{"name": "", "trigger": "", "steps": []}]}',
        '$.scenarios[0].name: must not be blank → write some text',
        '$.scenarios[0].trigger: must not be blank → write some text',
        '$.scenarios[0].steps: must not be empty → add an item to "steps"',
      ],
      [
        'everything missing',
        '{"scenarios": [{}]}',
        '$.scenarios[0].name: is missing → add "name", a string',
        '$.scenarios[0].trigger: is missing → add "trigger", a string or an object',
        '$.scenarios[0].steps: is missing → add "steps", a list',
      ],
      [
        'steps that are no list',
        '{"scenarios": [{"name": "hi", "trigger": "b", "steps": {"response": {"content": "x"}}}]}',
        '$.scenarios[0].steps: must be a list, not an object → write [ … ] around it',
      ],
      [
        'a story',
        '{"scenarios": [{"name": "hi", "trigger": "hi", "steps": [{"response": {"content": "x"}}]}], "story": {"prompts": [], "approvals": ["maybe"], "workspace": "/tmp"}}',
        '$.story.prompts: must not be empty → add an item to "prompts"',
        '$.story.approvals[0]: must be "once", "all", "session", "directory", "workspace", "prefix", "sandbox", "hosts", "deny" or "timeout" or an object, not "maybe" → write "once", "all", "session", "directory", "workspace", "prefix", "sandbox", "hosts", "deny" or "timeout" or an object',
        '$.story.workspace: must be a relative path → write it relative to the directory of the file',
      ],
      [
        'what a story demands',
        '{"scenarios": [{"name": "hi", "trigger": "hi", "steps": [{"response": {"content": "x"}}]}], "story": {"prompts": ["hi"], "check": [{"command": "x", "timeout": 5}], "limits": {}, "forbid": {"commands": [{"regex": "("}]}, "policy": {"usually": 2}}}',
        '$.story.check[0]: unknown field "timeout" → write "timeout_seconds" instead of "timeout"',
        '$.story.limits: is empty → add turns or tokens, or remove it',
        '$.story.forbid.commands[0].regex: Invalid regular expression: /(/: Unterminated group → escape special characters with \\\\, as in "\\\\(" for a (',
        '$.story.policy.usually: must be at most 1, not 2 → write a smaller number',
      ],
      [
        'a trailing comma',
        '{\n  "scenarios": [],\n}',
        'line 3, column 1: not valid JSON: there is a comma before } → remove the comma',
      ],
      [
        'a missing comma',
        '{\n  "$schema": "x"\n  "scenarios": []\n}',
        'line 3, column 3: not valid JSON: a comma is missing before this → put a comma between the two',
      ],
      [
        'a comment',
        '{\n  // stories\n  "scenarios": []\n}',
        'line 2, column 3: not valid JSON: JSON has no comments → remove the comment, or write the file as YAML',
      ],
      [
        'single quotes',
        "{'scenarios': []}",
        'line 1, column 2: not valid JSON: a string is in single quotes → use double quotes',
      ],
      [
        'a text over two lines',
        '{"$schema": "a\nb"}',
        'line 1, column 13: not valid JSON: the string is not closed → close it with "; write a line break as \\n',
      ],
      [
        'a half',
        '{"scenarios": [{"name": "a"',
        'line 1, column 28: not valid JSON: the text ends too early → close every { and [ that is open',
      ],
      ...['scenarios: []\n', '---\nscenarios: []', '# mine\n\n  scenarios:\n', '$schema: x\r\n'].map(
        (text): Case => [`YAML: ${JSON.stringify(text)}`, text, LIKE_YAML],
      ),
      [
        'a word that is no name of a field',
        'scenarios',
        'line 1, column 1: not valid JSON: scenarios is not a value → write a string in double quotes',
      ],
      ['nothing', '', 'line 1, column 1: not valid JSON: the file is empty → write {"scenarios": [ … ]}'],
      [
        'a field twice',
        '{\n  "scenarios": [],\n  "scenarios": []\n}',
        'line 3, column 3: not valid JSON: the field "scenarios" occurs twice, in line 2 and line 3 → remove one of the two',
      ],
    ],
  ],
])('a mistake in a %s', (form, cases) => {
  it.each(cases)('is reported: %s', async (_name, text, ...expected) => {
    const { prefix = '', write } = FORMS[form] ?? { write: String };
    expect(await errorLinesOf(() => parseScenarioFile(write(text), 'f.json'))).toEqual(
      linesOf('f.json', prefix, expected),
    );
  });
});

it.each<Case>([
  [
    'a tab',
    'scenarios:\n	- name: a\n',
    'line 2, column 1: not valid YAML: Tabs are not allowed as indentation → indent with spaces',
  ],
  [
    'a template without quotes',
    'scenarios:\n- name: a\n  trigger: {{last_user}}\n',
    'line 3: a text with {{ is not in quotes, so YAML reads an object → put the text in quotes: "{{last_user}}"',
  ],
  [
    'a merge key',
    'scenarios:\n- name: a\n  trigger: b\n  steps:\n  - &b {response: {content: x}}\n  - <<: *b\n',
    '$.scenarios[0].steps[1] (line 6): merge keys (<<) are not supported → write the fields out, or make the whole value an alias (*name)',
  ],
  [
    'a field twice',
    'scenarios:\n- name: a\n  name: b\n',
    'line 3, column 3: not valid YAML: Map keys must be unique → remove one of the two',
  ],
  [
    'a misspelt field',
    'scenarios:\n- name: a\n  triger: b\n  steps:\n  - response: {content: x}\n',
    '$.scenarios[0] (line 2): unknown field "triger" → write "trigger" instead of "triger"',
  ],
  [
    'a text with a colon',
    'scenarios:\n- name: a\n  trigger: say: hi\n',
    'line 3, column 12: not valid YAML: Nested mappings are not allowed in compact mappings → correct the line; a text with one of : # { [ & * ! needs quotes',
  ],
  [
    'an unknown alias',
    'scenarios: *nothing\n',
    'not valid YAML: Unresolved alias (the anchor must be set before the alias): nothing → give every alias its anchor (&name) before it, and use fewer of them',
  ],
  ['nothing', '# todo\n', '$ (line 1): the file is empty → write the scenarios into it'],
  [
    'a tag',
    'scenarios: !secret a\n',
    'line 1, column 12: not valid YAML: Unresolved tag: !secret → remove the tag, or put the text in quotes',
  ],
  [
    'two documents',
    'a: 1\n---\nb: 2\n',
    'line 2, column 1: not valid YAML: Source contains multiple documents; please use YAML.parseAllDocuments() → remove the ---, or split the file in two',
  ],
])('the loader reports YAML with %s', async (_name, text, ...expected) => {
  expect(await errorLinesOf(() => readYamlScenarioFile(text, 'f.yaml'))).toEqual(linesOf('f.yaml', '', expected));
});

it.each([
  ['f.json', (deep: string) => parseScenarioFile(writeCalls(`{"name": "x", "arguments": {"a": ${deep}}}`), 'f.json')],
  ['f.yaml', (deep: string) => readYamlScenarioFile(`scenarios: ${deep}`, 'f.yaml')],
])('the loader refuses %s that is nested too deeply', async (_file, load) => {
  // The second number overflows the stack of the library for YAML.
  for (const levels of [101, 2_500]) {
    const said = await errorLinesOf(() => load('['.repeat(levels) + ']'.repeat(levels)));
    expect(said).toEqual([expect.stringMatching(/: is nested deeper than 100 levels$/), '  fix: nest it less deeply']);
  }
});
