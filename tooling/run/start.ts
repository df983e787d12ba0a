// `npm start`: runs the agent with its embedded mock model in a temporary copy of a small project.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, realpathSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fillRows } from '../../src/text/fill-rows.ts';

const root = path.join(import.meta.dirname, '../..');
const bin = path.join(root, 'dist/ybs.js');
const COPY = 'ybs-playground-';
const FULL_ACCESS = path.join(import.meta.dirname, 'full-access.json');

if (!existsSync(bin)) {
  console.error('dist/ybs.js is missing. Build it first: npm run build');
  process.exit(1);
}

const given = process.argv.slice(2);
const continues = given.some((each) => /^(?:--continue|--resume(?:=.*)?)$/.test(each));
if (given.some((each) => ['-h', '--help', '--version'].includes(each))) start(given);
else {
  const cwd = given.find((each) => each.startsWith('--cwd='))?.slice(6) ?? given[given.indexOf('--cwd') + 1];
  const isGiven = given.some((each) => /^--cwd(?:=|$)/.test(each));
  // A directory of the user is no copy, so the usual rules apply.
  if (isGiven && !copies().includes(path.resolve(cwd ?? '.'))) start(['--provider', 'mock', ...given]);
  else startInCopy((isGiven ? cwd : continues ? copies()[0] : undefined) ?? copyPlayground());
}

/** The copies of this user, the newest first. */
function copies(): readonly string[] {
  const directory = realpathSync(os.tmpdir());
  const found = readdirSync(directory).filter((name) => name.startsWith(COPY));
  return found
    .map((name) => path.join(directory, name))
    .map((file) => ({ file, stat: statSync(file, { throwIfNoEntry: false }) }))
    .filter(({ stat }) => stat?.uid === os.userInfo().uid)
    .sort((one, other) => (other.stat?.birthtimeMs ?? 0) - (one.stat?.birthtimeMs ?? 0))
    .map(({ file }) => file);
}

/** Starts the agent in a copy of the playground. */
function startInCopy(workspace: string): void {
  const isModeGiven = given.some((each) => /^--permission-mode(?:=|$)/.test(each));
  // Unlike an option, a file keeps a stricter mode of the session that is continued.
  const full = continues ? ['--config', FULL_ACCESS] : ['--permission-mode', 'full-access'];
  const mode = isModeGiven ? 'as given' : continues ? 'full access, or the stricter one of the session' : 'full access';
  const lines = [
    `Workspace: ${workspace}, a copy of examples/playground. You can delete it afterwards.`,
    `Mode: ${mode}, unsandboxed, because all commands come from the bundled stories. No data leaves this machine.`,
    'Command: write "npm start --" where ybs says "ybs", for instance: npm start -- --continue',
  ];
  const columns = process.stderr.isTTY ? process.stderr.columns : Number.POSITIVE_INFINITY;
  console.error(`${lines.map((line) => fillRows(line, columns)).join('\n')}\n`);
  start(['--provider', 'mock', ...(isModeGiven ? [] : full), '--no-sandbox', '--cwd', workspace, ...given]);
}

function copyPlayground(): string {
  try {
    const directory = realpathSync(mkdtempSync(path.join(os.tmpdir(), COPY)));
    cpSync(path.join(root, 'examples/playground'), directory, { recursive: true });
    return directory;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.error(
      `examples/playground cannot be copied to ${os.tmpdir()}: ${reason}\nFree some space there, or set TMPDIR.`,
    );
    process.exit(1);
  }
}

function start(args: readonly string[]): void {
  const child = spawn(process.execPath, [bin, ...args], { stdio: 'inherit' });

  // The terminal sends Ctrl-C to both processes; the agent handles it.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('error', (error) => {
    console.error(`${bin} could not be started: ${error.message}`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (signal === null ? 0 : os.constants.signals[signal]);
  });
}
