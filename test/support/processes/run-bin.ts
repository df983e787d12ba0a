import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { compiledFor, SANDBOX_USERS } from '../sandbox/sandbox-users.ts';
import { ybsEntry } from './entry.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** The exit of a command line. `code` is null when a signal ended it. */
export interface BinResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running command line. */
export interface RunningBin {
  readonly pid: number;
  /** Its working directory. */
  readonly directory: string;
  readonly stdout: () => string;
  /** Resolves when standard output contains the text `times` times; rejects when the process ends first. */
  waitFor(text: string, times?: number): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** Closes its standard output, as `head -1` does. */
  hangUp(): void;
  readonly ended: Promise<BinResult>;
}

/** Options of a command line. */
export interface BinOptions {
  readonly directory?: string;
  /** Standard input; closed at once when absent. */
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Redirections with which Bash starts it, such as `57>file`. */
  readonly redirections?: string;
  /** A user without privileges runs it, also if the tests run as root. */
  readonly asOrdinaryUser?: boolean;
  /** The words of a command that runs it, such as those of `withMounts`. */
  readonly prefix?: readonly string[];
}

/** The environment of a spawned `ybs`: the current one with an empty home. */
export function binEnvironment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const home = temporaryDirectory();
  // The options of the test runner may be invalid for another version of Node.
  const withoutOptions = process.env['YBS_NODE'] === undefined ? {} : { NODE_OPTIONS: '' };
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !/^(npm_|VITEST|TEST$|FORCE_COLOR$)/.test(entry[0]),
  );
  return {
    ...Object.fromEntries(inherited),
    ...withoutOptions,
    HOME: home,
    USERPROFILE: home,
    XDG_CONFIG_HOME: path.join(home, '.config'),
    ...extra,
  };
}

/** Starts `ybs` with these arguments in a new directory, with the Node of `YBS_NODE` if it is set. */
export function startBin(args: readonly string[], options: BinOptions = {}): RunningBin {
  const directory = options.directory ?? temporaryDirectory();
  const user = options.asOrdinaryUser === true ? SANDBOX_USERS.find(({ isRoot }) => !isRoot) : undefined;
  const outer = [...(options.prefix ?? []), ...(user?.prefix ?? [])];
  const plain = [...outer, process.env['YBS_NODE'] ?? process.execPath, ybsEntry, ...args];
  const { redirections } = options;
  const [program = '', ...words] =
    redirections === undefined ? plain : ['bash', '-c', `exec "$@" ${redirections}`, 'bash', ...plain];
  const child = spawn(program, words, {
    cwd: directory,
    env: {
      ...binEnvironment(options.environment),
      ...(user !== undefined && { NODE_COMPILE_CACHE: compiledFor(user) ?? '' }),
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${ybsEntry} did not start`);
  let stdout = '';
  let stderr = '';
  let exited = false;
  let wake: () => void = () => {};
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    wake();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // A process that ends without reading its input breaks the pipe, which is not an error of the test.
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  const ended = once(child, 'close').then(([code]: unknown[]) => {
    exited = true;
    wake();
    return { code: typeof code === 'number' ? code : null, stdout, stderr };
  });
  return {
    pid,
    directory,
    ended,
    stdout: () => stdout,
    async waitFor(text, times = 1) {
      while (stdout.split(text).length <= times) {
        if (exited) throw new Error(`ended without ${JSON.stringify(text)}:\n${stdout}\n${stderr}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    signal: (name) => {
      child.kill(name);
    },
    hangUp: () => {
      child.stdout.destroy();
    },
  };
}

/** Runs `ybs` to its end. */
export function runBin(args: readonly string[], options: BinOptions = {}): Promise<BinResult> {
  return startBin(args, options).ended;
}
