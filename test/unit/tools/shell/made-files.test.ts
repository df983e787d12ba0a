import { describe, expect, it } from 'vitest';
import type { PathRules } from '../../../../src/policy/paths/path-policy.ts';
import { ReadLedger } from '../../../../src/tools/files/read-ledger.ts';
import { isOwnTree, lookBefore, recordMade } from '../../../../src/tools/shell/made-files.ts';
import type { AskGit } from '../../../../src/tools/shell/named-paths.ts';
import { findOverwritten } from '../../../../src/tools/shell/overwritten-files.ts';
import { createMemoryFileSystem } from '../../../support/fakes/memory-file-system.ts';

const RULES: PathRules = {
  ...{ workspace: '/w', home: '/home/u', allowedRoots: ['/w'], readOnlyRoots: [], blockedPaths: [], platform: 'posix' },
};
const TRACKED: Readonly<Record<string, string>> = { '/w/src/a.js': 'a', '/w/src/b.js': 'b' };
const START_MS = 1_000;

/** A workspace with two committed files, and files of the user that git does not have. */
function setUp(change: Partial<PathRules> = {}) {
  const users = { '/w/notes.txt': 'n', '/w/data/x': 'x', '/w/tmp/user': 'u' };
  const { fileSystem, volume } = createMemoryFileSystem({ ...TRACKED, ...users });
  const isTracked = (file: string) => volume.existsSync(file) && volume.readFileSync(file, 'utf8') === TRACKED[file];
  const findTracked = async (files: readonly string[]) => new Set(files.filter(isTracked));
  const state = { stash: '', exitCode: 0 };
  const runGit: AskGit = async ({ args: [name] }) => {
    const modified = Object.keys(TRACKED).filter((file) => !isTracked(file));
    const others = Object.keys(volume.toJSON()).flatMap((file) => {
      if (!file.startsWith('/w/') || file in TRACKED) return [];
      const [, top = '', below] = /^\/w\/([^/]*)(\/.*)?$/.exec(file) ?? [];
      return [top === 'src' ? file.slice(3) : below === undefined ? top : `${top}/`];
    });
    const names = [...modified.map((file) => file.slice(3)), ...new Set(others)];
    const stdout = name === 'ls-files' ? names.map((each) => `${each}\0`).join('') : state.stash;
    return { type: 'ended', exitCode: state.exitCode, stdout, stderr: '' };
  };
  const digest = (bytes: Uint8Array) => `sha256:${Buffer.from(bytes).toString('hex')}`;
  const ledger = new ReadLedger();
  const clock = { now: () => START_MS, sleep: async () => {} };
  const pathRules = { ...RULES, ...change };
  const ports = {
    fileSystem: { ...fileSystem, findTracked },
    pathRules,
    sandboxed: true,
    digest,
    ledger,
    runGit,
    clock,
  };
  const write = (file: string, content = 'made'): void => {
    volume.mkdirSync(file.slice(0, file.lastIndexOf('/')), { recursive: true });
    volume.writeFileSync(file, content);
  };
  /** Writes with the time of the old file, as a program does that keeps times. */
  const move = (from: string, to: string): void => {
    write(to, volume.readFileSync(from, 'utf8').toString());
    volume.unlinkSync(from);
    volume.utimesSync(to, 0.5, 0.5);
  };
  const run = async (effect: () => void, command = 'npm run build', durationMs = 10): Promise<void> => {
    const before = await lookBefore(command, ports);
    effect();
    if (before !== undefined) await recordMade(command, before, durationMs, ports);
  };
  const lost = async (command: string) => (await findOverwritten(command, '/w', ports)).lost;
  return { ports, volume, state, ledger, write, move, run, lost };
}
type Bench = ReturnType<typeof setUp>;

describe('what commands of a session have made', () => {
  it.each<[string, (bench: Bench) => Promise<void>, string, readonly string[]]>([
    ['a new directory', ({ run, write }) => run(() => write('/w/lib/a.js')), 'rm -r lib', []],
    ['a new file', ({ run, write }) => run(() => write('/w/out.json')), 'rm out.json data/x', ['data/x']],
    ['a new file in the source', ({ run, write }) => run(() => write('/w/src/c.js')), 'x > src/c.js', []],
    ['a committed file', ({ run, write }) => run(() => write('/w/src/a.js')), 'sed -i s/a/b/ src/a.js', []],
    ['a file in a directory of the user', ({ run, write }) => run(() => write('/w/tmp/a')), 'rm tmp/a', ['tmp/a']],
    ['a file of the user', ({ run, write }) => run(() => write('/w/notes.txt')), 'rm notes.txt', ['notes.txt']],
    ['a moved file', ({ run, move }) => run(() => move('/w/data/x', '/w/lib/x')), 'rm -r lib', ['lib']],
    [
      'a committed file that the user had changed',
      async ({ run, write }) => {
        write('/w/src/a.js', 'of the user');
        await run(() => write('/w/src/a.js', 'formatted'));
      },
      'sed -i s/a/b/ src/a.js',
      ['src/a.js'],
    ],
    [
      'a directory, again, and a file in it',
      async ({ run, write }) => {
        await run(() => write('/w/lib/a.js'));
        await run(() => write('/w/lib/a.js', 'again'));
        await run(() => write('/w/lib/b.js'));
      },
      'rm -r lib',
      [],
    ],
    [
      'a directory into which the user has put a file since',
      async ({ run, write }) => {
        await run(() => write('/w/lib/a.js'));
        write('/w/lib/mine.js');
        await run(() => write('/w/lib/b.js'));
      },
      'rm -r lib',
      ['lib'],
    ],
    [
      'a file that the user has changed since',
      async ({ run, write }) => {
        await run(() => write('/w/out.json'));
        write('/w/out.json', 'of the user');
        await run(() => write('/w/out.json', 'sorted'));
      },
      'rm out.json',
      ['out.json'],
    ],
    [
      'a copy of a file of the user that is gone now',
      async ({ run, write, volume }) => {
        await run(() => write('/w/copy.txt', 'n'));
        await run(() => volume.unlinkSync('/w/notes.txt'));
        await run(() => write('/w/more.txt'));
      },
      'rm copy.txt more.txt',
      ['copy.txt', 'more.txt'],
    ],
    [
      'changes of the user that were put aside and brought back',
      async ({ run, write }) => {
        write('/w/src/a.js', 'of the user');
        await run(() => write('/w/src/a.js', 'a'));
        await run(() => write('/w/src/a.js', 'of the user'));
      },
      'sed -i s/a/b/ src/a.js',
      ['src/a.js'],
    ],
    [
      'changes of an older stash',
      async ({ run, write, state }) => {
        state.stash = 'f00';
        await run(() => {
          state.stash = '';
          write('/w/src/a.js', 'stashed');
        }, 'git stash pop');
      },
      'sed -i s/a/b/ src/a.js',
      ['src/a.js'],
    ],
    [
      'a file, with a stash that comes and goes',
      ({ run, write }) => run(() => write('/w/out.json'), 'git stash && npm test; git stash pop'),
      'rm out.json',
      [],
    ],
    ['a file, in a long time', ({ run, write }) => run(() => write('/w/a'), 'npm test', 60_001), 'rm a', ['a']],
    [
      'a file, where git fails',
      async ({ run, write, state }) => {
        state.exitCode = 128;
        await run(() => write('/w/a'));
        state.exitCode = 0;
        await run(() => {
          write('/w/b');
          state.exitCode = 128;
        });
      },
      'rm a b',
      ['a', 'b'],
    ],
    [
      'a directory with a link, and one with too many files',
      ({ run, write, volume }) =>
        run(() => {
          write('/w/lib/a.js');
          volume.symlinkSync('../notes.txt', '/w/lib/l');
          for (let index = 0; index < 301; index++) write(`/w/big/${index}`);
        }),
      'rm -r lib big',
      ['lib', 'big'],
    ],
    [
      'more files than are looked at',
      ({ run, write }) =>
        run(() => {
          for (let index = 0; index < 1_000; index++) write(`/w/${'abcde'[index % 5]}/${index}`);
          write('/w/z');
        }),
      'rm -r a z',
      ['z'],
    ],
    [
      'a file in a directory with more names than git may list',
      ({ run, write }) =>
        run(() => {
          for (let index = 0; index < 1_000; index++) write(`/w/${index}`);
        }),
      'rm 0',
      ['0'],
    ],
    ['nothing: a directory is empty', async ({ volume }) => volume.unlinkSync('/w/data/x'), 'rm -r data', []],
    ['nothing: git has all of a directory', async () => {}, 'rm -r src', []],
    [
      'nothing: git has most of a directory',
      async ({ write }) => write('/w/src/a.js', 'of the user'),
      'rm -r src',
      ['src'],
    ],
  ])('%s', async (_, story, command, expected) => {
    const bench = setUp();
    await story(bench);
    expect(await bench.lost(command)).toEqual(expected);
  });

  it('is not known after /clear, and without git or a clock', async () => {
    const { ports, ledger, run, write, lost } = setUp();
    await run(() => write('/w/out.json'));
    ledger.clear();
    expect(await lost('rm out.json')).toEqual(['out.json']);
    expect(await lookBefore('x', { ...ports, runGit: undefined })).toBeUndefined();
    expect(await lookBefore('x', { ...ports, clock: undefined })).toBeUndefined();
  });

  it.each<[string, Partial<PathRules>]>([
    ['a blocked path', { blockedPaths: ['/w/lib/deep'] }],
    ['hooks', { guardedPaths: ['/w/lib/deep'] }],
  ])('is lost if the settings of the user name %s in it', async (_, change) => {
    const { run, write, lost } = setUp(change);
    await run(() => write('/w/lib/a.js'));
    expect(await lost('rm -r lib')).toEqual(['lib']);
  });

  it('is lost if a directory cannot be listed, or a file is gone meanwhile', async () => {
    const { ports, run, write, ledger } = setUp();
    await run(() => write('/w/lib/a.js'));
    const list = () => Promise.reject(new Error('denied'));
    expect(await isOwnTree('/w/lib', ports)).toBe(true);
    expect(await isOwnTree('/w/lib', { ...ports, fileSystem: { ...ports.fileSystem, list } })).toBe(false);
    ledger.recordOwn('/w/gone', 'sha256:');
    expect(await isOwnTree('/w/gone', ports)).toBe(false);
  });
});
