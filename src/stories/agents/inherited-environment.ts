import { QUIET } from '../../tools/shell/shell-environment.ts';

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
  // These belong to a test run or a coverage measurement of ybs itself.
  'NODE_V8_COVERAGE',
  'NODE_TEST_CONTEXT',
]);

/**
 * The environment of the user for another agent, without secrets, and without variables that make
 * a program wait or use a pager. Ignores the case of names.
 */
export function inheritedEnvironment(
  userEnvironment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(userEnvironment)) {
    const upper = name.toUpperCase();
    if (value === undefined || REMOVED.has(upper) || Object.hasOwn(QUIET, upper)) continue;
    // Functions that Bash imports would replace the programs of the same name.
    if (SECRET_NAME.test(name) || upper.startsWith('BASH_FUNC_')) continue;
    kept[name] = PAGER_NAME.test(name) ? 'cat' : value;
  }
  return { ...kept, ...QUIET };
}
