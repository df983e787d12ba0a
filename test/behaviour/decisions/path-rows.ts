import {
  ACCOUNT_KEYS,
  EXECUTABLE_DIRECTORIES,
  EXECUTABLE_ENDS,
  EXECUTABLE_FILES,
  EXECUTABLE_PAIRS,
  PROTECTED_IN_HOME,
  PROTECTED_IN_SYSTEM,
  SENSITIVE_ENDS,
  SENSITIVE_EXECUTABLES,
  SENSITIVE_NAMES,
  SENSITIVE_PAIRS,
} from '../../../src/policy/paths/special-names.ts';
import { type DecisionRow, read, refused, rowOf, write } from './rows.ts';

/** The first and the last entry of a table; `ybs check` answers for all of them in path-corpus.test.ts. */
function ends<Entry>(table: Iterable<Entry>): readonly Entry[] {
  const entries = [...table];
  return [...entries.slice(0, 1), ...entries.slice(-1)];
}

/** Names of files with secrets, from each table. */
const SECRETS = [
  ...ends(SENSITIVE_NAMES),
  ...ends(ACCOUNT_KEYS).map((pattern) => pattern.replaceAll('*', 'x')),
  ...ends(SENSITIVE_ENDS).map((end) => `a${end}`),
  ...ends(SENSITIVE_PAIRS).map((pair) => pair.join('/')),
];

/** Names of files that other programs run or read as settings, from each table. */
const GUARDED = [
  ...ends(EXECUTABLE_DIRECTORIES).map((name) => `${name}/a`),
  ...ends(EXECUTABLE_FILES),
  ...ends(EXECUTABLE_ENDS).map((end) => `a${end}`),
  ...ends(EXECUTABLE_PAIRS).map((pair) => pair.join('/')),
];

/** Paths of the system, each with its class. */
const SYSTEM = Object.entries(PROTECTED_IN_SYSTEM).map(([place, kind]) => [`/${place}/a`, kind] as const);

const secret = (path: string) => rowOf('path that asks', read(path), 'ask', 'file with secrets', 'may hold secrets');
const guarded = (path: string) => rowOf('path that asks', write(path), 'ask', 'guarded path', 'Other programs run');

/** Rows for each table of special names, in the mode `accept-edits`. */
export const PATH_ROWS: readonly DecisionRow[] = [
  ...SECRETS.map((name) => secret(`d/${name}`)),
  ...SECRETS.map((name) => refused(write(`d/${name}`), `d/${name} is blocked (file with secrets)`)),
  ...GUARDED.map((name) => guarded(`d/${name}`)),
  ...[...SENSITIVE_EXECUTABLES].flatMap((name) => [secret(`d/${name}`), guarded(`d/${name}`)]),
  ...ends(PROTECTED_IN_HOME).map((name) => refused(read(`~/${name}/a`), 'is blocked (')),
  ...SYSTEM.map(([path, kind]) =>
    kind === 'protected'
      ? refused(read(path), `${path} is blocked (protected directory)`)
      : rowOf('path that asks', read(path), 'ask', 'path outside the workspace', 'so reading it always needs'),
  ),
  ...SYSTEM.map(([path]) => refused(write(path), 'is outside the workspace')),
];
