/** Names of variables that hold keys, passwords or tokens. */
const SECRET_NAME =
  /(?:^|_)(?:API_?KEY|ACCESS_?KEY(?:_ID)?|SECRET_?KEY|PRIVATE_?KEY|AUTH_?TOKEN|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i;

/** Names of variables that select a pager, such as `PAGER`, `MANPAGER` and `AWS_PAGER`. */
const PAGER_NAME = /^(?:\w*_|MAN)?PAGER$/i;

const REMOVED = new Set([
  // The shell reads these before the command, and they can change the meaning of its words.
  'BASH_ENV',
  'ENV',
  'SHELLOPTS',
  'BASHOPTS',
  'CDPATH',
  'GLOBIGNORE',
  // These turn colours on in spite of NO_COLOR.
  'FORCE_COLOR',
  'CLICOLOR_FORCE',
  // These belong to a test run or a coverage measurement of the agent itself, not to the command.
  // NODE_OPTIONS is kept, because people configure memory and certificates of their programs with it.
  'NODE_V8_COVERAGE',
  'NODE_TEST_CONTEXT',
]);

/** Values that prevent pagers, editors, prompts and colours. With `:` as GIT_EDITOR, git uses a message unchanged. */
const FIXED: Readonly<Record<string, string>> = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  LESS: '-FRX',
  EDITOR: 'true',
  VISUAL: 'true',
  GIT_EDITOR: ':',
  GIT_SEQUENCE_EDITOR: ':',
  GIT_TERMINAL_PROMPT: '0',
  TERM: 'dumb',
  NO_COLOR: '1',
};

/**
 * The environment of commands, derived from the user's. Removes secrets by name, including `keyVariables` (the
 * variables of provider keys), and variables that make a command wait, use a pager or change its meaning. Keeps
 * everything else, including `CI` and `NODE_OPTIONS`. Ignores the case of names.
 */
export function shellEnvironment(
  userEnvironment: Readonly<Record<string, string | undefined>>,
  keyVariables: readonly string[],
): Record<string, string> {
  const keys = new Set(keyVariables.map((name) => name.toUpperCase()));
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(userEnvironment)) {
    const upper = name.toUpperCase();
    if (value === undefined || keys.has(upper) || REMOVED.has(upper) || Object.hasOwn(FIXED, upper)) continue;
    // Functions that Bash imports would replace the programs of the same name.
    if (SECRET_NAME.test(name) || upper.startsWith('BASH_FUNC_')) continue;
    kept[name] = PAGER_NAME.test(name) ? 'cat' : value;
  }
  return { ...kept, ...FIXED };
}
