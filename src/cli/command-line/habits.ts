/** Advice for options of other agents, by every spelling without its dashes. */
const OPTION_ROWS: readonly (readonly [spellings: string, advice: string])[] = [
  [
    'print prompt message prompt-interactive exec execute non-interactive',
    'A prompt needs no option, and is one run that prints its answer: ybs "fix the test"',
  ],
  [
    'yolo y yes yes-always force dangerously-skip-permissions dangerously-bypass-approvals-and-sandbox dangerously-allow-all allow-dangerously-skip-permissions allow-all-tools allow-all auto-approve skip-permissions',
    'Without questions: --permission-mode full-access. The sandbox stays on; --no-sandbox turns it off.',
  ],
  [
    'full-auto auto-edit accept-edits',
    'Use --permission-mode accept-edits. Commands in the sandbox ask as far as the rules say.',
  ],
  [
    'ask-for-approval a approval-mode approvals',
    'Use --permission-mode ask, accept-edits, plan, read-only or full-access.',
  ],
  ['plan', 'Use --permission-mode plan.'],
  ['read-only', 'Use --permission-mode read-only.'],
  [
    'session session-id s last fork',
    'Continue the last session of a directory with --continue, another one with --resume <id>.',
  ],
  ['cd C directory workspace-dir', 'Use --cwd <directory>.'],
  [
    'add-dir include-directories',
    'Let the tools use more directories with safety.sandbox_allowed_paths: ybs config set safety.sandbox_allowed_paths \'[".", "../other"]\'',
  ],
  [
    'allowedTools allowed-tools disallowedTools disallowed-tools allow-tool deny-tool tools',
    'Set the level of a tool with safety.permissions: ybs config set safety.permissions.run_shell ask_always',
  ],
  ['system-prompt system-prompt-file', 'Name a file in prompt.system_file: ybs config set prompt.system_file rules.md'],
  ['append-system-prompt append-system-prompt-file', 'Set prompt.append: ybs config set prompt.append "Use tabs."'],
  ['max-turns', 'Set agent.max_iterations: ybs config set agent.max_iterations 50'],
  ['profile', 'Choose a profile with models.active: ybs config set models.active NAME'],
  ['settings', 'Name a configuration file with --config <file>.'],
  ['image i file f read', 'Name the file in the prompt: ybs "explain @file:diagram.png"'],
  ['mcp-config', 'Servers belong to mcp.servers in the configuration; see docs/mcp.md.'],
  [
    'oss local local-provider',
    'Without a configured model, ybs looks for servers on this machine; or use --provider ollama.',
  ],
  [
    'thinking effort reasoning-effort',
    'Set llm.reasoning_effort, or type /effort in the chat: ybs config set llm.reasoning_effort high',
  ],
  ['temperature', 'Set llm.temperature: ybs config set llm.temperature 0'],
  ['api-key key k', 'A key belongs in an environment variable, such as OPENAI_API_KEY; ybs init asks for its name.'],
  ['api-base base-url', 'Use --endpoint <url>.'],
  ['list-models models', 'List the models with: ybs models'],
  ['list-sessions', 'Choose from the list of sessions with: ybs --resume'],
  ['verbose debug d log-level', 'The chat shows each step; --output-format json prints every event.'],
  ['q silent', 'Use --quiet, which prints only the answer.'],
  ['v V', 'Use --version.'],
  ['no-color color', 'Set NO_COLOR=1, or ui.color: ybs config set ui.color false'],
  ['no-tui', 'Use --screen-reader, which redraws no line.'],
];

const OPTIONS = new Map(
  OPTION_ROWS.flatMap(([spellings, advice]) => spellings.split(' ').map((name) => [name, advice] as const)),
);

/** Advice for an option that another agent has, by its name without dashes. */
export function optionHabit(name: string): string | undefined {
  return OPTIONS.get(name);
}

/** Additions to the message about an option that means something else in other agents, by its short form. */
export const SHORT_HABITS: ReadonlyMap<string, string> = new Map([
  ['-p', 'A prompt needs no option: ybs "fix the test"'],
  ['-c', 'To continue the last session: ybs --continue'],
]);

/** Commands of other agents, of one word or two, with advice. */
const COMMANDS: ReadonlyMap<string, string> = new Map([
  ['login', 'There is no login: a key comes from an environment variable, and ybs init asks for its name.'],
  [
    'logout',
    'There is no login, so there is nothing to end: unset the variable of the key. ybs config shows its name.',
  ],
  ['exec', 'A prompt alone does one run: ybs "fix the test"'],
  ['resume', 'Choose a session with: ybs --resume'],
  ['continue', 'Continue the last session of this directory with: ybs --continue'],
  ['sessions', 'Choose a session with: ybs --resume'],
  [
    'update',
    'ybs is not in the npm registry. Pull its repository there, run npm ci && npm run package, and install the packed file again.',
  ],
  [
    'upgrade',
    'ybs is not in the npm registry. Pull its repository there, run npm ci && npm run package, and install the packed file again.',
  ],
  ['configure', 'Write your configuration with: ybs init'],
  ['settings', 'Show the configuration with: ybs config'],
  ['serve', 'Serve the page of the chat with: ybs web'],
  [
    'mcp add',
    'Add servers from a file of another agent with: ybs mcp import FILE, or one with: ybs config set mcp.servers JSON',
  ],
  ['mcp remove', 'Remove the server from mcp.servers in your configuration. ybs config shows its file.'],
  ['mcp ls', 'List the servers with: ybs mcp list'],
  ['mcp get', 'Show a server with: ybs mcp check NAME'],
  ['config get', 'Show a value with: ybs config KEY'],
  ['auth login', 'There is no login: a key comes from an environment variable, and ybs init asks for its name.'],
  ['skills list', 'List the skills in a chat with: /skills'],
]);

/** Advice for a command of another agent: its word, or its first two. */
export function commandHabit(words: string): string | undefined {
  return COMMANDS.get(words);
}
