import { expect, test } from 'vitest';
import { writeModelfile } from '../../../../mock-llm-server/weights/files/modelfile.ts';
import { MARKUPS } from '../../../../mock-llm-server/weights/markups/markups.ts';
import { type Script, textAnswer } from '../../../../mock-llm-server/weights/script/script.ts';

test('the Modelfile of a script compares the bytes of its triggers, in both cases if they ignore case', () => {
  const script: Script = {
    scenarios: [
      {
        name: 'hi',
        triggers: [
          { text: 'hi?', ignoresCase: true, start: 'word', end: 'text' },
          { text: 'Ho', ignoresCase: false, start: 'any', end: 'any' },
        ],
        steps: [
          { results: 0, answer: textAnswer('Hello.'), place: { file: 's.json', path: '$.scenarios[0].steps[0]' } },
        ],
      },
    ],
    unmatched: textAnswer('?'),
    pastLastStep: textAnswer('!'),
  };
  const file = writeModelfile(script, MARKUPS.hermes, {
    context: 4096,
    description: 'A.',
    license: 'MIT',
  });
  expect(file).toMatchInlineSnapshot(`
    "# A.
    FROM ./model.gguf
    TEMPLATE """{{- $previous := "" }}{{- $scenario := -1 }}{{- $results := "" }}
    {{- if .Tools }}<|im_start|>system
    # Tools

    The signatures of the functions are within <tools></tools>:
    <tools>{{ range .Tools }}
    {{ . }}{{ end }}
    </tools>

    Write each call in this form:
    <tool_call>
    {"name": <name>, "arguments": <arguments>}
    </tool_call><|im_end|>
    {{ end }}
    {{- range .Messages }}{{- $text := .Content }}
    {{- if and (eq .Role "user") $text }}
    {{- if eq $previous "assistant" }}{{- $scenario = -1 }}{{- end }}
    {{- $mark := printf "<|scenario-%d-%d|>" $scenario (len $results) }}
    {{- if or (ne $previous "tool") (not (eq $mark "<|scenario-0-0|>" "<|unmatched|>" "<|past-last-step|>")) }}
    {{- $found := -1 }}{{- $earlier := -1 }}{{- $added := -1 }}{{- $end := "" }}{{- $before := 32 }}
    {{- range $at := len $text }}
    {{- $rest := slice $text $at }}{{- $byte := index $rest 0 }}
    {{- if and (eq $byte 10) (eq $before 10) (ge $found 0) }}{{- $earlier = $found }}{{- $found = -1 }}{{- end }}
    {{- if eq $byte 60 }}
    {{- if and $end (ge (len $rest) (len $end)) }}{{- if eq (slice $rest 0 (len $end)) $end }}{{- $end = "" }}{{- end }}{{- end }}
    {{- if and (not $end) (gt (len $rest) 9) (eq (slice $rest 0 9) "<reminder") (eq (index $rest 9) 62 32 10) }}{{- $end = "</reminder>" }}{{- end }}
    {{- if and (not $end) (gt (len $rest) 16) (eq (slice $rest 0 16) "<system-reminder") (eq (index $rest 16) 62 32 10) }}{{- $end = "</system-reminder>" }}{{- end }}
    {{- if and (not $end) (gt (len $rest) 18) (eq (slice $rest 0 18) "<task-notification") (eq (index $rest 18) 62 32 10) }}{{- $end = "</task-notification>" }}{{- end }}
    {{- if and (not $end) (gt (len $rest) 21) (eq (slice $rest 0 21) "<local-command-caveat") (eq (index $rest 21) 62 32 10) }}{{- $end = "</local-command-caveat>" }}{{- end }}
    {{- if and (not $end) (gt (len $rest) 21) (eq (slice $rest 0 21) "<local-command-stdout") (eq (index $rest 21) 62 32 10) }}{{- $end = "</local-command-stdout>" }}{{- end }}
    {{- if and (not $end) (gt (len $rest) 20) (eq (slice $rest 0 20) "<environment_context") (eq (index $rest 20) 62 32 10) }}{{- $end = "</environment_context>" }}{{- end }}
    {{- if and (not $end) (gt (len $rest) 18) (eq (slice $rest 0 18) "<user_instructions") (eq (index $rest 18) 62 32 10) }}{{- $end = "</user_instructions>" }}{{- end }}
    {{- if and (not $end) (gt (len $rest) 13) (eq (slice $rest 0 13) "<INSTRUCTIONS") (eq (index $rest 13) 62 32 10) }}{{- $end = "</INSTRUCTIONS>" }}{{- end }}
    {{- if and (not $end) (gt (len $rest) 25) (eq (slice $rest 0 25) "<permissions instructions") (eq (index $rest 25) 62 32 10) }}{{- $end = "</permissions instructions>" }}{{- end }}
    {{- if and (not $end) (gt (len $rest) 19) (eq (slice $rest 0 19) "<collaboration_mode") (eq (index $rest 19) 62 32 10) }}{{- $end = "</collaboration_mode>" }}{{- end }}
    {{- if and (not $end) (gt (len $rest) 20) (eq (slice $rest 0 20) "<skills_instructions") (eq (index $rest 20) 62 32 10) }}{{- $end = "</skills_instructions>" }}{{- end }}
    {{- if and (not $end) (gt (len $rest) 22) (eq (slice $rest 0 22) "<subagent_notification") (eq (index $rest 22) 62 32 10) }}{{- $end = "</subagent_notification>" }}{{- end }}
    {{- if and (not $end) (gt (len $rest) 13) (eq (slice $rest 0 13) "<turn_aborted") (eq (index $rest 13) 62 32 10) }}{{- $end = "</turn_aborted>" }}{{- end }}
    {{- if and (not $end) (gt (len $rest) 16) (eq (slice $rest 0 16) "<session_context") (eq (index $rest 16) 62 32 10) }}{{- $end = "</session_context>" }}{{- end }}
    {{- if and (not $end) (gt (len $rest) 20) (eq (slice $rest 0 20) "<environment_details") (eq (index $rest 20) 62 32 10) }}{{- $end = "</environment_details>" }}{{- end }}
    {{- if and (not $end) (gt (len $rest) 22) (eq (slice $rest 0 22) "<explicit_instructions") (eq (index $rest 22) 62 32 10) }}{{- $end = "</explicit_instructions>" }}{{- end }}
    {{- if and (not $end) (gt (len $rest) 17) (eq (slice $rest 0 17) "<current_datetime") (eq (index $rest 17) 62 32 10) }}{{- $end = "</current_datetime>" }}{{- end }}
    {{- if and (not $end) (gt (len $rest) 16) (eq (slice $rest 0 16) "<system_reminder") (eq (index $rest 16) 62 32 10) }}{{- $end = "</system_reminder>" }}{{- end }}
    {{- if and (not $end) (gt (len $rest) 20) (eq (slice $rest 0 20) "<system_notification") (eq (index $rest 20) 62 32 10) }}{{- $end = "</system_notification>" }}{{- end }}
    {{- if and (not $end) (gt (len $rest) 17) (eq (slice $rest 0 17) "<environment_info") (eq (index $rest 17) 62 32 10) }}{{- $end = "</environment_info>" }}{{- end }}
    {{- if and (not $end) (gt (len $rest) 15) (eq (slice $rest 0 15) "<workspace_info") (eq (index $rest 15) 62 32 10) }}{{- $end = "</workspace_info>" }}{{- end }}
    {{- if and (not $end) (gt (len $rest) 21) (eq (slice $rest 0 21) "<reminderInstructions") (eq (index $rest 21) 62 32 10) }}{{- $end = "</reminderInstructions>" }}{{- end }}
    {{- if and (not $end) (gt (len $rest) 14) (eq (slice $rest 0 14) "<editorContext") (eq (index $rest 14) 62 32 10) }}{{- $end = "</editorContext>" }}{{- end }}
    {{- if and (not $end) (gt (len $rest) 9) (eq (slice $rest 0 9) "<info-msg") (eq (index $rest 9) 62 32 10) }}{{- $end = "</info-msg>" }}{{- end }}
    {{- end }}
    {{- if eq $byte 104 72 }}
    {{- if and true (not (or (and (ge $before 97) (le $before 122)) (and (ge $before 65) (le $before 90)) (and (ge $before 48) (le $before 57)) (eq $before 95))) (ge (len $rest) 3) (eq (index $rest 1) 105 73) (eq (index $rest 2) 63) (eq (len $rest) 3) }}{{- if $end }}{{- if or (lt $added 0) (gt $added 0) }}{{- $added = 0 }}{{- end }}{{- else }}{{- if or (lt $found 0) (gt $found 0) }}{{- $found = 0 }}{{- end }}{{- end }}{{- end }}
    {{- end }}
    {{- if eq $byte 72 }}
    {{- if and true (ge (len $rest) 2) (eq (index $rest 1) 111) }}{{- if $end }}{{- if or (lt $added 0) (gt $added 0) }}{{- $added = 0 }}{{- end }}{{- else }}{{- if or (lt $found 0) (gt $found 0) }}{{- $found = 0 }}{{- end }}{{- end }}{{- end }}
    {{- end }}
    {{- $before = $byte }}
    {{- end }}
    {{- if lt $found 0 }}{{- $found = $earlier }}{{- end }}
    {{- if lt $found 0 }}{{- $found = $added }}{{- end }}
    {{- if ge $found 0 }}{{- $scenario = $found }}{{- $results = "" }}{{- end }}
    {{- end }}
    {{- $previous = "user" }}
    {{- else if eq .Role "tool" }}{{- $previous = "tool" }}{{- $results = print $results "+" }}
    {{- range $at := len $text }}{{- if lt $at 100 }}{{- $rest := slice $text $at }}
    {{- if and (ge (len $rest) 24) (eq (slice $rest 0 24) "the user stopped the run") }}{{- $previous = "stopped" }}{{- end }}
    {{- if and (ge (len $rest) 21) (eq (slice $rest 0 21) ", stopped by the user") }}{{- $previous = "stopped" }}{{- end }}
    {{- if and (ge (len $rest) 50) (eq (slice $rest 0 50) "Interrupted: ybs ended while this call was running") }}{{- $previous = "stopped" }}{{- end }}
    {{- if and (ge (len $rest) 56) (eq (slice $rest 0 56) "Not executed: the run ended before this call was started") }}{{- $previous = "stopped" }}{{- end }}
    {{- if and (ge (len $rest) 28) (eq (slice $rest 0 28) "[Request interrupted by user") }}{{- $previous = "stopped" }}{{- end }}
    {{- if and (ge (len $rest) 14) (eq (slice $rest 0 14) "<turn_aborted>") }}{{- $previous = "stopped" }}{{- end }}
    {{- if and (ge (len $rest) 22) (eq (slice $rest 0 22) "Tool execution aborted") }}{{- $previous = "stopped" }}{{- end }}
    {{- end }}{{- end }}
    {{- else if and (eq .Role "assistant") (or .ToolCalls $text) }}
    {{- $previous = "assistant" }}{{- if gt (len .ToolCalls) 0 }}{{- $previous = "tool" }}{{- end }}
    {{- end }}
    {{- if eq .Role "assistant" }}<|im_start|>assistant
    {{ if .Thinking }}<think>{{ .Thinking }}</think>{{ end }}{{ .Content }}
    {{- if .ToolCalls }}{{ range .ToolCalls }}<tool_call>
    {"name": "{{ .Function.Name }}", "arguments": {{ .Function.Arguments }}}
    </tool_call>{{ end }}{{ end }}<|im_end|>
    {{ else }}<|im_start|>{{ .Role }}
    {{ $text }}<|im_end|>
    {{ end }}
    {{- end }}<|im_start|>assistant
    {{ $mark := printf "<|scenario-%d-%d|>" $scenario (len $results) }}
    {{- if lt $scenario 0 }}<|unmatched|>
    {{- else if eq $mark "<|scenario-0-0|>" "<|unmatched|>" "<|past-last-step|>" }}{{ $mark }}
    {{- else }}<|past-last-step|>{{ end }}"""
    PARAMETER num_ctx 4096
    PARAMETER temperature 0
    LICENSE MIT
    "
  `);
});

// Seen with Ollama 0.17.4: it cut a text at the separator of calls, and showed the channels of gpt-oss as the answer.
test.for<readonly [name: keyof typeof MARKUPS, parser: string | undefined, firstText: string | undefined]>([
  ['hermes', undefined, '<tool_call>'],
  ['llama3', undefined, '{"name": "'],
  ['qwen3-coder', 'qwen3-coder', undefined],
  ['mistral', 'ministral', undefined],
  ['deepseek', 'deepseek3', undefined],
  ['gpt-oss', 'harmony', undefined],
])('the Modelfile of %s has a parser of Ollama, or calls that begin with their mark', ([name, parser, firstText]) => {
  const script = { scenarios: [], unmatched: textAnswer('?'), pastLastStep: textAnswer('!') };
  const options = { context: 4096, description: 'A.', license: 'MIT', stop: '<|im_end|>' };
  const file = writeModelfile(script, MARKUPS[name], options);
  expect(/^PARSER (.*)$/m.exec(file)?.[1]).toBe(parser);
  if (firstText === undefined) return;
  // Without a parser, Ollama takes the text at the start of the range as the start of a call.
  expect(/\{\{-? ?range [^}]*\.ToolCalls \}\}\s*([^{\n]*(?:\{"name": ")?)/.exec(file)?.[1]).toBe(firstText);
});
