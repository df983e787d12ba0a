/** Names that other agents have for something, with the command of ybs that is meant, or with advice. */
const ROWS: readonly (readonly [names: string, advice: string])[] = [
  ['new reset', '/clear'],
  ['plan architect', '/mode plan'],
  ['ask chat-mode code endplan policies experimental', '/mode'],
  ['yolo', '/mode full-access'],
  ['read-only', '/mode read-only'],
  ['continue chat r timeline import', '/resume'],
  ['rollout', '/session'],
  ['fork branch rename name archive side btw', '/save'],
  ['todos todo', '/tasks'],
  ['summarize compress', '/compact'],
  ['usage stats tokens insights', '/cost'],
  ['models scoped-models weak-model editor-model variants fast', '/model'],
  ['connect', '/provider'],
  ['agents personality output-style', '/agent'],
  ['settings debug-config', '/config'],
  ['allowed allowed-tools privacy privacy-settings', '/permissions'],
  ['restore tree', '/checkpoints'],
  ['share copy-context', '/export'],
  ['thinking reasoning reasoning-effort think-tokens', '/effort'],
  ['mcps apps plugin plugins extension extensions builtin', '/mcp'],
  ['reload reload-plugins', '/reload-tools'],
  ['security-review simplify pr-comments', '/review'],
  ['t hotkeys keybindings keymap commands docs ?', '/help'],
  ['redo', 'An undo is a checkpoint: /checkpoints lists it, and /undo NUMBER takes it back.'],
  [
    'status about footer statusline title',
    'The row below the line shows model, mode and tokens; see /session, /context.',
  ],
  [
    'details show-images verbose',
    'Ctrl-O shows all lines that were hidden. In a shell, ybs --output-format json shows all.',
  ],
  ['login auth', 'A key comes from an environment variable, and ybs init, in a shell, asks for its name.'],
  ['logout', 'There is no login. Unset the variable of the key in your shell.'],
  ['doctor debug terminal-setup test-approval', 'Type in a shell: ybs doctor'],
  ['trust', 'Type in a shell: ybs trust'],
  ['web voice mobile desktop remote-control ide chrome realtime', 'Type in a shell: ybs web. Editors use ybs acp.'],
  ['upgrade update release-notes changelog', 'CHANGELOG.md of the package lists the changes.'],
  ['memory memories', 'The instructions are AGENTS.md and its kind; /context lists those that are read.'],
  ['add mention drop ls paste', 'Name a file in the message: @file:src/main.ts'],
  ['map map-refresh', 'There is no map: the model searches the files as they are.'],
  ['add-dir dir directory sandbox-add-read-dir', 'Set safety.sandbox_allowed_paths in the configuration.'],
  ['sandbox', 'The row below the line shows the sandbox. ybs --no-sandbox, in a shell, starts without it.'],
  ['vim editor edit', 'Ctrl-G opens the message in $EDITOR.'],
  ['multiline-mode', 'Alt-Enter begins a new line.'],
  ['queue', 'During a run, Ctrl-Q sends the message after it, and Enter with its next request.'],
  ['theme themes color', 'The colours are those of your terminal. ui.color turns them off.'],
  ['hooks', 'Hosts have hooks; see docs/headless.md.'],
  ['run test lint git', 'Type !command, such as !npm test'],
  ['commit ok', 'Ask for it, or type !git commit'],
  ['stop', 'Esc stops the run.'],
  ['background bashes ps shells loop schedule batch goal', 'Nothing runs in the background; see docs/not-included.md.'],
  ['prompt prompts recipe', 'Commands of your own are Markdown files; see docs/triggers.md.'],
  ['autocompact', 'Set context.compaction_threshold in the configuration; /compact does it now.'],
  ['profile', 'Choose a profile with models.active in the configuration.'],
  ['bug feedback report', 'Nothing is sent to anybody. /export writes this session for a report.'],
  ['unshare', 'Nothing is sent to anybody, so there is nothing to take back.'],
  ['install-github-app setup-github web-setup wrap-mcp', 'See docs/ci.md, and for servers docs/mcp.md.'],
];

const ADVICE = new Map(ROWS.flatMap(([names, advice]) => names.split(' ').map((name) => [name, advice] as const)));

/** The command or the advice for a command that another agent has, by its name in any case, without the slash. */
export function commandElsewhere(name: string): string | undefined {
  return ADVICE.get(name.toLowerCase());
}

/** Messages of one word that leave other programs, or ask them for help, with the command that they mean. */
const BARE_WORDS: ReadonlyMap<string, string> = new Map([
  ...['exit', 'quit', ':q', ':q!', ':wq'].map((word) => [word, 'quit'] as const),
  ...['help', '?'].map((word) => [word, 'help'] as const),
]);

/** The name of the command that a whole message means without its slash, such as `exit`. */
export function commandOfBareWord(message: string): string | undefined {
  return BARE_WORDS.get(message.toLowerCase());
}
