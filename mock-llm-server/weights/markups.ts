import type { ScriptedAnswer } from './script/script.ts';

/** The form in which a model writes reasoning and calls, and its counterpart in chat templates. */
export interface Markup {
  /** The answer as the model writes it. */
  write(answer: ScriptedAnswer): string;
  /** The part of a Jinja template that writes `message`, an answer of the history. */
  readonly jinjaAnswer: string;
  /** The part of a Jinja template that writes `tools`. */
  readonly jinjaTools: string;
  /** The parts of a Go template that write an answer of the history and the tools, at the end of a line. */
  readonly goAnswer: string;
  readonly goTools: string;
}

const HERMES: Markup = {
  write: ({ reasoning, content, calls }) =>
    [
      ...(reasoning === undefined ? [] : [`<think>${reasoning}</think>`]),
      content,
      calls.map(hermesCall).join('\n'),
    ].join(''),
  jinjaAnswer: [
    `{%- if message.reasoning_content is string and message.reasoning_content %}`,
    `{{- '<think>' ~ message.reasoning_content ~ '</think>' }}`,
    `{%- endif %}`,
    `{{- message.content if message.content is string else '' }}`,
    `{%- for call in message.tool_calls or [] %}`,
    `{{- '' if loop.first else '\\n' }}`,
    `{{- '<tool_call>\\n{"name": "' ~ call.function.name ~ '", "arguments": ' }}`,
    `{{- call.function.arguments if call.function.arguments is string else call.function.arguments | tojson }}`,
    `{{- '}\\n</tool_call>' }}`,
    `{%- endfor %}`,
  ].join('\n'),
  jinjaTools: [
    `{{- '# Tools\\n\\nThe signatures of the functions are within <tools></tools>:\\n<tools>' }}`,
    `{%- for tool in tools %}{{- '\\n' }}{{- tool | tojson }}{%- endfor %}`,
    `{{- '\\n</tools>\\n\\nFor each call, write a JSON object within <tool_call></tool_call>:\\n' }}`,
    `{{- '<tool_call>\\n{"name": <name>, "arguments": <arguments>}\\n</tool_call>' }}`,
  ].join('\n'),
  goAnswer: [
    `{{ if .Thinking }}<think>{{ .Thinking }}</think>{{ end }}{{ .Content }}`,
    `{{- if .ToolCalls }}{{ range .ToolCalls }}<tool_call>`,
    `{"name": "{{ .Function.Name }}", "arguments": {{ .Function.Arguments }}}`,
    `</tool_call>{{ end }}{{ end }}`,
  ].join('\n'),
  goTools: [
    `# Tools`,
    ``,
    `The signatures of the functions are within <tools></tools>:`,
    `<tools>{{ range .Tools }}`,
    `{{ . }}{{ end }}`,
    `</tools>`,
    ``,
    `For each call, write a JSON object within <tool_call></tool_call>:`,
    `<tool_call>`,
    `{"name": <name>, "arguments": <arguments>}`,
    `</tool_call>`,
  ].join('\n'),
};

function hermesCall(call: ScriptedAnswer['calls'][number]): string {
  return `<tool_call>\n{"name": ${JSON.stringify(call.name)}, "arguments": ${call.arguments}}\n</tool_call>`;
}

/** The markups by name. */
export const MARKUPS = { hermes: HERMES } as const satisfies Readonly<Record<string, Markup>>;
/** The name of a markup. */
export type MarkupName = keyof typeof MARKUPS;
