import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { SandboxedPlaces } from './sandboxed-run.ts';

/** A directory that the sandbox does not hide, unlike /tmp. */
export function createScratch(): string {
  const base = process.geteuid?.() === 0 ? '/var/lib' : (process.env['PROBE_BASE'] ?? os.userInfo().homedir);
  return mkdtempSync(path.join(realpathSync(base), 'ybs-escape-'));
}

/** The `.git` of a new repository, which plain git makes once. */
let emptyRepository: string | undefined;

function createEmptyRepository(): string {
  const directory = createScratch();
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  const env = { PATH: process.env['PATH'], HOME: directory };
  execFileSync('git', ['init', '-q', '--template=', '.'], { cwd: directory, env });
  return path.join(directory, '.git');
}

/** Fills the home directory and the workspace of a command. */
export function prepare(scratch: string): SandboxedPlaces {
  const files = {
    'home/.ssh/id_rsa': 'ESCAPED',
    'home/.netrc': 'ESCAPED',
    'home/.config/token': 'ESCAPED',
    'home/.bashrc': '',
    'w/.env': 'ESCAPED=1\n',
    'w/keys/server.pem': 'ESCAPED',
    'w/settings.txt': 'ESCAPED',
    'w/.envrc': 'export KEY=ESCAPED',
    'w/.ybs.json': '{}',
    'w/tools/lint': 'lint',
    'w/scripts/checks/pre-commit': 'true',
    'w/.github/workflows/ci.yml': 'on: push',
    'w/.vscode/tasks.json': '{}',
    'w/main.txt': 'text\n',
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(scratch, name)), { recursive: true });
    writeFileSync(path.join(scratch, name), text);
  }
  symlinkSync('settings.txt', path.join(scratch, 'w/.env.local'));
  const workspace = path.join(scratch, 'w');
  emptyRepository ??= createEmptyRepository();
  cpSync(emptyRepository, path.join(workspace, '.git'), { recursive: true });
  mkdirSync(path.join(workspace, '.git/hooks'), { recursive: true });
  appendFileSync(path.join(workspace, '.git/config'), '[core]\n\thooksPath = scripts/checks\n');
  return { home: path.join(scratch, 'home'), workspace };
}
