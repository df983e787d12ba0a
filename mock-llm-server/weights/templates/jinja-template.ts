import { AGENT_TAGS, INTERRUPTION_LENGTH, INTERRUPTION_NOTES } from '../../matching/agent-texts.ts';
import type { Markup } from '../markups/markup.ts';
import type { LiteralTrigger } from '../script/literal-trigger.ts';
import type { Script } from '../script/script.ts';
import { marksOf, PAST_LAST_STEP_MARK, UNMATCHED_MARK } from './marks.ts';

const WORD_CHARACTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_';

/**
 * The chat template of a script. It finds the step as the mock does: the last text of the current run that contains a
 * trigger, and the number of tool results after it. A text after a result for which a step is due belongs to the run.
 * The prompt ends with the mark of that step.
 */
export function writeJinjaTemplate(script: Script, markup: Markup, description: string): string {
  const marks = marksOf(script).map(({ mark }) => mark);
  return [
    `{#- ${description.replaceAll('#}', '# }')} -#}`,
    `{%- if tools %}`,
    `{{- '<|im_start|>system\\n' }}`,
    markup.jinjaTools,
    `{{- '<|im_end|>\\n' }}`,
    `{%- endif %}`,
    `{%- set marks = [${marks.map(quote).join(', ')}] %}`,
    `{%- set state = namespace(previous='', scenario=-1, results=0, isAsked=false) %}`,
    `{%- for message in messages %}`,
    `{%- set text = message.content if message.content is string else '' %}`,
    `{%- if message.role == 'user' and text | trim %}`,
    `{%- if state.previous == 'assistant' %}{%- set state.scenario = -1 %}{%- set state.isAsked = false %}{%- endif %}`,
    `{%- set mark = ${MARK} %}`,
    `{%- if state.previous != 'tool' or mark not in marks %}`,
    ...chooseScenario(script),
    `{%- endif %}`,
    `{%- set state.previous = 'user' %}`,
    `{%- elif message.role == 'tool' %}`,
    `{%- set state.previous = 'tool' %}`,
    `{%- set state.results = state.results + 1 %}`,
    // After a run that the user has stopped, the next text may be a new prompt.
    `{%- for note in [${INTERRUPTION_NOTES.map(quote).join(', ')}] %}`,
    `{%- if note in text[:${INTERRUPTION_LENGTH}] %}{%- set state.previous = 'stopped' %}{%- endif %}`,
    `{%- endfor %}`,
    `{%- elif message.role == 'assistant' and (message.tool_calls or text | trim) %}`,
    // Over Messages, a text may come before the results beside it.
    `{%- set state.previous = 'tool' if message.tool_calls else 'assistant' %}`,
    `{%- endif %}`,
    `{{- '<|im_start|>' ~ message.role ~ '\\n' }}`,
    `{%- if message.role == 'assistant' %}`,
    markup.jinjaAnswer,
    `{%- else %}`,
    `{{- text }}`,
    `{%- endif %}`,
    `{{- '<|im_end|>\\n' }}`,
    `{%- endfor %}`,
    // Without a head, llama.cpp parses the whole answer; the mark must not count as its start.
    `{%- if ${markup.writesHead ? 'messages' : 'add_generation_prompt'} %}`,
    `{%- set mark = ${MARK} %}`,
    ...(markup.writesHead ? [] : [`{{- '<|im_start|>assistant\\n' }}`]),
    `{%- if state.scenario == -1 %}{{- '${UNMATCHED_MARK}' }}`,
    `{%- elif mark in marks %}{{- mark }}`,
    `{%- else %}{{- '${PAST_LAST_STEP_MARK}' }}`,
    `{%- endif %}`,
    `{%- endif %}`,
    '',
  ].join('\n');
}

/** The mark of the step that is due. */
const MARK = "'<|scenario-' ~ state.scenario ~ '-' ~ state.results ~ '|>'";

/** Statements that set the scenario if `text` contains one of the triggers, the first one in the order of the script. */
function chooseScenario({ scenarios }: Script): string[] {
  if (scenarios.length === 0) return [];
  return [
    `{%- set found = namespace(scenario=-1, isAsked=true) %}`,
    // What agents add counts if nothing else has a trigger.
    `{%- set own = namespace(text=text) %}`,
    `{%- for tag in [${AGENT_TAGS.map(quote).join(', ')}] %}`,
    `{%- set parts = own.text.split('<' ~ tag) %}`,
    `{%- set own.text = parts[0] %}`,
    `{%- for part in parts[1:] %}`,
    `{%- set halves = part.split('</' ~ tag ~ '>') %}`,
    // A tag may have attributes.
    `{%- set opens = part[:1] == '>' or (part[:1] in ' \\n' and '<' not in part.split('>')[0]) %}`,
    `{%- set isBlock = opens and halves | length > 1 %}`,
    `{%- set own.text = own.text ~ (halves[1:] | join('</' ~ tag ~ '>') if isBlock else '<' ~ tag ~ part) %}`,
    `{%- endfor %}`,
    `{%- endfor %}`,
    // Servers join neighbouring texts of the user with a line break: the newest prompt is the last of them, or the first
    // one with a text of the agent behind it.
    `{%- set lines = (own.text | trim).split('\\n') %}`,
    `{%- for asked in [lines[-1], lines[0], own.text | trim, text] %}`,
    `{%- set lower = asked | lower %}`,
    `{%- if found.scenario == -1 %}{%- set found.isAsked = not loop.last %}{%- endif %}`,
    ...scenarios.flatMap(({ triggers }, index) =>
      triggers.flatMap((trigger) => [
        // The start of the last line is no start of a text, unless it is the only one.
        `{%- if found.scenario == -1${trigger.start === 'text' ? ' and (not loop.first or (lines | length) == 1)' : ''} %}`,
        ...testTrigger(trigger, `{%- set found.scenario = ${index} %}`),
        `{%- endif %}`,
      ]),
    ),
    `{%- endfor %}`,
    `{%- if found.scenario != -1 and (found.isAsked or not state.isAsked) %}`,
    `{%- set state.scenario = found.scenario %}`,
    `{%- set state.isAsked = found.isAsked %}`,
    `{%- set state.results = 0 %}`,
    `{%- endif %}`,
  ];
}

/** Statements that run `action` if the trigger is in `asked`, or in `lower` if it ignores case. */
function testTrigger({ text: literal, ignoresCase, start, end }: LiteralTrigger, action: string): string[] {
  const text = ignoresCase ? 'lower' : 'asked';
  const quoted = quote(literal);
  const [before, after] = [edgeTest(start, 'before', literal.at(0)), edgeTest(end, 'after', literal.at(-1))];
  // Engines count characters or bytes, so the template measures the literal itself.
  const size = `{%- set size = ${quoted} | length %}`;
  if (start === 'text' && end === 'text') return [`{%- if ${text} == ${quoted} %}${action}{%- endif %}`];
  if (start === 'text') {
    const set = `{%- set after = ${text}[size:size + 1] or ' ' %}`;
    return [size, set, `{%- if ${text}[:size] == ${quoted}${after} %}${action}{%- endif %}`];
  }
  if (end === 'text') {
    const set = `{%- set before = ${text}[:-size][-1:] or ' ' %}`;
    return [size, set, `{%- if ${text}[-size:] == ${quoted}${before} %}${action}{%- endif %}`];
  }
  if (start === 'any' && end === 'any') return [`{%- if ${quoted} in ${text} %}${action}{%- endif %}`];
  // An occurrence starts at one of the places where the text has the first character of the literal.
  const first = String.fromCodePoint(literal.codePointAt(0) ?? 0);
  const count = literal.split(first).length;
  return [
    `{%- if ${quoted} in ${text} %}`,
    size,
    `{%- set parts = ${text}.split(${quote(first)}) %}`,
    `{%- for part in parts %}`,
    `{%- if not loop.first %}`,
    `{%- set tail = ${quote(first)} ~ (parts[loop.index0:loop.index0 + ${count}] | join(${quote(first)})) %}`,
    `{%- set before = parts[loop.index0 - 1][-1:] or (${quote(first)} if loop.index0 > 1 else ' ') %}`,
    `{%- set after = tail[size:size + 1] or ' ' %}`,
    `{%- if tail[:size] == ${quoted}${before}${after} %}${action}{%- endif %}`,
    `{%- endif %}`,
    `{%- endfor %}`,
    `{%- endif %}`,
  ];
}

/** The condition that a word boundary is next to the character `inside` at an edge of the literal. */
function edgeTest(edge: LiteralTrigger['start'], outside: 'before' | 'after', inside: string | undefined): string {
  if (edge !== 'word') return '';
  return ` and ${outside} ${isWordCharacter(inside) ? 'not in' : 'in'} ${quote(WORD_CHARACTERS)}`;
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && WORD_CHARACTERS.includes(character);
}

/** A string of a template. A template ends a statement at `%}` even within a string. */
function quote(text: string): string {
  const escapes: Readonly<Record<string, string>> = { "'": "\\'", '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
  return `'${text.replaceAll(/['\\\n\r\t]/g, (character) => escapes[character] ?? character)}'`;
}
