import * as z from 'zod';

/**
 * What a project's own file, which comes with the code and is not trusted, may do to a key: nothing (`ignored`),
 * anything (`applied`), make a limit smaller (`lower`), add to a list (`add`), or turn something off (`disable`).
 */
export const PROJECT_RULES = ['ignored', 'applied', 'lower', 'add', 'disable'] as const;

type ProjectRule = (typeof PROJECT_RULES)[number];

/** A key with its documentation. `words` say what its value is, where the schema says too little. */
function key<Schema extends z.ZodType>(
  schema: Schema,
  project: ProjectRule,
  description: string,
  words?: string,
): Schema {
  return schema.meta({ project, description, ...(words === undefined ? {} : { words }) });
}

const text = () => z.string().min(1);
const texts = (...values: readonly string[]) => z.array(text()).default([...values]);
const whole = (least: number, most: number) => z.number().int().min(least).max(most);
const toolSwitch = (name: string) =>
  z.object({ enabled: key(z.boolean().default(true), 'disable', `Whether the model may use ${name}.`) }).prefault({});

/** Every key of the configuration with its type, its default and its description; nothing else knows them. */
export const configSchema = z.object({
  version: key(z.literal('1.0').default('1.0'), 'applied', 'The format of the file.'),
  llm: z
    .object({
      provider: key(text().default('ollama'), 'ignored', 'Who answers; see providers.md.'),
      model: key(text().optional(), 'ignored', "The model; without it the provider's own default."),
      endpoint: key(text().optional(), 'ignored', "The address to talk to instead of the provider's own.", 'a URL'),
      api_key_variable: key(
        z
          .string()
          .regex(/^[A-Za-z_][A-Za-z0-9_]*$/)
          .optional(),
        'ignored',
        "The environment variable that holds the key, instead of the provider's own; needed to send a key to another endpoint.",
        'the name of an environment variable',
      ),
      temperature: key(z.number().min(0).max(2).optional(), 'ignored', 'Sent only when it is set.'),
      max_tokens: key(whole(1, 1_000_000).default(4096), 'ignored', 'The longest answer, in tokens.'),
      timeout_seconds: key(
        whole(1, 300).default(300),
        'ignored',
        'How long the model may be silent. The network code of Node.js allows no more than the maximum.',
      ),
    })
    .prefault({}),
  context: z
    .object({
      max_tool_output_chars: key(
        whole(1_000, 1_000_000).default(10_000),
        'lower',
        'How much of the output of a command the model is shown, in characters.',
      ),
    })
    .prefault({}),
  agent: z
    .object({
      max_iterations: key(whole(1, 1_000).default(25), 'lower', 'How many requests to the model one run may make.'),
      retry_attempts: key(
        whole(0, 20).default(3),
        'ignored',
        'How often a request that failed for a passing reason is repeated; 0 turns this off.',
      ),
      retry_backoff_base_ms: key(
        whole(1, 30_000).default(1_000),
        'ignored',
        'The first wait before a repetition; each further one is twice as long, 30 s at most.',
      ),
    })
    .prefault({}),
  safety: z
    .object({
      permission_mode: key(
        z.enum(['ask', 'accept-edits', 'read-only', 'full-access']).default('ask'),
        'ignored',
        'What may happen without a question.',
      ),
      sandbox_allowed_paths: key(
        texts('./'),
        'ignored',
        'Directories the tools may use, from the workspace or with ~; the workspace is always one of them.',
      ),
      sandbox_blocked_paths: key(
        texts(
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
        'Files and directories no tool may touch, even inside an allowed one.',
      ),
      blocked_commands: key(
        texts('rm -rf /', 'sudo', 'chmod 777'),
        'add',
        'Commands that never run, compared word by word.',
      ),
    })
    .prefault({}),
  tools: z
    .object({
      builtin: z
        .object({
          read_file: toolSwitch('read_file'),
          write_file: toolSwitch('write_file'),
          edit_file: toolSwitch('edit_file'),
          run_shell: toolSwitch('run_shell'),
          list_files: toolSwitch('list_files'),
          search_files: toolSwitch('search_files'),
        })
        .prefault({}),
    })
    .prefault({}),
  ui: z
    .object({
      color: key(z.boolean().default(true), 'applied', 'Colours, where the terminal has them and NO_COLOR is not set.'),
      show_token_usage: key(z.boolean().default(true), 'applied', 'Show the tokens of each run.'),
    })
    .prefault({}),
});

/** The whole configuration, every default filled in. */
export type Config = z.output<typeof configSchema>;
