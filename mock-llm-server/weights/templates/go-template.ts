import { AGENT_TAGS, INTERRUPTION_LENGTH, INTERRUPTION_NOTES } from '../../matching/agent-texts.ts';
import type { Markup } from '../markups/markup.ts';
import type { Edge, LiteralTrigger } from '../script/literal-trigger.ts';
import type { Script } from '../script/script.ts';
import { marksOf, PAST_LAST_STEP_MARK, UNMATCHED_MARK } from './marks.ts';

/**
 * The chat template of a script in Go's template language, as Ollama runs it. It chooses the same mark as the Jinja
 * template. The language has neither search nor lower case nor sums: triggers are compared byte by byte at each place of
 * a text, and results are counted by the length of a string.
 */
export function writeGoTemplate(script: Script, markup: Markup): string {
  const marks = marksOf(script).map(({ mark }) => `"${mark}"`);
  const isMark = (mark: string) => `eq ${mark} ${marks.join(' ')}`;
  return [
    `{{- $previous := "" }}{{- $scenario := -1 }}{{- $results := "" }}`,
    `{{- if .Tools }}<|im_start|>system\n${markup.goTools}<|im_end|>\n{{ end }}`,
    `{{- range .Messages }}{{- $text := .Content }}`,
    `{{- if and (eq .Role "user") $text }}`,
    `{{- if eq $previous "assistant" }}{{- $scenario = -1 }}{{- end }}`,
    // A text after a result for which a step is due belongs to the run.
    `{{- $mark := ${MARK} }}`,
    `{{- if or (ne $previous "tool") (not (${isMark('$mark')})) }}`,
    ...chooseScenario(script),
    `{{- end }}`,
    `{{- $previous = "user" }}`,
    `{{- else if eq .Role "tool" }}{{- $previous = "tool" }}{{- $results = print $results "+" }}`,
    // After a run that the user has stopped, the next text may be a new prompt.
    `{{- range $at := len $text }}{{- if lt $at ${INTERRUPTION_LENGTH} }}{{- $rest := slice $text $at }}`,
    ...INTERRUPTION_NOTES.map((note) => {
      const { length } = new TextEncoder().encode(note);
      const isHere = `(eq (slice $rest 0 ${length}) ${JSON.stringify(note)})`;
      return `{{- if and (ge (len $rest) ${length}) ${isHere} }}{{- $previous = "stopped" }}{{- end }}`;
    }),
    `{{- end }}{{- end }}`,
    `{{- else if and (eq .Role "assistant") (or .ToolCalls $text) }}`,
    // Over Messages, a text may come before the results beside it. Ollama takes the tag of a call from the first
    // `if .ToolCalls`.
    `{{- $previous = "assistant" }}{{- if gt (len .ToolCalls) 0 }}{{- $previous = "tool" }}{{- end }}`,
    `{{- end }}`,
    `{{- if eq .Role "assistant" }}<|im_start|>assistant\n${markup.goAnswer}<|im_end|>`,
    `{{ else }}<|im_start|>{{ .Role }}\n{{ $text }}<|im_end|>`,
    `{{ end }}`,
    markup.writesHead ? '{{- end }}{{ "" -}}' : `{{- end }}<|im_start|>assistant`,
    `{{ $mark := ${MARK} }}`,
    `{{- if lt $scenario 0 }}${UNMATCHED_MARK}`,
    `{{- else if ${isMark('$mark')} }}{{ $mark }}`,
    `{{- else }}${PAST_LAST_STEP_MARK}{{ end }}`,
  ].join('\n');
}

/** The mark of the step that is due. */
const MARK = 'printf "<|scenario-%d-%d|>" $scenario (len $results)';

/** Actions that set `$scenario` if `$text` contains one of the triggers, the first one in the order of the script. */
function chooseScenario({ scenarios }: Script): string[] {
  if (scenarios.length === 0) return [];
  const byFirstBytes = new Map<string, string[]>();
  const tried = scenarios.flatMap(({ triggers }, index) => triggers.map((trigger) => ({ trigger, index })));
  for (const { trigger, index } of tried) {
    const bytes = new TextEncoder().encode(trigger.text);
    const [first, ...others] = [...bytes].map((byte) => casesOf(byte, trigger.ignoresCase));
    const test = testTrigger(trigger, others);
    const tests = byFirstBytes.get(first ?? '') ?? [];
    byFirstBytes.set(first ?? '', tests);
    const set = (name: string) =>
      `{{- if or (lt ${name} 0) (gt ${name} ${index}) }}{{- ${name} = ${index} }}{{- end }}`;
    tests.push(
      `{{- if and true${test} }}{{- if $end }}${set('$added')}{{- else }}${set('$found')}{{- end }}{{- end }}`,
    );
  }
  return [
    `{{- $found := -1 }}{{- $earlier := -1 }}{{- $added := -1 }}{{- $end := "" }}{{- $before := 32 }}`,
    `{{- range $at := len $text }}`,
    `{{- $rest := slice $text $at }}{{- $byte := index $rest 0 }}`,
    // Neighbouring messages of the user come as paragraphs of one text, of which the last is the newest.
    `{{- if and (eq $byte 10) (eq $before 10) (ge $found 0) }}{{- $earlier = $found }}{{- $found = -1 }}{{- end }}`,
    // What agents add counts if nothing else has a trigger.
    `{{- if eq $byte 60 }}`,
    `{{- if and $end (ge (len $rest) (len $end)) }}{{- if eq (slice $rest 0 (len $end)) $end }}{{- $end = "" }}{{- end }}{{- end }}`,
    ...AGENT_TAGS.map((tag) => {
      const opening = `<${tag}`;
      const { length } = opening;
      // The tag ends, or has attributes.
      const isHere = `(eq (slice $rest 0 ${length}) "${opening}") (eq (index $rest ${length}) 62 32 10)`;
      return `{{- if and (not $end) (gt (len $rest) ${length}) ${isHere} }}{{- $end = "</${tag}>" }}{{- end }}`;
    }),
    `{{- end }}`,
    // A letter in both cases and the capital one alone are two groups, of which both can fit.
    ...[...byFirstBytes].map(([bytes, tests]) => [`{{- if eq $byte ${bytes} }}`, ...tests, `{{- end }}`].join('\n')),
    `{{- $before = $byte }}`,
    `{{- end }}`,
    `{{- if lt $found 0 }}{{- $found = $earlier }}{{- end }}`,
    `{{- if lt $found 0 }}{{- $found = $added }}{{- end }}`,
    `{{- if ge $found 0 }}{{- $scenario = $found }}{{- $results = "" }}{{- end }}`,
  ];
}

/** The conditions that `$rest` begins with the trigger, whose first byte is already known to fit. */
function testTrigger({ text, start, end }: LiteralTrigger, others: readonly string[]): string {
  const length = others.length + 1;
  const isInner = (edge: 'first' | 'last') => /^\w$/.test(text.charAt(edge === 'first' ? 0 : text.length - 1));
  const before: Record<Edge, string> = {
    any: '',
    text: ' (eq $at 0)',
    word: ` ${isInner('first') ? `(not ${isWordByte('$before')})` : isWordByte('$before')}`,
  };
  const next = `(and (gt (len $rest) ${length}) ${isWordByte(`(index $rest ${length})`)})`;
  const after: Record<Edge, string> = {
    any: '',
    text: ` (eq (len $rest) ${length})`,
    word: ` ${isInner('last') ? `(not ${next})` : next}`,
  };
  const bytes = others.map((cases, index) => ` (eq (index $rest ${index + 1}) ${cases})`);
  return [before[start], ` (ge (len $rest) ${length})`, ...bytes, after[end]].join('');
}

/** The byte, and the one of its capital letter. */
function casesOf(byte: number, ignoresCase: boolean): string {
  const isLetter = byte >= 0x61 && byte <= 0x7a;
  return ignoresCase && isLetter ? `${byte} ${byte - 0x20}` : String(byte);
}

function isWordByte(byte: string): string {
  const range = (from: number, to: number) => `(and (ge ${byte} ${from}) (le ${byte} ${to}))`;
  return `(or ${range(0x61, 0x7a)} ${range(0x41, 0x5a)} ${range(0x30, 0x39)} (eq ${byte} 95))`;
}
