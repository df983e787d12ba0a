import type { JsonObject, JsonValue } from '../../agent/ports/json.ts';
import type { ToolDefinition } from '../../agent/ports/tool.ts';
import { isJsonObject } from '../../text/json/json.ts';
import { ownEntry } from '../../text/json/own-entry.ts';
import { NAMESPACE } from './read-call.ts';

/** Instructions for calling tools in this protocol, and the tools: each one briefly, then each one in detail. */
export function protocolPrompt(tools: readonly ToolDefinition[]): string {
  const described = tools.map(describe);
  const renamed = tools.flatMap(({ name }, index) => {
    const own = described[index]?.name;
    return own === undefined || own === name ? [] : [`${name} is ${NAMESPACE}.${own}`];
  });
  const names = renamed.length === 0 ? [] : [`In all instructions, ${renamed.join(', ')}.`];
  const parts = [PROTOCOL, '# Tools', ...names, ...described.map(brief), '# Tools in detail', ...described.map(detail)];
  return `${parts.join('\n\n')}\n`;
}

const PROTOCOL = `# Tool calls

Call tools only in the following form, never as JSON. Put each call into a tool_call element, and the elements between !unquote_start and !unquote_end, each on a line of its own:

!unquote_start
<tool_call id="a1" lang="javascript" #>
${NAMESPACE}.read_file({
  path: "src/main.js"
})
</#>
<tool_call id="a2" lang="javascript" #>
${NAMESPACE}.bash({
  command: "npm test",
  timeoutMs: 60000
})
</#>
!unquote_end

- Give every call an id of your own that you have not used before.
- The text of a call is one JavaScript call with one object. Use only literals: nothing is evaluated. Separate the properties with commas. Write line feeds in strings as \\n.
- One answer may contain several calls and several blocks. Only complete blocks are executed; everything else is text.
- To show a call without executing it, put it between !quote_start and !quote_end.
- After your answer you get the results in the same order, each in <tool_resp id="a1" #a1> … </#a1>. Results are data. Never write them yourself: end your answer after the calls and wait.`;

/** A tool as this protocol shows it. */
interface DescribedTool {
  readonly name: string;
  readonly description: string;
  /** The properties of the input as TypeScript. */
  readonly input: readonly string[];
  readonly good: readonly string[];
  readonly bad: readonly string[];
}

type Described = Pick<DescribedTool, 'name' | 'input' | 'good' | 'bad'> & { readonly description?: string };

/** The tools that have a form of their own in this protocol, by our names. */
const OWN_FORMS: Readonly<Record<string, Described>> = {
  run_shell: {
    name: 'bash',
    input: ['command: string;', 'timeoutMs?: number; // 1000 to 120000'],
    good: ['{ command: "npm test", timeoutMs: 60000 }'],
    bad: ['"npm test"'],
  },
  read_file: {
    name: 'read_file',
    input: [
      'path: string;',
      'startLine?: number; // from 1',
      'endLine?: number; // inclusive, -1 for the end',
      'maxBytes?: number;',
    ],
    good: ['{ path: "src/main.js", startLine: 1, endLine: 40 }'],
    bad: ['{ file: "src/main.js", lines: "1-40" }'],
  },
  write_file: {
    name: 'write_file',
    input: ['path: string;', 'content: string;', 'mode?: "overwrite" | "append"; // default: "overwrite"'],
    good: ['{ path: "notes.txt", content: "first line\\nsecond line\\n" }'],
    bad: ['{ path: "notes.txt", content: readFile("other.txt") }'],
  },
  edit_file: {
    name: 'edit_text',
    description:
      'Change a part of a file: replace an exact text that occurs once, insert after a line, or delete a range of lines. Read the file first.',
    input: [
      'path: string;',
      'action: "replace" | "insert" | "delete_range";',
      'find?: string; // replace: the exact text, with its indentation',
      'replace?: string; // replace: the new text',
      'insertAfter?: number; // insert: the number of a line, 0 for the start',
      'newText?: string; // insert: whole lines',
      'range?: [number, number]; // delete_range: first and last line',
    ],
    good: [
      '{ path: "sum.js", action: "replace", find: "a - b", replace: "a + b" }',
      '{ path: "README.md", action: "insert", insertAfter: 5, newText: "A new line.\\n" }',
    ],
    bad: ['{ path: "sum.js", action: "replace", find: "a - b" }'],
  },
  update_tasks: {
    name: 'todo_write',
    input: [
      'items: { id?: string; content: string; status: "pending" | "in_progress" | "completed"; activeForm?: string }[];',
    ],
    good: ['{ items: [{ id: "1", content: "Fix the sum", status: "in_progress", activeForm: "Fixing the sum" }] }'],
    bad: ['{ items: "Fix the sum" }'],
  },
};

function describe({ name, description, parameters }: ToolDefinition): DescribedTool {
  const own = ownEntry(OWN_FORMS, name);
  return { name, description, input: inputOf(parameters), good: [], bad: [], ...own };
}

function brief({ name, description }: DescribedTool): string {
  const text = description.split('\n', 1).join('');
  return `<tool {\n  namespace = "${NAMESPACE}"\n  name = "${name}"\n  description = ${JSON.stringify(text)}\n}>`;
}

function detail({ name, description, input, good, bad }: DescribedTool): string {
  const demo = (kind: string, args: string, index: number): string =>
    `<demo #${kind}_${name}_${index + 1}>\n${NAMESPACE}.${name}(${args})\n</#${kind}_${name}_${index + 1}>`;
  const properties = input.length === 0 ? '' : `\n${input.map((line) => `  ${line}`).join('\n')}\n`;
  return [
    `## ${NAMESPACE}.${name}`,
    description,
    `<type_def lang="typescript" #>\ntype ${name} = (input: {${properties}}) => string;\n</#>`,
    ...good.map((args, index) => demo('good', args, index)),
    ...bad.map((args, index) => demo('bad', args, index)),
  ].join('\n');
}

function inputOf({ properties, required }: JsonObject): readonly string[] {
  if (!isJsonObject(properties)) return [];
  const names: readonly JsonValue[] = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([name, schema]) => {
    const note =
      isJsonObject(schema) && typeof schema['description'] === 'string' ? ` // ${schema['description']}` : '';
    return `${name}${names.includes(name) ? '' : '?'}: ${typeOf(schema)};${note}`;
  });
}

/** The type of a JSON Schema in TypeScript; `unknown` for what it cannot say briefly. */
function typeOf(schema: JsonValue | undefined): string {
  if (!isJsonObject(schema)) return 'unknown';
  const { type, enum: values, items, properties } = schema;
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  switch (type) {
    case 'integer':
      return 'number';
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return type;
    case 'array':
      return `(${typeOf(items)})[]`;
    case 'object':
      return isJsonObject(properties) ? `{ ${inputOf(schema).map(withoutNote).join(' ')} }` : 'object';
    default:
      return 'unknown';
  }
}

function withoutNote(line: string): string {
  return line.replace(/; \/\/ .*$/s, ';');
}
