import { describe, expect, it } from 'vitest';
import type { FileSystem } from '../../../../src/agent/ports/file-system.ts';
import type { PathRules } from '../../../../src/policy/paths/path-policy.ts';
import { ReadLedger } from '../../../../src/tools/files/read-ledger.ts';
import type { AskGit } from '../../../../src/tools/shell/named-paths.ts';
import { findOverwritten } from '../../../../src/tools/shell/overwritten-files.ts';
import { createMemoryFileSystem } from '../../../support/fakes/memory-file-system.ts';

const RULES: PathRules = {
  ...{ workspace: '/w', home: '/home/u', allowedRoots: ['/w'], readOnlyRoots: [], blockedPaths: [], platform: 'posix' },
};

/** The answers of `git check-ignore --verbose`, by the start of the path that it is asked about. */
const IGNORED: readonly (readonly [start: string, line: string])[] = [
  ['/w/dist', '.gitignore:1:dist/'],
  ['/w/node_modules', '.gitignore:2:/node_modules'],
  ['/w/app/build', 'app/.gitignore:1:[Bb]uild'],
  ['/w/shop.egg-info', '.gitignore:3:*.egg-info/'],
  ['/w/local/build', '.git/info/exclude:1:build'],
  ['/w/global/build', '/home/u/.gitignore:1:build'],
  ['/w/notes', '.gitignore:4:notes/'],
  ['/w/private', '.gitignore:5:private/'],
  ['/w/all', 'all/.gitignore:1:*'],
  ['/w/kept', 'kept/.gitignore:1:!build'],
  ['/w/edited', 'edited/.gitignore:1:build'],
];

function setUp(change: Partial<FileSystem> = {}) {
  const { fileSystem, volume } = createMemoryFileSystem({
    '/w/dist/a.js': '',
    '/w/dist/deep/b.js': '',
    '/w/node_modules/p/CLAUDE.md': '',
    '/w/node_modules/.bin/x': '',
    '/w/app/build/a': '',
    '/w/shop.egg-info/PKG-INFO': '',
    '/w/notes/a': '',
    '/w/private/build/a': '',
    '/w/all/build/a': '',
    '/w/kept/build/a': '',
    '/w/edited/build/a': '',
    '/w/local/build/a': '',
    '/w/global/build/a': '',
    '/w/new/dist/a': '',
    '/o/dist/a': '',
  });
  volume.symlinkSync('../p/CLAUDE.md', '/w/node_modules/.bin/p');
  volume.symlinkSync('dist', '/w/link');
  const git: (readonly string[])[] = [];
  const runGit = async ({ args }: { readonly args: readonly string[] }) => {
    git.push(args);
    const line = IGNORED.find(([start]) => args.at(-1)?.startsWith(start))?.[1];
    const stdout =
      args[0] === 'status'
        ? args.at(-1) === ':(top,literal)edited/.gitignore'
          ? ' M edited/.gitignore\n'
          : ''
        : line === undefined
          ? ''
          : `${line}\t${args.at(-1)}\n`;
    return { type: 'ended' as const, exitCode: args[0] === 'status' || line !== undefined ? 0 : 1, stdout, stderr: '' };
  };
  const digest = (bytes: Uint8Array) => `sha256:${Buffer.from(bytes).toString('hex')}`;
  const ledger = new ReadLedger();
  const ports = { fileSystem: { ...fileSystem, ...change }, pathRules: RULES, sandboxed: true, digest, ledger, runGit };
  const lost = async (command: string) => (await findOverwritten(command, '/w', ports)).lost;
  return { ports, volume, ledger, git, lost };
}

describe('build output that git ignores', () => {
  it.each<[string, readonly string[]]>([
    ['rm -rf dist', []],
    ['rm -rf dist/deep dist/a.js', []],
    ['rm -rf dist/*', []],
    ['rm -rf dist/a*', []],
    ['x > dist/a.js', []],
    ['cp x.js dist/a.js', []],
    ['rm -rf node_modules && npm ci', []],
    ['rm -rf app/build shop.egg-info', []],
    // Names that people use for their own files, and rules about something else
    ['rm -rf notes', ['notes']],
    ['rm -rf private/build', ['private/build']],
    ['rm -rf all/build', ['all/build']],
    ['rm -rf kept/build', ['kept/build']],
    ['rm -rf edited/build', ['edited/build']],
    ['rm -rf new/dist', ['new/dist']],
    ['rm -rf local/build', ['local/build']],
    ['rm -rf global/build', ['global/build']],
    ['rm -rf /o/dist', ['/o/dist']],
    ['rm -rf app', ['app']],
    ['rm -rf *', ['all', 'app', 'edited', '7 more']],
    ['rm -rf link', ['link']],
    ['rm -rf */deep', []],
    ['rm -rf */a', ['notes/a']],
    ['npx rimraf dist && find . -name node_modules -prune -exec rm -rf {} +', []],
    ['find . -name build -exec rm -rf {} +', ['private/build', 'local/build', 'kept/build', '3 more']],
  ])('is nothing that %s loses, beside %j', async (command, expected) => {
    expect(await setUp().lost(command)).toEqual(expected);
  });

  it.each<[string, (volume: ReturnType<typeof setUp>['volume']) => void]>([
    ['a file with secrets', (volume) => volume.writeFileSync('/w/dist/.env', '')],
    ['a file that other programs follow', (volume) => volume.writeFileSync('/w/dist/deep/CLAUDE.md', '')],
    ['a repository', (volume) => volume.mkdirSync('/w/dist/deep/.git')],
    ['a worktree', (volume) => volume.writeFileSync('/w/dist/.git', 'gitdir: /x')],
    ['a link that leads out', (volume) => volume.symlinkSync('../notes', '/w/dist/deep/l')],
    ['a link that leads nowhere', (volume) => volume.symlinkSync('gone', '/w/dist/l')],
  ])('is lost with %s in it', async (_, change) => {
    const { lost, volume } = setUp();
    change(volume);
    expect(await lost('rm -rf dist')).toEqual(['dist']);
    expect(await lost('rm -rf node_modules')).toEqual([]);
  });

  it('is lost if it is a file with secrets itself', async () => {
    const { lost, volume } = setUp();
    volume.writeFileSync('/w/dist/.env', '');
    expect(await lost('x > dist/.env')).toEqual(['dist/.env']);
  });

  it.each<[string, FileSystem['list']]>([
    ['cannot be listed', () => Promise.reject(new Error('denied'))],
    ['is too large', async () => Array.from({ length: 100_001 }, (_, index) => ({ name: `${index}`, kind: 'file' }))],
    ['has a socket', async () => [{ name: 's', kind: 'other' }]],
  ])('is lost if it %s', async (_, list) => {
    expect(await setUp({ list }).lost('rm -rf dist')).toEqual(['dist']);
  });

  it.each<[string, Partial<PathRules>]>([
    ['a blocked path', { blockedPaths: ['/w/dist/deep'] }],
    ['hooks', { guardedPaths: ['/w/dist/deep'] }],
  ])('is lost if the settings of the user name %s in it', async (_, change) => {
    const { ports } = setUp();
    const pathRules = { ...RULES, ...change };
    expect((await findOverwritten('rm -rf dist', '/w', { ...ports, pathRules })).lost).toEqual(['dist']);
  });

  it('is lost if git cannot be asked, in a project that is not trusted, and beyond a number of questions', async () => {
    const { ports, lost, volume } = setUp();
    const lostWith = async (runGit?: AskGit) => (await findOverwritten('rm -rf dist', '/w', { ...ports, runGit })).lost;
    expect(await lostWith()).toEqual(['dist']);
    expect(await lostWith(async () => ({ type: 'failed' }))).toEqual(['dist']);
    expect(
      await lostWith(async (command) => (command.args[0] === 'status' ? { type: 'failed' } : ports.runGit(command))),
    ).toEqual(['dist']);
    const names = Array.from({ length: 41 }, (_, index) => `dist/${index}`);
    for (const name of names) volume.writeFileSync(`/w/${name}`, '');
    expect(await lost(`rm ${names.join(' ')}`)).toEqual(['dist/40']);
  });

  it('starts git for paths with such a name alone', async () => {
    const { git, lost } = setUp();
    await lost('rm -rf notes /o/dist missing');
    expect(git).toEqual([]);
  });

  it.each<[string, string]>([
    ['mv notes dist', 'rm -rf dist'],
    ['mv notes/a link', 'rm -rf dist'],
    ['mv -n notes dist/deep', 'rm -rf dist'],
    ['mv notes dist/new', 'rm -rf dist'],
    ['mv notes "dist/$X"', 'rm -rf dist'],
    ['mv notes dist', 'rm -rf dist/deep'],
    ['mv notes "$X"', 'rm -rf dist'],
  ])('is lost after %s, with %s', async (move, removal) => {
    const { ports, ledger, lost } = setUp();
    expect(await lost(removal)).toEqual([]);
    ledger.recordMoves((await findOverwritten(move, '/w', ports)).received);
    ledger.clear();
    expect(await lost(removal)).not.toEqual([]);
    expect(await lost('rm -rf node_modules')).toEqual(move.endsWith('"$X"') ? ['node_modules'] : []);
  });
});
