// `npm start`: the agent on its embedded mock model, in a copy of a small real project that it may change at will.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, realpathSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const bin = path.join(root, 'dist/ybs.js');

if (!existsSync(bin)) {
  console.error('dist/ybs.js is missing. Build it first: npm run build');
  process.exit(1);
}

const scratch = copyPlayground();
console.error(`Workspace: ${scratch}, a copy of examples/playground that is yours to keep or delete.
Mode: full access, unsandboxed, because every command comes from our own stories. Nothing leaves this machine.
`);

function copyPlayground(): string {
  try {
    const directory = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'ybs-playground-')));
    cpSync(path.join(root, 'examples/playground'), directory, { recursive: true });
    return directory;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.error(`examples/playground cannot be copied to ${os.tmpdir()}: ${reason}\nMake room there, or set TMPDIR.`);
    process.exit(1);
  }
}

const args = ['--provider', 'mock', '--permission-mode', 'full-access', '--cwd', scratch, ...process.argv.slice(2)];
const child = spawn(process.execPath, [bin, ...args], { stdio: 'inherit' });

// The terminal sends Ctrl-C to both of us; what it means is the agent's decision.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.on('error', (error) => {
  console.error(`${bin} could not be started: ${error.message}`);
  process.exitCode = 1;
});
child.on('exit', (code, signal) => {
  process.exitCode = code ?? 128 + (signal === null ? 0 : os.constants.signals[signal]);
});
