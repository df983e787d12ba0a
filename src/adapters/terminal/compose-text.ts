import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/**
 * Lets the user edit a text in the program that `VISUAL` or `EDITOR` names, which gets the terminal, in a file that only
 * its owner may read. Returns `undefined` if the program fails. Rejects if the file cannot be written or read.
 */
export async function composeText(text: string): Promise<string | undefined> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'ybs-message-'));
  const file = path.join(directory, 'message.md');
  try {
    await writeFile(file, text === '' ? '' : `${text}\n`, { mode: 0o600 });
    const edited = await runEditor(file);
    return edited ? (await readFile(file, 'utf8')).replace(/(?:\r?\n)+$/, '') : undefined;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function runEditor(file: string): Promise<boolean> {
  const isWindows = process.platform === 'win32';
  const program = process.env['VISUAL'] || process.env['EDITOR'] || (isWindows ? 'notepad' : 'vi');
  // The variable is a command with its arguments, such as `code --wait`, for the shell.
  const [shell, args]: [string, readonly string[]] = isWindows
    ? ['cmd.exe', ['/d', '/s', '/c', `"${program} "${file}""`]]
    : ['/bin/sh', ['-c', `${program} "$1"`, 'sh', file]];
  return new Promise((resolve) => {
    const child = spawn(shell, args, { stdio: 'inherit', windowsVerbatimArguments: isWindows });
    child.on('error', () => resolve(false));
    child.on('close', (code) => resolve(code === 0));
  });
}
