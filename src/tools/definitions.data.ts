import * as z from 'zod';
import type { ToolDefinition, ToolEffect } from '../agent/ports/tool.ts';
import type { ValueOf } from '../schema/conforms.ts';
import { argumentsSchema } from '../schema/data-schema.ts';

// The tools as the model reads about them, and the schemas of their arguments. The build replaces this module by its
// values, so that a session loads no tool before its first call, and no zod for a call that fits.

const path = () => z.string().describe('Path of the file, relative to the workspace or absolute');
const taskText = () => z.string().min(1).max(500);

const readFileArguments = z.object({
  path: path(),
  offset: z.int().min(1).max(100_000_000).default(1).describe('Number of the first line to read, from 1'),
  limit: z.int().min(1).max(100_000).default(500).describe('Maximum number of lines to read'),
});

const writeFileArguments = z.object({
  path: path(),
  content: z.string().describe('The complete new content of the file'),
});

const editFileArguments = z.object({
  path: path(),
  old_text: z.string().describe('The exact text to replace, with its indentation; it must be unique in the file'),
  new_text: z.string().describe('The replacement text; empty to delete'),
  replace_all: z.boolean().default(false).describe('Replace every occurrence instead of exactly one'),
});

const runShellArguments = z.object({
  command: z.string().describe('The command line, for the shell named in the system prompt'),
  working_dir: z.string().optional().describe('Directory to run in, inside the workspace; default: the workspace'),
  timeout: z
    .int()
    .min(1)
    .max(600)
    .optional()
    .describe('Timeout in seconds; default: 60, unless the user has set another'),
});

const listFilesArguments = z.object({
  pattern: z.string().min(1).max(1000).describe('Glob such as *, **/*.ts or src/*.{ts,tsx}'),
  path: z.string().default('.').describe('Directory to look in'),
  max_results: z.int().min(1).max(1000).default(100).describe('Maximum number of paths to show; all are counted'),
});

const searchFilesArguments = z.object({
  pattern: z.string().min(1).max(1000).describe('Regular expression'),
  path: z.string().default('.').describe('Directory or file to search'),
  file_pattern: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe('Glob for the files to search: *.ts at any depth, src/**/*.ts relative to path'),
  context_lines: z.int().min(0).max(20).default(2).describe('Lines to show before and after each match'),
  max_results: z
    .int()
    .min(1)
    .max(1000)
    .default(50)
    .describe('Maximum number of matching lines to show; all are counted'),
});

const updateTasksArguments = z.object({
  tasks: z
    .array(
      z.object({
        id: z.string().max(64).optional().describe('Name of the task, to recognise it later'),
        content: taskText().describe('What to do'),
        status: z.enum(['pending', 'in_progress', 'completed']),
        activeForm: taskText().optional().describe('What is being done while the task is in progress: Fixing the sum'),
      }),
    )
    .max(100)
    .describe('The whole list, in order; it replaces the earlier one'),
});

const define = (name: string, effect: ToolEffect, schema: z.ZodType, description: string): ToolDefinition => {
  const { $schema: _dialect, ...parameters } = z.toJSONSchema(schema, { io: 'input' });
  return { name, description, effect, parameters: JSON.parse(JSON.stringify(parameters)) };
};

/** The definitions of the built-in tools, in the order in which they are described to the model. */
export const TOOL_DEFINITIONS = {
  read_file: define(
    'read_file',
    'read',
    readFileArguments,
    `Read a text file. The result starts with "lines a–b of N", then every line as its number, a tab and its text.
At most 500 lines (or limit) and 50 KB are shown; when there is more, the result says how to continue.
A picture (PNG, JPEG, GIF, WebP) is attached to the result.
Read a file before you edit it: edit_file needs its exact text, without the numbers.`,
  ),
  write_file: define(
    'write_file',
    'write',
    writeFileArguments,
    `Create a file or replace all of its content. Missing directories are created.
The content is written exactly as given: nothing is added, line endings are not changed.
Read an existing file before you replace it. To change a part of it, use edit_file.`,
  ),
  edit_file: define(
    'edit_file',
    'write',
    editFileArguments,
    `Replace an exact piece of text in a file. Read the file first and copy old_text exactly, without line numbers.
old_text must occur exactly once; add neighbouring lines to make it unique, or set replace_all.
The line endings and the encoding of the file are kept. The result shows the changed lines, so do not read the file again.`,
  ),
  run_shell: define(
    'run_shell',
    'execute',
    runShellArguments,
    `Run a shell command and return its exit code, duration and output (stderr marked, in order of arrival). A non-zero exit code is a result, not a failure of the tool.
Standard input is closed and there is no terminal: use flags such as --yes instead of answering questions. Every call starts a new shell, so cd and variables do not persist: use working_dir. Background processes are ended with the command, except those that detach from it (setsid, daemons); do not start any. Long output is truncated in the middle; the result names a file with the full output.
Prefer read_file, list_files and search_files for reading and finding files.`,
  ),
  list_files: define(
    'list_files',
    'read',
    listFilesArguments,
    `List files by a glob pattern relative to \`path\`, sorted by path, at most max_results and 50 KB.
\`*.ts\` matches in \`path\` only, \`**/*.ts\` also in all directories below it. A pattern without ** also lists matching directories, with a trailing /.
Hidden files are listed. Files ignored by .gitignore are omitted, unless \`path\` itself is an ignored directory (node_modules/zod). .git is never listed, and links are not followed.`,
  ),
  search_files: define(
    'search_files',
    'read',
    searchFilesArguments,
    `Search the lines of text files with a JavaScript regular expression, sorted by path.
Each line is matched separately. Start the pattern with (?i) to ignore case; escape special characters to search for literal text.
Results show \`12: text\` for a matching line and \`13- text\` for a context line.
Hidden files are searched. Files ignored by .gitignore are skipped, unless \`path\` itself is an ignored file or directory. Binary files, files over 2 MB, .git and links are skipped.`,
  ),
  update_tasks: define(
    'update_tasks',
    'read',
    updateTasksArguments,
    `Keep a list of the tasks of a longer job, for you and the user. Send the whole list each time: it replaces the earlier one.
Have one task in_progress at a time, and mark it completed as soon as it is done. Short jobs need no list.`,
  ),
};

/**
 * The schemas of the arguments of the built-in tools, and of other forms of their input that are not described to the
 * model.
 */
export const ARGUMENT_SCHEMAS = {
  read_file: argumentsSchema(readFileArguments),
  write_file: argumentsSchema(writeFileArguments),
  edit_file: argumentsSchema(editFileArguments),
  run_shell: argumentsSchema(runShellArguments),
  list_files: argumentsSchema(listFilesArguments),
  search_files: argumentsSchema(searchFilesArguments),
  update_tasks: argumentsSchema(updateTasksArguments),
  read_range: argumentsSchema(
    z.object({
      path: z.string(),
      offset: z.int().min(1).max(100_000_000).default(1),
      endLine: z.int().min(-1).max(100_000_000).default(-1),
      maxBytes: z.int().min(1).optional(),
    }),
  ),
  insert_lines: argumentsSchema(
    z.object({ path: z.string(), insertAfter: z.int().min(0), new_text: z.string().min(1) }),
  ),
  delete_lines: argumentsSchema(z.object({ path: z.string(), range: z.array(z.int().min(1)).length(2) })),
  several_edits: argumentsSchema(
    z.object({
      path: z.string(),
      edits: z
        .array(editFileArguments.omit({ path: true }))
        .min(1)
        .max(100),
    }),
  ),
  search_output: argumentsSchema(searchFilesArguments.extend({ output: z.enum(['lines', 'files', 'counts']) })),
  run_with_limits: argumentsSchema(
    runShellArguments.extend({
      network: z.boolean().default(false),
      hosts: z
        .array(z.string().regex(/^[\w.:-]{1,253}$/))
        .max(10)
        .exactOptional(),
      local_sockets: z.boolean().default(false),
      writes: z.boolean().default(false),
    }),
  ),
  run_milliseconds: argumentsSchema(
    runShellArguments.omit({ timeout: true }).extend({ timeoutMs: z.int().min(1_000).max(600_000) }),
  ),
};

/**
 * The arguments of the built-in tools and of other forms of their input, by the name of their schema, with defaults
 * filled in.
 */
export type ToolArguments = {
  readonly [Name in keyof typeof ARGUMENT_SCHEMAS]: ValueOf<(typeof ARGUMENT_SCHEMAS)[Name]>;
};
