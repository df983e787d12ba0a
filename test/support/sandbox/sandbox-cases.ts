import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import process from 'node:process';
import type { ShellCommand } from '../../../src/agent/ports/shell.ts';
import type { SandboxSettings } from '../../../src/policy/sandbox/rules.ts';
import { runInSandbox } from './sandboxed-run.ts';

// Runs the cases below as the user that starts this file, and prints a line of JSON for each.

/** A home directory and a workspace in it, in which commands run in the sandbox. */
interface Bench {
  readonly home: string;
  readonly workspace: string;
  write(file: string, text: string): void;
  read(file: string): string;
  git(...args: readonly string[]): string;
  /** Output of a command, with its exit code. */
  run(
    command: string,
    more?: Pick<ShellCommand, 'network' | 'localSockets' | 'searched' | 'readOnly'>,
    settings?: Partial<SandboxSettings>,
  ): Promise<string>;
  /** The same with another workspace. */
  at(workspace: string): Bench;
}

/** A case: an action, and its expected result. */
export interface SandboxCase {
  readonly name: string;
  readonly run: (bench: Bench) => Promise<unknown>;
  readonly expected: unknown;
}

/** The directory of the repository that `repository` copies, which is created with the first one. */
let template: string | undefined;

function createTemplate({ home, at }: Bench): string {
  const directory = path.join(path.dirname(home), 'template');
  const { write, git } = at(directory);
  for (const file of ['.env', 'a.txt', '.npmrc', 'certs/server.key']) write(file, `SECRET ${file}\n`);
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'one');
  return directory;
}

/** A repository with a tracked secret, of which the file `changed` has another content. */
function repository(bench: Bench, changed?: '.env' | 'a.txt'): void {
  const { workspace, write, git } = bench;
  template ??= createTemplate(bench);
  cpSync(template, workspace, { recursive: true });
  // The index knows the files of the template.
  git('update-index', '--refresh', '-q');
  if (changed !== undefined) write(changed, 'CHANGED, and longer\n');
}

/** A command with a changed secret that git tracks: no file and no commit may lose anything. */
function keepsChangedSecret(command: string): SandboxCase {
  return {
    name: `${command}: loses nothing of a changed secret`,
    async run(bench) {
      repository(bench, '.env');
      bench.write('a.txt', 'other\n');
      const output = await bench.run(command);
      return [/\[exit 0\]$/.test(output), bench.read('.env'), bench.git('show', 'HEAD:.env')];
    },
    expected: [false, 'CHANGED, and longer\n', 'SECRET .env\n'],
  };
}

/** Cases that a command in the sandbox must meet, as root and as an ordinary user. */
export const SANDBOX_CASES: readonly SandboxCase[] = [
  {
    name: 'git add -A && git commit: stores what has changed, and keeps the secrets that git tracks',
    async run(bench) {
      repository(bench, 'a.txt');
      const output = await bench.run(
        'git status --short && git add -A && git commit -qm two && git show --stat --format=',
      );
      return [output, bench.read('.env'), bench.git('show', 'HEAD:.env'), bench.git('status', '--short')];
    },
    expected: [
      ' M a.txt\n a.txt | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n[exit 0]',
      'SECRET .env\n',
      'SECRET .env\n',
      '',
    ],
  },
  {
    name: 'git checkout: takes the secrets of another branch',
    async run(bench) {
      repository(bench);
      bench.git('checkout', '-qb', 'other');
      bench.write('.env', 'SECRET of the other\n');
      bench.git('commit', '-qam', 'two');
      return [await bench.run('git checkout -q -'), bench.read('.env')];
    },
    expected: ['[exit 0]', 'SECRET .env\n'],
  },
  ...['git add -A', 'git commit -qam two', 'git stash', 'git reset --hard -q', 'git checkout -- .'].map(
    keepsChangedSecret,
  ),
  {
    name: 'a program reads the secrets that git tracks, and no others',
    async run(bench) {
      repository(bench);
      bench.write('.env.local', 'SECRET\n');
      return bench.run('cat certs/server.key .npmrc; cat .env.local 2>/dev/null');
    },
    expected: 'SECRET certs/server.key\nSECRET .npmrc\n[exit 1]',
  },
  {
    name: 'a program reads no secret that has changed since it was committed',
    async run(bench) {
      repository(bench, '.env');
      return bench.run('cat .env 2>/dev/null');
    },
    expected: '[exit 1]',
  },
  {
    name: 'git diff: shows no content of secrets',
    async run(bench) {
      repository(bench, '.env');
      bench.git('rm', '-q', '--cached', '.npmrc');
      bench.write('a.txt', 'other\n');
      const outputs = [];
      for (const command of ['git diff', 'git diff --cached', 'git diff HEAD', 'git status --short']) {
        outputs.push(
          (await bench.run(command, { searched: [] })).split('\n').filter((line) => /^[-+B ?MD]/.test(line)),
        );
      }
      return outputs;
    },
    expected: [
      ['Binary files a/.env and b/.env differ', ...['--- a/a.txt', '+++ b/a.txt', '-SECRET a.txt', '+other']],
      ['Binary files a/.npmrc and /dev/null differ'],
      [
        'Binary files a/.env and b/.env differ',
        'Binary files a/.npmrc and /dev/null differ',
        ...['--- a/a.txt', '+++ b/a.txt', '-SECRET a.txt', '+other'],
      ],
      [' M .env', 'D  .npmrc', ' M a.txt', '?? .npmrc'],
    ],
  },
  {
    name: 'grep -r: finds no secret at any depth, tracked or not',
    async run(bench) {
      repository(bench);
      const deep = path.join(...Array.from({ length: 12 }, (_, index) => `d${index}`));
      for (const directory of [deep, 'node_modules/x', '.vscode', 'target'])
        bench.write(`${directory}/.env`, 'SECRET\n');
      bench.write(`${deep}/b.txt`, 'SECRET b.txt\n');
      const searched = await bench.run('grep -rl SECRET . 2>/dev/null', { searched: [bench.workspace] });
      const other = await bench.run('grep -rl SECRET . 2>/dev/null | grep -c "/[.]env$"');
      return [searched.split('\n').toSorted(), other];
    },
    // Without the result of the search, the sandbox hides neither tracked files nor those of packages.
    expected: [
      ['./a.txt', `./${Array.from({ length: 12 }, (_, index) => `d${index}`).join('/')}/b.txt`, '[exit 2]'],
      '4\n[exit 0]',
    ],
  },
  {
    name: 'a hidden home directory: has only the workspace and programs',
    async run({ run, home, write }) {
      writeFileSync(path.join(home, 'diary.txt'), 'SECRET\n');
      write('a.txt', 'a\n');
      const seen = await run('ls -A "$HOME"; cat a.txt; node --version | cut -c1', {}, { homeMode: 'hidden' });
      return [seen, (await run('ls -A "$HOME"')).includes('diary.txt')];
    },
    expected: ['.config\n.gitconfig\nw\na\nv\n[exit 0]', true],
  },
  {
    name: 'a worktree: commits, and changes neither settings nor hooks of its repository',
    async run(bench) {
      repository(bench);
      const worktree = path.join(bench.home, 'worktree');
      bench.git('worktree', 'add', '-q', worktree);
      const other = bench.at(worktree);
      other.write('b.txt', 'b\n');
      const output = await other.run('git add -A && git commit -qm two && git log --oneline | wc -l');
      const hooks = path.join(bench.workspace, '.git/hooks');
      const guarded = await other.run(`git config a.b c 2>/dev/null; echo x > ${hooks}/pre-commit`);
      return [output, guarded.includes('Read-only file system'), existsSync(path.join(hooks, 'pre-commit'))];
    },
    expected: ['2\n[exit 0]', true, false],
  },
  {
    name: 'the hooks that an included file names: cannot be changed or replaced',
    async run(bench) {
      repository(bench);
      bench.write('scripts/hooks/pre-commit', 'true\n');
      bench.write('team.gitconfig', '[core]\n\thooksPath = scripts/hooks\n');
      bench.git('config', 'include.path', '../team.gitconfig');
      await bench.run(
        'echo evil >> scripts/hooks/pre-commit; mv scripts old; mkdir -p scripts/hooks; echo evil > scripts/hooks/pre-commit',
      );
      return bench.read('scripts/hooks/pre-commit');
    },
    expected: 'true\n',
  },
  {
    name: 'a submodule: commits, and changes neither settings nor hooks of its repository',
    async run(bench) {
      const lib = bench.at(path.join(bench.home, 'lib'));
      mkdirSync(lib.workspace);
      repository(lib);
      repository(bench);
      bench.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', lib.workspace, 'sub');
      const sub = bench.at(path.join(bench.workspace, 'sub'));
      sub.write('b.txt', 'b\n');
      const output = await sub.run('git add -A && git commit -qm two && git log --oneline | wc -l');
      const config = path.join(bench.workspace, '.git/modules/sub/config');
      const guarded = await sub.run(`echo x >> ${config}`);
      return [output, guarded.includes('Read-only file system'), readFileSync(config, 'utf8').includes('x\n')];
    },
    expected: ['2\n[exit 0]', true, false],
  },
  {
    name: 'the caches: last from command to command, apart for each workspace',
    async run(bench) {
      const other = bench.at(path.join(bench.home, 'other'));
      mkdirSync(other.workspace);
      const [one, two] = [await bench.run('echo "$XDG_CACHE_HOME"'), await other.run('echo "$XDG_CACHE_HOME"')];
      await bench.run('echo kept > "$XDG_CACHE_HOME/a"; echo gone > /tmp/a');
      const again = await bench.run('cat "$XDG_CACHE_HOME/a" /tmp/a 2>/dev/null');
      return [one === two, again, await other.run(`cat ${one.split('\n')[0]}/a 2>/dev/null`)];
    },
    expected: [false, 'kept\n[exit 1]', '[exit 1]'],
  },
  {
    name: 'a workspace on the file system in memory: a command that changes nothing sees it, and nothing beside it',
    async run(bench) {
      const [workspace, other] = [mkdtempSync('/dev/shm/ybs-'), mkdtempSync('/dev/shm/ybs-')];
      try {
        const { write, run } = bench.at(workspace);
        write('a.txt', 'a\n');
        writeFileSync(path.join(other, 'a.txt'), 'SECRET\n');
        return await run(`cat a.txt; cat ${other}/a.txt 2>/dev/null`, { readOnly: true });
      } finally {
        for (const directory of [workspace, other]) rmSync(directory, { recursive: true });
      }
    },
    expected: 'a\n[exit 1]',
  },
  {
    name: 'the home directory: no new file beside the workspace, and no key of the user',
    async run({ run, home }) {
      mkdirSync(path.join(home, '.ssh'));
      writeFileSync(path.join(home, '.ssh/id_rsa'), 'SECRET\n');
      const output = await run('{ echo x > "$HOME/w/../new"; cat "$HOME/.ssh/id_rsa"; echo x > inside; } 2>/dev/null');
      return [output, existsSync(path.join(home, 'new')), existsSync(path.join(home, 'w/inside'))];
    },
    expected: ['[exit 0]', false, true],
  },
  {
    name: 'a process outside: gets no signal',
    async run({ run }) {
      const child = spawn('sleep', ['60']);
      const ended = new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
      const output = await run(`kill -TERM ${child.pid} 2>/dev/null`);
      child.kill('SIGKILL');
      return [output, await ended];
    },
    expected: ['[exit 1]', 'SIGKILL'],
  },
  {
    name: 'the network: for one command alone',
    async run({ run }) {
      const server = net.createServer((socket) => void socket.on('error', () => {}).end('REACHED\n'));
      await new Promise<void>((resolve) => server.listen({ host: '127.0.0.1', port: 0 }, resolve));
      const address = server.address();
      if (address === null || typeof address === 'string') throw new Error('the server has no port');
      const command = `cat < /dev/tcp/127.0.0.1/${address.port} 2>/dev/null`;
      const outputs = [await run(command, { network: true }), await run(command)];
      server.close();
      return outputs.map((output) => output.includes('REACHED'));
    },
    expected: [true, false],
  },
];

function openBench(home: string, workspace: string): Bench {
  const at = (file: string): string => path.join(workspace, file);
  return {
    home,
    workspace,
    write(file, text) {
      mkdirSync(path.dirname(at(file)), { recursive: true });
      writeFileSync(at(file), text);
    },
    read: (file) => readFileSync(at(file), 'utf8'),
    git: (...args) =>
      execFileSync('git', args, {
        cwd: workspace,
        env: { PATH: process.env['PATH'], HOME: home, GIT_CONFIG_NOSYSTEM: '1' },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    async run(command, more = {}, settings = {}) {
      const { output, exit } = await runInSandbox(
        { command, ...more },
        { home, workspace },
        AbortSignal.timeout(60_000),
        settings,
      );
      return `${output}[exit ${exit.exitCode}]`;
    },
    at: (other) => openBench(home, other),
  };
}

/** An identity, without the maintenance processes after each commit. */
const GIT_SETTINGS = `[init]
	defaultBranch = main
[user]
	name = a
	email = a@example.com
[maintenance]
	auto = false
`;

async function main([base = '', wanted = '']: readonly string[]): Promise<void> {
  for (const { name, run } of SANDBOX_CASES.filter((each) => each.name.includes(wanted))) {
    const home = mkdtempSync(path.join(base, 'home-'));
    const workspace = path.join(home, 'w');
    mkdirSync(workspace);
    writeFileSync(path.join(home, '.gitconfig'), GIT_SETTINGS);
    try {
      const result = await run(openBench(home, workspace));
      process.stdout.write(`${JSON.stringify({ name, result })}\n`);
    } catch (error) {
      process.stdout.write(`${JSON.stringify({ name, result: String(error) })}\n`);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  }
}

if (process.argv[1] === import.meta.filename) await main(process.argv.slice(2));
