const PROMPT = 'A prompt needs no option, and is one run that prints its answer: ybs "fix the test"';
const TRUSTING = 'Without questions: --permission-mode full-access. The sandbox stays on; --no-sandbox turns it off.';
const MODES = 'Use --permission-mode ask, accept-edits, plan, read-only or full-access.';
const SESSION = 'Continue the last session of a directory with --continue, another one with --resume <id>.';
const SESSIONS = 'Choose a session with: ybs --resume. The files are in ~/.config/ybs/sessions.';
const NO_LOGIN = 'There is no login: a key comes from an environment variable, and ybs init asks for its name.';
const INSTALL =
  'ybs is not in the npm registry. Pull its repository there, run npm ci && npm run package, and install the packed file again.';
const SERVERS = 'Set mcp.servers in the configuration; see docs/mcp.md.';
const TOOLS = 'Set the level of a tool with safety.permissions: ybs config set safety.permissions.run_shell ask_always';

/** Advice for options of other agents, by every spelling without its dashes. */
const OPTION_ROWS: readonly (readonly [spellings: string, advice: string])[] = [
  ['print prompt message exec execute non-interactive t text', PROMPT],
  ['prompt-interactive', 'Start the chat with ybs, and type the prompt there.'],
  ['message-file instructions', 'Give the prompt on standard input: ybs < task.md'],
  [
    'yolo y yes yes-always force dangerously-skip-permissions dangerously-bypass-approvals-and-sandbox dangerously-allow-all allow-dangerously-skip-permissions allow-all-tools allow-all auto-approve skip-permissions',
    TRUSTING,
  ],
  [
    'full-auto auto-edit accept-edits',
    'Use --permission-mode accept-edits. Commands in the sandbox ask as far as the rules say.',
  ],
  ['ask-for-approval a approval-mode approvals', MODES],
  ['plan architect', 'Use --permission-mode plan.'],
  ['read-only', 'Use --permission-mode read-only.'],
  ['session session-id s last fork restore-chat-history', SESSION],
  ['list-sessions delete-session', SESSIONS],
  ['name n title', 'Name a session in the chat with: /save NAME'],
  ['no-session ephemeral', 'Store no session with: ybs config set session.auto_save false'],
  ['share export', 'Write a session to a file in the chat with: /export'],
  ['teleport remote worktree w', 'Make a worktree with git, and start ybs in it.'],
  ['cd C dir directory workspace-dir', 'Use --cwd <directory>.'],
  [
    'add-dir include-directories',
    'Let the tools use more directories with safety.sandbox_allowed_paths: ybs config set safety.sandbox_allowed_paths \'[".", "../other"]\'',
  ],
  ['allowedTools allowed-tools disallowedTools disallowed-tools allow-tool deny-tool tools no-tools', TOOLS],
  ['search', 'Add a search of the web as an external tool; see docs/tools.md.'],
  ['system-prompt system-prompt-file', 'Name a file in prompt.system_file: ybs config set prompt.system_file rules.md'],
  ['append-system-prompt append-system-prompt-file', 'Set prompt.append: ybs config set prompt.append "Use tabs."'],
  ['max-turns', 'Set agent.max_iterations: ybs config set agent.max_iterations 50'],
  ['profile', 'Choose a profile with models.active: ybs config set models.active NAME'],
  ['settings', 'Name a configuration file with --config <file>.'],
  ['image i file f read', 'Name the file in the prompt: ybs "explain @file:diagram.png"'],
  ['all-files show-repo-map map-tokens', 'The model reads the files that it needs; name others with @file:src/main.ts'],
  [
    'agent agents command',
    'Name an agent in the message: @agent:reviewer. Agents and commands are files: docs/triggers.md',
  ],
  ['mcp-config with-builtin with-extension extensions e no-extensions list-extensions l', SERVERS],
  [
    'oss local local-provider',
    'Without a configured model, ybs looks for servers on this machine; or use --provider ollama.',
  ],
  [
    'thinking effort reasoning-effort',
    'Set llm.reasoning_effort, or type /effort in the chat: ybs config set llm.reasoning_effort high',
  ],
  ['temperature', 'Set llm.temperature: ybs config set llm.temperature 0'],
  [
    'api-key key k openai-api-key anthropic-api-key',
    'A key belongs in an environment variable, such as OPENAI_API_KEY; ybs init asks for its name.',
  ],
  ['api-base base-url openai-api-base', 'Use --endpoint <url>.'],
  ['sonnet opus haiku weak-model', 'Use --model <name>. ybs models lists the names.'],
  ['list-models models', 'List the models with: ybs models'],
  ['json format o', 'A run prints its events as JSON with --output-format json.'],
  ['output-last-message', 'Print only the answer with --quiet: ybs --quiet "fix the test" > answer.md'],
  ['output-schema', 'A host gives a schema with --json-schema; see docs/headless.md.'],
  ['verbose debug d log-level print-logs', 'The chat shows each step; --output-format json prints every event.'],
  ['q silent', 'Use --quiet, which prints only the answer.'],
  ['v V', 'Use --version.'],
  ['no-stream', 'Set ui.stream_responses: ybs config set ui.stream_responses false'],
  ['no-color color dark-mode light-mode', 'Set NO_COLOR=1, or ui.color: ybs config set ui.color false'],
  ['vim', 'Ctrl-G opens the message in $EDITOR.'],
  ['no-tui', 'Use --screen-reader, which redraws no line.'],
  ['gui browser hostname port ide', 'Serve the page of the chat with ybs web --port 3000. Editors use ybs acp.'],
  ['acp experimental-acp', 'Serve an editor with: ybs acp'],
  ['sandbox', 'The sandbox is on unless you turn it off with --no-sandbox.'],
  ['no-git skip-git-repo-check checkpointing', 'ybs needs no git, and keeps the bytes before each write: /undo'],
  ['commit auto-commits no-auto-commits', 'Turn on commits after a run with: ybs config set git.auto_commit true'],
  [
    'auto-test test-cmd lint-cmd watch-files',
    'Write it into AGENTS.md, or ask for it: ybs "fix the code until npm test passes"',
  ],
  ['edit-format enable', 'ybs has no such setting; docs/configuration.md lists those that it has.'],
];

const OPTIONS = rowsByName(OPTION_ROWS);

/** Advice for an option that another agent has, by its name without dashes. */
export function optionHabit(name: string): string | undefined {
  return OPTIONS.get(name);
}

/** Additions to the message about an option that means something else in other agents, by its short form. */
export const SHORT_HABITS: ReadonlyMap<string, string> = new Map([
  ['-p', 'A prompt needs no option: ybs "fix the test"'],
  ['-c', 'To continue the last session: ybs --continue'],
]);

/** Values of other agents for `--permission-mode`, with the mode that they mean. */
const MODE_ROWS = [
  ['acceptedits auto_edit auto workspace-write smart_approve', 'accept-edits'],
  ['bypasspermissions yolo never danger-full-access', 'full-access'],
  ['default manual untrusted on-request on-failure suggest approve', 'ask'],
] as const;

const MODES_BY_NAME = rowsByName(MODE_ROWS);

/** The mode that a value of another agent for `--permission-mode` means. */
export function modeHabit(value: string): string | undefined {
  return MODES_BY_NAME.get(value.toLowerCase());
}

/** Commands of other agents with advice, separated by commas: one word, or the first two of several. */
const COMMAND_ROWS: readonly (readonly [commands: string, advice: string])[] = [
  ['login,auth login,login status,setup-token,auth list,auth ls', NO_LOGIN],
  [
    'logout,auth logout',
    'There is no login, so there is nothing to end: unset the variable of the key. ybs config shows its name.',
  ],
  ['exec,e', 'A prompt alone does one run: ybs "fix the test"'],
  ['resume,sessions,project,projects,session,session list,session remove,session export,attach', SESSIONS],
  ['continue,exec resume', 'Continue the last session of this directory with: ybs --continue'],
  ['fork,export,import,rewind', 'Type it in a chat: /save copies a session, /export writes it, /rewind goes back.'],
  ['update,upgrade,install,uninstall', INSTALL],
  ['configure,settings set,providers', 'Write your configuration with: ybs init'],
  ['settings,info', 'Show the configuration with ybs config, and check it with ybs doctor.'],
  ['serve,gui,cloud,app-server', 'Serve the page of the chat with ybs web, an editor with ybs acp.'],
  ['chat,session -r,term', 'Start the chat with: ybs'],
  ['review', 'Type it in a chat: /review'],
  ['stats', 'Type it in a chat: /cost'],
  ['agents,agent list,agent create', 'Type it in a chat: /agent. Agents are files; see docs/triggers.md.'],
  ['hooks', 'Hosts have hooks; see docs/headless.md.'],
  ['github install', 'Run ybs in a workflow; see docs/ci.md.'],
  ['bench', 'Compare prompts and models with: ybs eval STORY'],
  ['debug', 'Check the configuration and the machine with: ybs doctor'],
  ['sandbox,sandbox ls', 'Check a command with: ybs check COMMAND'],
  [
    'mcp add',
    'Add servers from a file of another agent with: ybs mcp import FILE, or one with: ybs config set mcp.servers JSON',
  ],
  ['mcp remove,mcp rm', 'Remove the server from mcp.servers in your configuration. ybs config shows its file.'],
  ['mcp ls', 'List the servers with: ybs mcp list'],
  ['mcp get,mcp debug', 'Show a server with: ybs mcp check NAME'],
  ['mcp auth', 'Log in to a server with: ybs mcp login NAME'],
  [
    'mcp serve,mcp-server',
    'ybs is no server of the Model Context Protocol. For programs that drive ybs, see docs/headless.md.',
  ],
  [
    'extensions,extensions list,extensions install,plugin,plugin install,features list,recipe list,schedule list',
    'There are no extensions: see docs/tools.md, docs/skills.md and docs/mcp.md.',
  ],
  ['config get', 'Show a value with: ybs config KEY'],
  ['skills list', 'List the skills in a chat with: /skills'],
  ['list,ls', 'ybs --help lists the commands.'],
];

const COMMANDS = rowsByName(COMMAND_ROWS, ',');

/** Advice for a command of another agent: its word, or its first two. */
export function commandHabit(words: string): string | undefined {
  return COMMANDS.get(words);
}

function rowsByName<Value>(
  rows: readonly (readonly [names: string, value: Value])[],
  separator = ' ',
): ReadonlyMap<string, Value> {
  return new Map(rows.flatMap(([names, value]) => names.split(separator).map((name) => [name, value] as const)));
}
