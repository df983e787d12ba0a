// The transcript in README.md: a real run of the built `ybs` on the embedded mock. `node scripts/transcript.ts` writes
// it there; a test compares.

import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { execa } from 'execa';

const root = path.join(import.meta.dirname, '..');
const PROMPT = 'fix the failing test';
const BLOCK = /(<!-- transcript: .* -->\n)[\s\S]*?(<!-- \/transcript -->)/;

/** Runs the bin once and returns what a reader sees, without what differs from run to run. */
export async function recordTranscript(bin: string): Promise<string> {
  const temporary = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'ybs-transcript-')));
  const workspace = path.join(temporary, 'playground');
  try {
    cpSync(path.join(root, 'examples/playground'), workspace, { recursive: true });
    const args = [bin, '--provider', 'mock', '--permission-mode', 'full-access', '--cwd', workspace, PROMPT];
    const environment = { PATH: process.env['PATH'] ?? '', HOME: temporary, USERPROFILE: temporary };
    const { stdout } = await execa(process.execPath, args, { env: environment, extendEnv: false, stdin: 'ignore' });
    return shorten(stdout);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/**
 * Keeps of a command's output only the names and numbers of the tests, and sets every duration to one tenth of a
 * second. Token counts differ with the length of the path, so they go.
 */
export function shorten(output: string): string {
  const lines = output.split('\n').filter((line) => /^( {0,3}\S| {4}(✔|✖ (?!failing)|ℹ (pass|fail) ))/.test(line));
  const kept = lines.filter((line) => !/^\d+ tokens in, \d+ out$/.test(line));
  return kept
    .join('\n')
    .replaceAll(/ \(\d+(\.\d+)?ms\)/g, '')
    .replaceAll(/after \d+\.\d s/g, 'after 0.1 s');
}

/** README.md with this transcript in its place. */
export function insertTranscript(readme: string, transcript: string): string {
  if (!BLOCK.test(readme)) throw new Error('README.md has no place for the transcript.');
  const block = `\`\`\`text\n$ npm start -- "${PROMPT}"\n${transcript}\n\`\`\`\n`;
  return readme.replace(BLOCK, (_all, start: string, end: string) => `${start}${block}${end}`);
}

if (process.argv[1] === import.meta.filename) {
  const file = path.join(root, 'README.md');
  const transcript = await recordTranscript(path.join(root, 'dist/ybs.js'));
  await writeFile(file, insertTranscript(await readFile(file, 'utf8'), transcript));
}
