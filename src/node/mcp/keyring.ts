import { spawn } from 'node:child_process';
import process from 'node:process';
import type { Keyring } from '../../tools/mcp/login/login.ts';

const SERVICE = 'ybs-mcp';
/** A keyring that asks the user for its password may take this long, in milliseconds. */
const MAX_MS = 60_000;

/** The keyring of the system, through its own program; `undefined` on a system without one. */
export function openKeyring(): Keyring | undefined {
  switch (process.platform) {
    case 'linux':
      return {
        read: (account) => outputOf('secret-tool', ['lookup', 'service', SERVICE, 'account', account]),
        async write(account, secret) {
          const args = ['store', '--label', `ybs: ${account}`, 'service', SERVICE, 'account', account];
          return (await outputOf('secret-tool', args, secret)) !== undefined;
        },
        remove: async (account) =>
          (await outputOf('secret-tool', ['lookup', 'service', SERVICE, 'account', account])) !== undefined &&
          (await outputOf('secret-tool', ['clear', 'service', SERVICE, 'account', account])) !== undefined,
      };
    case 'darwin': {
      const of = (account: string) => ['-s', SERVICE, '-a', account];
      return {
        async read(account) {
          const hex = await outputOf('security', ['find-generic-password', ...of(account), '-w']);
          return hex === undefined ? undefined : Buffer.from(hex.trim(), 'hex').toString('utf8');
        },
        // Through its standard input, because every user can see the arguments of a process.
        write: async (account, secret) => {
          const hex = Buffer.from(secret).toString('hex');
          const line = `add-generic-password -U -s ${SERVICE} -a "${account}" -w ${hex}\n`;
          return (await outputOf('security', ['-i'], line)) !== undefined;
        },
        remove: async (account) =>
          (await outputOf('security', ['delete-generic-password', ...of(account)])) !== undefined,
      };
    }
    default:
      return undefined;
  }
}

/** The output of a program; `undefined` if there is none of this name, or if it fails or prints nothing to a question. */
function outputOf(program: string, args: readonly string[], input = ''): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'], timeout: MAX_MS });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.stdin.on('error', () => {});
    child.once('error', () => resolve(undefined));
    child.once('close', (code) => resolve(code === 0 ? output : undefined));
    child.stdin.end(input);
  });
}
