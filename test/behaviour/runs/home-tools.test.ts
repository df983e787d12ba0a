import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { missingSandbox } from '../../support/sandbox/require-sandbox.ts';
import { playDecisions } from '../../support/stories/decided-run.ts';
import { run } from '../decisions/rows.ts';

const noSandbox = await missingSandbox();

/**
 * Programs at the places of their installers, as [name, program, what it needs]: the program reads the file as its version.
 * The program of a link is where the link leads.
 */
const TOOLS: readonly (readonly [name: string, program: string, needs: string, link?: string])[] = [
  ['nvm', '.nvm/versions/node/v20.1.0/bin/nvm-node', '.nvm/alias/default'],
  [
    'fnm',
    '.local/share/fnm/node-versions/v20/installation/bin/fnm-node',
    '.local/share/fnm/aliases',
    '.local/state/fnm_multishells/1_2/bin/fnm-shell',
  ],
  ['volta', '.volta/bin/volta-node', '.volta/tools/image/node/20/package.json'],
  ['asdf', '.asdf/shims/asdf-node', '.asdf/installs/nodejs/20/version'],
  ['asdf since 0.16', 'bin/asdf-new', '.tool-versions'],
  ['mise', '.local/share/mise/shims/mise-node', '.local/share/mise/installs/node/20/version'],
  ['the settings of mise', '.local/bin/mise-set', '.config/mise/config.toml'],
  ['proto', '.proto/shims/proto-node', '.proto/tools/node/20/version'],
  ['pyenv', '.pyenv/shims/pyenv-python', '.pyenv/versions/3.12/pyvenv'],
  ['conda', 'miniconda3/bin/conda-python', 'miniconda3/lib/python3.12/os.py'],
  ['rbenv', '.rbenv/shims/rbenv-ruby', '.rbenv/versions/3.3/ruby'],
  ['rustup', '.cargo/bin/rustup-cargo', '.rustup/toolchains/stable/lib/version'],
  ['sdkman', '.sdkman/candidates/java/current/bin/sdk-java', '.sdkman/candidates/java/current/release'],
  ['goenv', '.goenv/shims/goenv-go', '.goenv/versions/1.22/VERSION'],
  ['go install', 'go/bin/gopls', 'go/pkg/mod/x/version'],
  ['pnpm', '.local/share/pnpm/pnpm-tool', '.local/share/pnpm/global/5/tool.js'],
  ['yarn', '.yarn/bin/yarn-tool', '.config/yarn/global/tool.js'],
  ['corepack', 'bin/corepack-pnpm', '.cache/node/corepack/v1/pnpm/9.0.0/pnpm.js'],
  ['bun', '.bun/bin/bun-tool', '.bun/install/global/tool.js'],
  ['deno', '.deno/bin/deno-tool', '.deno/bin/deno-tool'],
  ['uv', '.local/bin/uv-tool', '.local/share/uv/python/3.12/version'],
  ['pipx', '.local/share/pipx/venvs/black/bin/black', '.local/share/pipx/venvs/black/pyvenv.cfg', '.local/bin/black'],
  ['pip --user', '.local/bin/pip-tool', '.local/lib/python3.12/tool.py'],
  ['poetry', '.local/bin/poetry-tool', '.cache/pypoetry/virtualenvs/app/pyvenv.cfg'],
  ['npm install -g', '.npm-global/lib/node_modules/t/cli', '.npm-global/lib/node_modules/u/a.js', '.npm-global/bin/t'],
  ['npm of any prefix', 'tools/x/lib/node_modules/e/cli', 'tools/x/lib/node_modules/f/a.js', 'tools/x/bin/e'],
  ['a prefix of its own', 'opt/zig/bin/zig', 'opt/zig/lib/std'],
  ['a program by hand', 'projects/mine/bin/mine', 'projects/mine/lib/mine.txt', '.local/bin/mine'],
];
const SECRETS = [
  ...['.ssh/id_rsa', '.npmrc', '.cargo/credentials.toml', '.config/gh/hosts.yml', '.git-credentials', 'notes.txt'],
  ...['projects/mine/.env', 'projects/other/main.c', '.local/share/keyrings/login', '.work'],
  ...['tools/x/private.txt', '.config/pip/pip.conf', '.gradle/gradle.properties', '.m2/settings.xml', 'named/.env'],
];

const GIT = '[safe]\n\tdirectory = *\n[init]\n\tdefaultBranch = trunk\n[core]\n\texcludesFile = ~/.ignored\n';
const SECRET_GIT =
  '[credential]\n\thelper = store\n[url "https://ada:hunter22@example.org/"]\n\tinsteadOf = https://example.org/\n' +
  '[http]\n\textraHeader = Authorization: hunter22\n[include]\n\tpath = ~/.gitconfig-work\n';

const COMMANDS = [
  TOOLS.map(([name, program, , link]) => `echo "$(${path.basename(link ?? program)} 2>&1)"; : ${name}`).join('\n'),
  `cd ~; for f in ${SECRETS.join(' ')}; do cat "$f" 2>/dev/null && echo "LEAKED $f"; done; cat .gitconfig named/lib.txt`,
  'git init -q g && cd g && touch a seen.ignored && git add . && git commit -qm one && git log --format="<%an %ae>" && git ls-files && git branch --show-current; git config --list',
  'echo lock > ~/.volta/tmp/lock && cat ~/.volta/tmp/lock; echo x > ~/.volta/bin/volta-node; touch ~/new && ls ~/new; echo "proxy $GOPROXY"',
  'echo x > ~/lost.txt; cat ~/notes.txt',
  'git -C borrows log --format=%s',
  'python3 --version; pip --version; go version; npm --version; node -p 1+1',
  // A program that retried for as long as npm does by default would reach the time limit.
  'npm view left-pad version; echo end',
];

describe.skipIf(process.platform !== 'linux' || noSandbox !== undefined)('in a hidden home directory', () => {
  it('programs of the user work, and other files are not visible', async () => {
    const programs = TOOLS.map(([name, program, needs]) => [name, program, needs] as const);
    const directories = TOOLS.map(([, program, , link]) => path.dirname(link ?? program));
    const { calls, home } = await playDecisions([COMMANDS.map((command) => run(command))], {
      trusted: true,
      options: ['--permission-mode', 'full-access'],
      config: { safety: { sandbox_readable_paths: ['~/named'] } },
      environment: { PATH: `${[...new Set(directories)].map((each) => `~/${each}`).join(':')}:${process.env['PATH']}` },
      files: {
        ...Object.fromEntries(SECRETS.map((name) => [name, 'password = hunter22\n'])),
        'named/lib.txt': 'library\n',
        '.gitconfig': GIT + SECRET_GIT,
        '.gitconfig-work': '[user]\n\tname = Ada\n\temail = ada@example.org\n',
        '.ignored': '*.ignored\n',
        'go/pkg/mod/cache/download/x': '',
      },
      prepare(place) {
        for (const [name, program, needs] of programs) {
          for (const file of [program, needs]) mkdirSync(path.dirname(path.join(place, file)), { recursive: true });
          writeFileSync(path.join(place, needs), `version of ${name}\n`);
          writeFileSync(path.join(place, program), `#!/bin/sh\n# version of ${name}\ncat '${place}/${needs}'\n`);
          chmodSync(path.join(place, program), 0o755);
        }
        mkdirSync(path.join(place, '.volta/tmp'), { recursive: true });
        for (const [, program, , link] of TOOLS) {
          if (link === undefined) continue;
          mkdirSync(path.dirname(path.join(place, link)), { recursive: true });
          symlinkSync(path.join(place, program), path.join(place, link));
        }
        // A repository that borrows objects of another one.
        execFileSync('git', ['init', '-q', path.join(place, 'store')]);
        const commit = ['-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'borrowed'];
        execFileSync('git', ['-C', path.join(place, 'store'), ...commit]);
        execFileSync('git', ['clone', '-q', '--shared', path.join(place, 'store'), path.join(place, 'ws/borrows')]);
      },
    });
    const [tools = '', files = '', git = '', writes = '', lost = '', borrowed = '', machine = '', npm = ''] = calls.map(
      ({ reads }) => reads,
    );
    for (const [name] of TOOLS) expect.soft(tools).toContain(`version of ${name}\n`);
    // Secrets and other files that are not programs stay hidden, unless the user names them.
    expect.soft(files).not.toMatch(/LEAKED|hunter22/);
    expect.soft(files).toContain('library');
    // git has the name, the settings and the ignored files of the user, and no helper for credentials.
    expect.soft(git).toContain('<Ada ada@example.org>\na\ntrunk\n');
    expect.soft(git).toContain('safe.directory=*');
    expect.soft(git).not.toMatch(/hunter22|helper=store|extraheader/i);
    // The model is told that the file exists, but is hidden.
    expect.soft(lost).toContain('The other files of the user are there, but hidden');
    expect.soft(borrowed).toContain('borrowed\n');
    // Files that a program writes are removed at the end, and the programs do not change.
    expect.soft(writes).toContain('lock\n');
    expect.soft(writes).toMatch(/volta-node: Read-only file system/);
    expect.soft(writes).toContain('~/new\n');
    expect.soft(writes).toContain('proxy file://~/go/pkg/mod/cache/download,https://proxy.golang.org,direct');
    expect.soft(readFileSync(path.join(home, '.volta/bin/volta-node'), 'utf8')).toContain('version of volta');
    expect.soft(existsSync(path.join(home, 'new'))).toBe(false);
    // The tools of this machine.
    expect.soft(machine).toMatch(/^2$/m);
    if (isInstalled('python3')) expect.soft(machine).toMatch(/^Python 3/m);
    if (isInstalled('npm')) expect.soft(machine).toMatch(/^\d+\.\d+\.\d+$/m);
    if (isInstalled('npm')) expect.soft(npm).toMatch(/EAI_AGAIN|ENOTFOUND|ENETUNREACH|ECONNREFUSED/);
    expect.soft(npm).toMatch(/^end$/m);
    if (isInstalled('go')) expect.soft(machine).toMatch(/^go version/m);
  });
});

function isInstalled(program: string): boolean {
  return (process.env['PATH'] ?? '').split(':').some((directory) => existsSync(path.join(directory, program)));
}
