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

/** The texts of each form with a mistake, and below each its errors: `path: reason → fix`, by the path in the form. */
const MISTAKES: Readonly<Record<string, string>> = {
  step: String.raw`
    {"response": {"tool_calls": [{"nme": "x"}]}, "fault": {"status": 102}}
      .response.tool_calls[0]: unknown field "nme" → write "name" instead of "nme"
      .fault.status: must be at least 200, not 102 → write a larger number
    {"intent": "write_file", "file": "a", "content": "b"}
      : unknown field "file" → write "path" instead of "file"
    {"intent": "shell", "cmd": "ls"}
      : unknown field "cmd" → write "command" instead of "cmd"
    {"response": {"content": "x", "usage": {"prompt_tokens": 3}}}
      .response.usage: unknown field "prompt_tokens" → write "input_tokens" instead of "prompt_tokens"
    {"response": {"content": "x"}, "timing": {"ttft": 9}}
      .timing: unknown field "ttft" → write "time_to_first_token_ms" instead of "ttft"
    {"reply": "hi"}
      : unknown field "reply" → write "response" instead of "reply"
    {"intent": "bash", "command": "ls"}
      .intent: unknown intent "bash" → write "shell" instead of "bash"
    {"response": {"content": "x", "finish": "end_turn"}}
      .response.finish: must be "stop", "tool_calls", "length", "content_filter", "refusal" or one of 31 others, not "end_turn" → write "stop" instead of "end_turn"
    {"response": {"content": "x"}, "fault": "500"}
      .fault: must be an object, not "500" → write {"status": 500}
    {"respose": {"content": "x"}}
      : unknown field "respose" → write "response" instead of "respose"
    {"intnt": "shell", "command": "ls"}
      : unknown field "intnt" → write "intent" instead of "intnt"
    {"intent": "write_fle", "path": "a", "content": "x"}
      .intent: unknown intent "write_fle" → write "write_file" instead of "write_fle"
    {"intent": "write_file", "path": "a"}
      .content: is missing → add "content", a string
    {"intent": "shell", "command": "ls", "path": "a"}
      : unknown field "path" → remove "path"; the fields here are intent, command, results, expect, waits_for, fault, window, timing
    {"intent": "list_files"}
      : list_files needs a pattern or a path → add "pattern": "*.txt" or "path": "src"
    {"response": {"content": "x"}, "intent": "shell", "command": "ls"}
      : a step has a response or an intent, not both → put the intent among the "tool_calls" of the response, or remove one of the two
    {}
      .response: is missing → add "response", an object
    "Hello"
      : must be an object, not "Hello" → write {"response": {"content": "Hello"}}
    {"content": "hi"}
      : a step has its answer in "response" → write "response": { … } around the answer
    {"tool_calls": [{"name": "read"}]}
      : a step has its answer in "response" → write "response": { … } around the answer
    {"name": "read", "arguments": {}}
      : a step has its calls in "response" → write "response": { "tool_calls": [{ … }] } around the call
    {"response": "hi"}
      .response: must be an object, not "hi" → write {"content": "hi"}
    {"response": {"tool_calls": {"name": "read"}}}
      .response.tool_calls: must be a list, not an object → write [ … ] around it
    {"response": {"tool_calls": ["read"]}}
      .response.tool_calls[0]: must be an object, not "read" → write {"name": "read"}
    {"response": {"content": "x"}, "fault": 500}
      .fault: must be an object, not 500 → write {"status": 500}
    {"response": null}
      .response: must be an object, not null → write {"content": "…"}
    {"response": {}}
      .response: a response needs content or tool_calls → add "content": "Hello.", which may be empty, or "tool_calls"
    {"response": {"content": "x", "finish": "lenght"}}
      .response.finish: must be "stop", "tool_calls", "length", "content_filter", "refusal" or one of 31 others, not "lenght" → write "length" instead of "lenght"
    {"response": {"content": "x", "usage": {"input_tokens": 5, "cached_tokens": 6}}}
      .response.usage.cached_tokens: 6 cached tokens are more than the 5 input tokens → input_tokens includes the cached ones; write a larger number there
    {"response": {"content": "x", "usage": {"output_tokens": 0, "reasoning_tokens": 1}}}
      .response.usage.reasoning_tokens: 1 reasoning tokens are more than the 0 output tokens → output_tokens includes those of the reasoning; write a larger number there
    {"response": {"text": "x"}}
      .response: unknown field "text" → write "content" instead of "text"
    {"response": {"toolCalls": [{"name": "x"}]}}
      .response: unknown field "toolCalls" → write "tool_calls" instead of "toolCalls"
    {"response": {"content": 5}}
      .response.content: must be a string or a list, not 5 → write the string "5"
    {"response": {"content": "x"}, "results": 0}
      .results: must be at least 1, not 0 → write a larger number
    {"response": {"content": "x"}, "results": 1.5}
      .results: must be an integer or "text" or an object, not 1.5 → write an integer or "text" or an object
    {"response": {"content": "x"}}, {"response": {"content": "y"}}
      : nothing leads from this step to the next: it has no tool calls and no "results" → add "tool_calls", or "results": 1 for a client whose results are texts, or move the steps after it to another scenario
    {"response": {"content": "x"}, "results": 1}, {"response": {"content": "y"}}
    {"response": {"content": "{{user}}"}}
      .response.content: {{user}} is not a template → write {{last_user}}, or {{{{ for literal braces
    {"response": {"content": "{{last_user"}}
      .response.content: the template at "{{last_user" is not closed with }} → write {{{{ for literal braces
    {"response": {"content": "x"}, "falt": {"reset": true}}
      : unknown field "falt" → write "fault" instead of "falt"
    {"response": {"content": "x"}, "fault": {"cut": "before_finsh"}}
      .fault.cut: must be "before_finish", "after_finish" or true, not "before_finsh" → write "before_finish" instead of "before_finsh"
    {"response": {"content": "x"}, "fault": {"reset": false}}
      .fault.reset: must be true, not false → write true, or leave it out
    {"response": {"content": "x"}, "fault": {"cut": "before_finish", "reset": true}}
      .fault: cut and reset exclude each other → remove all but one of them
    {"response": {"content": "x"}, "timing": {"time_to_first_token": 3, "jitter": 2, "chunk": {"by": "word"}}}
      .timing.chunk.by: must be "characters", "words" or "tokens", not "word" → write "words" instead of "word"
      .timing.jitter: must be at most 1, not 2 → write a smaller number
      .timing: unknown field "time_to_first_token" → write "time_to_first_token_ms" instead of "time_to_first_token"
    {"response": {"content": "x"}, "timing": {"time_to_first_token_ms": 1e12}}
      .timing.time_to_first_token_ms: must be at most 2147483647, not 1000000000000 → write a smaller number
    {"response": {"content": [{"type": "tool_use", "id": "t", "name": "x", "input": {}}]}}
      .response.content[0]: "tool_use" is a block of a protocol → write {"call": {"name": …, "arguments": {…}}}, or the call in "tool_calls" of the response, instead of it
    {"response": {"content": [{"type": "tool_call", "name": "x", "arguments": {}}]}}
      .response.content[0]: "tool_call" is a block of a protocol → write {"call": {"name": …, "arguments": {…}}}, or the call in "tool_calls" of the response, instead of it
    {"response": {"content": [{"functionCall": {"name": "x", "args": {}}}]}}
      .response.content[0]: "functionCall" is a block of a protocol → write {"call": {"name": …, "arguments": {…}}}, or the call in "tool_calls" of the response, instead of it
    {"response": {"content": [{"toolUse": {"name": "x", "input": {}}}]}}
      .response.content[0]: "toolUse" is a block of a protocol → write {"call": {"name": …, "arguments": {…}}}, or the call in "tool_calls" of the response, instead of it
    {"response": {"content": [{"type": "thinking", "thinking": "x"}]}}
      .response.content[0]: "thinking" is a block of a protocol → write {"reasoning": …} instead of it
    {"response": {"content": [{"type": "server_tool_use", "name": "x"}]}}
      .response.content[0]: "server_tool_use" is a block of a protocol → write {"server_tool": "web_search", "input": {…}} instead of it
    {"response": {"content": [{"type": "image_url", "image_url": {"url": "x"}}]}}
      .response.content[0]: "image_url" is a block of a protocol → write {"raw": {…}, "protocol": …} around it, with the name of the protocol that sends it
    {"response": {"content": [{"type": "text", "text": "x", "cache": 1}]}}
      .response.content[0]: unknown field "type" and "cache" → remove "type", remove "cache"; the fields here are text, citations
    {"response": {"content": [5]}}
      .response.content[0]: must be an object, not 5 → write an object
    {"response": {"content": {"a": 1}}}
      .response.content: must be a string or a list, not an object → write the string "{\"a\":1}"
    {"response": {"content": {"a": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}}}
      .response.content: must be a string or a list, not an object → write it as a string of JSON
    {"response": {"intent": "shell", "command": "ls"}}
      .response: an intent is in the step itself or among the "tool_calls" of its response → write the intent in place of the response, or "tool_calls": [{ "intent": … }]
    {"response": {"content": "x"}, "fault": "rate_limit", "times": 2}
      .fault: must be an object, not "rate_limit" → write {"status": 429}
      : a step has the fields of its fault in "fault" → write "fault": {"status": 429, "times": 2}
    {"response": {"content": "x"}, "fault": "overloaded"}
      .fault: must be an object, not "overloaded" → write {"status": 529}
    {"response": {"content": "x"}, "fault": "unavailable"}
      .fault: must be an object, not "unavailable" → write {"status": 503}
    {"response": {"content": "x"}, "fault": "context_length_exceeded"}
      .fault: must be an object, not "context_length_exceeded" → write {"context_overflow": true}
    {"response": {"content": "x"}, "fault": "timeout"}
      .fault: must be an object, not "timeout" → write {"stall": "forever"}
    {"response": {"content": "x"}, "fault": "disconnect"}
      .fault: must be an object, not "disconnect" → write {"reset": true}
    {"response": {"content": "x"}, "fault": "truncate"}
      .fault: must be an object, not "truncate" → write {"cut": true}
    {"response": {"content": "x"}, "fault": "malformed"}
      .fault: must be an object, not "malformed" → write {"malformed_chunk": true}
    {"response": {"content": "x"}, "fault": "empty"}
      .fault: must be an object, not "empty" → write {"empty_answer": true}
    {"response": {"content": "x"}, "fault": "server_error"}
      .fault: must be an object, not "server_error" → write {"status": 500}
    {"response": {"content": "x"}, "fault": "odd"}
      .fault: must be an object, not "odd" → write {"status": 500}
    {"response": {"content": "x"}, "when": "y"}
      : a step has no condition: the results of its calls lead to the next one → write a scenario with a "trigger" for each case, or "waits_for" for a message of the user
    {"intent": "attempt_completion", "result": "x"}
      .intent: unknown intent "attempt_completion" → write {"response": {"content": …}}: the text becomes a call of the tool that ends the run if the client must call one
    {"intent": {"name": "shell", "command": "ls"}}
      .intent: unknown intent an object → write the name as "intent" and its fields beside it
    {"intent": "edit_file", "path": "x", "old_string": "a", "new_string": "b"}
      : unknown field "old_string" and "new_string" → write "old_text" instead of "old_string", write "new_text" instead of "new_string"
    {"response": {"content": "x", "usage": {"total_tokens": 3}}}
      .response.usage: unknown field "total_tokens" → remove "total_tokens"; the fields here are input_tokens, cached_tokens, output_tokens, reasoning_tokens
    {"response": {"content": "x"}, "fault": {"retry_after": "5s", "status": 429}}
      .fault.retry_after: must be a number, not "5s" → write 5
    {"response": {"content": "x"}, "fault": {"status": "429"}}
      .fault.status: must be a number, not "429" → write 429
    {"response": {"content": "x"}, "window": "8k", "timing": {"time_to_first_token_ms": "0.5s"}}
      .window: must be a number, not "8k" → write 8000
      .timing.time_to_first_token_ms: must be a number, not "0.5s" → write 500
    {"response": {"content": "x"}, "fault": {"at": 5, "reset": true}}
      .fault.at: must be "before_headers", "middle", "before_finish", "after_finish" or "end" or an object, not 5 → write {"pieces": 5}
    {"response": {"content": "x"}, "fault": {"at": "start", "reset": true}}
      .fault.at: must be "before_headers", "middle", "before_finish", "after_finish" or "end" or an object, not "start" → write "before_headers" instead of "start"
    {"response": {"content": "x"}, "timing": {"chunk": "words"}}
      .timing.chunk: must be an object, not "words" → write {"by": "words"}
    {"response": {"content": "x"}, "timing": {"chunk": 5}}
      .timing.chunk: must be an object, not 5 → write {"by": "words", "size": 5}
    {"response": {"content": "x"}, "fault": {"status": 500, "timeout": 1}}
      .fault: unknown field "timeout" → write "stall" instead of "timeout"
    {"response": {"content": "x"}, "fault": {"status": 500, "probability": 1}}
      .fault: unknown field "probability" → write "times" instead of "probability"
    {"response": {"content": "x"}, "fault": {"status": 500, "error": 1}}
      .fault: unknown field "error" → write "message" instead of "error"
    {"response": {"content": "x"}, "fault": {"status": 500, "body": 1}}
      .fault.body: must be a string, not 1 → write the string "1"
    {"response": {"content": "x"}, "fault": {"status": 429, "header": {"retry-after": "2"}}}
      .fault: unknown field "header" → write "headers" instead of "header"
    {"response": {"content": "x"}, "fault": {"status": 429, "headers": {"retry-after": "{{date}}"}}}
      .fault.headers.retry-after: has a template without a value → write {{retry_date}} and "retry_after": 2
    {"response": {"content": "x"}, "headers": {"retry-after": "2"}}
      : a step has the fields of its fault in "fault" → write "fault": {"status": 429, "times": 2}
    {"response": {"json": []}}
      .response: unknown field "json" → write "content" instead of "json"
    {"response": {"chunks": []}}
      .response: unknown field "chunks" → write "content" instead of "chunks"
    {"response": {"refusal": []}}
      .response: unknown field "refusal" → write "content" instead of "refusal"
    {"response": {"candidates": []}}
      .response: unknown field "candidates" → write "content" instead of "candidates"
    {"response": {"content": "x", "status": 500}}
      .response: a step has its fault beside the response → write "fault": {"status": 500} beside the response
    {"response": {"content": "x", "error": 500}}
      .response: a step has its fault beside the response → write "fault": {"status": 500} beside the response
    {"call": {"name": "x"}}
      : a step has its calls in "response" → write "response": { "tool_calls": [{ … }] } around the call
    {"function_call": {"name": "x"}}
      : a step has its calls in "response" → write "response": { "tool_calls": [{ … }] } around the call
    {"response": {"content": ["a"]}}
      .response.content[0]: must be an object, not "a" → write {"text": "a"}
    {"intent": "write_file", "arguments": {"path": "a", "content": "b"}}
      : an intent has its fields beside it → write the fields of the arguments beside "intent"
    {"intent": "shell", "command": ["ls", "-l"]}
      .command: must be a string, not a list → write one command line
    {"intent": "delete_file", "path": "a"}
      .intent: unknown intent "delete_file" → write "shell" instead of "delete_file"
    {"response": {"content": "x"}, "fault": true}
      .fault: must be an object, not true → write {"status": 500}
    {"response": {"content": "x"}, "expect": {"contains": "y"}}
      .expect: unknown field "contains" → write "tool_result" instead of "contains"
    {"response": {"content": "x"}, "delay": 100}
      : a step has its delays in "timing" → write "timing": {"time_to_first_token_ms": …} beside the response
  `,
  call: `
    {"name": "x", "argments": {}}
      : unknown field "argments" → write "arguments" instead of "argments"
    {"name": "x", "args": {}}
      : unknown field "args" → write "arguments" instead of "args"
    {"name": "x", "arguments": "{}"}
      .arguments: must be an object, or one template → write an object, or a template like "{{match.arguments}}"
    {"function": {"name": "x", "arguments": {}}}
      .function.arguments: must be a string, not an object → write a string
    {"name": "x", "arguments": {"a": ["{{tool_result}}"]}}
      .arguments.a[0]: {{tool_result}} is not a template → write {{tool_result last}}, or {{{{ for literal braces
    {"name": "x", "intent": "shell", "command": "ls"}
      : a call names a tool or is an intent, not both → remove the name of the tool, or the intent
    {"id": "a b", "name": "x"}
      .id: must be 1 to 64 of the characters A-Z a-z 0-9 _ -, as providers require → write "id": "call_1"
    {"id": "a", "name": "x"}, {"id": "a", "name": "y"}
      $.scenarios[0].steps[0].response.tool_calls[1].id: the id a is used twice → give each call its own id, or leave it out
    null
      : must be an object, not null → write an object
  `,
  trigger: String.raw`
    5
      : must be a string or an object, not 5 → write the string "5"
    ["x", "y"]
      : must be a string or an object, not a list → write one of them, or {"regex": "first|second"} for several
    {"contains": "x"}
      : unknown field "contains" → write "text" instead of "contains"
    {"user": "x"}
      : unknown field "user" → write "text" instead of "user"
    {"equals": "x"}
      : unknown field "equals" → write "text" instead of "equals"
    {"starts_with": "x"}
      : unknown field "starts_with" → write "text" instead of "starts_with"
    {"last_message": "x"}
      : unknown field "last_message" → write "text" instead of "last_message"
    {"any_of": "x"}
      : unknown field "any_of" → write "regex" instead of "any_of"
    {"probability": "x"}
      : unknown field "probability" → write "chance" instead of "probability"
    {"text": "x", "chance": "50%"}
      .chance: must be a number, not "50%" → write 0.5
    {"tool_result": {"contains": "x"}}
      .tool_result: unknown field "contains" → write "regex" instead of "contains"
    {"regex": "(?i)hi"}
      .regex: Invalid regular expression: /(?i)hi/: Invalid group → remove it: case is ignored by default, and "flags" has the flags
    {"regex": "(?P<x>hi)"}
      .regex: Invalid regular expression: /(?P<x>hi)/: Invalid group → write (?<name>…) instead of (?P<name>…)
    " "
      : must not be blank → write some text
    {"txt": "x"}
      : unknown field "txt" → write "text" instead of "txt"
    {}
      : has no condition → add one of text, regex, protocol, model, system, tool, response_format, header, chance and tool_result
    {"text": "a", "regex": "b"}
      .regex: a trigger has a text or a regex, not both → remove one of the two
    {"regex": "("}
      .regex: Invalid regular expression: /(/: Unterminated group → escape special characters with \\, as in "\\(" for a (
    {"regex": "a", "flags": "g"}
      .flags: may have the flags d, i, m, s, u and v → write "i", or leave it out
    {"text": "a", "flags": "i"}
      .flags: needs a regex → remove "flags", or add a "regex"
    {"header": {"x-a": 5}}
      .header.x-a: must be a string or an object, not 5 → write the string "5"
    {"tool_result": {}}
      .tool_result: has no regex and no is_error → add "is_error": true, or write a string instead
  `,
  file: String.raw`
    []
      must be an object, not a list → write {"scenarios": [ … ]} around the list
    {"name": "a", "trigger": "b", "steps": []}
      this is a scenario, not a file of them → write {"scenarios": [ … ]} around it
    {"scenarios": [{"name": "hi", "model": "gpt-5", "trigger": "b", "steps": [{"response": {"content": "x"}}]}]}
      $.scenarios[0]: a scenario has its conditions in "trigger" → write them there, as in "trigger": {"text": "hi", "model": "gpt-5"}
    {"scenarios": [{"name": "hi", "fault": {"status": 500}, "trigger": "b", "steps": [{"response": {"content": "x"}}]}]}
      $.scenarios[0]: a scenario has its answers in "steps" → write it into a step: "steps": [{"response": {"content": "Hello."}, "fault": {"status": 500, "times": 1}}]
    {"scenarios": [{"id": "x", "trigger": "b", "steps": [{"response": {"content": "x"}}]}]}
      $.scenarios[0]: unknown field "id" → write "name" instead of "id"
    {"scenarios": [{"name": "a", "service": "x", "trigger": "b", "steps": [{"response": {"content": "x"}}]}]}
      $.scenarios[0]: unknown field "service" → write "as" instead of "service"
    {"scenarios": [{"name": "hi", "intents": {}, "trigger": "b", "steps": [{"response": {"content": "x"}}]}]}
      $.scenarios[0]: the tools for intents are those of the whole file → write "intents" beside "scenarios"
    {"scenarios": {"a": {"trigger": "b", "steps": []}}}
      $.scenarios: must be a list, not an object → write a list of scenarios, each with its "name"
    {"id": "c", "choices": []}
      this is an answer of a protocol, not a file of scenarios → write its text as a step: {"scenarios": [{"name": …, "trigger": …, "steps": [{"response": {"content": …}}]}]}
    {"tests": []}
      unknown field "tests" → write "scenarios" instead of "tests"
    {"mocks": []}
      unknown field "mocks" → write "scenarios" instead of "mocks"
    {"responses": []}
      unknown field "responses" → write "scenarios" instead of "responses"
    {"a": True}
      line 1, column 7: not valid JSON: true and false begin with a small letter → write true or false
    {"a": None}
      line 1, column 7: not valid JSON: JSON calls this null → write null
    {"a": “x”}
      line 1, column 7: not valid JSON: a string is in curly quotes → use straight double quotes
    {"a" = 1}
      line 1, column 6: not valid JSON: a = is in the place of a colon → write a : after the field name
    {"scenarios": [{"name": "hi", "trigger": "hi", "steps": [{"response": {"content": "x"}}]}], "story": {"prompts": ["a"], "approvals": ["yes"], "permission_mode": "yolo", "expected_outcome": "success"}}
      $.story.approvals[0]: must be "once", "all", "session", "directory", "workspace", "prefix", "sandbox", "hosts", "deny" or "timeout" or an object, not "yes" → write "once" instead of "yes"
      $.story.expected_outcome: must be "done", "aborted", "limit", "stuck", "denied" or "failed", not "success" → write "done" instead of "success"
      $.story.permission_mode: must be "ask", "accept-edits", "plan", "read-only" or "full-access", not "yolo" → write "full-access" instead of "yolo"
    {"scenarios": [{"name": "a", "trigger": "b", "steps": [{"response": {"content": "x"}}]}], "intents": {"shell": {"name": "sh"}}, "story": ["a"]}
      $.intents.shell: must be a string, not an object → write a tool like "fs_put(path, content)" for each intent
      $.story: must be an object, not a list → write {"prompts": [ … ]}
    {"name": "x", "version": "1.0.0", "type": "module", "scripts": {}, "description": "", "dependencies": {}}
      this is not a file of scenarios → name the file or the directory of the scenarios; such a file has {"scenarios": [ … ]}
    {"name": "x", "version": "1.0.0", "lockfileVersion": 3, "requires": true, "packages": {}}
      this is not a file of scenarios → name the file or the directory of the scenarios; such a file has {"scenarios": [ … ]}
    {"compilerOptions": {}, "include": ["src"]}
      this is not a file of scenarios → name the file or the directory of the scenarios; such a file has {"scenarios": [ … ]}
    {"$schema": "https://biomejs.dev/schemas/2.0.0/schema.json", "files": {}}
      this is not a file of scenarios → name the file or the directory of the scenarios; such a file has {"scenarios": [ … ]}
    {"fixtures": []}
      these are fixtures of aimock → convert it with ybs story from FILE --out DIRECTORY
    {"log": {}}
      this is a HAR recording → convert it with ybs story from FILE --out DIRECTORY
    {"scenarios": [{"name": "a", "trigger": "b", "steps": [{"response": {"content": "x"}}]}], "intents": {"write_file": "put(path)", "shell": "sh(cmd)", "read_file": "(", "list_files": "ls(1)"}}
      $.intents.write_file: lacks the content of write_file → write it like "fs_put(path, content)", with file=path for an argument of another name
      $.intents.read_file: must be a tool with its arguments, not "(" → write it like "fs_put(path, content)", with file=path for an argument of another name
      $.intents.shell: shell has no text "cmd"; it has command → write it like "fs_put(path, content)", with file=path for an argument of another name
      $.intents.list_files: has the argument 1, which is not a name → write it like "fs_put(path, content)", with file=path for an argument of another name
    {"scenarios": [{"name": "a", "trigger": "b", "steps": [{"response": {"content": "x"}}]}], "intents": {"write": "put(path, content)"}}
      $.intents: unknown field "write" → write "write_file" instead of "write"
    {"scenarios": []}
      $.scenarios: must not be empty → add an item to "scenarios"
    {"scenaros": [{"name": "a", "trigger": "b", "steps": [{"response": {"content": "x"}}]}]}
      unknown field "scenaros" → write "scenarios" instead of "scenaros"
    {"scenarios": [{"name": "", "trigger": "", "steps": []}]}
      $.scenarios[0].name: must not be blank → write some text
      $.scenarios[0].trigger: must not be blank → write some text
      $.scenarios[0].steps: must not be empty → add an item to "steps"
    {"scenarios": [{}]}
      $.scenarios[0].name: is missing → add "name", a string
      $.scenarios[0].trigger: is missing → add "trigger", a string or an object
      $.scenarios[0].steps: is missing → add "steps", a list
    {"scenarios": [{"name": "hi", "trigger": "b", "steps": {"response": {"content": "x"}}}]}
      $.scenarios[0].steps: must be a list, not an object → write [ … ] around it
    {"scenarios": [{"name": "hi", "trigger": "hi", "steps": [{"response": {"content": "x"}}]}], "story": {"prompts": [], "approvals": ["maybe"], "workspace": "/tmp"}}
      $.story.prompts: must not be empty → add an item to "prompts"
      $.story.approvals[0]: must be "once", "all", "session", "directory", "workspace", "prefix", "sandbox", "hosts", "deny" or "timeout" or an object, not "maybe" → write "once", "all", "session", "directory", "workspace", "prefix", "sandbox", "hosts", "deny" or "timeout" or an object
      $.story.workspace: must be a relative path → write it relative to the directory of the file
    {"scenarios": [{"name": "hi", "trigger": "hi", "steps": [{"response": {"content": "x"}}]}], "story": {"prompts": ["hi"], "check": [{"command": "x", "timeout": 5}], "limits": {}, "forbid": {"commands": [{"regex": "("}]}, "policy": {"usually": 2}}}
      $.story.check[0]: unknown field "timeout" → write "timeout_seconds" instead of "timeout"
      $.story.limits: is empty → add turns or tokens, or remove it
      $.story.forbid.commands[0].regex: Invalid regular expression: /(/: Unterminated group → escape special characters with \\, as in "\\(" for a (
      $.story.policy.usually: must be at most 1, not 2 → write a smaller number
    scenarios: []␤
      looks like YAML, but only a file named .yaml or .yml is read as YAML → rename it to f.yaml, or write it as JSON
    ---␤scenarios: []
      looks like YAML, but only a file named .yaml or .yml is read as YAML → rename it to f.yaml, or write it as JSON
    # mine␤␤  scenarios:␤
      looks like YAML, but only a file named .yaml or .yml is read as YAML → rename it to f.yaml, or write it as JSON
    $schema: x␍␤
      looks like YAML, but only a file named .yaml or .yml is read as YAML → rename it to f.yaml, or write it as JSON
  `,
};

/** The texts of a table with their errors; `␤` and `␍` stand for the characters of a line end. */
function casesIn(table: string): readonly (readonly [text: string, errors: readonly string[]])[] {
  return table
    .trim()
    .split(/\n {4}(?! )/)
    .map((block) => {
      const [text = '', ...errors] = block.split('\n');
      return [text.trim().replaceAll('␤', '\n').replaceAll('␍', '\r'), errors.map((error) => error.trim())];
    });
}

describe.each(Object.entries(MISTAKES))('a mistake in a %s', (form, table) => {
  it.each(casesIn(table))('is reported: %j', async (text, expected) => {
    const { prefix = '', write } = FORMS[form] ?? { write: String };
    expect(await errorLinesOf(() => parseScenarioFile(write(text), 'f.json'))).toEqual(
      linesOf('f.json', prefix, expected),
    );
  });
});

it.each<Case>([
  ['the value `x`', '{"a": `x`}', 'line 1, column 7: not valid JSON: a string is in backticks → use double quotes'],
  [
    'a fence',
    '```json\n{}\n```',
    'line 1, column 1: not valid JSON: a fence of Markdown is around it → remove the lines with ```',
  ],
])('a mistake in a file is reported: %s', async (_name, text, ...expected) => {
  expect(await errorLinesOf(() => parseScenarioFile(text, 'f.json'))).toEqual(linesOf('f.json', '', expected));
});

/** YAML with a mistake, and its error; `␉` stands for a tab. */
const YAML = `
    scenarios:␤␉- name: a␤
      line 2, column 1: not valid YAML: Tabs are not allowed as indentation → indent with spaces
    scenarios:␤- name: a␤  trigger: {{last_user}}␤
      line 3: a text with {{ is not in quotes, so YAML reads an object → put the text in quotes: "{{last_user}}"
    scenarios:␤- name: a␤  trigger: b␤  steps:␤  - &b {response: {content: x}}␤  - <<: *b␤
      $.scenarios[0].steps[1] (line 6): merge keys (<<) are not supported → write the fields out, or make the whole value an alias (*name)
    scenarios:␤- name: a␤  name: b␤
      line 3, column 3: not valid YAML: Map keys must be unique → remove one of the two
    scenarios:␤- name: a␤  triger: b␤  steps:␤  - response: {content: x}␤
      $.scenarios[0] (line 2): unknown field "triger" → write "trigger" instead of "triger"
    scenarios:␤- name: a␤  trigger: say: hi␤
      line 3, column 12: not valid YAML: Nested mappings are not allowed in compact mappings → correct the line; a text with one of : # { [ & * ! needs quotes
    scenarios: *nothing␤
      not valid YAML: Unresolved alias (the anchor must be set before the alias): nothing → give every alias its anchor (&name) before it, and use fewer of them
    # todo␤
      $ (line 1): the file is empty → write the scenarios into it
    scenarios: !secret a␤
      line 1, column 12: not valid YAML: Unresolved tag: !secret → remove the tag, or put the text in quotes
    a: 1␤---␤b: 2␤
      line 2, column 1: not valid YAML: Source contains multiple documents; please use YAML.parseAllDocuments() → remove the ---, or split the file in two
`;

it.each(casesIn(YAML))('the loader reports YAML: %j', async (text, expected) => {
  const yaml = text.replaceAll('␉', '\t');
  expect(await errorLinesOf(() => readYamlScenarioFile(yaml, 'f.yaml'))).toEqual(linesOf('f.yaml', '', expected));
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
