import type { ScriptedAnswer } from '../script/script.ts';

/** The form in which a model writes reasoning and calls, and its counterpart in chat templates. */
export interface Markup {
  /** The answer as the model writes it. */
  write(answer: ScriptedAnswer): string;
  /** The reason why the markup cannot express an answer, or `undefined`. */
  refusal?(answer: ScriptedAnswer): string | undefined;
  /** The part of a Jinja template that writes `message`, an answer of the history. */
  readonly jinjaAnswer: string;
  /** The part of a Jinja template that writes `tools`. */
  readonly jinjaTools: string;
  /** The parts of a Go template that write an answer of the history and the tools, at the end of a line. */
  readonly goAnswer: string;
  readonly goTools: string;
  /** The text that ends the reasoning, which the reasoning cannot contain. */
  readonly reasoningEnd: string;
  /** Texts that parsers of servers look for as tokens, of characters of one unit. */
  readonly marks: readonly string[];
  /** Further tokens, without which a parser of a server does not start. */
  readonly otherTokens?: readonly string[];
  /** The model itself writes the head of its answer. */
  readonly writesHead?: true;
  /** Parser of Ollama, for a markup that it does not recognize in the template. */
  readonly ollamaParser?: string;
}

/** A Jinja statement that writes reasoning between two texts. */
export function jinjaReasoning(start: string, end: string): string {
  return [
    `{%- if message.reasoning_content is string and message.reasoning_content %}`,
    `{{- '${start}' ~ message.reasoning_content ~ '${end}' }}`,
    `{%- endif %}`,
  ].join('\n');
}

/** A Jinja statement that writes the text of an answer. */
export const JINJA_CONTENT = `{{- message.content if message.content is string else '' }}`;

/** A Jinja expression for the arguments of `call` as JSON. */
export const JINJA_ARGUMENTS =
  'call.function.arguments if call.function.arguments is string else call.function.arguments | tojson';

/** Reasoning between two texts, or nothing. */
export function reasoningIn({ reasoning }: ScriptedAnswer, start = '<think>', end = '</think>'): string {
  return reasoning === undefined ? '' : `${start}${reasoning}${end}`;
}

/** The list of tools for a model, with an example of a call. */
export function describeTools(example: string): Pick<Markup, 'jinjaTools' | 'goTools'> {
  const before = `# Tools\n\nThe signatures of the functions are within <tools></tools>:\n<tools>`;
  const after = `\n</tools>\n\nWrite each call in this form:\n${example}`;
  const quoted = (text: string) => text.replaceAll('\n', '\\n');
  return {
    jinjaTools: [
      `{{- '${quoted(before)}' }}`,
      `{%- for tool in tools %}{{- '\\n' }}{{- tool | tojson }}{%- endfor %}`,
      `{{- '${quoted(after)}' }}`,
    ].join('\n'),
    goTools: `${before}{{ range .Tools }}\n{{ . }}{{ end }}${after}`,
  };
}
