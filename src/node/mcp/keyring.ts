import { execFile } from 'node:child_process';
import process from 'node:process';
import type { Keyring } from '../../tools/mcp/login/login.ts';
import { type Projects, trustedEnvironment } from '../system.ts';

const SERVICE = 'ybs-mcp';
/** A keyring that asks the user for its password may take this long, in milliseconds. */
const MAX_MS = 60_000;

/** The keyring of the system, through its own program; `undefined` on a system without one. */
export function openKeyring(projects: Projects): Keyring | undefined {
  switch (process.platform) {
    case 'linux': {
      const of = (account: string) => ['service', SERVICE, 'account', account];
      const read: Keyring['read'] = (account) => outputOf(projects, 'secret-tool', ['lookup', ...of(account)]);
      return {
        read,
        write: (account, secret) =>
          isDone(projects, 'secret-tool', ['store', '--label', `ybs: ${account}`, ...of(account)], secret),
        remove: async (account) =>
          (await read(account)) !== undefined && isDone(projects, 'secret-tool', ['clear', ...of(account)]),
      };
    }
    case 'darwin': {
      const of = (account: string) => ['-s', SERVICE, '-a', account];
      const hexOf = (text: string): string => Buffer.from(text).toString('hex');
      return {
        async read(account) {
          const hex = await outputOf(projects, 'security', ['find-generic-password', ...of(account), '-w']);
          return hex === undefined ? undefined : Buffer.from(hex.trim(), 'hex').toString('utf8');
        },
        // Through its standard input, because every user can see the arguments of a process.
        write: (account, secret) =>
          isDone(
            projects,
            'security',
            ['-i'],
            `add-generic-password -U -s ${SERVICE} -a "${account}" -w ${hexOf(secret)}\n`,
          ),
        remove: (account) => isDone(projects, 'security', ['delete-generic-password', ...of(account)]),
      };
    }
    default:
      return undefined;
  }
}

async function isDone(...call: Parameters<typeof outputOf>): Promise<boolean> {
  return (await outputOf(...call)) !== undefined;
}

/** The output of a program; `undefined` if there is none of this name, or if it fails or prints nothing to a question. */
function outputOf(
  projects: Projects,
  program: string,
  args: readonly string[],
  input = '',
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { timeout: MAX_MS, cwd: '/', env: trustedEnvironment(projects) };
    const child = execFile(program, args, options, (error, output) => resolve(error === null ? output : undefined));
    child.stdin?.on('error', () => {}).end(input);
  });
}
