import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { execa } from 'execa';

const root = path.join(import.meta.dirname, '../..');
const PROMPT = 'fix the failing test';

/** The command of a real run on the embedded mock model and its output, without the parts that vary between runs. */
export async function recordTranscript(bin: string): Promise<string> {
  const temporary = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'ybs-transcript-')));
  const workspace = path.join(temporary, 'playground');
  try {
    cpSync(path.join(root, 'examples/playground'), workspace, { recursive: true });
    // These are the options of `npm start`.
    const mode = ['--permission-mode', 'full-access', '--no-sandbox'];
    const args = [bin, '--provider', 'mock', ...mode, '--cwd', workspace, PROMPT];
    // The report of the tests depends on the version of Node, so that commands must find this one first.
    const searchPath = [path.dirname(process.execPath), process.env['PATH']].join(path.delimiter);
    const environment = { PATH: searchPath, HOME: temporary, USERPROFILE: temporary };
    const { stdout } = await execa(process.execPath, args, { env: environment, extendEnv: false, stdin: 'ignore' });
    return `$ npm start -- "${PROMPT}"\n${shorten(stdout)}`;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/**
 * Reduces the output of the test command to names and numbers of tests, sets every duration to a tenth of a second and
 * removes the token counts, which depend on the length of the temporary path.
 */
function shorten(output: string): string {
  let inCommand = false;
  const lines = output.split('\n').filter((line) => {
    if (/^(?:▌ \S|[^▌])/.test(line)) inCommand = line.startsWith('▌ ● run ');
    return !inCommand || /^(?:[^▌]|▌ {1,4}\S|▌ {5}(?:✔|✖ (?!failing)|ℹ (?:pass|fail) ))/.test(line);
  });
  const kept = lines.filter((line) => !/^▌ [\d,]+ tokens in, [\d,]+ out$/.test(line));
  return kept
    .join('\n')
    .replaceAll(/ \(\d+(\.\d+)?ms\)/g, '')
    .replaceAll(/after \d+(?:\.\d)? s/g, 'after 0.1 s');
}
