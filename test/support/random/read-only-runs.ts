import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { seededRandom } from '../../../mock-llm-server/delivery/faults.ts';
import { READ_ONLY_GIT } from '../../../src/policy/shell/read-only/git/git-subcommands.ts';
import type { ReadOnlyProgram } from '../../../src/policy/shell/read-only/program-words.ts';
import {
  FIND_PLAIN_WORDS,
  FIND_VALUE_WORDS,
  READ_ONLY_PROGRAMS,
  TEST_OPERATORS,
} from '../../../src/policy/shell/read-only/programs.ts';
import { readOnlyUse } from '../../../src/policy/shell/read-only/read-only-command.ts';
import { shellEnvironment } from '../../../src/tools/shell/shell-environment.ts';
import { writeFiles } from '../processes/temporary-directory.ts';

/**
 * Programs that use the network, ask for a key or open a screen. In the scratch workspace, each only creates a file.
 */
const TRAPS = ['curl', 'wget', 'ssh', 'scp', 'sftp', 'nc', 'ncat', 'telnet', 'gpg', 'gpg2', 'less', 'more', 'vi', 'pr'];

/** Ends commands that wait for each other or never end. */
const MOST_MS = 20_000;
const NOBODY = 65_534;

/** A workspace with a git repository, a home directory and a temporary directory, in which commands run for real. */
export interface ReadOnlyBench {
  readonly workspace: string;
  /** Runs a command in bash, as `run_shell` does. The exit code is `undefined` for one that was ended. */
  run(command: string): Promise<number | undefined>;
  /** A digest of the names, kinds, modes, owners, times and contents of everything below the scratch directory. */
  digest(): string;
}

/** Creates the scratch workspace in an empty directory. `asNobody`: commands run as a user without privileges. */
export function createReadOnlyBench(directory: string, asNobody = false): ReadOnlyBench {
  const [workspace, home, temporary, traps] = ['work', 'home', 'tmp', 'traps'].map((name) =>
    path.join(directory, name),
  );
  if (workspace === undefined || home === undefined || temporary === undefined || traps === undefined) {
    throw new Error('The directories have names.');
  }
  for (const each of [workspace, home, temporary, traps]) mkdirSync(each);
  writeFiles(workspace, {
    'a.txt': 'b a\na b\n1\n',
    a: 'a\nb\n',
    b: 'a\nc\n',
    'a.json': '{"a": [1]}\n',
    'src/a.ts': 'export const a = 1;\n',
    'package.json': '{"name": "a"}\n',
    '.gitignore': 'ignored\n',
    ignored: 'x\n',
  });
  symlinkSync('a', path.join(workspace, 'link'));
  writeFiles(home, { '.gitconfig': '[user]\n\tname = Ada\n\temail = ada@example.org\n' });
  for (const name of TRAPS) {
    writeFiles(traps, { [name]: `#!/bin/sh\n: > '${home}'/"\${0##*/}"\n` });
    chmodSync(path.join(traps, name), 0o755);
  }
  const environment = shellEnvironment(
    { PATH: `${traps}:${process.env['PATH'] ?? ''}`, HOME: home, TMPDIR: temporary, USER: 'ada', LANG: 'C.UTF-8' },
    [],
    [],
    workspace,
  );
  const git = (...words: readonly string[]): void => {
    execFileSync('git', words, { cwd: workspace, env: environment, stdio: 'pipe' });
  };
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'Begin');
  git('tag', 'v1');
  writeFiles(workspace, { 'src/a.ts': 'export const a = 2;\n', b: 'a\nd\n' });
  git('commit', '-qam', 'Change');
  writeFiles(workspace, { 'a.txt': 'changed\n', new: 'x\n' });
  git('stash', '-q');
  // A file whose time is not that of the index makes git read it again.
  writeFiles(workspace, { 'a.txt': 'changed again\n', b: 'a\nd\n' });
  if (asNobody) walk(directory, (file) => lchownSync(file, NOBODY, NOBODY));
  chmodSync(directory, 0o755);
  return {
    workspace,
    run: (command) => runBash(command, workspace, environment, asNobody ? { uid: NOBODY, gid: NOBODY } : {}),
    digest: () => digestOf(directory, temporary),
  };
}

function runBash(
  command: string,
  cwd: string,
  env: Record<string, string>,
  user: { readonly uid?: number; readonly gid?: number },
): Promise<number | undefined> {
  const words = ['--noprofile', '--norc', '-c', command];
  const child = spawn('/bin/bash', words, {
    cwd,
    env,
    stdio: 'ignore',
    timeout: MOST_MS,
    killSignal: 'SIGKILL',
    ...user,
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? undefined));
  });
}

function walk(file: string, visit: (file: string) => void): void {
  visit(file);
  if (!lstatSync(file).isDirectory()) return;
  for (const name of readdirSync(file).toSorted()) walk(path.join(file, name), visit);
}

/** No file may remain in the temporary directory, where `sort` removes its own files. */
function digestOf(directory: string, temporary: string): string {
  const hash = createHash('sha256');
  walk(directory, (file) => {
    const { mode, uid, gid, nlink, size, mtimeNs, ctimeNs } = lstatSync(file, { bigint: true });
    const times = file === temporary ? '' : `${size} ${mtimeNs} ${ctimeNs}`;
    hash.update(`${file}\0${mode} ${uid} ${gid} ${nlink} ${times}\0`);
    const kind = lstatSync(file);
    if (kind.isSymbolicLink()) hash.update(readlinkSync(file));
    if (kind.isFile()) hash.update(readFileSync(file));
  });
  return hash.digest('hex');
}

/** Changes of the disk when commands ran. */
export interface RunsResult {
  /** The number of commands that ran, and how many of their programs this machine has. */
  readonly ran: number;
  readonly found: number;
  /** The commands that changed something, started a program of the network, or did not end. */
  readonly changing: readonly string[];
}

/**
 * Runs commands one after the other and compares the disk before and after each, or before and after `group` of them: all
 * of a group count as changing if something has changed.
 */
export async function runAndCompare(commands: readonly string[], bench: ReadOnlyBench, group = 1): Promise<RunsResult> {
  const changing: string[] = [];
  let found = 0;
  let before = bench.digest();
  for (let start = 0; start < commands.length; start += group) {
    const some = commands.slice(start, start + group);
    const exits: (number | undefined)[] = [];
    for (const command of some) exits.push(await bench.run(command));
    const after = bench.digest();
    if (after !== before || exits.includes(undefined)) changing.push(...some);
    found += exits.filter((exit) => exit !== 127).length;
    before = after;
  }
  return { ran: commands.length, found, changing };
}

/** Values of options, and operands, of which the policy accepts at least one for nearly every option. */
const VALUES = ['1', 'a', '%H %an', 'src', '2020-01-01', '1,2', 'main', 'size', 'never'];
const OPERANDS = [
  '',
  'a',
  'a b',
  'src',
  'HEAD',
  'HEAD -- a.txt',
  '+%s',
  '1 3',
  'a a.txt',
  '.a a.json',
  'a.json',
  'nobody',
];

/** The options of a program, as they are written: `-n 1`, `-n1`, `--lines=1` and `--lines 1` for each of the values. */
function optionsOf({ short = '', long = '' }: ReadOnlyProgram): readonly (readonly string[])[] {
  const letters = [...short.matchAll(/([^:#])(::?)?/g)].map(([, letter = '', colons]) =>
    colons === undefined
      ? [`-${letter}`]
      : VALUES.flatMap((value) => [`-${letter}'${value}'`, ...(colons === ':' ? [`-${letter} '${value}'`] : [])]),
  );
  const names = long.split(' ').map((name) => {
    const plain = name.replace(/=\??$/, '');
    if (!name.includes('=')) return [`--${plain}`];
    const values = VALUES.map((value) => `--${plain}='${value}'`);
    return name.endsWith('?') ? [`--${plain}`, ...values] : [...values, `--${plain} '${VALUES[0] ?? ''}'`];
  });
  return [[short.includes('#') ? '-2' : ''], ...letters, ...names.filter(([first]) => first !== '--')];
}

/** Commands with one spelling of each option of every program that only reads, with several operands. */
export function readOnlyCandidates(): readonly (readonly string[])[] {
  const rows = [
    ...Object.entries(READ_ONLY_PROGRAMS),
    ...Object.entries(READ_ONLY_GIT).map(([name, row]) => [`git ${name}`, row] as const),
  ];
  const ofPrograms = rows.flatMap(([program, row]) => {
    const needed = [row.needs, row.operandsNeed].map((names) => {
      const [name] = names?.split(' ') ?? [];
      return name === undefined ? '' : name.length === 1 ? ` -${name}` : ` --${name}`;
    });
    return optionsOf(row).flatMap((spellings) =>
      spellings.map((option) =>
        OPERANDS.flatMap((operands) =>
          [...new Set(['', ...needed])].map((need) =>
            `${program}${need} ${option} ${operands}`.trim().replace(/ +/g, ' '),
          ),
        ),
      ),
    );
  });
  const ofFind = [
    ...[...FIND_PLAIN_WORDS].map((word) => [/^[(),!]$/.test(word) ? `find . '!' -name a` : `find . ${word}`]),
    ...[...FIND_VALUE_WORDS].map((word) =>
      ['1', 'a', 'root', 'f', '+1', '2020-01-01'].map((value) => `find . ${word} ${value}`),
    ),
  ];
  const ofTest = [...TEST_OPERATORS].map((operator) => [
    `test ${operator} a`,
    `[ a ${operator} b ]`,
    `[ 1 ${operator} 2 ]`,
  ]);
  const others = ['sed -n 1,2p a', "sed -n '$p' a b", 'cd src && ls', 'cat a | sort | uniq -c', 'ls > /dev/null 2>&1'];
  return [...ofPrograms, ...ofFind, ...ofTest, others];
}

/** The first commands of each list that the policy allows. */
export function allowedCommands(candidates: readonly (readonly string[])[], workspace: string): readonly string[] {
  const places = { workspace, workingDirectory: workspace, home: path.dirname(workspace), platform: 'posix' } as const;
  const isAllowed = (command: string): boolean => readOnlyUse(command, places).type === 'read_only';
  return [...new Set(candidates.flatMap((commands) => commands.filter(isAllowed).slice(0, 2)))];
}

/** Some of the values, always the same for a seed. */
export function sampleOf<Value>(values: readonly Value[], count: number, seed: string): readonly Value[] {
  const random = seededRandom(seed);
  return values
    .map((value) => ({ value, order: random() }))
    .toSorted((one, other) => one.order - other.order)
    .slice(0, count)
    .map(({ value }) => value);
}

/** Commands that change something, each in a different way, as positive controls. */
export const CHANGING_COMMANDS: readonly string[] = [
  'echo x > a',
  'touch a',
  'chmod 600 a',
  ': > gone; rm gone',
  'sort -o a a',
  'git add a.txt',
  'git branch other',
  'GIT_OPTIONAL_LOCKS=1 git status',
  'echo x > ~/x',
  'mktemp -u > "$TMPDIR/x"',
  'curl http://127.0.0.1:1/',
  'gpg a',
];
