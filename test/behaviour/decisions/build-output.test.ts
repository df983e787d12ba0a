import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { startInTerminal } from '../../support/processes/pty.ts';
import { runBin } from '../../support/processes/run-bin.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';
import { missingSandbox } from '../../support/sandbox/require-sandbox.ts';
import { startRecordingServer } from '../../support/wires/recording-server.ts';

/** The commands of a session in which the first question gets the answer `x`, and whether each asks. */
const COMMANDS: readonly (readonly [command: string, asks: boolean])[] = [
  ['touch made.txt', true],
  ['sh make.sh', false],
  ['rm -r lib', false],
  // A copy of a file of the user that is changed then, and one in a submodule that has another commit then
  ['sh swap.sh', false],
  ['sed -i s/a/b/ local.bak', true],
  ['sh commit.sh', false],
  ['sed -i s/a/b/ module/mine.txt', true],
  // An older entry of the stash
  ['git stash pop "stash@{1}"', false],
  ['sed -i s/a/b/ make.sh', true],
  ['rm -rf dist', false],
  ['rm -rf node_modules coverage/*', false],
  ['rm -r lib2', false],
  // What was in a file of the user that is gone
  ['sh take.sh', false],
  ['sed -i s/a/b/ all.txt', true],
  // What is behind a link, what only some programs find, and what is no comment
  ['find -L linked -name "*.png" -delete', true],
  ['npx rimraf "{pictures,lib}"', true],
  ["rm '#'*", true],
  ['x=1; echo $x > build/a.js', false],
  [`ls | xargs -I{} sh -c 'echo {} > /tmp/again-{}.log'`, false],
  // The same names where git does not ignore them, where a file is in the index, and with what is not made by tools
  ['rm -rf pkg/dist', true],
  ['rm -rf web/build', true],
  ['rm -rf notes', true],
  ['rm -rf target', true],
  ['rm -rf htmlcov', true],
  // Its rule is not committed.
  ['rm -rf sub/build', true],
  // Its rule ignores itself, so that git does not name it as a new file.
  ['rm -rf hidden/build', true],
  ['mv keep.txt build/', false],
  ['rm -rf build', true],
];

const noSandbox = await missingSandbox();

it.skipIf(noSandbox !== undefined)(
  'after `x`, build output that git ignores is removed without a question, and nothing else is',
  { timeout: 120_000 },
  async () => {
    const home = temporaryDirectory();
    const directory = path.join(home, 'ws');
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: directory, stdio: 'ignore' });
    writeFiles(home, {
      'ws/.gitignore': '/dist/\nnode_modules\n/coverage\n/build\nweb/build\nnotes/\ntarget/\nhtmlcov\n',
      'ws/web/build/index.html': 'in the index',
    });
    git('init', '-q');
    writeFiles(home, {
      'ws/make.sh': 'mkdir lib lib2; echo made > lib/a.js; echo also made > lib2/a.js',
      'ws/take.sh': 'cat data/*.txt > all.txt; rm data/list.txt',
      'ws/swap.sh': 'cp local.conf local.bak; echo new > local.conf',
      'ws/commit.sh':
        'cd module; git -c user.name=a -c user.email=a@b commit -q --allow-empty -m two; echo >> mine.txt',
      'ws/module/a.txt': 'a',
    });
    for (const args of [
      ['init', '-q'],
      ['add', '-A'],
      ['commit', '-qm', 'one'],
    ])
      git('-C', 'module', ...args);
    git('add', '-A', '-f');
    git('commit', '-qm', 'one');
    for (const name of ['make.sh', 'take.sh']) {
      appendFileSync(path.join(directory, name), '# of the user');
      git('stash');
    }
    writeFiles(home, {
      'ws/data/list.txt': 'list of the user',
      'ws/data/more.txt': 'more of the user',
      'ws/local.conf': 'settings of the user',
      'ws/module/mine.txt': 'text of the user',
      'ws/pictures/a.png': 'picture of the user',
      'ws/#notes#': 'notes of the user',
      'ws/dist/a.js': 'a',
      'ws/node_modules/p/package.json': '{}',
      'ws/coverage/a.html': 'a',
      'ws/build/a.js': 'a',
      'ws/pkg/dist/a.js': 'of the user',
      'ws/web/build/index.html': 'changed by the user',
      'ws/notes/a.txt': 'of the user',
      'ws/target/.env': 'KEY=value',
      'ws/htmlcov/sub/.git/HEAD': 'ref: refs/heads/main',
      'ws/sub/.gitignore': 'build\n',
      'ws/sub/build/a.js': 'a',
      'ws/hidden/.gitignore': 'build\n.gitignore\n',
      'ws/hidden/build/a.js': 'a',
      'ws/keep.txt': 'of the user',
    });
    mkdirSync(path.join(directory, 'linked'));
    symlinkSync('../pictures', path.join(directory, 'linked/l'));
    const steps = COMMANDS.map(([command]) => ({
      response: { tool_calls: [{ name: 'run_shell', arguments: { command } }] },
    }));
    const scenarios = [{ name: 'calls', trigger: 'go', steps: [...steps, { response: { content: 'Done.' } }] }];
    const server = await startRecordingServer({ scenarios });
    const environment = { HOME: home, XDG_CONFIG_HOME: `${home}/.config` };
    await runBin(['trust', '.'], { directory, environment, input: 'y\n' });
    await runBin(['config', 'set', 'agent.max_iterations', '60'], { directory, environment });
    const terminal = startInTerminal(['-p', 'mock', '--endpoint', server.url, 'go'], { directory, environment });
    const hasEnded = () => /^Done\.$/m.test(terminal.screen());
    const asked: string[] = [];
    const question = () => [...terminal.screen().matchAll(/^▌ \? run_shell: run (.*)$/gmu)].at(-1)?.[1] ?? '';
    const answers = () => [...terminal.screen().matchAll(/^▌ {3}> ?/gmu)].length;
    for (;;) {
      await terminal.waitFor('a question or the end', () => hasEnded() || answers() > asked.length);
      if (hasEnded()) break;
      asked.push(question());
      terminal.type(asked.length === 1 ? 'x' : 'y');
    }
    expect(asked).toEqual(COMMANDS.flatMap(([command, asks]) => (asks ? [command] : [])));
  },
);
