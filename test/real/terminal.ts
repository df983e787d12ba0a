import { stripVTControlCharacters } from 'node:util';
import { spawn } from '@lydell/node-pty';
import { declineTrust } from '../support/screens/decline-trust.ts';
import { type YbsOptions, ybsCommand } from './run-ybs.ts';

/** Types a line into the chat of ybs and resolves with the output when it matches; then leaves. */
export async function typeInChat(line: string, wanted: RegExp, options: YbsOptions): Promise<RegExpMatchArray> {
  const { file, args, environment } = await ybsCommand([], options);
  declineTrust(options.desk.workspace, environment);
  const size = { cols: 120, rows: 40 };
  const child = spawn(file, [...args], {
    ...size,
    cwd: options.desk.workspace,
    env: { ...environment, TERM: 'xterm' },
  });
  let output = '';
  let typed = false;
  try {
    return await new Promise((resolve, reject) => {
      child.onData((text) => {
        output += text;
        const shown = stripVTControlCharacters(output);
        if (!typed && /(^|\n)\s*(?:›|>|❯) ?$/m.test(shown)) {
          typed = true;
          child.write(`${line}\r`);
        }
        const match = shown.match(wanted);
        if (match !== null) resolve(match);
      });
      child.onExit(() => reject(new Error(`the chat ended without ${wanted}:\n${stripVTControlCharacters(output)}`)));
    });
  } finally {
    child.kill('SIGKILL');
  }
}
