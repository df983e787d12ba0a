import { execFile } from 'node:child_process';
import process from 'node:process';
import type { Keyring } from '../../tools/mcp/login/login.ts';
import { type Projects, trustedEnvironment } from '../system.ts';

const SERVICE = 'ybs-mcp';
/** A keyring that asks the user for its password may take this long, in milliseconds. */
const MAX_MS = 60_000;

const ofLinux = (account: string) => ['service', SERVICE, 'account', account];
const ofMac = (account: string) => ['-s', SERVICE, '-a', account];
const hexOf = (text: string): string => Buffer.from(text).toString('hex');

/** The program of a system, with its arguments for each verb, and what it gets and prints for a secret. */
const PROGRAMS = {
  linux: {
    program: 'secret-tool',
    read: (account: string) => ['lookup', ...ofLinux(account)],
    write: (account: string) => ['store', '--label', `ybs: ${account}`, ...ofLinux(account)],
    remove: (account: string) => ['clear', ...ofLinux(account)],
    inputOf: (_account: string, secret: string) => secret,
    secretIn: (output: string) => output,
  },
  darwin: {
    program: 'security',
    read: (account: string) => ['find-generic-password', ...ofMac(account), '-w'],
    // Through its standard input, because every user can see the arguments of a process.
    write: () => ['-i'],
    remove: (account: string) => ['delete-generic-password', ...ofMac(account)],
    inputOf: (account: string, secret: string) =>
      `add-generic-password -U -s ${SERVICE} -a "${account}" -w ${hexOf(secret)}\n`,
    secretIn: (output: string) => Buffer.from(output.trim(), 'hex').toString('utf8'),
  },
} as const;

/** The keyring of the system, through its own program; `undefined` on a system without one. */
export function openKeyring(projects: Projects): Keyring | undefined {
  if (process.platform !== 'linux' && process.platform !== 'darwin') return undefined;
  const { program, inputOf, secretIn, ...verbs } = PROGRAMS[process.platform];
  /** The output of the program; `undefined` if there is none of this name, or if it fails. */
  const run = (verb: keyof typeof verbs, account: string, input = ''): Promise<string | undefined> =>
    new Promise((resolve) => {
      const options = { timeout: MAX_MS, cwd: '/', env: trustedEnvironment(projects) };
      const end = (error: unknown, output: string): void => resolve(error === null ? output : undefined);
      const child = execFile(program, verbs[verb](account), options, end);
      child.stdin?.on('error', () => {}).end(input);
    });
  const read: Keyring['read'] = async (account) => {
    const output = await run('read', account);
    return output === undefined ? undefined : secretIn(output);
  };
  return {
    read,
    write: async (account, secret) => (await run('write', account, inputOf(account, secret))) !== undefined,
    // Only `secret-tool` also succeeds if there was none; on macOS, the user may refuse to show the secret.
    remove: async (account) =>
      (program === 'security' || (await read(account)) !== undefined) && (await run('remove', account)) !== undefined,
  };
}
