import { expect, test } from 'vitest';
import { writeModelfile } from '../../../../mock-llm-server/weights/files/modelfile.ts';
import { MARKUPS } from '../../../../mock-llm-server/weights/markups/markups.ts';
import { type Script, textAnswer } from '../../../../mock-llm-server/weights/script/script.ts';

test('the Modelfile of a script compares the bytes of its trigger, in both cases', () => {
  const script: Script = {
    scenarios: [
      {
        name: 'hi',
        triggers: [{ text: 'hi?', ignoresCase: true, start: 'word', end: 'text' }],
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
    stop: '<|im_end|>',
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
    {{- $found := -1 }}{{- $added := -1 }}{{- $end := "" }}{{- $before := 32 }}
    {{- range $at := len $text }}
    {{- $rest := slice $text $at }}{{- $byte := index $rest 0 }}
    {{- if eq $byte 60 }}
    {{- if and $end (ge (len $rest) (len $end)) }}{{- if eq (slice $rest 0 (len $end)) $end }}{{- $end = "" }}{{- end }}{{- end }}
    {{- if and (not $end) (ge (len $rest) 10) (eq (slice $rest 0 10) "<reminder>") }}{{- $end = "</reminder>" }}{{- end }}
    {{- if and (not $end) (ge (len $rest) 17) (eq (slice $rest 0 17) "<system-reminder>") }}{{- $end = "</system-reminder>" }}{{- end }}
    {{- if and (not $end) (ge (len $rest) 19) (eq (slice $rest 0 19) "<task-notification>") }}{{- $end = "</task-notification>" }}{{- end }}
    {{- if and (not $end) (ge (len $rest) 22) (eq (slice $rest 0 22) "<local-command-caveat>") }}{{- $end = "</local-command-caveat>" }}{{- end }}
    {{- if and (not $end) (ge (len $rest) 22) (eq (slice $rest 0 22) "<local-command-stdout>") }}{{- $end = "</local-command-stdout>" }}{{- end }}
    {{- if and (not $end) (ge (len $rest) 21) (eq (slice $rest 0 21) "<environment_context>") }}{{- $end = "</environment_context>" }}{{- end }}
    {{- if and (not $end) (ge (len $rest) 19) (eq (slice $rest 0 19) "<user_instructions>") }}{{- $end = "</user_instructions>" }}{{- end }}
    {{- if and (not $end) (ge (len $rest) 14) (eq (slice $rest 0 14) "<INSTRUCTIONS>") }}{{- $end = "</INSTRUCTIONS>" }}{{- end }}
    {{- if and (not $end) (ge (len $rest) 26) (eq (slice $rest 0 26) "<permissions instructions>") }}{{- $end = "</permissions instructions>" }}{{- end }}
    {{- if and (not $end) (ge (len $rest) 20) (eq (slice $rest 0 20) "<collaboration_mode>") }}{{- $end = "</collaboration_mode>" }}{{- end }}
    {{- if and (not $end) (ge (len $rest) 21) (eq (slice $rest 0 21) "<skills_instructions>") }}{{- $end = "</skills_instructions>" }}{{- end }}
    {{- if and (not $end) (ge (len $rest) 23) (eq (slice $rest 0 23) "<subagent_notification>") }}{{- $end = "</subagent_notification>" }}{{- end }}
    {{- if and (not $end) (ge (len $rest) 14) (eq (slice $rest 0 14) "<turn_aborted>") }}{{- $end = "</turn_aborted>" }}{{- end }}
    {{- if and (not $end) (ge (len $rest) 17) (eq (slice $rest 0 17) "<session_context>") }}{{- $end = "</session_context>" }}{{- end }}
    {{- if and (not $end) (ge (len $rest) 21) (eq (slice $rest 0 21) "<environment_details>") }}{{- $end = "</environment_details>" }}{{- end }}
    {{- if and (not $end) (ge (len $rest) 18) (eq (slice $rest 0 18) "<current_datetime>") }}{{- $end = "</current_datetime>" }}{{- end }}
    {{- if and (not $end) (ge (len $rest) 17) (eq (slice $rest 0 17) "<system_reminder>") }}{{- $end = "</system_reminder>" }}{{- end }}
    {{- if and (not $end) (ge (len $rest) 21) (eq (slice $rest 0 21) "<system_notification>") }}{{- $end = "</system_notification>" }}{{- end }}
    {{- if and (not $end) (ge (len $rest) 18) (eq (slice $rest 0 18) "<environment_info>") }}{{- $end = "</environment_info>" }}{{- end }}
    {{- if and (not $end) (ge (len $rest) 16) (eq (slice $rest 0 16) "<workspace_info>") }}{{- $end = "</workspace_info>" }}{{- end }}
    {{- if and (not $end) (ge (len $rest) 22) (eq (slice $rest 0 22) "<reminderInstructions>") }}{{- $end = "</reminderInstructions>" }}{{- end }}
    {{- if and (not $end) (ge (len $rest) 15) (eq (slice $rest 0 15) "<editorContext>") }}{{- $end = "</editorContext>" }}{{- end }}
    {{- if and (not $end) (ge (len $rest) 10) (eq (slice $rest 0 10) "<info-msg>") }}{{- $end = "</info-msg>" }}{{- end }}
    {{- end }}
    {{- if eq $byte 104 72 }}
    {{- if and true (not (or (and (ge $before 97) (le $before 122)) (and (ge $before 65) (le $before 90)) (and (ge $before 48) (le $before 57)) (eq $before 95))) (ge (len $rest) 3) (eq (index $rest 1) 105 73) (eq (index $rest 2) 63) (eq (len $rest) 3) }}{{- if $end }}{{- if or (lt $added 0) (gt $added 0) }}{{- $added = 0 }}{{- end }}{{- else }}{{- if or (lt $found 0) (gt $found 0) }}{{- $found = 0 }}{{- end }}{{- end }}{{- end }}
    {{- end }}
    {{- $before = $byte }}
    {{- end }}
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
    PARAMETER stop <|im_end|>
    LICENSE MIT
    "
  `);
});
