/** Names of variables whose values are keys, passwords or tokens, whoever issued them. */
const SECRET_NAME =
  /(?:^|_)(?:API_?KEY|ACCESS_?KEY(?:_ID)?|SECRET_?KEY|PRIVATE_?KEY|AUTH_?TOKEN|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i;

/** Variables that every pager has of its own: `PAGER`, `MANPAGER`, `AWS_PAGER`. */
const PAGER_NAME = /^(?:\w*_|MAN)?PAGER$/i;

const REMOVED = new Set([
  // The shell reads these before it reads the command, and the command would mean something else than its words say.
  'BASH_ENV',
  'ENV',
  'SHELLOPTS',
  'BASHOPTS',
  'CDPATH',
  'GLOBIGNORE',
  // They turn colours on in spite of NO_COLOR.
  'FORCE_COLOR',
  'CLICOLOR_FORCE',
  // Meant for the process they were set for: a test run or a measurement around the agent is none of the command's.
  // NODE_OPTIONS stays, it is how people give their programs memory and certificates.
  'NODE_V8_COVERAGE',
  'NODE_TEST_CONTEXT',
]);

/** Nothing pages, edits, asks or colours. GIT_EDITOR `:` makes git take a message as it is. */
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
 * The environment of commands, from the user's own. Pure. Removes keys and secrets by name, `keyVariables` (where the
 * providers' keys are looked for) among them, and what would make a command wait, page or mean something else.
 * Everything else stays, `CI` and `NODE_OPTIONS` too. Names are compared without regard to case.
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
    // Functions that Bash imports; they would replace the programs they are named after.
    if (SECRET_NAME.test(name) || upper.startsWith('BASH_FUNC_')) continue;
    kept[name] = PAGER_NAME.test(name) ? 'cat' : value;
  }
  return { ...kept, ...FIXED };
}
