// `npm start`: runs the agent with its embedded mock model in a temporary copy of a small project.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, realpathSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fillRows } from '../../src/text/fill-rows.ts';

const root = path.join(import.meta.dirname, '../..');
const bin = path.join(root, 'dist/ybs.js');

if (!existsSync(bin)) {
  console.error('dist/ybs.js is missing. Build it first: npm run build');
  process.exit(1);
}

const given = process.argv.slice(2);
if (given.some((each) => ['-h', '--help', '--version'].includes(each))) start(given);
// A directory of the user is no copy, so the usual rules apply.
else if (given.some((each) => /^--cwd(?:=|$)/.test(each))) start(['--provider', 'mock', ...given]);
else startInCopy();

/** Starts the agent in a new copy of the playground. */
function startInCopy(): void {
  const workspace = copyPlayground();
  const lines = [
    `Workspace: ${workspace}, a copy of examples/playground. You can delete it afterwards.`,
    'Mode: full access, unsandboxed, because all commands come from the bundled stories. No data leaves this machine.',
    'Command: write "npm start --" where ybs says "ybs", for instance: npm start -- --resume NAME',
  ];
  const columns = process.stderr.isTTY ? process.stderr.columns : Number.POSITIVE_INFINITY;
  console.error(`${lines.map((line) => fillRows(line, columns)).join('\n')}\n`);
  start(['--provider', 'mock', '--permission-mode', 'full-access', '--no-sandbox', '--cwd', workspace, ...given]);
}

function copyPlayground(): string {
  try {
    const directory = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'ybs-playground-')));
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
