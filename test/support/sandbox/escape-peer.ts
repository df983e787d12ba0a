import { spawn } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

// Runs one command as an embedder of @anthropic-ai/sandbox-runtime would, for `npm run compare:sandbox`: the arguments are
// the command, the home directory and the workspace. SANDBOX_RUNTIME is the directory of the package.

/** The part of the package that is used. */
interface SandboxManager {
  initialize(config: object): Promise<void>;
  wrapWithSandbox(command: string, shell?: string): Promise<string>;
  reset(): Promise<void>;
}

const [, , command = '', home = '', workspace = ''] = process.argv;
const entry = path.join(process.env['SANDBOX_RUNTIME'] ?? '', 'dist/index.js');
const { SandboxManager: manager }: { SandboxManager: SandboxManager } = await import(pathToFileURL(entry).href);
process.chdir(workspace);
// The same paths as in the tests of the sandbox of ybs, as far as the configuration can name them.
await manager.initialize({
  network: { allowedDomains: [], deniedDomains: [] },
  filesystem: {
    denyRead: [
      ...['.ssh', '.netrc', '.config'].map((name) => path.join(home, name)),
      ...['.env', '.env.local', '.envrc', '**/*.pem'].map((name) => path.join(workspace, name)),
    ],
    allowWrite: [workspace],
    denyWrite: ['tools', '.ybs.json', '.envrc', 'scripts/checks', '.github/workflows'].map((name) =>
      path.join(workspace, name),
    ),
  },
});
const wrapped = await manager.wrapWithSandbox(command, '/bin/bash');
const child = spawn('/bin/bash', ['--noprofile', '--norc', '-c', wrapped], {
  cwd: workspace,
  env: { PATH: process.env['PATH'], HOME: home },
  stdio: 'inherit',
});
process.on('SIGTERM', () => child.kill('SIGKILL'));
await new Promise((resolve) => child.once('exit', resolve));
await manager.reset();
process.exit(0);
