import * as z from 'zod';
import { TOOL_DIALECTS } from '../agent/ports/tool.ts';
import { integer, key, strings } from './schema/key-schema.ts';
import { mcpKeys } from './schema/mcp-keys.ts';
import { modelKeys } from './schema/model-keys.ts';
import { string } from './schema/profile-schema.ts';
import { safetyKeys } from './schema/safety-keys.ts';
import { uiKeys } from './schema/ui-keys.ts';

/** A tool of the user: an executable, with what its own description does not say. */
const externalToolSchema = z.strictObject({
  name: string(),
  type: z.literal('executable').default('executable'),
  path: string(),
  description: string().optional(),
  parameters: z.record(z.string(), z.json()).optional(),
  timeout_seconds: integer(1, 3_600).optional(),
  input: z.enum(['both', 'stdin', 'argument']).optional(),
  network: z.boolean().optional(),
  enabled: z.boolean().default(true),
});

export const externalToolsSchema = z.array(externalToolSchema).default([]);

/** The time of a call, in seconds, by tool; commands take longer than files, and `update_tasks` takes no time. */
const TOOL_SECONDS: Readonly<Record<string, number>> = { run_shell: 60 };
const DEFAULT_TOOL_SECONDS = 30;

const timeLimit = (name: string) =>
  key(
    integer(1, 600).default(TOOL_SECONDS[name] ?? DEFAULT_TOOL_SECONDS),
    'lower',
    name === 'run_shell'
      ? 'Maximum time of a command for which the model states none, and of your own !command.'
      : `Maximum time of a call of ${name}, apart from the wait for your approval.`,
  );

const toolSettings = (name: string) => {
  const enabled = key(z.boolean().default(true), 'disable', `Offer ${name} to the model.`);
  const description = key(string().optional(), 'ignored', `Replaces the description of ${name} for the model.`);
  if (name === 'update_tasks') return z.strictObject({ enabled, description }).prefault({});
  return z.strictObject({ enabled, description, timeout_seconds: timeLimit(name) }).prefault({});
};

/**
 * Schema of the configuration: the one source of every key's type, default and description. Other keys are refused. The
 * tool names are a parameter, because this room may not import the tools.
 */
export function configSchema(toolNames: readonly string[]) {
  return z.strictObject({
    version: key(z.literal('1.0').default('1.0'), 'applied', 'Version of the file format.'),
    ...modelKeys(),
    context: z
      .strictObject({
        max_tokens: key(
          integer(2_000, 10_000_000).default(32_000),
          'ignored',
          'Maximum size of the context window, in tokens; if not set, that of the model where it is known; see providers.md.',
        ),
        compaction_threshold: key(
          z.number().min(0.1).max(1).default(0.95),
          'ignored',
          'The part of the context window that a request may fill before the conversation is shortened; see context.md.',
        ),
        max_tool_output_chars: key(
          integer(1_000, 1_000_000).default(10_000),
          'lower',
          'Maximum length of the command output that the model receives, in characters.',
        ),
        instructions: key(
          z.boolean().default(true),
          'disable',
          'Give the model the instructions files of the project, and your own: AGENTS.md, CLAUDE.md and their kind; see prompt.md.',
        ),
        project_type: key(
          z.boolean().default(true),
          'disable',
          'Tell the model the kind of project, with the commands that test and build it.',
        ),
        file_tree: key(z.boolean().default(true), 'disable', 'Show the model the files of the workspace as a tree.'),
        repo_map_tokens: key(
          integer(0, 100_000).default(1_024),
          'lower',
          'Maximum size of the tree of files, in tokens.',
        ),
        exclude_patterns: key(
          strings('node_modules', '.git', 'build', 'DerivedData'),
          'add',
          'Files and directories that are left out of the tree, as patterns of a .gitignore; instructions files in them do not count.',
        ),
      })
      .prefault({}),
    git: z
      .strictObject({
        context: key(
          z.boolean().default(true),
          'trusted',
          'Tell the model the branch, the recent commits and the changed files.',
        ),
        recent_commits: key(integer(0, 20).default(5), 'trusted', 'The number of recent commits that the model sees.'),
        auto_commit: key(
          z.boolean().default(false),
          'trusted',
          'After each run, commit the files that the tools changed; see git.md.',
        ),
        commit_message_prefix: key(
          z.string().max(40).default('[ybs]'),
          'trusted',
          'Begin of the message of these commits.',
        ),
      })
      .prefault({}),
    prompt: z
      .strictObject({
        system_file: key(
          string().optional(),
          'ignored',
          'A file whose text replaces the working rules of the system prompt, relative to the workspace or with ~.',
          'a path',
        ),
        append: key(string().optional(), 'ignored', 'A text that is added at the end of the system prompt.'),
      })
      .prefault({}),
    agent: z
      .strictObject({
        max_iterations: key(integer(1, 1_000).default(25), 'lower', 'Maximum number of model requests in one run.'),
        retry_attempts: key(
          integer(0, 20).default(3),
          'ignored',
          'Maximum number of retries of a request that failed for a temporary reason; 0 turns retries off.',
        ),
        retry_backoff_base_ms: key(
          integer(1, 30_000).default(1_000),
          'ignored',
          'The wait before the first retry; each further wait is twice as long, up to 30 s.',
        ),
      })
      .prefault({}),
    safety: safetyKeys,
    session: z
      .strictObject({
        storage_path: key(
          z
            .string()
            .regex(/^(?:~(?:[\\/]|$)|[\\/]|[A-Za-z]:[\\/])/)
            .default('~/.config/ybs/sessions'),
          'ignored',
          'The directory in which sessions are stored; see sessions.md.',
          'an absolute path, or one that begins with ~',
        ),
        auto_save: key(
          z.boolean().default(true),
          'ignored',
          'Store every event of a session as it happens; false stores nothing until /save.',
        ),
        max_sessions: key(
          integer(0, 1_000_000).default(100),
          'ignored',
          'Maximum number of stored sessions; the oldest are removed after an announcement. 0 is no limit.',
        ),
        retention_days: key(
          integer(0, 36_500).default(30),
          'ignored',
          'Sessions that began longer ago are removed after an announcement; 0 keeps them.',
        ),
      })
      .prefault({}),
    tools: z
      .strictObject({
        enabled: key(z.boolean().default(true), 'disable', 'Offer tools to the model; false offers none at all.'),
        dialect: key(
          z.enum(TOOL_DIALECTS).default('ybs'),
          'ignored',
          'Names and parameters of the tools for the model: those of ybs, or those of Claude Code (Read, Edit, Bash, …).',
        ),
        search_paths: key(
          strings('~/.config/ybs/tools', '~/.ybs/tools', './tools'),
          'inside',
          'Directories with executables that become tools, in order; see tools.md.',
        ),
        external: key(
          externalToolsSchema,
          'trusted',
          'Executables that become tools; see tools.md.',
          'a list of tools',
        ),
        builtin: z.strictObject(Object.fromEntries(toolNames.map((name) => [name, toolSettings(name)]))).prefault({}),
      })
      .prefault({}),
    mcp: mcpKeys(),
    ui: uiKeys(),
  });
}

export type ConfigSchema = ReturnType<typeof configSchema>;

/** The complete configuration, with defaults. */
export type Config = z.output<ConfigSchema>;
