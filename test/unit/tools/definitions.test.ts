import { expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/agent/ports/json.ts';
import type { ToolDefinition } from '../../../src/agent/ports/tool.ts';
import { createTools, TOOL_NAMES } from '../../../src/tools/tools.ts';
import { toolPorts } from '../../support/fakes/tool-ports.ts';

it('TOOL_NAMES has the name of every tool', async () => {
  expect(createTools(toolPorts()).map(({ definition }) => definition.name)).toEqual(TOOL_NAMES);
});

it('createTools omits disabled tools', async () => {
  const tools = createTools(toolPorts(), { disabledTools: ['run_shell'] });
  expect(tools.map(({ definition }) => definition.name)).toEqual(TOOL_NAMES.filter((name) => name !== 'run_shell'));
});

/** A definition with one line for each parameter, and one for the rest of the schema. */
function render({ name, description, effect, parameters: { properties, ...rest } }: ToolDefinition): string {
  const lines = Object.entries(isObject(properties) ? properties : {}).map(
    ([key, value]) => `${key}: ${JSON.stringify(value)}`,
  );
  return [`## ${name} (${effect})`, description, ...lines, JSON.stringify(rest)].join('\n');
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// The descriptions for the model are part of the product, so reviews must see changes to them.
it('the tools describe themselves to the model', () => {
  const definitions = createTools(toolPorts()).map(({ definition }) => render(definition));
  expect(definitions.join('\n\n')).toMatchInlineSnapshot(`
    "## read_file (read)
    Read a text file. The result starts with "lines a–b of N", then every line as its number, a tab and its text.
    At most 500 lines (or limit) and 50 KB are shown; when there is more, the result says how to continue.
    A picture (PNG, JPEG, GIF, WebP) is attached to the result.
    Read a file before you edit it: edit_file needs its exact text, without the numbers.
    path: {"type":"string","description":"Path of the file, relative to the workspace or absolute"}
    offset: {"default":1,"description":"Number of the first line to read, from 1","type":"integer","minimum":1,"maximum":100000000}
    limit: {"default":500,"description":"Maximum number of lines to read","type":"integer","minimum":1,"maximum":100000}
    {"type":"object","required":["path"]}

    ## write_file (write)
    Create a file or replace all of its content. Missing directories are created.
    The content is written exactly as given: nothing is added, line endings are not changed.
    Read an existing file before you replace it. To change a part of it, use edit_file.
    path: {"type":"string","description":"Path of the file, relative to the workspace or absolute"}
    content: {"type":"string","description":"The complete new content of the file"}
    {"type":"object","required":["path","content"]}

    ## edit_file (write)
    Replace an exact piece of text in a file. Read the file first and copy old_text exactly, without line numbers.
    old_text must occur exactly once; add neighbouring lines to make it unique, or set replace_all.
    The line endings and the encoding of the file are kept. The result shows the changed lines, so do not read the file again.
    path: {"type":"string","description":"Path of the file, relative to the workspace or absolute"}
    old_text: {"type":"string","description":"The exact text to replace, with its indentation; it must be unique in the file"}
    new_text: {"type":"string","description":"The replacement text; empty to delete"}
    replace_all: {"default":false,"description":"Replace every occurrence instead of exactly one","type":"boolean"}
    {"type":"object","required":["path","old_text","new_text"]}

    ## run_shell (execute)
    Run a shell command and return its exit code, duration and output (stderr marked, in order of arrival). A non-zero exit code is a result, not a failure of the tool.
    Standard input is closed and there is no terminal: use flags such as --yes instead of answering questions. Every call starts a new shell, so cd and variables do not persist: use working_dir. Background processes are ended with the command, except those that detach from it (setsid, daemons); do not start any. Long output is truncated in the middle; the result names a file with the full output.
    Prefer read_file, list_files and search_files for reading and finding files.
    command: {"type":"string","description":"The command line, for the shell named in the system prompt"}
    working_dir: {"description":"Directory to run in, inside the workspace; default: the workspace","type":"string"}
    timeout: {"description":"Timeout in seconds; default: 60, unless the user has set another","type":"integer","minimum":1,"maximum":600}
    {"type":"object","required":["command"]}

    ## list_files (read)
    List files by a glob pattern relative to \`path\`, sorted by path, at most max_results and 50 KB.
    \`*.ts\` matches in \`path\` only, \`**/*.ts\` also in all directories below it. A pattern without ** also lists matching directories, with a trailing /.
    Hidden files are listed. Files ignored by .gitignore are omitted, unless \`path\` itself is an ignored directory (node_modules/zod). .git is never listed, and links are not followed.
    pattern: {"type":"string","minLength":1,"maxLength":1000,"description":"Glob such as *, **/*.ts or src/*.{ts,tsx}"}
    path: {"default":".","description":"Directory to look in","type":"string"}
    max_results: {"default":100,"description":"Maximum number of paths to show; all are counted","type":"integer","minimum":1,"maximum":1000}
    {"type":"object","required":["pattern"]}

    ## search_files (read)
    Search the lines of text files with a JavaScript regular expression, sorted by path.
    Each line is matched separately. Start the pattern with (?i) to ignore case; escape special characters to search for literal text.
    Results show \`12: text\` for a matching line and \`13- text\` for a context line.
    Hidden files are searched. Files ignored by .gitignore are skipped, unless \`path\` itself is an ignored file or directory. Binary files, files over 2 MB, .git and links are skipped.
    pattern: {"type":"string","minLength":1,"maxLength":1000,"description":"Regular expression"}
    path: {"default":".","description":"Directory or file to search","type":"string"}
    file_pattern: {"description":"Glob for the files to search: *.ts at any depth, src/**/*.ts relative to path","type":"string","minLength":1,"maxLength":1000}
    context_lines: {"default":2,"description":"Lines to show before and after each match","type":"integer","minimum":0,"maximum":20}
    max_results: {"default":50,"description":"Maximum number of matching lines to show; all are counted","type":"integer","minimum":1,"maximum":1000}
    {"type":"object","required":["pattern"]}

    ## update_tasks (read)
    Keep a list of the tasks of a longer job, for you and the user. Send the whole list each time: it replaces the earlier one.
    Have one task in_progress at a time, and mark it completed as soon as it is done. Short jobs need no list.
    tasks: {"maxItems":100,"type":"array","items":{"type":"object","properties":{"id":{"description":"Name of the task, to recognise it later","type":"string","maxLength":64},"content":{"type":"string","minLength":1,"maxLength":500,"description":"What to do"},"status":{"type":"string","enum":["pending","in_progress","completed"]},"activeForm":{"description":"What is being done while the task is in progress: Fixing the sum","type":"string","minLength":1,"maxLength":500}},"required":["content","status"]},"description":"The whole list, in order; it replaces the earlier one"}
    {"type":"object","required":["tasks"]}"
  `);
});
