import * as z from 'zod';
import { PERMISSION_MODES } from '../ports/approver.ts';

/**
 * Changes that a project file, which comes with the code and is not trusted, may make to a key: none (`ignored`), any
 * (`applied`), decrease a limit (`lower`), add to a list (`add`), or turn something off (`disable`).
 */
export const PROJECT_RULES = ['ignored', 'applied', 'lower', 'add', 'disable'] as const;

type ProjectRule = (typeof PROJECT_RULES)[number];

/** Adds documentation to the schema of a key. `type` describes the value in words if the schema cannot. */
function key<Schema extends z.ZodType>(
  schema: Schema,
  project: ProjectRule,
  description: string,
  type?: string,
): Schema {
  return schema.meta({ project, description, ...(type === undefined ? {} : { type }) });
}

const string = () => z.string().min(1);
const strings = (...values: readonly string[]) => z.array(string()).default([...values]);
const integer = (min: number, max: number) => z.number().int().min(min).max(max);
const toolSwitch = (name: string) =>
  z.strictObject({ enabled: key(z.boolean().default(true), 'disable', `Offer ${name} to the model.`) }).prefault({});

/**
 * Schema of the configuration: the one source of every key's type, default and description. Other keys are refused. The tool names are a
 * parameter, because this room may not import the tools.
 */
export function configSchema(toolNames: readonly string[]) {
  return z.strictObject({
    version: key(z.literal('1.0').default('1.0'), 'applied', 'Version of the file format.'),
    llm: z
      .strictObject({
        provider: key(string().default('ollama'), 'ignored', 'The provider of the model; see providers.md.'),
        model: key(string().optional(), 'ignored', "The model; the provider's default if not set."),
        endpoint: key(
          string().optional(),
          'ignored',
          "The base URL of the API; the provider's default if not set.",
          'a URL',
        ),
        api_key_variable: key(
          z
            .string()
            .regex(/^[A-Za-z_][A-Za-z0-9_]*$/)
            .optional(),
          'ignored',
          "The environment variable that holds the API key; the provider's default if not set. Required to send a key to another endpoint.",
          'the name of an environment variable',
        ),
        temperature: key(z.number().min(0).max(2).optional(), 'ignored', 'Sampling temperature; sent only if set.'),
        max_tokens: key(integer(1, 1_000_000).default(4096), 'ignored', 'Maximum length of an answer, in tokens.'),
        timeout_seconds: key(
          integer(1, 300).default(300),
          'ignored',
          'Maximum time without output from the model. Node.js itself limits it to 300 s.',
        ),
      })
      .prefault({}),
    context: z
      .strictObject({
        max_tokens: key(
          integer(2_000, 10_000_000).default(32_000),
          'ignored',
          'Maximum size of the context window, in tokens. The limit of the model itself applies if it is known and smaller.',
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
    safety: z
      .strictObject({
        permission_mode: key(z.enum(PERMISSION_MODES).default('ask'), 'ignored', 'Actions that run without approval.'),
        sandbox_allowed_paths: key(
          strings('./'),
          'ignored',
          'Directories that the tools may use, relative to the workspace or with ~; the workspace itself is always allowed.',
        ),
        sandbox_blocked_paths: key(
          strings(
            '~/.ssh',
            '~/.aws',
            '~/.gnupg',
            '~/.config',
            '~/.kube',
            '~/.docker',
            '~/.netrc',
            '~/.npmrc',
            '~/.pypirc',
            '~/.git-credentials',
          ),
          'add',
          'Files and directories that no tool may use, even inside an allowed directory.',
        ),
        blocked_commands: key(
          strings('rm -rf /', 'sudo', 'chmod 777'),
          'add',
          'Commands that never run, compared word by word.',
        ),
      })
      .prefault({}),
    tools: z
      .strictObject({
        builtin: z.strictObject(Object.fromEntries(toolNames.map((name) => [name, toolSwitch(name)]))).prefault({}),
      })
      .prefault({}),
    ui: z
      .strictObject({
        color: key(
          z.boolean().default(true),
          'applied',
          'Use colours if the terminal has them and NO_COLOR is not set.',
        ),
        show_token_usage: key(z.boolean().default(true), 'applied', 'Show the token usage of each run.'),
      })
      .prefault({}),
  });
}

/** The schema that `configSchema` returns. */
export type ConfigSchema = ReturnType<typeof configSchema>;

/** The complete configuration, with defaults. */
export type Config = z.output<ConfigSchema>;
