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
    {{- $previous = "user" }}
    {{- $found := -1 }}{{- $before := 32 }}
    {{- range $at := len $text }}
    {{- $rest := slice $text $at }}{{- $byte := index $rest 0 }}
    {{- if eq $byte 104 72 }}
    {{- if and (or (lt $found 0) (gt $found 0)) (not (or (and (ge $before 97) (le $before 122)) (and (ge $before 65) (le $before 90)) (and (ge $before 48) (le $before 57)) (eq $before 95))) (ge (len $rest) 3) (eq (index $rest 1) 105 73) (eq (index $rest 2) 63) (eq (len $rest) 3) }}{{- $found = 0 }}{{- end }}
    {{- end }}
    {{- $before = $byte }}
    {{- end }}
    {{- if ge $found 0 }}{{- $scenario = $found }}{{- $results = "" }}{{- end }}
    {{- else if eq .Role "tool" }}{{- $previous = "tool" }}{{- $results = print $results "+" }}
    {{- else if and (eq .Role "assistant") (or .ToolCalls $text) }}{{- $previous = "assistant" }}
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
