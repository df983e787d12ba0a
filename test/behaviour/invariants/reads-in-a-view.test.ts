import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { missingSandbox } from '../../support/sandbox/require-sandbox.ts';
import { type DecidedSession, playDecisions } from '../../support/stories/decided-run.ts';
import { run } from '../decisions/rows.ts';

const noSandbox = await missingSandbox();

/** A repository that has committed a secret, and more secrets on the disk and in the environment. */
const SESSION: DecidedSession = {
  config: { safety: { environment: ['secret:DEPLOY_KEY'] } },
  environment: { DEPLOY_KEY: 'SECRET in a variable' },
  files: {
    'ws/.env': 'A=SECRET on the disk\n',
    'ws/node_modules/x/.env': 'A=SECRET in a package\n',
    'ws/server.pem': 'SECRET that git has\n',
    'ws/notes.txt': 'one\ntwo\n',
    'other/notes.txt': 'SECRET of another project\n',
    '.secrets/notes.txt': 'SECRET of the user\n',
  },
  prepare(home) {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
        cwd: path.join(home, 'ws'),
        env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' },
      });
    git('init', '-q', '-b', 'main');
    git('add', 'server.pem', 'notes.txt', 'README.md');
    git('commit', '-q', '-m', 'first');
    // Its name does not look like one of a directory with secrets, and its content is in git.
    mkdirSync(path.join(home, 'ws/src'));
    writeFileSync(path.join(home, 'ws/src/notes.txt'), 'three\n');
  },
};

const TRUSTED = { ...SESSION, trusted: true };
/** The same commands without the protection. */
const OPEN = { ...SESSION, options: ['--no-sandbox', '--permission-mode', 'full-access'] };

/** Commands that are classified as reading, because their text hides that they change or remove a file. */
const WRITERS: readonly string[] = [
  `node -e "require('fs')['wri' + 'teFileSync']('notes.txt', 'CHANGED')"`,
  `node -e "require('fs')['wri' + 'teFileSync']('src/new.txt', 'CHANGED')"`,
  `node -e "require('fs')['unl' + 'inkSync']('README.md')"`,
  `node -e "require('fs')['wri' + 'teFileSync'](process.env.HOME + '/other/new.txt', 'CHANGED')"`,
];

/** Commands that are classified as reading, and show a secret. */
const READERS: readonly string[] = [
  'cat $(ls -A)',
  'cat ser*',
  'for f in $(find . -name ".e*"); do cat "$f"; done',
  'cat "$HOME"/other/*',
  'cat "$HOME"/.sec*/*',
  'env',
  `node -p "process.env['DEPLOY' + '_KEY']"`,
  // Content of git, read without git
  `node -e "const z = require('zlib'), f = require('fs'); for (const a of f.readdirSync('.git/objects')) if (a.length === 2) for (const b of f.readdirSync('.git/objects/' + a)) console.log(String(z.inflateSync(f.readFileSync('.git/objects/' + a + '/' + b))))"`,
];

/** Every file of a directory with its content. */
function contents(directory: string): Readonly<Record<string, string>> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return [path.relative(directory, file), readFileSync(file, 'latin1')];
    }),
  );
}

async function play(commands: readonly string[], session: DecidedSession) {
  let before: Readonly<Record<string, string>> = {};
  const { calls, home } = await playDecisions([commands.map((command) => run(command))], {
    ...session,
    prepare(place) {
      session.prepare?.(place);
      before = contents(place);
    },
  });
  const after = contents(home);
  const isTheirs = (file: string): boolean => !/^\.config|^\.cache|^ws\/\.git\//.test(file);
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(isTheirs);
  return { calls, changed: names.filter((file) => before[file] !== after[file]).toSorted() };
}

describe.skipIf(noSandbox !== undefined)('a command that runs without a question', () => {
  // > docs/security.md: a command that runs without a question changes nothing | it sees the workspace read-only, without network, secrets and your other files | reads-in-a-view.test.ts
  it('changes nothing, and the model reads how to ask for it', async () => {
    const { calls, changed } = await play(WRITERS, TRUSTED);
    expect(calls.map(({ decision, decidedBy }) => `${decision} ${decidedBy}`)).toEqual(
      WRITERS.map(() => 'allow view of the workspace'),
    );
    expect(changed).toEqual([]);
    for (const { reads } of calls.slice(0, 3)) {
      expect(reads).toContain('EROFS: read-only file system');
      expect(reads).toContain('repeat the call with "writes": true; the user is asked');
    }
  });

  it('needs approval if the model repeats it with write access', async () => {
    const [command = ''] = WRITERS;
    const { calls } = await playDecisions([[run(command, { writes: true })]], TRUSTED);
    expect(calls).toMatchObject([{ decision: 'ask', decidedBy: 'question' }]);
  });

  it('control: changes the files without the view, so the classification can be wrong', async () => {
    const { changed } = await play(WRITERS, OPEN);
    expect(changed).toEqual(['other/new.txt', 'ws/README.md', 'ws/notes.txt', 'ws/src/new.txt']);
  });

  it('reads no secret', async () => {
    const { calls } = await play(READERS, TRUSTED);
    expect(calls.map(({ decision, decidedBy }) => `${decision} ${decidedBy}`)).toEqual(
      READERS.map(() => 'allow view of the workspace'),
    );
    expect(calls.filter(({ reads }) => reads.includes('SECRET'))).toEqual([]);
  });

  it('control: shows each of them without the view', async () => {
    const { calls } = await play(READERS, OPEN);
    // Secrets of the environment are replaced in results even without the view.
    const shown = calls.map(({ reads }) => /SECRET|REDACTED|\[redacted/i.test(reads));
    expect(shown).toEqual(READERS.map(() => true));
  });

  it('shows committed content, but no file with secrets', async () => {
    const commands = ['git show HEAD', 'git log -p | head -50', 'git ls-files | xargs cat', 'git grep SECRET | cat'];
    const [show, log, files, grep] = (await play(commands, TRUSTED)).calls;
    for (const call of [show, log]) {
      expect(call).toMatchObject({ decision: 'allow', decidedBy: 'view of the workspace' });
      expect(call?.reads).toContain('+one');
      expect(call?.reads).toContain('Binary files /dev/null and b/server.pem differ');
    }
    expect(files?.reads).toContain('two');
    expect(JSON.stringify([show, log, files, grep])).not.toContain('SECRET that');
  });

  it('reaches no server of this machine', async () => {
    const server = net.createServer((socket) => void socket.on('error', () => {}).end('REACHED\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const command = `node -e "require('ne' + 't')['con' + 'nect'](${port}, '127.0.0.1').on('data', (d) => console.log(String(d))).on('error', (e) => console.log(e.code))"`;
    const [inside] = (await play([command], TRUSTED)).calls;
    expect(inside).toMatchObject({ decision: 'allow', decidedBy: 'view of the workspace' });
    expect(inside?.reads).not.toContain('REACHED');
    const [outside] = (await play([command], OPEN)).calls;
    expect(outside?.reads).toContain('REACHED');
  });
});
