import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { messageOf } from '../../agent/errors.ts';
import type { ComposedText } from '../../terminal/editor/terminal-ports.ts';
import { errorCode } from '../../text/error-code.ts';
import { type Projects, trustedEnvironment } from '../system.ts';

/**
 * Lets the user edit a text in the program that `VISUAL` or `EDITOR` names, which gets the terminal, in a file that only
 * its owner may read. The program is none of `projects`. Never rejects.
 */
export async function composeText(text: string, projects: Projects): Promise<ComposedText> {
  try {
    return { text: await editInFile(text, projects) };
  } catch (error) {
    return { failure: messageOf(error) };
  }
}

async function editInFile(text: string, projects: Projects): Promise<string> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'ybs-message-'));
  const file = path.join(directory, 'message.md');
  try {
    await writeFile(file, text === '' ? '' : `${text}\n`, { mode: 0o600 });
    await runEditor(file, projects);
    const edited = await readFile(file, 'utf8').catch((error: unknown) => {
      throw errorCode(error) === 'ENOENT' ? new Error(REMOVED) : error;
    });
    return edited.replace(/(?:\r?\n)+$/, '');
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function runEditor(file: string, projects: Projects): Promise<void> {
  const isWindows = process.platform === 'win32';
  const env = trustedEnvironment(projects);
  const program = env['VISUAL'] || env['EDITOR'] || (isWindows ? 'notepad' : 'vi');
  // The variable is a command with its arguments, such as `code --wait`, for the shell.
  const [shell, args]: [string, readonly string[]] = isWindows
    ? ['cmd.exe', ['/d', '/s', '/c', `"${program} "${file}""`]]
    : ['/bin/sh', ['-c', `${program} "$1"`, 'sh', file]];
  const child = spawn(shell, args, {
    ...{ stdio: 'inherit', windowsVerbatimArguments: isWindows },
    ...{ cwd: path.dirname(file), env },
  });
  const [code, signal] = await once(child, 'close');
  if (code === 0) return;
  const ending = code === null ? `was ended by ${signal}` : `failed with exit code ${code}`;
  throw new Error(`The editor ${program} ${ending}${code === NOT_FOUND ? ': there is no such program' : ''}.`);
}

const REMOVED = 'The editor removed the file of the message, so the message stays as it was.';

/** The exit code of a POSIX shell that does not find a program. */
const NOT_FOUND = 127;
