import type { JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject, tryJson } from '../../conversation/json.ts';
import type { ScriptedAnswer, ScriptedCall } from '../script/script.ts';
import { describeTools, JINJA_ARGUMENTS, JINJA_CONTENT, jinjaReasoning, type Markup, reasoningIn } from './markup.ts';

const THINK = jinjaReasoning('<think>', '</think>');
const GO_THINK = '{{ if .Thinking }}<think>{{ .Thinking }}</think>{{ end }}{{ .Content }}';

/** A JSON object within `<tool_call>`, as of Hermes, Qwen 2.5 and Qwen 3. */
export const HERMES: Markup = {
  reasoningEnd: '</think>',
  marks: ['<think>', '</think>', '<tool_call>', '</tool_call>'],
  write: (answer) => reasoningIn(answer) + answer.content + answer.calls.map(hermesCall).join('\n'),
  jinjaAnswer: [
    THINK,
    JINJA_CONTENT,
    `{%- for call in message.tool_calls or [] %}`,
    `{{- '' if loop.first else '\\n' }}`,
    `{{- '<tool_call>\\n{"name": "' ~ call.function.name ~ '", "arguments": ' }}`,
    `{{- ${JINJA_ARGUMENTS} }}`,
    `{{- '}\\n</tool_call>' }}`,
    `{%- endfor %}`,
  ].join('\n'),
  goAnswer: [
    GO_THINK,
    `{{- if .ToolCalls }}{{ range .ToolCalls }}<tool_call>`,
    `{"name": "{{ .Function.Name }}", "arguments": {{ .Function.Arguments }}}`,
    `</tool_call>{{ end }}{{ end }}`,
  ].join('\n'),
  ...describeTools('<tool_call>\n{"name": <name>, "arguments": <arguments>}\n</tool_call>'),
};

function hermesCall(call: ScriptedCall): string {
  return `<tool_call>\n{"name": ${JSON.stringify(call.name)}, "arguments": ${call.arguments}}\n</tool_call>`;
}

/** A bare JSON object, as of Llama 3. */
export const LLAMA3: Markup = {
  reasoningEnd: '</think>',
  marks: ['<think>', '</think>'],
  otherTokens: ['<|python_tag|>'],
  write: (answer) => reasoningIn(answer) + answer.content + answer.calls.map(llama3Call).join('; '),
  refusal: ({ content, calls }) =>
    content !== '' && calls.length > 0 ? 'llama3 has no text before a call' : undefined,
  jinjaAnswer: [
    THINK,
    JINJA_CONTENT,
    `{%- for call in message.tool_calls or [] %}`,
    `{{- '' if loop.first else '; ' }}`,
    `{{- '{"name": "' ~ call.function.name ~ '", "parameters": ' }}`,
    `{{- ${JINJA_ARGUMENTS} }}`,
    `{{- '}' }}`,
    `{%- endfor %}`,
  ].join('\n'),
  goAnswer: [
    GO_THINK,
    // Ollama takes the first text of the range as the start of each call, so there is no separator.
    [
      `{{- if .ToolCalls }}{{ range .ToolCalls }}{"name": "{{ .Function.Name }}", `,
      `"parameters": {{ .Function.Arguments }}}{{ end }}{{ end }}`,
    ].join(''),
  ].join('\n'),
  ...describeTools('{"name": <name>, "parameters": <arguments>}'),
};

function llama3Call(call: ScriptedCall): string {
  return `{"name": ${JSON.stringify(call.name)}, "parameters": ${call.arguments}}`;
}

/** Tags for a function and its parameters, as of Qwen3-Coder. */
export const QWEN3_CODER: Markup = withoutParameterTag({
  reasoningEnd: '</think>',
  marks: ['<think>', '</think>', '<tool_call>', '</tool_call>'],
  write: (answer) => reasoningIn(answer) + answer.content + answer.calls.map(qwenCall).join('\n'),
  refusal: ({ calls }) =>
    calls.every((call) => fieldsOf(call) !== undefined) ? undefined : 'qwen3-coder writes only arguments that are JSON',
  jinjaAnswer: [
    THINK,
    JINJA_CONTENT,
    `{%- for call in message.tool_calls or [] %}`,
    `{{- '' if loop.first else '\\n' }}`,
    `{{- '<tool_call>\\n<function=' ~ call.function.name ~ '>\\n' }}`,
    `{%- if call.function.arguments is mapping %}`,
    `{%- for name, value in call.function.arguments | items %}`,
    `{{- '<parameter=' ~ name ~ '>\\n' }}`,
    `{{- value if value is string else value | tojson }}`,
    `{{- '\\n</parameter>\\n' }}`,
    `{%- endfor %}`,
    `{%- endif %}`,
    `{{- '</function>\\n</tool_call>' }}`,
    `{%- endfor %}`,
  ].join('\n'),
  goAnswer: [
    GO_THINK,
    `{{- if .ToolCalls }}{{ range .ToolCalls }}<tool_call>`,
    `<function={{ .Function.Name }}>`,
    `{{ range $name, $value := .Function.Arguments }}<parameter={{ $name }}>`,
    `{{ $value }}`,
    `</parameter>`,
    `{{ end }}</function>`,
    `</tool_call>{{ end }}{{ end }}`,
  ].join('\n'),
  ...describeTools('<tool_call>\n<function=name>\n<parameter=name>\nvalue\n</parameter>\n</function>\n</tool_call>'),
  ollamaParser: 'qwen3-coder',
});

/**
 * Splits the tag of a parameter in the Jinja template. llama.cpp has a parser of its own for a template that contains it,
 * which refuses a mark at the start of the answer; it reads any other template by comparing what it renders.
 */
function withoutParameterTag(markup: Markup): Markup {
  const split = (template: string) => template.replaceAll('<parameter=', "<' ~ 'parameter=");
  return { ...markup, jinjaAnswer: split(markup.jinjaAnswer), jinjaTools: split(markup.jinjaTools) };
}

function qwenCall(call: ScriptedCall): string {
  const parameters = Object.entries(fieldsOf(call) ?? {}).map(([name, value]) => {
    return `<parameter=${name}>\n${typeof value === 'string' ? value : JSON.stringify(value)}\n</parameter>\n`;
  });
  return `<tool_call>\n<function=${call.name}>\n${parameters.join('')}</function>\n</tool_call>`;
}

function fieldsOf(call: ScriptedCall): JsonObject | undefined {
  const value = tryJson(call.arguments);
  return isJsonObject(value) ? value : undefined;
}

/** `[TOOL_CALLS]` with the name before `[ARGS]`, as of Mistral since 2025. */
export const MISTRAL: Markup = {
  reasoningEnd: '[/THINK]',
  marks: ['[THINK]', '[/THINK]', '[TOOL_CALLS]', '[ARGS]'],
  write: (answer) => {
    const calls = answer.calls.map((call) => `[TOOL_CALLS]${call.name}[ARGS]${call.arguments}`);
    return reasoningIn(answer, '[THINK]', '[/THINK]') + answer.content + calls.join('');
  },
  jinjaAnswer: [
    jinjaReasoning('[THINK]', '[/THINK]'),
    JINJA_CONTENT,
    `{%- for call in message.tool_calls or [] %}`,
    `{{- '[TOOL_CALLS]' ~ call.function.name ~ '[ARGS]' }}`,
    `{{- ${JINJA_ARGUMENTS} }}`,
    `{%- endfor %}`,
  ].join('\n'),
  goAnswer: [
    `{{ if .Thinking }}[THINK]{{ .Thinking }}[/THINK]{{ end }}{{ .Content }}`,
    `{{- if .ToolCalls }}{{ range .ToolCalls }}[TOOL_CALLS]{{ .Function.Name }}[ARGS]`,
    `{{- .Function.Arguments }}{{ end }}{{ end }}`,
  ].join('\n'),
  ...describeTools('[TOOL_CALLS]name[ARGS]arguments'),
  ollamaParser: 'ministral',
};

/** Calls between marks with bars, as of DeepSeek V3.1. */
export const DEEPSEEK: Markup = {
  reasoningEnd: '</think>',
  marks: [
    '<think>',
    '</think>',
    '<｜tool▁calls▁begin｜>',
    '<｜tool▁call▁begin｜>',
    '<｜tool▁sep｜>',
    '<｜tool▁call▁end｜>',
    '<｜tool▁calls▁end｜>',
  ],
  write: (answer) => {
    const calls = answer.calls.map(
      (call) => `<｜tool▁call▁begin｜>${call.name}<｜tool▁sep｜>${call.arguments}<｜tool▁call▁end｜>`,
    );
    const list = calls.length === 0 ? '' : `<｜tool▁calls▁begin｜>${calls.join('')}<｜tool▁calls▁end｜>`;
    return reasoningIn(answer) + answer.content + list;
  },
  jinjaAnswer: [
    THINK,
    JINJA_CONTENT,
    `{%- if message.tool_calls %}`,
    `{{- '<｜tool▁calls▁begin｜>' }}`,
    `{%- for call in message.tool_calls %}`,
    `{{- '<｜tool▁call▁begin｜>' ~ call.function.name ~ '<｜tool▁sep｜>' }}`,
    `{{- ${JINJA_ARGUMENTS} }}`,
    `{{- '<｜tool▁call▁end｜>' }}`,
    `{%- endfor %}`,
    `{{- '<｜tool▁calls▁end｜>' }}`,
    `{%- endif %}`,
  ].join('\n'),
  goAnswer: [
    GO_THINK,
    [
      `{{- if .ToolCalls }}<｜tool▁calls▁begin｜>{{ range .ToolCalls }}<｜tool▁call▁begin｜>{{ .Function.Name }}`,
      `<｜tool▁sep｜>{{ .Function.Arguments }}<｜tool▁call▁end｜>{{ end }}<｜tool▁calls▁end｜>{{ end }}`,
    ].join(''),
  ].join('\n'),
  ...describeTools(
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>name<｜tool▁sep｜>arguments<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  ),
  ollamaParser: 'deepseek3',
};

/** Channels, as of gpt-oss (the harmony format). The model writes the head of each of its messages. */
export const GPT_OSS: Markup = {
  reasoningEnd: '<|end|>',
  // Not `<|end|>`, which llama.cpp takes as the end of the answer if it is a token.
  marks: ['<|start|>', '<|channel|>', '<|message|>', '<|constrain|>'],
  write: (answer) => `<|start|>assistant${harmonyMessages(answer).join('<|end|><|start|>assistant')}`,
  refusal: ({ calls }) => (calls.length > 1 ? 'gpt-oss makes one call in an answer' : undefined),
  jinjaAnswer: [
    jinjaReasoning('<|channel|>analysis<|message|>', '<|end|><|start|>assistant'),
    `{%- if message.tool_calls %}`,
    `{%- if message.content is string and message.content %}`,
    `{{- '<|channel|>commentary<|message|>' ~ message.content ~ '<|end|><|start|>assistant' }}`,
    `{%- endif %}`,
    `{%- for call in message.tool_calls %}`,
    `{{- '<|channel|>commentary to=functions.' ~ call.function.name ~ ' <|constrain|>json<|message|>' }}`,
    `{{- ${JINJA_ARGUMENTS} }}`,
    `{%- endfor %}`,
    `{%- else %}`,
    `{{- '<|channel|>final<|message|>' }}`,
    JINJA_CONTENT,
    `{%- endif %}`,
  ].join('\n'),
  goAnswer: [
    `{{ if .Thinking }}<|channel|>analysis<|message|>{{ .Thinking }}<|end|><|start|>assistant{{ end }}`,
    `{{- if .ToolCalls }}{{ range .ToolCalls }}<|channel|>commentary to=functions.{{ .Function.Name }}`,
    `{{- print " <|constrain|>json<|message|>" }}{{ .Function.Arguments }}{{ end }}`,
    `{{- else }}<|channel|>final<|message|>{{ .Content }}{{ end }}`,
  ].join('\n'),
  ...describeTools('<|channel|>commentary to=functions.name <|constrain|>json<|message|>arguments'),
  writesHead: true,
  ollamaParser: 'harmony',
};

function harmonyMessages({ reasoning, content, calls }: ScriptedAnswer): string[] {
  const [call] = calls;
  return [
    ...(reasoning === undefined ? [] : [`<|channel|>analysis<|message|>${reasoning}`]),
    ...(call === undefined || content === '' ? [] : [`<|channel|>commentary<|message|>${content}`]),
    call === undefined
      ? `<|channel|>final<|message|>${content}`
      : `<|channel|>commentary to=functions.${call.name} <|constrain|>json<|message|>${call.arguments}`,
  ];
}
