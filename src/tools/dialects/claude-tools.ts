import { ToolError } from '../../agent/errors.ts';
import type { JsonObject } from '../../agent/ports/json.ts';
import { canonicalArguments } from './aliases.ts';

/** A tool of another agent, in terms of a built-in one. */
export interface DialectTool {
  readonly name: string;
  /** Our tool. Several tools of a dialect may stand for one of ours; it is called by the first one in texts. */
  readonly tool: string;
  /** Replaces our description, in which names would be replaced otherwise. */
  readonly description?: string;
  /** Its parameters: ours under another name, or their own JSON Schema. Absent: those of our tool. */
  readonly parameters?: Readonly<Record<string, string | JsonObject>>;
  /** The parameters with their own schema that a call must have. */
  readonly required?: readonly string[];
  /** Completes the arguments of a call, in which `TOOL_ALIASES` have been replaced, to those of our tool. */
  readonly convert?: (args: JsonObject) => Readonly<Record<string, unknown>>;
}

const MULTI_EDIT =
  'Make several edits in one file, in order; each sees the text that the one before it left. If one fails, none is ' +
  'made. The rules for each are those of Edit.';

const GLOB = `Find files by a glob pattern relative to path, sorted by path, at most 100.
\`*.ts\` matches in path only, \`**/*.ts\` also in all directories below it. Files ignored by .gitignore are omitted, unless path itself is ignored. .git is never listed.`;

const GREP = `Search the lines of text files with a JavaScript regular expression, sorted by path. Each line is matched separately.
output_mode: "files_with_matches" (default) shows the paths, "content" the lines (\`12: text\` matches, \`13- text\` is context), "count" the number of lines in each file.
Files ignored by .gitignore are skipped, unless path itself is ignored. Binary files, files over 2 MB, .git and links are skipped.`;

const BASH = `Run a shell command and return its exit code, duration and output. A non-zero exit code is a result, not a failure of the tool.
Standard input is closed: use flags such as --yes. Every call starts a new shell in the working directory, so cd and variables do not persist. Do not start background processes: they end with the command. Long output is truncated in the middle; the result names a file with all of it.
Prefer Read, Glob and Grep for reading and finding files.`;

const lines = (description: string): JsonObject => ({ type: 'integer', minimum: 0, maximum: 20, description });

/** The tools of Claude Code that built-in tools can replace, with its names and parameters. */
export const CLAUDE_TOOLS: readonly DialectTool[] = [
  { name: 'Read', tool: 'read_file', parameters: { file_path: 'path', offset: 'offset', limit: 'limit' } },
  { name: 'Write', tool: 'write_file', parameters: { file_path: 'path', content: 'content' } },
  {
    name: 'Edit',
    tool: 'edit_file',
    parameters: { file_path: 'path', old_string: 'old_text', new_string: 'new_text', replace_all: 'replace_all' },
  },
  {
    name: 'MultiEdit',
    tool: 'edit_file',
    description: MULTI_EDIT,
    parameters: {
      file_path: 'path',
      edits: {
        type: 'array',
        minItems: 1,
        maxItems: 100,
        items: {
          type: 'object',
          properties: {
            old_string: { type: 'string' },
            new_string: { type: 'string' },
            replace_all: { type: 'boolean', default: false },
          },
          required: ['old_string', 'new_string'],
        },
      },
    },
    required: ['edits'],
    convert: ({ edits, ...args }) => ({
      ...args,
      edits: Array.isArray(edits) ? edits.map((edit) => canonicalArguments('edit_file', edit)) : edits,
    }),
  },
  { name: 'Glob', tool: 'list_files', description: GLOB, parameters: { pattern: 'pattern', path: 'path' } },
  {
    name: 'Grep',
    tool: 'search_files',
    description: GREP,
    parameters: {
      pattern: 'pattern',
      path: 'path',
      glob: 'file_pattern',
      output_mode: { type: 'string', enum: ['content', 'files_with_matches', 'count'], default: 'files_with_matches' },
      '-i': { type: 'boolean', description: 'Ignore case' },
      '-A': lines('Lines to show after each match; output_mode "content" only'),
      '-B': lines('Lines to show before each match'),
      '-C': lines('Lines to show before and after each match'),
      head_limit: 'max_results',
    },
    convert: convertGrep,
  },
  {
    name: 'LS',
    tool: 'list_files',
    description: 'List the files and directories in a directory, without those that .gitignore ignores.',
    parameters: { path: 'path' },
    convert: (args) => ({ ...args, pattern: '*' }),
  },
  {
    name: 'Bash',
    tool: 'run_shell',
    description: BASH,
    parameters: {
      command: 'command',
      description: { type: 'string', description: 'What the command does, in five to ten words' },
      timeout: { type: 'integer', minimum: 1000, maximum: 600_000, description: 'Timeout in milliseconds' },
    },
    convert: convertBash,
  },
  { name: 'TodoWrite', tool: 'update_tasks', parameters: { todos: 'tasks' } },
  { name: 'WebFetch', tool: 'web_fetch' },
  { name: 'WebSearch', tool: 'web_search' },
  { name: 'ExitPlanMode', tool: 'present_plan' },
];

const OUTPUTS = new Map<unknown, string>([
  ['content', 'lines'],
  ['files_with_matches', 'files'],
  ['count', 'counts'],
]);

function convertGrep({ pattern, output_mode: mode = 'files_with_matches', ...args }: JsonObject) {
  const ignoresCase = args['-i'] === true || args['-i'] === 'true';
  const around = ['-A', '-B', '-C'].map((name) => Number(args[name]) || 0);
  return {
    context_lines: Math.min(20, Math.max(0, ...around)),
    ...args,
    pattern: ignoresCase && typeof pattern === 'string' ? `(?i)${pattern}` : pattern,
    output: OUTPUTS.get(mode) ?? mode,
  };
}

const MAX_SECONDS = 600;

/** Rounds the time up to seconds within the limits of ybs. */
function convertBash(args: JsonObject) {
  if (args['run_in_background'] === true) {
    throw new ToolError(
      'invalid_arguments',
      'run_in_background is not available, so the command was not run. Run it without, or ask the user to.',
    );
  }
  const seconds = Math.ceil(Number(args['timeout'] ?? Number.NaN) / 1000);
  return Number.isNaN(seconds) ? args : { ...args, timeout: Math.min(MAX_SECONDS, Math.max(1, seconds)) };
}
