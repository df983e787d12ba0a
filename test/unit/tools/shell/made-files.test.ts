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
  const state = { stash: '', exitCode: 0, fails: false, calls: 0, submodule: false };
  const runGit: AskGit = async ({ args: [name] }) => {
    state.calls += 1;
    if (state.fails) return { type: 'failed' };
    const modified = Object.keys(TRACKED).filter((file) => !isTracked(file));
    const others = Object.keys(volume.toJSON()).flatMap((file) => {
      if (!file.startsWith('/w/') || file in TRACKED) return [];
      if (file.startsWith('/w/sub/')) return state.submodule ? ['sub'] : [];
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
    const before = await lookBefore(command, ports, new AbortController().signal);
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
      'copies of files of the user, of which one is in a directory, and a copy of an empty one',
      ({ run, write }) => {
        write('/w/empty', '');
        return run(() => {
          write('/w/lib/x', 'x');
          write('/w/copy.txt', 'n');
          write('/w/nothing', '');
        });
      },
      'rm -r lib copy.txt nothing',
      ['lib', 'copy.txt'],
    ],
    [
      'a file, before build output is gone',
      async ({ run, write, volume }) => {
        write('/w/dist/old.js');
        await run(() => write('/w/out.json', 'result'));
        await run(() => volume.rmSync('/w/dist', { recursive: true }));
      },
      'rm out.json',
      [],
    ],
    [
      'a file, beside more files of the user than are looked at, a link, and a committed file that is gone',
      async ({ run, write, volume }) => {
        write('/w/a/0');
        volume.symlinkSync('0', '/w/a/link');
        for (let index = 0; index < 1_004; index++) write(`/w/${'bcde'[index % 4]}/${index}`);
        volume.unlinkSync('/w/src/b.js');
        await run(() => write('/w/out.json', 'result'));
      },
      'rm out.json',
      [],
    ],
    [
      'what was in a file of a directory of the user that is gone now',
      async ({ run, write, volume }) => {
        write('/w/data/y', 'y');
        await run(() => {
          write('/w/all.txt', 'xy');
          volume.unlinkSync('/w/data/x');
        });
      },
      'rm all.txt',
      ['all.txt'],
    ],
    [
      'files of a submodule that has another commit then',
      async ({ run, write, state }) => {
        write('/w/sub/mine', 'of the user');
        await run(() => {
          write('/w/sub/mine', 'formatted');
          state.submodule = true;
        });
      },
      'rm sub/mine',
      ['sub/mine'],
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
        state.stash = 'two\none\n';
        await run(() => {
          state.stash = 'two\n';
          write('/w/src/a.js', 'stashed');
        }, 'git stash pop stash@{1}');
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
    [
      'a file, before a command after which one of the user is gone',
      async ({ run, write, volume }) => {
        await run(() => write('/w/out.json'));
        await run(() => volume.unlinkSync('/w/notes.txt'));
      },
      'rm out.json',
      ['out.json'],
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
    const { signal } = new AbortController();
    expect(await lookBefore('x', { ...ports, runGit: undefined }, signal)).toBeUndefined();
    expect(await lookBefore('x', { ...ports, clock: undefined }, signal)).toBeUndefined();
  });

  it('is not asked of git again once it has failed or something of the user is gone, unless the user stopped it', async () => {
    const { ports, run, write, lost, state } = setUp();
    const stopped = AbortSignal.abort();
    state.fails = true;
    expect(await lookBefore('x', ports, stopped)).toBeUndefined();
    expect(ports.ledger.trustsMade).toBe(true);
    await run(() => write('/w/a'));
    await run(() => write('/w/b'));
    expect([state.calls, await lost('rm a')]).toEqual([2, ['a']]);
  });

  it('is found without a look at the index for each file that git does not have', async () => {
    const { ports } = setUp();
    const findTracked = () => Promise.reject(new Error('slow'));
    const slow = { ...ports, fileSystem: { ...ports.fileSystem, findTracked } };
    expect(await lookBefore('x', slow, new AbortController().signal)).toMatchObject({ sizes: new Set([1]) });
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
